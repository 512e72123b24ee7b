"""Pure-Python stand-ins for what the .pxd files declare, used where nothing is compiled.

Names and fields are the same; hand_chains.pxd says what the fields mean.
"""

import math

from pytlik.unikat.engine.evaluation import features
from pytlik.unikat.engine.evaluation.features import LAYOUT

exp = math.exp

FEATURES = features.WEIGHT_COUNT

TILES_AND_CHAINS = LAYOUT["tiles_and_chains"].start
NO_START = LAYOUT["no_start"].start
EXTENDED_BY_UNSEEN = LAYOUT["extended_by_unseen"].start
JOINED_BY_UNSEEN = LAYOUT["joined_by_unseen"].start
EXTENDED_BY_DISPLAY = LAYOUT["extended_by_display"].start
JOINED_BY_DISPLAY = LAYOUT["joined_by_display"].start
CORNER_TILES = LAYOUT["corner_tiles"].start
PLACES = LAYOUT["places"].start
CLOSEST_RIVAL = LAYOUT["closest_rival"].start
MEAN_RIVAL = LAYOUT["mean_rival"].start
TILES_TIMES_RIVAL = LAYOUT["tiles_times_rival"].start
CHAINS_TIMES_RIVAL = LAYOUT["chains_times_rival"].start
BEYOND_LONGEST = LAYOUT["beyond_longest"].start
LONGEST_EXTENDED = LAYOUT["longest_extended"].start
EMPTY_HAND = LAYOUT["empty_hand"].start

AFTER_TURN, BEFORE_DRAW = 0, 1
LAY, SWAP, TAKE_TILE, END, GO_OUT = range(5)
HANDS_AND_BAG_AT_DEAL = 77


class HeldTiles:
    """The tiles that are evaluated."""

    def __init__(self) -> None:
        self.tiles = self.chains = self.ends = self.startable = self.longest = self.longest_ends = 0


class Evaluator:
    """Working memory of an evaluation."""

    def __init__(self) -> None:
        self.count = self.hand = self.starts = self.corners = 0
        self.tile = [0] * 12
        self.adjacent = [0] * 12
        self.group = [0] * 12
        self.partners = [0] * 81
        self.chains = [0] * 1024
        self.ends = [0] * 1024
        self.longest = [0] * 1024
        self.near_extra = 0
        self.chains_with = [0] * 1024
        self.ends_with = [0] * 1024
        self.longest_with = [0] * 1024
        self.unseen_low = self.unseen_high = self.unseen = 0
        self.display_low = self.display_high = 0
        self.closest_rival = 0
        self.mean_rival = 0.0
        self.node_limit = self.nodes = self.stamp = 0
        self.seen = [0] * 24576
        self.noted = [0] * 2048
        self.found = 0
        self.left = [0] * 2048
        self.earns = [0] * 2048
        self.length = [0] * 2048
        self.chain_tile = [0] * 20480
        self.chain_cell = [0] * 20480
        self.path_tile = [0] * 12
        self.path_cell = [0] * 12
        self.depth = self.out_length = self.quick = self.touched = self.remainders = 0
        self.out_tile = [0] * 12
        self.out_cell = [0] * 12
        self.remainder = [0] * 1024
        self.remainder_stamp = [0] * 1024
        self.left_value = [0.0] * 1024
        self.candidates = 0
        self.kind = [0] * 4096
        self.one = [0] * 4096
        self.other = [0] * 4096
        self.value = [0.0] * 4096
        self.held = HeldTiles()
        self.features = 0
        self.feature = [0] * 40
        self.amount = [0.0] * 40
        self.growing_hand_penalty = 0.0
        self.weights = [0.0] * (2 * FEATURES)


def new_evaluator() -> Evaluator:
    return Evaluator()


def free_evaluator(evaluator: Evaluator) -> None:
    """Do nothing: Python frees unused memory itself."""
