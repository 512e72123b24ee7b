# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""What a seat sees, and the fewest chains that cover its hand.

These are computed for all subsets of the hand at once: the fewest chains for a set are those for
the set without one of its tiles, plus one unless that tile may touch the end of one of them. Sets
of tiles of the hand are bit masks: bit 0 is the first tile in the hand.
"""

if __file__.endswith(".py"):
    from pytlik.unikat.engine.evaluation.fallback import *
    from pytlik.unikat.engine.kernel.table import *


def load_hand(evaluator: "Evaluator", t: "Table", seat: int) -> None:
    """Load what a seat sees, and fill the tables of chains for its hand."""
    count = t.hand_count[seat]
    evaluator.count = count
    evaluator.hand = (1 << count) - 1
    for tile in range(TILES):
        evaluator.partners[tile] = 0
    for place in range(count):
        tile = t.hand[seat * 12 + place]
        evaluator.tile[place] = tile
        for which in range(8):
            evaluator.partners[PARTNER_LIST[tile * 8 + which]] |= 1 << place
    evaluator.starts = 0
    for place in range(count):
        tile = evaluator.tile[place]
        evaluator.adjacent[place] = evaluator.partners[tile]
        if t.fits[tile] > 0:
            evaluator.starts |= 1 << place
    evaluator.corners = 0
    for edge in range(t.edges):
        # Beside one tile 8 others fit, beside two at most 2.
        if count_bits(t.edge_low[edge]) + count_bits(t.edge_high[edge]) <= 2:
            for place in range(count):
                tile = evaluator.tile[place]
                if (LOW[tile] & t.edge_low[edge]) | (HIGH[tile] & t.edge_high[edge]):
                    evaluator.corners |= 1 << place
    load_display_and_rivals(evaluator, t, seat)
    compute_fewest_chains(evaluator)


def load_display_and_rivals(evaluator: "Evaluator", t: "Table", seat: int) -> None:
    """Load the display, the unseen tiles and how many tiles the others hold."""
    evaluator.display_low = evaluator.display_high = 0
    for place in range(t.display_count):
        evaluator.display_low |= LOW[t.display[place]]
        evaluator.display_high |= HIGH[t.display[place]]
    evaluator.unseen_low = evaluator.unseen_high = 0
    for tile in range(TILES):
        if t.place[tile] < 0:
            evaluator.unseen_low |= LOW[tile]
            evaluator.unseen_high |= HIGH[tile]
    evaluator.unseen_low &= ~(evaluator.display_low | t.hand_low[seat])
    evaluator.unseen_high &= ~(evaluator.display_high | t.hand_high[seat])
    evaluator.closest_rival = TILES
    evaluator.mean_rival = 0.0
    for other in range(t.players):
        if other != seat:
            evaluator.unseen_low &= ~t.known_low[other]
            evaluator.unseen_high &= ~t.known_high[other]
            evaluator.mean_rival += t.hand_count[other]
            evaluator.closest_rival = min(evaluator.closest_rival, t.hand_count[other])
    evaluator.mean_rival /= t.players - 1
    evaluator.unseen = count_bits(evaluator.unseen_low) + count_bits(evaluator.unseen_high)


def compute_fewest_chains(evaluator: "Evaluator") -> None:
    """For each set of tiles of the hand, find the fewest chains, the tiles with which such chains
    can end, and the longest single chain."""
    evaluator.chains[0] = 0
    evaluator.ends[0] = 0
    evaluator.longest[0] = 0
    for place in range(evaluator.count):
        evaluator.group[place] = linked_group(evaluator, 1 << place, evaluator.hand)
    for tiles in range(1, evaluator.hand + 1):
        group = tiles & evaluator.group[lowest_bit(tiles)]
        if group == tiles:
            group = linked_group(evaluator, tiles & -tiles, tiles)
        if group != tiles:
            rest = tiles ^ group
            evaluator.chains[tiles] = evaluator.chains[group] + evaluator.chains[rest]
            evaluator.ends[tiles] = evaluator.ends[group] | evaluator.ends[rest]
            evaluator.longest[tiles] = longer_chain(
                evaluator.longest[group], evaluator.longest[rest]
            )
            continue
        fewest = 99
        ends = 0
        longest = 0
        bits = tiles
        while bits:
            bit = bits & -bits
            bits ^= bit
            rest = tiles ^ bit
            chains = evaluator.chains[rest]
            if (evaluator.adjacent[lowest_bit(bit)] & evaluator.ends[rest]) == 0:
                chains += 1
            if chains < fewest:
                fewest = chains
                ends = bit
            elif chains == fewest:
                ends |= bit
            if count_bits(evaluator.longest[rest]) > count_bits(longest):
                longest = evaluator.longest[rest]
        evaluator.chains[tiles] = fewest
        evaluator.ends[tiles] = ends
        evaluator.longest[tiles] = tiles if fewest == 1 else longest


def linked_group(evaluator: "Evaluator", group: int, tiles: int) -> int:
    """A group of tiles, with all tiles of a set that are linked to them directly or through others.
    The rest has chains of its own, and most hands can be split like this, which saves most of the
    work."""
    fresh = group
    while fresh:
        near = evaluator.adjacent[lowest_bit(fresh)] & tiles & ~group
        group |= near
        fresh = (fresh & (fresh - 1)) | near
    return group


def longer_chain(one: int, other: int) -> int:
    """The longer of two chains without a tile in common; if they're equally long, the one without
    the first tile."""
    if count_bits(one) != count_bits(other):
        return one if count_bits(one) > count_bits(other) else other
    return other if one & (one | other) & -(one | other) else one


def compute_fewest_chains_with(evaluator: "Evaluator", tile: int) -> None:
    """Do the same for the hand with an extra tile, which takes the place after its last. Only sets
    of tiles that are connected with it in the hand are computed."""
    near = evaluator.partners[tile]
    extra = 1 << evaluator.count
    evaluator.tile[evaluator.count] = tile
    evaluator.adjacent[evaluator.count] = near
    evaluator.near_extra = linked_group(evaluator, near, evaluator.hand)
    tiles = 0
    while True:
        group = linked_group(evaluator, near & tiles, tiles)
        if group != tiles:
            rest = tiles ^ group
            evaluator.chains_with[tiles] = evaluator.chains_with[group] + evaluator.chains[rest]
            evaluator.ends_with[tiles] = evaluator.ends_with[group] | evaluator.ends[rest]
            evaluator.longest_with[tiles] = longer_with_extra_tile(
                evaluator, evaluator.longest_with[group], evaluator.longest[rest]
            )
        else:
            fewest = evaluator.chains[tiles]
            if (near & evaluator.ends[tiles]) == 0:
                fewest += 1
            ends = extra
            longest = evaluator.longest[tiles]
            bits = tiles
            while bits:
                bit = bits & -bits
                bits ^= bit
                rest = tiles ^ bit
                chains = evaluator.chains_with[rest]
                adjacent = evaluator.adjacent[lowest_bit(bit)]
                if near & bit:
                    adjacent |= extra
                if (adjacent & evaluator.ends_with[rest]) == 0:
                    chains += 1
                if chains < fewest:
                    fewest = chains
                    ends = bit
                elif chains == fewest:
                    ends |= bit
                if count_bits(evaluator.longest_with[rest]) > count_bits(longest):
                    longest = evaluator.longest_with[rest]
            evaluator.chains_with[tiles] = fewest
            evaluator.ends_with[tiles] = ends
            evaluator.longest_with[tiles] = tiles | extra if fewest == 1 else longest
        if tiles == evaluator.near_extra:
            return
        tiles = (tiles - evaluator.near_extra) & evaluator.near_extra  # the next set of them


def longer_with_extra_tile(evaluator: "Evaluator", one: int, other: int) -> int:
    """Like `longer_chain`, but `one` may have the extra tile, which counts as the first."""
    if one > evaluator.hand and count_bits(one) == count_bits(other):
        return other
    return longer_chain(one, other)
