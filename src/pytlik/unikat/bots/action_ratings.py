"""Rates an action and its alternatives, with the evaluation that `hard` uses."""

from pytlik.game import Ready
from pytlik.unikat.bots.strong_bots import (
    Steps,
    best_candidates,
    evaluate_action,
    evaluator_for,
)
from pytlik.unikat.engine.evaluation import win_probability
from pytlik.unikat.engine.kernel import Round
from pytlik.unikat.engine.kernel_bridge import action_of, from_view, steps_of
from pytlik.unikat.messages import Action, Lay
from pytlik.unikat.model import Tile
from pytlik.unikat.view import View

Rated = tuple[Action, float]
"""An action and the chance of winning the round after it, from 0 to 1."""


def rate(view: View, action: Action) -> Rated:
    assert not isinstance(action, Ready)
    round_ = from_view(view, 0)
    return action, win_chance(round_, steps_of(round_, action))


def alternatives(view: View, action: Action, count: int) -> list[Rated]:
    """Other actions, best first. Only one is kept of those that lay the same tiles."""
    round_ = from_view(view, 0)
    same = laid_tiles(action)
    found: dict[object, Rated] = {}
    for steps in best_candidates(round_, evaluator_for(view.players), 4 * count + 4):
        other = action_of(round_, steps)
        if other == action or (same and laid_tiles(other) == same):
            continue
        rated = other, win_chance(round_, steps)
        key = laid_tiles(other) or other
        if key not in found or found[key][1] < rated[1]:
            found[key] = rated
    return sorted(found.values(), key=lambda action_value: -action_value[1])[:count]


def win_chance(round_: Round, steps: Steps) -> float:
    value = evaluate_action(round_, steps, evaluator_for(round_.players))
    return round(float(win_probability(value)), 4)


def laid_tiles(action: Action) -> frozenset[Tile]:
    """The tiles that an action lays."""
    tiles = action.tiles if isinstance(action, Lay) else ()
    return frozenset(placed.tile for placed in tiles)
