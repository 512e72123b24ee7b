"""Ubongo's pieces, moved by what is typed."""

import pytest

from pytlik.cli.play import sit_down
from pytlik.cli.play_ubongo import play as play_ubongo
from pytlik.cli.terminal import Quit, Terminal
from pytlik.games import UBONGO
from pytlik.i18n import catalogue
from pytlik.terminal.table import YOU, Table
from pytlik.ubongo import model as ubongo
from pytlik.ubongo import solver
from pytlik.ubongo.text import cell_names
from tests.cli.person import Answers, Clock, screen
from tests.cli.tables import SOLVERS


def ubongo_shown(*lines: str, options: ubongo.Options | None = None) -> tuple[str, Table]:
    """A first round with these lines typed one second after the other, and then the end."""
    table = Table(UBONGO, options or ubongo.Options(), SOLVERS[:2], "hand", 0)
    clock, left = Clock(), list(lines)
    console, file = screen()

    def answer() -> str | None:
        if table.view(YOU).choices.ready:
            return ""
        if not table.view(YOU).choices.solve:
            return None
        if not left:
            raise Quit
        clock.time += 100
        return left.pop(0)

    terminal = Terminal(console, Answers(clock, answer), clock, catalogue("en"), plain=True)
    with pytest.raises(Quit):
        play_ubongo(table, terminal)
    return file.getvalue(), table


def test_pieces_are_turned_flipped_laid_and_lifted() -> None:
    _, table = ubongo_shown()
    deal = table.view(YOU).deals[YOU]
    found = solver.first(deal.area, list(deal.pieces.values()))
    assert found is not None
    names = {cell: name for name, cell in cell_names(deal.area).items()}
    piece, cells = next(iter(deal.pieces)), " ".join(names[cell] for cell in found[0])
    shown, table = ubongo_shown(f"{piece} q e f", f"turn {piece}", f"flip {piece}", cells)
    assert list(table.view(YOU).placed[YOU]) == [piece]
    assert f"[{piece}]" in shown
    shown, table = ubongo_shown(f"{piece} {cells}", f"lift {piece}", "x")
    assert table.view(YOU).placed[YOU] == {}
    assert f"You remove piece {piece}." in shown
    assert "That piece isn't on your card." in shown


def test_six_turns_or_two_flips_change_nothing() -> None:
    plain, _ = ubongo_shown("show")
    turned, _ = ubongo_shown("q e left right turn q f f")
    area = [line for line in plain.splitlines() if line.startswith("   ")]
    assert area == [line for line in turned.splitlines() if line.startswith("   ")]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("99", "You don't have that piece."),
        ("z9", "There's no such cell on your card."),
        ("a1 a2", "You can't turn or flip this piece into that shape."),
        ("help", "turn it left, turn it right, flip it"),
        ("rules", "Cover every white cell"),
        ("nonsense", 'I don\'t know "nonsense"'),
        ("lift", "That piece isn't on your card."),
    ],
)
def test_every_line_of_ubongo_has_an_answer(line: str, answer: str) -> None:
    assert answer in ubongo_shown(line)[0]


def test_the_sand_warns_before_it_runs_out() -> None:
    table = Table(UBONGO, ubongo.Options(pieces=4, seconds=60), SOLVERS[:2], "sand", 0)
    clock = Clock()
    console, file = screen()

    def answer() -> str | None:
        view = table.view(YOU)
        if view.round == 1 and view.phase is ubongo.Phase.READY:
            raise EOFError
        return "" if view.choices.ready else None

    terminal = Terminal(console, Answers(clock, answer), clock, catalogue("en"), plain=True)
    sit_down(table, terminal, None)
    shown = file.getvalue()
    assert shown.index("30 seconds left!") < shown.index("10 seconds left!")
    assert "This would have filled your card:" in shown
