"""Lessons: scenes of a game, played by the rules themselves.

Nothing is stored: the learner's client sends all that was done in a scene so far, and gets back
where that has led. So a lesson can be left, repeated and stepped back in, and needs no table.

Which scenes there are is in a module for each game.
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
    """The state."""
    example: tuple[Any, ...]
    """What the learner could do."""


@dataclass(frozen=True)
class Progress:
    """How far a scene has been played."""

    view: Any
    events: tuple[Any, ...]
    """Of the last action."""


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
