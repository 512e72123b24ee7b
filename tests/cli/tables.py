"""Tables in the terminal, and what somebody sees there who types."""

from collections.abc import Callable
from io import StringIO

from pytlik.cli.play import sit_down
from pytlik.cli.terminal import Terminal
from pytlik.games import UNIKAT
from pytlik.i18n import catalogue
from pytlik.matchfile import Player
from pytlik.terminal.table import YOU, Table
from pytlik.unikat import model as unikat
from pytlik.unikat.bots import BOTS, BUDGET
from pytlik.unikat.messages import Decline, Draw, Lay, Pass, Swap
from tests.cli.person import Answers, Clock, screen, typing

PEOPLE = (Player("Anna"), Player("Ola", "longest"))
SOLVERS = (Player("Anna"), Player("Ola", "easy"), Player("Max", "hard"))


def unikat_table(*, seed: str = "x", **options: object) -> Table:
    chosen = unikat.Options(**{"starter": 0, **options})  # type: ignore[arg-type]
    return Table(UNIKAT, chosen, PEOPLE, seed, 0)


def played(table: Table, *lines: str) -> str:
    """What is shown to somebody who types these lines and then closes the terminal."""
    terminal, file = typing(*lines)
    assert sit_down(table, terminal, None) == 0
    return file.getvalue()


def typed(table: Table) -> str:
    """What somebody types who plays as a bot does."""
    view = table.view(YOU)
    if view.phase is unikat.Phase.OVER:
        return ""
    action = BOTS["longest"](view, table.bot_stream(), BUDGET)
    match action:
        case Lay(tiles=chain):
            return "lay " + " ".join(f"{tile} {x},{y}" for tile, x, y in chain)
        case Swap(give=give, take=take):
            return f"swap {give} {take}"
        case Draw(take=take):
            return f"draw {take}"
        case Decline():
            return "done"
        case Pass():
            return "pass"
        case _:
            raise AssertionError(action)


def watching(answer: Callable[[], str | None], *, plain: bool) -> tuple[Terminal, StringIO]:
    console, file = screen(plain=plain)
    clock = Clock()
    return Terminal(console, Answers(clock, answer), clock, catalogue("en"), plain=plain), file
