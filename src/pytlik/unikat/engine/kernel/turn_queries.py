# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Questions about the turn of a Round: the most tiles that it can lay, and how.

Answers are steps. Each search works on a copy, because it leaves edge cells in another order.
"""

if __file__.endswith(".py"):
    from pytlik.unikat.engine.kernel.chain_search import *
    from pytlik.unikat.engine.kernel.longest_turn_layouts import *
    from pytlik.unikat.engine.kernel.round import *

MOST_CHAINS = 16000


def longest_turn(round_: "Round", nodes: int) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
    """A turn, or the rest of one, that lays as many tiles as possible. Returns the steps of its
    chain, those of the second chain if the first earns one, and whether it's certain that no turn
    lays more. It isn't if the search needs more than `nodes` nodes."""
    exact = search_longest(SEARCH, round_.copy().table, nodes, 1)
    return search_result(round_, exact)


def longest_chain(round_: "Round", nodes: int) -> tuple[int, ...]:
    """The steps of the action that lays the most tiles."""
    exact = search_longest(SEARCH, round_.copy().table, nodes, 0)
    return search_result(round_, exact)[0]


def different_turns(
    round_: "Round", starts: list[tuple[int, int]], count: int, limit: int, nodes: int
) -> list[tuple[tuple[int, ...], tuple[int, ...], bool]]:
    """Turns whose first chains begin on these cells and leave different tiles, each with the
    longest second chain. Of at most `limit` chains, these are the ones with which a turn could lay
    most if places didn't matter."""
    if not 0 < limit <= MOST_CHAINS:
        raise ValueError(f"1 to {MOST_CHAINS} chains")
    SEARCH.starts = len(starts)
    for number, (x, y) in enumerate(starts):
        SEARCH.start_cell[number] = round_.cell_at(x, y)
    hand = search_chains(SEARCH, round_.copy().table, limit)
    best: dict[int, tuple[int, int]] = {}
    for chain in range(SEARCH.chains):
        left = SEARCH.left[chain]
        bound = SEARCH.count - count_bits(left)
        if SEARCH.bonus[chain]:
            bound += longest_path(SEARCH, hand, left)
        if bound > best.get(left, (0, 0))[0]:
            best[left] = (bound, chain)
    ranked = []
    for order, (bound, chain) in enumerate(best.values()):
        ranked.append((-bound, order, chain))
    ranked.sort()
    return [complete_turn(round_, chain, nodes) for _, _, chain in ranked[:count]]


def complete_turn(
    round_: "Round", chain: int, nodes: int
) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
    """The longest turn that begins with a chain found by search_chains."""
    length = 0
    link = chain
    while link >= 0:
        length += 1
        link = SEARCH.parent[link]
    for place in range(length - 1, -1, -1):
        SEARCH.best_tile[place] = SEARCH.end_tile[chain]
        SEARCH.best_cell[place] = SEARCH.end_cell[chain]
        chain = SEARCH.parent[chain]
    exact = search_second_chain(SEARCH, round_.copy().table, length, nodes)
    return search_result(round_, exact)


def count_layouts(round_: "Round", tiles: int, most: int) -> int:
    """The number of ways the table can look after a turn that lays `tiles` tiles, which must be the
    most that it can lay. Counting stops at `most`."""
    if not 0 < most <= MOST_LAYOUTS:
        raise ValueError(f"1 to {MOST_LAYOUTS} layouts")
    return search_layouts(SEARCH, round_.copy().table, tiles, most)


def search_result(round_: "Round", exact: int) -> tuple[tuple[int, ...], tuple[int, ...], bool]:
    """The steps of the turn that the last search found, and whether it is exact."""
    after = round_.copy()
    t = after.table
    chains: list[list[int]] = [[], []]
    for number in range(SEARCH.longest):
        steps = chains[number >= SEARCH.split]
        cell = SEARCH.best_cell[number]
        steps.append(lay_number(t, SEARCH.best_tile[number], t.at[cell] - EDGE))
        lay(t, SEARCH.best_tile[number], cell)
        if number + 1 in (SEARCH.split, SEARCH.longest) and t.phase == CHAIN:
            steps.append(STOP)
            stop(t)
    return tuple(chains[0]), tuple(chains[1]), bool(exact)
