"""Whole matches as they have always been played. How to remake them: remake_playthroughs.py."""

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
def test_it_plays_as_it_always_did(name: str) -> None:
    assert describe_playthrough(name) == (PLAYTHROUGH_FOLDER / f"{name}.txt").read_text(
        encoding="utf-8"
    )


def test_events_are_stored_as_they_always_were() -> None:
    assert encode_events(play_playthrough(STORED_PLAYTHROUGH)) == (
        PLAYTHROUGH_FOLDER / f"{STORED_PLAYTHROUGH}.jsonl"
    ).read_text(encoding="utf-8")


def test_the_file_alone_leads_to_the_end() -> None:
    assert outcome(replay(apply, read_stored_events())) is not None


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_asking_again_for_what_was_asked_leads_to_the_same_events(name: str) -> None:
    events = play_playthrough(name)
    chance, repeated = from_text(name), events[:2]
    while len(repeated) < len(events):
        asked = cause(events[len(repeated)])
        assert asked is not None
        at = events[len(repeated)].at
        more = decide(replay(apply, repeated), asked.seat, asked.action, chance, at, asked.lag)
        assert more
        repeated = repeated + more
    assert repeated == events


def test_together_they_show_everything_that_can_happen() -> None:
    kinds = {type(event).__name__ for name in PLAYTHROUGHS for event in play_playthrough(name)}
    every = {kind.__name__ for kind in Event.__args__}
    # One is never stored, and clocks stand still only where a server does.
    assert every - kinds == {"PieceMoved", "ClocksShifted"}
