"""`pytlik play`: a game in the terminal, against bots or at a table on a server."""

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import msgspec
from rich.text import Text

from pytlik.cli import full_screen, play_ubongo, play_unikat
from pytlik.cli.files import write
from pytlik.cli.terminal import Quit, Terminal, system_terminal
from pytlik.game import AnyGame
from pytlik.games import GAMES
from pytlik.i18n import Catalogue
from pytlik.matchfile import Player
from pytlik.terminal.clock import SystemClock
from pytlik.terminal.rivals import UBONGO_BOTS, UNIKAT_BOTS
from pytlik.terminal.table import Table

PLAY = {"unikat": play_unikat.play, "ubongo": play_ubongo.play}
BOTS = {"unikat": tuple(UNIKAT_BOTS), "ubongo": tuple(UBONGO_BOTS)}
DEFAULT_BOTS = {"unikat": "longest", "ubongo": "medium"}
NAMES = ("Ola", "Max", "Hana", "Jo")

NONE = "none"
"""On the command line: no limit."""


class CalledWrongly(Exception):
    """The arguments don't go together; the message is for people."""


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def number_or_none(text: str) -> int | None:
    return None if text == NONE else int(text)


def arguments(parser: argparse.ArgumentParser, say: Catalogue) -> None:
    parser.add_argument("game", nargs="?", default="unikat", help=say("cli.play.what"))
    kinds = "; ".join(f"{game}: {', '.join(bots)}" for game, bots in BOTS.items())
    parser.add_argument("--bots", metavar="BOT,BOT", help=say("cli.play.bots", kinds=kinds))
    parser.add_argument("--name", help=say("cli.play.name"))
    parser.add_argument("--seed", metavar="TEXT", help=say("cli.play.seed"))
    parser.add_argument("--out", type=Path, metavar="FILE", help=say("cli.play.out"))
    parser.add_argument("--lines", action="store_true", help=say("cli.play.lines"))
    parser.add_argument("--plain", action="store_true", help=say("cli.play.plain"))
    # An option that was not given is absent: then the game's own default holds.
    unikat = parser.add_argument_group("Unikat", argument_default=argparse.SUPPRESS)
    unikat.add_argument("--rounds", type=int, metavar="N", help=say("cli.play.rounds"))
    unikat.add_argument("--starter", type=int, metavar="SEAT", help=say("cli.play.starter"))
    unikat.add_argument(
        "--next-starter", choices=("same", "rotate", "winner"), help=say("cli.play.next_starter")
    )
    unikat.add_argument(
        "--extra-action", choices=("anywhere", "continue"), help=say("cli.play.extra_action")
    )
    unikat.add_argument("--blocked", type=numbers, metavar="N,N", help=say("cli.play.blocked"))
    ubongo = parser.add_argument_group("Ubongo", argument_default=argparse.SUPPRESS)
    ubongo.add_argument("--pieces", type=int, choices=(3, 4, 5), help=say("cli.play.pieces"))
    ubongo.add_argument("--handicap", type=numbers, metavar="N,N", help=say("cli.play.handicap"))
    ubongo.add_argument("--same-puzzle", action="store_true", help=say("cli.play.same_puzzle"))
    ubongo.add_argument("--seconds", type=number_or_none, metavar="N", help=say("cli.play.seconds"))
    ubongo.add_argument(
        "--patience", type=number_or_none, metavar="N", help=say("cli.play.patience")
    )


def run(args: argparse.Namespace, say: Catalogue) -> int:
    whole_screen = has_screen() and not (args.lines or args.plain)
    try:
        link = full_screen.parse(args.game)
        if link is not None:
            check_there(args, say)
            return full_screen.join(link, args.name or "", say, whole_screen=whole_screen)
        game = game_named(args.game, say)
        seats = seated(args, say)
        options = table_options(game, vars(args), len(seats), say)
        check_out(args.out, say)
    except CalledWrongly as wrong:
        print(f"pytlik play: {wrong}", file=sys.stderr)
        return 2
    clock = SystemClock()
    you = None if args.name else say("play.you")
    table = Table(game, options, seats, args.seed, clock.now(), you=you)
    if whole_screen:
        if full_screen.installed():
            return full_screen.play(table, clock, say, args.out)
        print(say("terminal.no_extra", command=full_screen.COMMAND), file=sys.stderr)
    return sit_down(table, system_terminal(say, clock, plain=args.plain), args.out)


def game_named(name: str, say: Catalogue) -> AnyGame:
    if name not in GAMES:
        raise CalledWrongly(say("cli.play.no_such_game", game=name, known=", ".join(GAMES)))
    return GAMES[name]


def has_screen() -> bool:
    """Whether somebody sits at a terminal that can show more than lines."""
    # What is on the whole screen is drawn on stderr.
    if not (sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()):
        return False
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return os.environ.get("TERM", "dumb") not in ("dumb", "") and encoding.startswith("utf8")


def check_there(args: argparse.Namespace, say: Catalogue) -> None:
    """At a table on a server others have decided about the game."""
    options = [name for game in GAMES.values() for name in game.options.__struct_fields__]
    for name in ("bots", "seed", "out", *options):
        if getattr(args, name, None) is not None:
            flag = "--" + name.replace("_", "-")
            raise CalledWrongly(say("cli.play.not_there", flag=flag))


def sit_down(table: Table, terminal: Terminal, out: Path | None) -> int:
    """Play until the match is over, or the person leaves; keep the match where asked to."""
    name = table.game.name
    others = ", ".join(table.names[1:])
    terminal.tell(f"play.welcome.{name}", others=others)
    terminal.tell("play.commitment", commitment=table.commitment)
    try:
        PLAY[name](table, terminal)
    except (Quit, EOFError):
        terminal.leave()
        terminal.tell("play.left")
    finally:
        if out:
            write(out, table.file())
    if out:
        # A drawing, as it were: a command that is to be copied must not be broken.
        terminal.show(Text(full_screen.kept(table, out, terminal.say)))
    return 0


def seated(args: argparse.Namespace, say: Catalogue) -> tuple[Player, ...]:
    """The person, and the bots under names of their own."""
    kinds = DEFAULT_BOTS[args.game] if args.bots is None else args.bots
    bots = [kind.strip() for kind in kinds.split(",")]
    for bot in bots:
        if bot not in BOTS[args.game]:
            known = ", ".join(BOTS[args.game])
            raise CalledWrongly(say("cli.play.no_such_bot", bot=bot, known=known))
    if not 1 <= len(bots) <= 3:
        raise CalledWrongly(say("cli.play.bot_count", n=len(bots)))
    you = (args.name or "").strip() or say("play.guest")
    if not you.isprintable() or len(you) > 40:
        raise CalledWrongly(say("cli.play.bad_name"))
    names = [name for name in NAMES if name.lower() != you.lower()]
    return (Player(you), *(Player(name, bot) for name, bot in zip(names, bots, strict=False)))


def table_options(game: AnyGame, given: dict[str, Any], players: int, say: Catalogue) -> Any:
    """The table's options as asked for; those of the other game may not be among them."""
    chosen: dict[str, Any] = {}
    for other in GAMES.values():
        for name in other.options.__struct_fields__:
            if name not in given:
                continue
            if other is not game:
                flag = "--" + name.replace("_", "-")
                raise CalledWrongly(say("cli.play.other_game", flag=flag, game=other.name))
            chosen[name] = given[name]
    if "starter" in chosen:
        if not 1 <= chosen["starter"] <= players:
            raise CalledWrongly(say("cli.play.no_such_seat", players=players))
        chosen["starter"] -= 1
    if len(chosen.get("handicap", ())) not in (0, players):
        raise CalledWrongly(say("cli.play.handicap_count", players=players))
    try:
        return msgspec.convert(chosen, type=game.options)
    except msgspec.ValidationError as error:
        raise CalledWrongly(say("cli.play.bad_option", problem=readable(error))) from None


def readable(error: msgspec.ValidationError) -> str:
    """What msgspec complains about, with the flag's name for its path."""
    problem, _, path = str(error).partition(" - at `$.")
    flag = path.rstrip("`").partition("[")[0].replace("_", "-")
    return f"--{flag}: {problem}" if flag else problem


def check_out(out: Path | None, say: Catalogue) -> None:
    """Better now than after the game."""
    if out and (out.is_dir() or not out.absolute().parent.is_dir()):
        raise CalledWrongly(say("cli.play.bad_out", file=out))
