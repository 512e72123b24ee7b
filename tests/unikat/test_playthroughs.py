"""Golden playthroughs: whole matches, event by event. `tests/playthroughs/remake_unikat.py`
rewrites them."""

from pathlib import Path

import msgspec
import pytest

from pytlik.chance import from_text
from pytlik.game import replay
from pytlik.unikat.messages import Event, RoundEnded
from pytlik.unikat.rounds import outcome
from pytlik.unikat.rules import apply, cause, decide
from tests.playthroughs.remake_unikat import PLAYTHROUGH_FOLDER, PLAYTHROUGHS, Playthrough, to_text

PLAYTHROUGH_FILES = sorted(PLAYTHROUGH_FOLDER.glob("unikat-*.jsonl"))


def read_playthrough(path: Path) -> tuple[Playthrough, list[Event]]:
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    events = [msgspec.json.decode(line, type=Event) for line in rest]
    return msgspec.json.decode(first, type=Playthrough), events


def test_every_playthrough_has_a_file() -> None:
    assert {path.stem for path in PLAYTHROUGH_FILES} == set(PLAYTHROUGHS)


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough_is_unchanged(name: str) -> None:
    path = PLAYTHROUGH_FOLDER / f"{name}.jsonl"
    assert to_text(PLAYTHROUGHS[name]) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PLAYTHROUGH_FILES, ids=lambda path: path.stem)
def test_replaying_a_file_finishes_the_match(path: Path) -> None:
    playthrough, events = read_playthrough(path)
    state = replay(apply, events)
    assert state.finished
    assert len(state.sheet) == playthrough.options.rounds
    assert outcome(state) is not None


@pytest.mark.parametrize("path", PLAYTHROUGH_FILES, ids=lambda path: path.stem)
def test_repeating_the_actions_gives_the_same_events(path: Path) -> None:
    playthrough, events = read_playthrough(path)
    chance, repeated = from_text(playthrough.seed), events[:2]
    state = replay(apply, repeated)
    for event in events[2:]:
        request = cause(event)
        if request:
            happened = decide(state, request.seat, request.action, chance, event.at)
            state = replay(apply, happened, state)
            repeated += happened
    assert repeated == events


def test_playthroughs_cover_nearly_all_events() -> None:
    events = [event for path in PLAYTHROUGH_FILES for event in read_playthrough(path)[1]]
    kinds = {type(event).__name__ for event in events}
    every = {kind.__name__ for kind in Event.__args__}
    assert every - kinds <= {"TurnPassed"}
    assert {e.ended for e in events if isinstance(e, RoundEnded)} == {"last tile", "blocked"}
