"""`pytlik play`: a game in the terminal, against bots or at a table on a server."""

import argparse
import os
import secrets
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rich.text import Text

from pytlik.argument_parsing import suggest_similar
from pytlik.atomic_file import write_file_atomically
from pytlik.data_folder import data_folder
from pytlik.extras import explain_missing_extra
from pytlik.game import AnyGame
from pytlik.games import GAMES
from pytlik.i18n import Catalogue
from pytlik.i18n.formats import format_list
from pytlik.match import SECRET_BYTES, AnyMatch, Match
from pytlik.matchfile import Player
from pytlik.option_arguments import (
    WrongOption,
    add_option_arguments,
    flag_of,
    option_names,
    parse_options,
)
from pytlik.terminal.bot_names import describe_bot, name_bots
from pytlik.terminal.line_mode import Quit
from pytlik.terminal.line_mode.match_runner import play_match
from pytlik.terminal.line_mode.terminal import Terminal, system_terminal
from pytlik.terminal.local import YOU
from pytlik.terminal.remote.saved_tokens import SavedTokens
from pytlik.terminal.remote.table_url import TableUrl, parse_table_url
from pytlik.terminal.system_clock import SystemClock

DEFAULT_GAME = "unikat"
MAX_NAME_LENGTH = 40

INSTALL_COMMAND = "pip install 'pytlik[terminal]'"
"""Installs what the full screen needs."""


class BadArguments(Exception):
    """The arguments don't fit together; the message is for people."""


# --------------------------------------------------------------------------------------- arguments


def add_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    parser.add_argument("game", nargs="?", default=DEFAULT_GAME, help=translate("cli.play.what"))
    kinds = "; ".join(f"{game.name}: {', '.join(game.bots)}" for game in GAMES.values())
    parser.add_argument("--bots", metavar="BOT,BOT", help=translate("cli.play.bots", kinds=kinds))
    parser.add_argument("--name", help=translate("cli.play.name"))
    parser.add_argument("--seed", metavar="TEXT", help=translate("cli.play.seed"))
    parser.add_argument("--out", type=Path, metavar="FILE", help=translate("cli.play.out"))
    parser.add_argument("--lines", action="store_true", help=translate("cli.play.lines"))
    parser.add_argument("--plain", action="store_true", help=translate("cli.play.plain"))
    add_option_arguments(parser, translate)


def find_game(name: str, translate: Catalogue) -> AnyGame:
    if name not in GAMES:
        text = translate("cli.play.no_such_game", game=name, known=", ".join(GAMES))
        raise BadArguments(text + suggest_similar(name, tuple(GAMES), translate))
    return GAMES[name]


def check_remote_arguments(args: argparse.Namespace, translate: Catalogue) -> None:
    """Refuse game options for a table on a server, where they have been chosen already."""
    options = [name for game in GAMES.values() for name in option_names(game)]
    for name in ("bots", "seed", "out", *options):
        if getattr(args, name, None) is not None:
            raise BadArguments(translate("cli.play.not_there", flag=flag_of(name)))


def choose_players(
    game: AnyGame, args: argparse.Namespace, translate: Catalogue
) -> tuple[Player, ...]:
    """The person, and the bots, each with a name of its own."""
    asked = game.default_bot if args.bots is None else args.bots
    bots = [kind.strip() for kind in asked.split(",")]
    for bot in bots:
        if bot not in game.bots:
            text = translate("cli.play.no_such_bot", bot=bot, known=", ".join(game.bots))
            raise BadArguments(text + suggest_similar(bot, tuple(game.bots), translate))
    if len(bots) + 1 not in game.players:
        raise BadArguments(translate("cli.play.bot_count", n=len(bots)))
    person = (args.name or "").strip() or translate("play.guest")
    if not person.isprintable() or len(person) > MAX_NAME_LENGTH:
        raise BadArguments(translate("cli.play.bad_name"))
    names = name_bots(bots, translate, others=[person])
    return (Player(person), *map(Player, names, bots))


def check_output_file(out: Path | None, translate: Catalogue) -> None:
    """Refuse a file that can't be written, because after the game it would be too late."""
    if out and (out.is_dir() or not out.absolute().parent.is_dir()):
        raise BadArguments(translate("cli.play.bad_out", file=out))


# ----------------------------------------------------------------------------------------- playing


def run(args: argparse.Namespace, translate: Catalogue) -> int:
    full_screen = supports_full_screen() and not (args.lines or args.plain)
    try:
        link = parse_table_url(args.game)
        if link is not None:
            check_remote_arguments(args, translate)
            return join_table(link, args.name or "", translate, full_screen=full_screen)
        game = find_game(args.game, translate)
        players = choose_players(game, args, translate)
        options = parse_options(game, vars(args), len(players), translate)
        check_output_file(args.out, translate)
    except (BadArguments, WrongOption) as wrong:
        print(f"pytlik play: {wrong}", file=sys.stderr)
        return 2
    clock = SystemClock()
    match = start_match(game, players, args.seed, options, clock.now())
    names = [player.name for player in players]
    if not args.name:
        names[YOU] = translate("play.you")
    if full_screen and "screen" in game.shows:
        if find_spec("textual") is not None:
            return play_full_screen(match, names, clock, translate, args.out)
        print(translate("terminal.no_extra", command=INSTALL_COMMAND), file=sys.stderr)
    return play_lines(match, names, system_terminal(translate, clock, plain=args.plain), args.out)


def start_match(
    game: AnyGame, players: Sequence[Player], seed: str | None, options: Any, now: int
) -> AnyMatch:
    # The person's share of the seed is no secret, so without a seed the secret is random.
    secret = secrets.token_bytes(SECRET_BYTES) if seed is None else None
    return Match.new(game, players, seed=seed, options=options, now=now, secret=secret)


def supports_full_screen() -> bool:
    """Whether a person sits at a terminal that can show more than lines."""
    # The full screen is drawn on stderr.
    if not (sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()):
        return False
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return os.environ.get("TERM", "dumb") not in ("dumb", "") and encoding.startswith("utf8")


def play_lines(match: AnyMatch, names: Sequence[str], terminal: Terminal, out: Path | None) -> int:
    """Play until the match is over or the person leaves. Saves the match if asked to."""
    welcome = f"play.welcome.{match.game.name}"
    if welcome in terminal.translate:
        terminal.show_translated(welcome, others=format_list(names[1:], terminal.translate))
    terminal.show(*describe_bots(match, terminal.translate))
    terminal.show_translated("play.commitment", commitment=match.events[0].commitment)
    try:
        play_match(match, terminal, names)
    except (Quit, EOFError):
        terminal.end_prompt()
        terminal.show_translated("play.left")
    finally:
        if out:
            write_file_atomically(out, match.file())
    if out:
        # A Text isn't wrapped: a command to be copied must not be broken.
        terminal.show(Text(describe_saved_file(match, out, terminal.translate)))
    return 0


def play_full_screen(
    match: AnyMatch,
    names: Sequence[str],
    clock: SystemClock,
    translate: Catalogue,
    out: Path | None,
) -> int:
    """Play until the person leaves. Saves the match if asked to."""
    from pytlik.terminal.local.session import LocalSession  # noqa: PLC0415
    from pytlik.terminal.screens.app import PlayApp  # noqa: PLC0415 - an extra

    # Printed before any of the deal can be seen, and still there to read after the game.
    for line in describe_bots(match, translate):
        print(line)
    print(translate("play.commitment", commitment=match.events[0].commitment))
    app = PlayApp(LocalSession(match, names, clock), translate)
    try:
        app.run()
    finally:
        if out:
            write_file_atomically(out, match.file())
    if match.outcome is None:
        print(translate("play.left"))
    if out:
        print(describe_saved_file(match, out, translate))
    return app.return_code or 0


def describe_bots(match: AnyMatch, translate: Catalogue) -> list[str]:
    """A line about each bot that is a level."""
    bots = [player for player in match.seats if player.bot]
    lines = [describe_bot(bot.name, match.game.name, bot.bot or "", translate) for bot in bots]
    return [line for line in lines if line]


def describe_saved_file(match: AnyMatch, out: Path, translate: Catalogue) -> str:
    return translate("play.saved" if match.outcome else "play.saved_unfinished", file=out)


def join_table(link: TableUrl, name: str, translate: Catalogue, *, full_screen: bool) -> int:
    """Play at a table on a server. The token is saved, so that the person gets the same seat again.
    Raises Missing if Textual isn't installed."""
    with explain_missing_extra("terminal"):
        from pytlik.terminal.remote.session import RemoteSession  # noqa: PLC0415
        from pytlik.terminal.screens.app import PlayApp  # noqa: PLC0415

    if not full_screen:
        print(f"pytlik play: {translate('terminal.no_screen')}", file=sys.stderr)
        return 2
    tokens = SavedTokens(data_folder() / "seats.json")
    session = RemoteSession(
        link,
        SystemClock(),
        translate,
        token=tokens.get(link.server),
        save_token=lambda token: tokens.save(link.server, token),
    )
    app = PlayApp(session, translate, name=name)
    app.run()
    if session.table and session.table.yours:
        print(translate("terminal.kept", link=link))
    return app.return_code or 0
