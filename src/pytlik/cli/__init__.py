"""The command line: one module a command, each with `arguments(parser, say)` and `run(args, say)`.

Exit status: 0, or 1 (it failed), or 2 (called wrongly). What a command finds out goes to stdout,
everything else to stderr.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from types import ModuleType

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
from pytlik.game import Refusal
from pytlik.i18n import Catalogue, catalogue, languages

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
    say = catalogue(language(words))
    args = parsed(words, say)
    try:
        if args.command is None:
            # Alone it starts what most people come for.
            return serve.run_alone(args, say)
        return int(COMMANDS[args.command].run(args, say))
    except Refusal as refusal:
        message = say(f"reason.{refusal.reason}", **refusal.detail)
        if getattr(args, "json", False):
            print(json.dumps({"error": {"reason": refusal.reason, "message": message}}))
        print(f"pytlik: {refusal.reason}: {message}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read us has seen enough; Python would complain about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"pytlik: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def parsed(words: Sequence[str], say: Catalogue) -> argparse.Namespace:
    top = parser(say)
    args = top.parse_args(words)
    if args.command is not None and (args.alone_lan or args.no_browser):
        top.error(say("cli.alone.only"))
    return args


def language(words: Sequence[str]) -> str:
    """The language to speak: as asked for, or as the system is set, or English."""
    early = argparse.ArgumentParser(add_help=False, exit_on_error=False, allow_abbrev=False)
    early.add_argument("--lang", nargs="?")
    asked = early.parse_known_args(list(words))[0].lang
    system = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG", "")
    for lang in (asked, system[:2]):
        if lang in languages():
            return str(lang)
    return "en"


def parser(say: Catalogue) -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="pytlik",
        description=f"{say('cli.help')} {say('cli.alone.help')}",
        epilog=say("cli.example", example="pytlik --lan"),
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=version("pytlik"))
    top.add_argument("--lang", choices=languages(), help=say("cli.lang"))
    serve.alone_arguments(top, say)
    commands = top.add_subparsers(dest="command", metavar=say("cli.command"))
    for name, module in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=say(f"cli.{name}.help"),
            description=say(f"cli.{name}.help"),
            epilog=say("cli.example", example=say(f"cli.{name}.example")),
            allow_abbrev=False,
        )
        command.add_argument("--lang", choices=languages(), help=say("cli.lang"))
        module.arguments(command, say)
    return top
