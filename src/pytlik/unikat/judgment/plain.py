"""What the .pxd files give the compiled judgment and C has of its own, as Python for the uncompiled
one.

The names and fields are theirs.
"""

import math

exp = math.exp

FEATURES = 700
GROWS = 2 * FEATURES - 1
AFTER, BEFORE = 0, 1
LAY, SWAP, TAKING_ONE, ENDING, OUT = range(5)
IN_ALL = 77


class Mind:
    """What somebody thinks about a round. What the fields mean is said in hand.pxd."""

    def __init__(self) -> None:
        self.n = self.full = self.starts = self.corners = 0
        self.tile = [0] * 12
        self.adjacent = [0] * 12
        self.piece = [0] * 12
        self.local = [0] * 81
        self.paths = [0] * 1024
        self.ends = [0] * 1024
        self.core = [0] * 1024
        self.hanging = 0
        self.paths_with = [0] * 1024
        self.ends_with = [0] * 1024
        self.core_with = [0] * 1024
        self.unseen_low = self.unseen_high = self.unseen = 0
        self.display_low = self.display_high = 0
        self.fewest = self.next_count = 0
        self.others = 0.0
        self.limit = self.nodes = self.stamp = 0
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
        self.depth = self.out_length = self.quick = self.touched = self.asked = 0
        self.out_tile = [0] * 12
        self.out_cell = [0] * 12
        self.sets = [0] * 1024
        self.in_sets = [0] * 1024
        self.worth = [0.0] * 1024
        self.options = self.parts = 0
        self.kind = [0] * 4096
        self.one = [0] * 4096
        self.other = [0] * 4096
        self.value = [0.0] * 4096
        self.part = [0] * 40
        self.amount = [0.0] * 40
        self.weights = [0.0] * (2 * FEATURES)


def new_mind() -> Mind:
    return Mind()


def drop_mind(mind: Mind) -> None:
    """Python frees what nobody holds."""
