"""Lessons: scenes of a game, played by the rules themselves.

Nothing is stored: the learner's client sends everything that was done in a scene so far, and gets
back what it led to. So learners can leave a lesson, repeat it and step back, and they need no
table.

Each game's scenes are in a module of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pytlik.game import AnyGame, Seat
from pytlik.match import Match

LEARNER: Seat = 0
MS_BETWEEN_ACTIONS = 1000
"""The time between two actions, so that no learner is too slow for the sand."""


@dataclass(frozen=True)
class Scene:
    game: AnyGame
    start: Any
    """The state that it starts from."""
    example: tuple[Any, ...]
    """What the learner could do."""


@dataclass(frozen=True)
class Progress:
    """How far a scene has been played."""

    view: Any
    events: tuple[Any, ...]
    """The events of the last action."""


def play_learner_actions(scene: Scene, actions: Sequence[Any], began: int) -> Progress:
    """Let the learner act in a scene. Raises what the rules raise."""
    match = Match.from_state(scene.game, scene.start, seed="lesson", now=began)
    events: list[Any] = []
    for number, action in enumerate(actions, 1):
        events = match.act(LEARNER, action, now=began + number * MS_BETWEEN_ACTIONS)
        if events and LEARNER not in match.awaited and match.deadline is not None:
            # Nobody else acts in a lesson, so what the learner has won is awarded at once.
            events += match.expire()
    return Progress(match.view(LEARNER), tuple(events))
