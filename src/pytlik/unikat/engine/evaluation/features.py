"""The features of a hand: what each means, and where it lies in the list of weights.

A feature counted "by chains" has a weight each for 1, 2, 3, and 4 or more chains.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate

import msgspec

MOST_TILES = 11
MOST_CHAINS = 8

WEIGHTS_PER_FEATURE = {
    "tiles_and_chains": (MOST_TILES + 1) * (MOST_CHAINS + 1),  # how many chains for how many tiles
    "no_start": 4,  # no chain of the hand can begin on the table, by chains
    "extended_by_unseen": 4,  # share of unseen tiles that extend a chain, by chains
    "joined_by_unseen": 4,  # share of unseen tiles that join two chains, by chains
    "extended_by_display": 4,  # tiles of the display that extend a chain, by chains
    "joined_by_display": 4,  # whether the display has a tile that joins two, by chains
    "corner_tiles": 4,  # tiles that fit beside two or more others, by chains
    "places": 4,  # where the ends of chains fit on the table, by chains
    "closest_rival": 11,  # tiles in the smallest other hand
    "mean_rival": 1,  # average number of tiles in the other hands
    "tiles_times_rival": 1,
    "chains_times_rival": 1,
    "beyond_longest": MOST_TILES + 1,  # tiles that are not in the longest chain
    "longest_extended": 5,  # share of unseen tiles that extend it, by tiles beyond it
    "empty_hand": 1,  # the last tile was given away for an unseen one
}
FEATURE_ENDS = dict(zip(WEIGHTS_PER_FEATURE, accumulate(WEIGHTS_PER_FEATURE.values()), strict=True))
LAYOUT = {name: slice(end - WEIGHTS_PER_FEATURE[name], end) for name, end in FEATURE_ENDS.items()}
WEIGHT_COUNT = sum(WEIGHTS_PER_FEATURE.values())


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights by feature name; missing features don't count."""

    after_turn: Mapping[str, Sequence[float]]
    """For a hand at the end of a turn."""
    before_draw: Mapping[str, Sequence[float]]
    """For a hand that is about to get an unseen tile from the bag."""
    growing_hand_penalty: float = 0.0
    """How much worse a swap for an unseen tile is if a draw follows, which adds a tile to lay."""

    def flat_weights(self) -> list[float]:
        """Both lists, one after the other."""
        found = [0.0] * (2 * WEIGHT_COUNT)
        for first, features in ((0, self.after_turn), (WEIGHT_COUNT, self.before_draw)):
            for name, weights in features.items():
                if len(weights) != WEIGHTS_PER_FEATURE[name]:
                    raise ValueError(f"{name} has {WEIGHTS_PER_FEATURE[name]} weights")
                start = first + LAYOUT[name].start
                found[start : start + len(weights)] = weights
        return found


@cache
def load_weights() -> dict[int, Weights]:
    """The learned weights, by number of players."""
    text = files(__package__).joinpath("weights.json").read_bytes()
    return msgspec.json.decode(text, type=dict[int, Weights])
