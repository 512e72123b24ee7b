"""Moving Ubongo's pieces by typing."""

import pytest

from pytlik.games import UBONGO
from pytlik.i18n import catalogue
from pytlik.match import AnyMatch, Match
from pytlik.terminal.line_mode import Quit
from pytlik.terminal.line_mode.match_runner import play_match
from pytlik.terminal.line_mode.terminal import Terminal
from pytlik.terminal.local import YOU
from pytlik.text.ubongo.cards import cells_by_name
from pytlik.ubongo import model as ubongo
from pytlik.ubongo import solver
from tests.terminal.line_matches import UBONGO_PLAYERS, play_typed_lines
from tests.terminal.scripted_terminal import AnsweringLines, FakeClock, make_console

NAMES = ("Anna", "Ola")


def play_first_round(
    *lines: str, options: ubongo.Options | None = None, lang: str = "en"
) -> tuple[str, AnyMatch]:
    """Play a first round with these lines, typed a tenth of a second apart."""
    match = Match.new(UBONGO, UBONGO_PLAYERS[:2], seed="hand", options=options or ubongo.Options())
    clock, left = FakeClock(), list(lines)
    console, file = make_console()

    def answer() -> str | None:
        if match.view(YOU).choices.ready:
            return ""
        if not match.view(YOU).choices.solve:
            return None
        if not left:
            raise Quit
        clock.time += 100
        return left.pop(0)

    terminal = Terminal(console, AnsweringLines(clock, answer), clock, catalogue(lang), plain=True)
    with pytest.raises(Quit):
        play_match(match, terminal, NAMES)
    return file.getvalue(), match


def test_pieces_are_turned_flipped_placed_and_removed() -> None:
    _, match = play_first_round()
    deal = match.view(YOU).deals[YOU]
    found = solver.first(deal.area, list(deal.pieces.values()))
    assert found is not None
    names = {cell: name for name, cell in cells_by_name(deal.area).items()}
    piece, cells = next(iter(deal.pieces)), " ".join(names[cell] for cell in found[0])
    shown, match = play_first_round(f"{piece} q e f", f"turn {piece}", f"flip {piece}", cells)
    assert list(match.view(YOU).placed[YOU]) == [piece]
    assert f"[{piece}]" in shown
    shown, match = play_first_round(f"{piece} {cells}", f"lift {piece}", "x")
    assert match.view(YOU).placed[YOU] == {}
    assert f"You remove piece {piece}." in shown
    assert "That piece isn't on your card." in shown


def test_pieces_are_moved_in_the_persons_language() -> None:
    _, match = play_first_round()
    piece = next(iter(match.view(YOU).deals[YOU].pieces))
    translate = catalogue("pl")
    words = [f"obróć {piece}", f"odwróć {piece}", "lewo", f"zdejmij {piece}", "poddaj się"]
    shown, match = play_first_round(*words, lang="pl")
    assert translate("reason.not_placed") in shown
    assert translate("ubongo.told.gave_up.you") in shown
    assert translate("play.unknown", word="obróć") not in shown


def test_six_turns_or_two_flips_change_nothing() -> None:
    plain, _ = play_first_round("show")
    turned, _ = play_first_round("q e left right turn q f f")
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
    assert answer in play_first_round(line)[0]


def test_the_sand_warns_before_it_runs_out() -> None:
    match = Match.new(
        UBONGO, UBONGO_PLAYERS[:2], seed="sand", options=ubongo.Options(pieces=4, seconds=60)
    )
    clock = FakeClock()
    console, file = make_console()

    def answer() -> str | None:
        view = match.view(YOU)
        if view.round == 1 and view.phase is ubongo.Phase.READY:
            raise EOFError
        return "" if view.choices.ready else None

    terminal = Terminal(console, AnsweringLines(clock, answer), clock, catalogue("en"), plain=True)
    play_typed_lines(match, terminal)
    shown = file.getvalue()
    assert shown.index("30 seconds left!") < shown.index("10 seconds left!")
    assert "This would have filled your card:" in shown
