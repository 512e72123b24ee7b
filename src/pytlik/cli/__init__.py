"""The command line: one module per command, with `add_arguments(parser, translate)` and
`run(args, translate)`.

Exit status: 0, 1 (it failed) or 2 (wrong usage). Results go to stdout, everything else to stderr.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from importlib.metadata import version
from types import ModuleType

from pytlik.argument_parsing import CommandParser, suggest_similar
from pytlik.cli import (
    admin,
    arena,
    backup,
    bench,
    deck,
    doctor,
    play,
    printing,
    referee,
    replay,
    restore,
    serve,
    verify,
)
from pytlik.game import Reason, Refusal
from pytlik.i18n import Catalogue, catalogue, languages
from pytlik.matchfile import printable_text

COMMANDS: dict[str, ModuleType] = {
    "serve": serve,
    "play": play,
    "referee": referee,
    "arena": arena,
    "deck": deck,
    "print": printing,
    "replay": replay,
    "verify": verify,
    "backup": backup,
    "restore": restore,
    "doctor": doctor,
    "admin": admin,
    "bench": bench,
}


def main(argv: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    translate = catalogue(choose_language(words))
    args = parse_arguments(words, translate)
    try:
        if args.command is None:
            # Most people come to play in the browser.
            return serve.run_without_command(args, translate)
        return int(COMMANDS[args.command].run(args, translate))
    except Refusal as refusal:
        # It may quote a part of a file that someone else has made.
        message = printable_text(translate(f"reason.{refusal.reason}", **refusal.detail))
        print_failure_as_json(args, refusal.reason, message)
        print(f"pytlik: {refusal.reason}: {message}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader has closed the pipe; without this Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        message = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        print_failure_as_json(args, Reason.BAD_FILE, message)
        print(f"pytlik: {message}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def print_failure_as_json(args: argparse.Namespace, reason: str, message: str) -> None:
    """Print a failure to stdout if `--json` was given."""
    if getattr(args, "json", False):
        print(json.dumps({"error": {"reason": reason, "message": message}}))


def parse_arguments(words: Sequence[str], translate: Catalogue) -> argparse.Namespace:
    top, commands = build_parsers(translate)
    args, unknown = top.parse_known_args(words)
    if unknown:
        usage = (commands[args.command] if args.command else top).format_usage()
        hint = suggest_similar(unknown[0], re.findall(r"--[\w-]+", usage), translate)
        top.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
    if args.command is not None and (args.alone_lan or args.no_browser):
        top.error(translate("cli.alone.only"))
    return args


def choose_language(words: Sequence[str]) -> str:
    """The language that was asked for, or the system's, or English."""
    early = argparse.ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    early.add_argument("--lang", nargs="?")
    asked = early.parse_known_args(list(words))[0].lang
    system = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG", "")
    for lang in (asked, system[:2]):
        if lang in languages():
            return str(lang)
    return "en"


def build_main_parser(translate: Catalogue) -> argparse.ArgumentParser:
    return build_parsers(translate)[0]


def build_parsers(translate: Catalogue) -> tuple[CommandParser, dict[str, CommandParser]]:
    """The parser of everything, and that of each command."""
    top = CommandParser(
        translate,
        prog="pytlik",
        description=f"{translate('cli.help')} {translate('cli.alone.help')}",
        epilog=translate("cli.example", example="pytlik --lan"),
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=version("pytlik"))
    top.add_argument("--lang", choices=languages(), help=translate("cli.lang"))
    serve.add_commandless_arguments(top, translate)
    subparsers = top.add_subparsers(dest="command", metavar=translate("cli.command"))
    commands = {}
    for name, module in COMMANDS.items():
        command = commands[name] = subparsers.add_parser(
            name,
            translate=translate,
            help=translate(f"cli.{name}.help"),
            description=translate(f"cli.{name}.help"),
            epilog=translate("cli.example", example=translate(f"cli.{name}.example")),
            allow_abbrev=False,
        )
        command.add_argument("--lang", choices=languages(), help=translate("cli.lang"))
        module.add_arguments(command, translate)
    return top, commands
