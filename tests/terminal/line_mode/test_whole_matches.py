"""Whole matches in line mode: a script types, and the clock never waits."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pytlik import matchfile
from pytlik.cli import main
from pytlik.cli.play import start_match
from pytlik.games import UBONGO, UNIKAT
from pytlik.i18n import catalogue
from pytlik.match import AnyMatch, Match
from pytlik.matchfile import Player
from pytlik.terminal.line_mode.terminal import Terminal
from pytlik.terminal.local import YOU
from pytlik.text.ubongo.cards import cells_by_name
from pytlik.ubongo import model as ubongo
from pytlik.ubongo import solver
from pytlik.unikat import model as unikat
from tests.terminal.line_matches import (
    UBONGO_PLAYERS,
    UNIKAT_PLAYERS,
    answering_terminal,
    play_typed_lines,
    type_like_bot,
    unikat_match,
)
from tests.terminal.scripted_terminal import AnsweringLines, FakeClock, make_console


@pytest.mark.parametrize("plain", [True, False])
def test_whole_match_of_unikat(tmp_path: Path, *, plain: bool) -> None:
    match = unikat_match(rounds=2, next_starter="winner")
    terminal, file = answering_terminal(lambda: type_like_bot(match), plain=plain)
    out = tmp_path / "match.json"
    play_typed_lines(match, terminal, out)
    shown = file.getvalue()
    assert match.outcome
    assert "Round 1. You start!" in shown
    assert "Total" in shown
    assert "Longest chain: " in shown
    assert shown.endswith(f"pytlik verify {out}\n")
    record = matchfile.decode(out.read_bytes())
    assert matchfile.verify(record) is None
    assert main(["verify", str(out)]) == 0
    assert plain == shown.isascii()
    assert plain == ("\x1b" not in shown)


def test_same_seed_gives_the_same_match() -> None:
    def events(seed: str) -> list[object]:
        match = unikat_match(seed=seed)
        terminal, _ = answering_terminal(lambda: type_like_bot(match), plain=True)
        play_typed_lines(match, terminal)
        return match.events

    assert events("one") == events("one") != events("two")


def test_matches_without_a_seed_differ() -> None:
    matches = [start_match(UNIKAT, UNIKAT_PLAYERS, None, unikat.Options(), 0) for _ in range(2)]
    assert matches[0].events[0].commitment != matches[1].events[0].commitment
    assert matches[0].events[1] != matches[1].events[1]


def solver_lines(match: AnyMatch, clock: FakeClock, *, after: int) -> Callable[[], str | None]:
    """Lines that place all pieces at once, this many seconds after solving has started."""

    def answer() -> str | None:
        view = match.view(YOU)
        if view.choices.ready:
            return ""
        if not view.choices.solve or clock.time < view.began + 1000 * after:
            return None
        deal, placed = view.deals[YOU], view.placed[YOU]
        found = solver.first(deal.area, list(deal.pieces.values()))
        assert found is not None
        names = {cell: name for name, cell in cells_by_name(deal.area).items()}
        for piece, cells in zip(deal.pieces, found, strict=True):
            if piece not in placed:
                return f"place {piece} " + " ".join(names[cell] for cell in cells)
        raise AssertionError

    return answer


@pytest.mark.parametrize(
    ("options", "after"),
    [
        (ubongo.Options(), 0),
        (ubongo.Options(pieces=4, seconds=30), 31),
        (ubongo.Options(same_puzzle=True, seconds=None), 10),
        (ubongo.Options(handicap=(3, 4, 5)), 5),
    ],
)
def test_whole_match_of_ubongo(tmp_path: Path, options: ubongo.Options, after: int) -> None:
    match = Match.new(UBONGO, UBONGO_PLAYERS, seed="x", options=options)
    console, file = make_console()
    clock = FakeClock()
    answer = solver_lines(match, clock, after=after)
    terminal = Terminal(console, AnsweringLines(clock, answer), clock, catalogue("en"), plain=True)
    out = tmp_path / "match.json"
    play_typed_lines(match, terminal, out)
    shown = file.getvalue()
    assert match.outcome
    assert "3 ...\n2 ...\n1 ...\nGo! Round 1 starts." in shown
    assert "Ubongo! You solved your card." in shown
    assert shown.isascii()
    assert ("Second chance" in shown) == (after > 30)
    assert matchfile.verify(matchfile.decode(out.read_bytes())) is None


def test_deciding_round_is_played_like_any_other() -> None:
    """Nobody manages five pieces in half a minute, so nobody has a gem and everyone is tied."""
    people = (Player("Anna"), Player("Ola", "easy"))
    match = Match.new(UBONGO, people, seed="tie", options=ubongo.Options(pieces=5, seconds=30))
    clock = FakeClock()
    console, file = make_console()
    solve = solver_lines(match, clock, after=5)

    def answer() -> str | None:
        view = match.view(YOU)
        return solve() if view.deciding or view.choices.ready else None

    terminal = Terminal(console, AnsweringLines(clock, answer), clock, catalogue("en"), plain=True)
    play_typed_lines(match, terminal)
    shown = file.getvalue()
    assert "Tie for first place: Anna and Ola. A deciding round follows." in shown
    assert "Deciding round   no timer" in shown
    assert "You win the game!" in shown
    assert "*** Well played! ***" in shown
