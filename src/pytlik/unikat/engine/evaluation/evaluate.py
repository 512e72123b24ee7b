# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The value of a hand: a weighted sum of features. There are weights for AFTER_TURN and for
BEFORE_DRAW, when an unseen tile is about to come from the bag. features.py says what each feature
is."""

if __file__.endswith(".py"):
    from pytlik.unikat.engine.evaluation.hand_chains import *

WON = 99.0
"""The value of a turn that lays the last tile."""


def add_feature(evaluator: "Evaluator", feature: int, amount: float) -> None:
    evaluator.feature[evaluator.features] = feature
    evaluator.amount[evaluator.features] = amount
    evaluator.features += 1


def evaluate(
    evaluator: "Evaluator", t: "Table", display_low: int, display_high: int, moment: int
) -> float:
    """The value of the held tiles with this display: the higher the better."""
    evaluator.features = 0
    add_chain_features(evaluator, t, display_low, display_high)
    add_rival_features(evaluator)
    add_longest_features(evaluator)
    total = 0.0
    first = moment * FEATURES
    for number in range(evaluator.features):
        total += evaluator.weights[first + evaluator.feature[number]] * evaluator.amount[number]
    return total


def add_chain_features(
    evaluator: "Evaluator", t: "Table", display_low: int, display_high: int
) -> None:
    """How many chains cover the tiles, and how easily these are laid and extended."""
    chains = evaluator.held.chains
    ends = evaluator.held.ends
    extend_low = extend_high = join_low = join_high = 0
    places = 0
    bits = ends
    while bits:
        tile = evaluator.tile[lowest_bit(bits)]
        bits &= bits - 1
        join_low |= extend_low & PARTNERS_LOW[tile]
        join_high |= extend_high & PARTNERS_HIGH[tile]
        extend_low |= PARTNERS_LOW[tile]
        extend_high |= PARTNERS_HIGH[tile]
        places += t.fits[tile]
    by_chains = max(0, min(4, chains) - 1)
    add_feature(
        evaluator, TILES_AND_CHAINS + count_bits(evaluator.held.tiles) * 9 + (min(8, chains)), 1.0
    )
    if chains == 0:
        add_feature(evaluator, EMPTY_HAND, 1.0)
    elif (ends & evaluator.held.startable) == 0:
        add_feature(evaluator, NO_START + by_chains, 1.0)
    if evaluator.unseen > 0:
        extending = share_of_unseen(evaluator, extend_low, extend_high)
        add_feature(evaluator, EXTENDED_BY_UNSEEN + by_chains, extending)
        joining = share_of_unseen(evaluator, join_low, join_high)
        add_feature(evaluator, JOINED_BY_UNSEEN + by_chains, joining)
    shown = count_bits(extend_low & display_low) + count_bits(extend_high & display_high)
    if shown:
        add_feature(evaluator, EXTENDED_BY_DISPLAY + by_chains, min(3, shown))
    if join_low & display_low or join_high & display_high:
        add_feature(evaluator, JOINED_BY_DISPLAY + by_chains, 1.0)
    corners = count_bits(evaluator.held.tiles & evaluator.corners)
    if corners:
        add_feature(evaluator, CORNER_TILES + by_chains, min(2, corners))
    add_feature(evaluator, PLACES + by_chains, min(10, places))
    evaluator.amount[evaluator.features - 1] *= 0.1


def add_rival_features(evaluator: "Evaluator") -> None:
    """How close the others are to laying their last tile."""
    closest = min(10, evaluator.closest_rival)
    add_feature(evaluator, CLOSEST_RIVAL + closest, 1.0)
    add_feature(evaluator, MEAN_RIVAL, evaluator.mean_rival * 0.1)
    add_feature(evaluator, TILES_TIMES_RIVAL, count_bits(evaluator.held.tiles) * closest * 0.01)
    add_feature(evaluator, CHAINS_TIMES_RIVAL, evaluator.held.chains * closest * 0.02)


def add_longest_features(evaluator: "Evaluator") -> None:
    """How much of the hand the longest chain lays, and how easily it is extended."""
    beyond = count_bits(evaluator.held.tiles) - count_bits(evaluator.held.longest)
    add_feature(evaluator, BEYOND_LONGEST + beyond, 1.0)
    if evaluator.unseen == 0:
        return
    extend_low = extend_high = 0
    bits = evaluator.held.longest_ends
    while bits:
        tile = evaluator.tile[lowest_bit(bits)]
        bits &= bits - 1
        extend_low |= PARTNERS_LOW[tile]
        extend_high |= PARTNERS_HIGH[tile]
    extending = share_of_unseen(evaluator, extend_low, extend_high)
    add_feature(evaluator, LONGEST_EXTENDED + (min(4, beyond)), extending)


def share_of_unseen(evaluator: "Evaluator", low: int, high: int) -> float:
    count = 1.0 * (
        count_bits(low & evaluator.unseen_low) + count_bits(high & evaluator.unseen_high)
    )
    return count / evaluator.unseen


# ------------------------------------------------------------------------------ what is evaluated


def partners_of(evaluator: "Evaluator", tiles: int) -> int:
    """The tiles of the hand that may touch one of these."""
    found = 0
    while tiles:
        found |= evaluator.adjacent[lowest_bit(tiles)]
        tiles &= tiles - 1
    return found


def evaluate_hand(
    evaluator: "Evaluator",
    t: "Table",
    tiles: int,
    laid: int,
    display_low: int,
    display_high: int,
    moment: int,
) -> float:
    """The value of some tiles of the hand, after others have been laid."""
    evaluator.held.tiles = tiles
    evaluator.held.chains = evaluator.chains[tiles]
    evaluator.held.ends = evaluator.ends[tiles]
    evaluator.held.startable = evaluator.starts | partners_of(evaluator, laid)
    evaluator.held.longest = evaluator.longest[tiles]
    evaluator.held.longest_ends = evaluator.ends[evaluator.longest[tiles]]
    return evaluate(evaluator, t, display_low, display_high, moment)


def evaluate_hand_with(
    evaluator: "Evaluator",
    t: "Table",
    tiles: int,
    laid: int,
    display_low: int,
    display_high: int,
    moment: int,
) -> float:
    """The same with the extra tile, for which `compute_fewest_chains_with` must have been
    called."""
    extra = 1 << evaluator.count
    startable = evaluator.starts | partners_of(evaluator, laid)
    if t.fits[evaluator.tile[evaluator.count]] > 0 or evaluator.adjacent[evaluator.count] & laid:
        startable |= extra
    group = tiles & evaluator.near_extra
    rest = tiles ^ group
    longest = longer_with_extra_tile(
        evaluator, evaluator.longest_with[group], evaluator.longest[rest]
    )
    evaluator.held.tiles = tiles | extra
    evaluator.held.chains = evaluator.chains_with[group] + evaluator.chains[rest]
    evaluator.held.ends = evaluator.ends_with[group] | evaluator.ends[rest]
    evaluator.held.startable = startable
    evaluator.held.longest = longest
    if longest > evaluator.hand:
        evaluator.held.longest_ends = evaluator.ends_with[longest & evaluator.hand]
    else:
        evaluator.held.longest_ends = evaluator.ends[longest]
    return evaluate(evaluator, t, display_low, display_high, moment)


def evaluate_seat(evaluator: "Evaluator", t: "Table", seat: int, moment: int) -> float:
    """The value of a seat's current hand."""
    load_hand(evaluator, t, seat)
    return evaluate_hand(
        evaluator,
        t,
        evaluator.hand,
        0,
        evaluator.display_low,
        evaluator.display_high,
        moment,
    )


def win_probability(value: float) -> float:
    return 1.0 / (1.0 + exp(-value))
