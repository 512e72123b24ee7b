"""Value types: their repr, and how they are read from JSON."""

from typing import Any

import msgspec
import pytest

from pytlik.game import HIDDEN, Cause, Malformed, Ready, Reason
from pytlik.unikat.messages import (
    Action,
    BonusDeclined,
    BonusEarned,
    ChainLaid,
    Decline,
    Draw,
    Event,
    MatchOpened,
    Pass,
    SeatReady,
    Source,
    Swap,
    TileDrawn,
    TileSwapped,
    TurnPassed,
    require_visible,
)
from pytlik.unikat.model import Board, Cell, Options, Placement, Tile
from pytlik.unikat.rules import cause
from tests.unikat.drawn_tables import make_lay


def test_repr_recreates_the_value() -> None:
    board = Board([Placement(Tile("0210"), 2, -1)])
    for value in (Tile("0210"), Cell(2, -1), Placement(Tile("0210"), 2, -1), board):
        assert eval(repr(value)) == value
    assert repr(board) == "Board([Placement(Tile('0210'), 2, -1)])"
    assert str(Tile("0210")) == "0210"


def test_equal_tiles_are_identical() -> None:
    assert Tile("0210") is Tile("0210")
    assert len({Tile("0210"), Tile("0210")}) == 1
    for wrong in ("", "021", "02100", "0310", "bag"):
        with pytest.raises(ValueError, match="not a valid Tile"):
            Tile(wrong)


def test_equality_of_boards_ignores_order() -> None:
    one, other = Placement(Tile("0000"), 0, 0), Placement(Tile("0001"), 1, 0)
    assert Board([one, other]) == Board([other, one])
    assert hash(Board([one, other])) == hash(Board([other, one]))
    assert Board([one]) != Board([other])
    assert (Board([one, other]).last, Board([other, one]).last) == (other.cell, one.cell)


def test_boards_are_immutable() -> None:
    board = Board([Placement(Tile("0000"), 0, 0)])
    longer = board.with_chain([Placement(Tile("0001"), 1, 0)])
    assert (len(board), len(longer)) == (1, 2)
    assert tuple(board.edge) == ((0, -1), (1, 0), (0, 1), (-1, 0))


@pytest.mark.parametrize(("text", "action"), [
    ('{"kind":"lay","tiles":[["0100",0,1],["0101",1,1]]}', make_lay("0100 0 1", "0101 1 1")),
    ('{"kind":"swap","give":"0100","take":"1111"}', Swap(Tile("0100"), "1111")),
    ('{"kind":"swap","give":"0100","take":"bag"}', Swap(Tile("0100"), "bag")),
    ('{"kind":"decline"}', Decline()),
    ('{"kind":"draw","take":"1111"}', Draw("1111")),
    ('{"kind":"pass"}', Pass()),
    ('{"kind":"ready"}', Ready()),
], ids=repr)  # fmt: skip
def test_actions_round_trip_through_json(text: str, action: Action) -> None:
    assert msgspec.json.decode(text, type=Action) == action
    assert msgspec.json.encode(action).decode() == text


@pytest.mark.parametrize("text", [
    "", "[]", "null", "{}", '{"kind":"win"}', '{"kind":"lay"}', '{"kind":"expire"}',
    '{"kind":"lay","tiles":["0100"]}', '{"kind":"lay","tiles":[["0100",0]]}',
    '{"kind":"lay","tiles":[["0100",0,1,2]]}', '{"kind":"lay","tiles":[["0300",0,1]]}',
    '{"kind":"lay","tiles":[["0100",0,1.5]]}', '{"kind":"lay","tiles":[["0100",0,"1"]]}',
    '{"kind":"lay","tiles":[["0100",0,true]]}', '{"kind":"lay","tiles":[],"win":true}',
    '{"kind":"swap","give":"bag","take":"bag"}', '{"kind":"swap","give":"0100","take":"0300"}',
    '{"kind":"draw","take":"bag\\n"}', '{"kind":"draw","take":"0100\\n"}',
    '{"kind":"draw","take":null}', '{"kind":"decline"',
], ids=repr)  # fmt: skip
def test_malformed_action_fails_to_decode(text: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(text, type=Action)


@pytest.mark.parametrize("wrong", [
    {"rounds": 0}, {"rounds": 21}, {"starter": 4}, {"starter": -1}, {"next_starter": "loser"},
    {"extra_action": "never"}, {"blocked": [0, 20]}, {"blocked": [2]}, {"blocked": [2, 1001]},
    {"edition": "granna"},
], ids=repr)  # fmt: skip
def test_malformed_options_fail_to_decode(wrong: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


def test_event_of_another_version_is_rejected() -> None:
    event = msgspec.to_builtins(BonusEarned(at=0, seat=1))
    assert msgspec.convert(event, Event) == BonusEarned(at=0, seat=1)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**event, "v": 2}, Event)


@pytest.mark.parametrize("players", [1, 5])
def test_a_stored_match_has_two_to_four_players(players: int) -> None:
    opened = MatchOpened(at=0, players=players, options=Options(), commitment="", shares=())
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(opened), type=Event)


def test_hidden_tile_is_not_a_tile() -> None:
    assert require_visible(Tile("0000")) is Tile("0000")
    with pytest.raises(Malformed) as caught:
        require_visible(HIDDEN)
    assert caught.value.reason is Reason.BAD_FILE


@pytest.mark.parametrize(("source", "take"), [("display", "0210"), ("bag", "bag")])
def test_cause_of_draws_and_swaps(source: Source, take: str) -> None:
    drawn = TileDrawn(at=0, seat=1, tile=Tile("0210"), source=source)
    assert cause(drawn) == Cause(1, Draw(take))
    swapped = TileSwapped(at=0, seat=1, give=Tile("0000"), take=Tile("0210"), source=source)
    assert cause(swapped) == Cause(1, Swap(Tile("0000"), take))


def test_cause_of_other_events() -> None:
    chain = make_lay("0001 1 0").tiles
    assert cause(ChainLaid(at=0, seat=1, tiles=chain)) == Cause(1, make_lay("0001 1 0"))
    assert cause(BonusDeclined(at=0, seat=1)) == Cause(1, Decline())
    assert cause(TurnPassed(at=0, seat=1)) == Cause(1, Pass())
    assert cause(SeatReady(at=0, seat=1)) == Cause(1, Ready())
    assert cause(BonusEarned(at=0, seat=1)) is None
