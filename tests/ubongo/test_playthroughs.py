"""Golden playthroughs of whole matches. remake_playthroughs.py rewrites them."""

import msgspec
import pytest

from pytlik.chance import from_text
from pytlik.game import replay
from pytlik.ubongo.messages import Event
from pytlik.ubongo.rounds import outcome
from pytlik.ubongo.rules import apply, cause, decide
from tests.ubongo.remake_playthroughs import (
    PLAYTHROUGH_FOLDER,
    PLAYTHROUGHS,
    STORED_PLAYTHROUGH,
    describe_playthrough,
    encode_events,
    play_playthrough,
)


def read_stored_events() -> list[Event]:
    lines = (
        (PLAYTHROUGH_FOLDER / f"{STORED_PLAYTHROUGH}.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    return [msgspec.json.decode(line, type=Event) for line in lines]


def test_every_playthrough_has_a_file() -> None:
    assert {path.stem for path in PLAYTHROUGH_FOLDER.glob("ubongo-*.txt")} == set(PLAYTHROUGHS)


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough_is_unchanged(name: str) -> None:
    assert describe_playthrough(name) == (PLAYTHROUGH_FOLDER / f"{name}.txt").read_text(
        encoding="utf-8"
    )


def test_stored_events_are_unchanged() -> None:
    assert encode_events(play_playthrough(STORED_PLAYTHROUGH)) == (
        PLAYTHROUGH_FOLDER / f"{STORED_PLAYTHROUGH}.jsonl"
    ).read_text(encoding="utf-8")


def test_replaying_a_file_finishes_the_match() -> None:
    assert outcome(replay(apply, read_stored_events())) is not None


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_repeating_the_actions_gives_the_same_events(name: str) -> None:
    events = play_playthrough(name)
    chance, repeated = from_text(name), events[:2]
    while len(repeated) < len(events):
        found = cause(events[len(repeated)])
        assert found is not None
        at = events[len(repeated)].at
        more = decide(replay(apply, repeated), found.seat, found.action, chance, at, found.lag)
        assert more
        repeated = repeated + more
    assert repeated == events


def test_playthroughs_cover_all_events() -> None:
    kinds = {type(event).__name__ for name in PLAYTHROUGHS for event in play_playthrough(name)}
    every = {kind.__name__ for kind in Event.__args__}
    # PieceMoved is never stored, and clocks are only shifted on a server.
    assert every - kinds == {"PieceMoved", "ClocksShifted"}
