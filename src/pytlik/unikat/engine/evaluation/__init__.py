"""Evaluates hands, and plays by that evaluation.

A turn draws at most one tile, so laying a single tile is no progress: what counts is how close a
hand is to being laid in one turn. That depends mostly on the fewest chains that cover the hand.

The value of a hand is a weighted sum of features, as log odds of winning the round. weights.json
has the weights by the number of players; they were learned from games of this bot against itself.

Compiled where the kernel is, and in the same way. Each module builds on those before it:

    features           what the features are, and where each lies in the list of weights
    hand_chains        what a seat sees, and the fewest chains for every part of its hand
    evaluate           the value of a hand
    table_chains       the chains that can be laid, and whether a turn lays all tiles
    candidate_actions  everything that can be done now, and the value of what it leaves
    guesses            likely hands of the others
    round_evaluator    the class that Python code uses: RoundEvaluator
"""

from pytlik.unikat.engine.evaluation.evaluate import (
    AFTER_TURN,
    BEFORE_DRAW,
    WON,
    win_probability,
)
from pytlik.unikat.engine.evaluation.features import Weights, load_weights
from pytlik.unikat.engine.evaluation.round_evaluator import COMPILED, RoundEvaluator

__all__ = [
    "AFTER_TURN",
    "BEFORE_DRAW",
    "COMPILED",
    "WON",
    "RoundEvaluator",
    "Weights",
    "load_weights",
    "win_probability",
]
