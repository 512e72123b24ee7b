"""In a notebook, objects draw themselves and a match can be viewed moment by moment."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pytlik import notebook
from pytlik.game import Malformed
from pytlik.games import UBONGO, UNIKAT
from pytlik.matchfile import MatchRecord, encode, states
from pytlik.notebook import DRAWABLE, Replay, draw, draw_pieces, load_ipython_extension, read
from pytlik.ubongo import deck_files
from pytlik.unikat.model import TILES
from pytlik.unikat.position import from_state
from tests.random_matches import play_random_match


@pytest.fixture(scope="module")
def unikat_match() -> MatchRecord:
    return play_random_match(UNIKAT, 2, "a match")


@pytest.fixture(scope="module")
def ubongo_match() -> MatchRecord:
    return play_random_match(UBONGO, 2, "a match")


class FakeIPython:
    """The part of IPython that is used."""

    def __init__(self) -> None:
        self.formatters: dict[type, Any] = {}
        formatters = {"image/svg+xml": SimpleNamespace(for_type=self.formatters.__setitem__)}
        self.display_formatter = SimpleNamespace(formatters=formatters)


def test_everything_in_a_notebook_draws_itself(
    unikat_match: MatchRecord, ubongo_match: MatchRecord
) -> None:
    shell = FakeIPython()
    load_ipython_extension(shell)
    assert set(shell.formatters) == set(DRAWABLE)
    laid, dealt = list(states(unikat_match))[20], list(states(ubongo_match))[30]
    card = deck_files.load().cards[0]
    things = [
        TILES[0], laid.board, laid, UNIKAT.view(laid, 0), from_state(laid), unikat_match,
        card, card.sides[3], dealt.deals[0], dealt, UBONGO.view(dealt, 0),
    ]  # fmt: skip
    assert {type(thing) for thing in things} == set(DRAWABLE)
    for thing in things:
        assert shell.formatters[type(thing)](thing).startswith("<svg")


def test_importing_it_in_ipython_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    # Outside IPython nothing is registered, and it isn't imported to find that out.
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert notebook.running_shell() is None
    assert "IPython" not in sys.modules
    shell = FakeIPython()
    module = ModuleType("IPython")
    monkeypatch.setattr(module, "get_ipython", lambda: shell, raising=False)
    monkeypatch.setitem(sys.modules, "IPython", module)
    assert notebook.running_shell() is shell


def test_a_hand_is_drawn_on_request_and_a_deal_with_its_solution(ubongo_match: MatchRecord) -> None:
    assert draw(TILES[:10]).title.count(";") == 9
    deal = list(states(ubongo_match))[30].deals[0]
    assert draw(deal, solution=True).svg != draw(deal).svg
    assert draw_pieces("red", 1, 2).title == "red: 1, 2"
    with pytest.raises(TypeError, match="no picture of a int"):
        draw(3)


def test_a_replay_is_a_sequence_of_moments(
    unikat_match: MatchRecord, ubongo_match: MatchRecord
) -> None:
    for match in (unikat_match, ubongo_match):
        replay = Replay(match)
        assert len(replay) > 20
        assert "seat 0" in replay[0].svg
        assert replay[-1].title.startswith(f"{len(replay)}/{len(replay)} ")
        assert [moment.title for moment in replay[1:3]] == [replay[1].title, replay[2].title]
        assert replay.strip(3).title.count("; ") == 2
        assert replay.strip(1).title == replay[-1].title
        assert replay.strip(4).width <= 1000
        assert replay._repr_svg_() == replay.strip().svg
        with pytest.raises(IndexError):
            replay[len(replay)]


def test_replay_from_a_seat_hides_what_it_did_not_see(unikat_match: MatchRecord) -> None:
    own, everything = Replay(unikat_match, seat=0), Replay(unikat_match)
    assert len(own[3].svg) < len(everything[3].svg)
    assert "You " in " ".join(own.line(index) or "" for index in range(len(unikat_match.events)))


def test_freshly_opened_match_is_drawn(ubongo_match: MatchRecord) -> None:
    opened = MatchRecord(UBONGO, ubongo_match.seats, ubongo_match.events[:2])
    assert len(Replay(opened)) == 1
    assert "seat 1" in draw(opened).svg


def test_a_match_file_is_read(unikat_match: MatchRecord, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(encode(unikat_match))
    replay = read(file, lang="pl", skin="granna")
    assert "Runda 1" in replay[0].title
    replay[0].save(tmp_path / "moment.svg")
    assert (tmp_path / "moment.svg").read_text(encoding="utf-8") == replay[0].svg
    file.write_bytes(b"{}")
    with pytest.raises(Malformed):
        read(file)
