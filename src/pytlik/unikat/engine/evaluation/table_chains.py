# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Chains that the hand can lay on the table: what each leaves, and whether a turn lays all tiles.

The kernel's search answers another question: which turn lays the most. These two come up in every
turn of a simulated round, and the table of chains answers most of them. Tiles are written into the
cells and taken out again without keeping the edge cells up to date, which would cost more.
"""

if __file__.endswith(".py"):
    from pytlik.unikat.engine.evaluation.hand_chains import *


def fitting_tiles(evaluator: "Evaluator", t: "Table", cell: int) -> int:
    """Which tiles of the hand fit on an empty cell. Also notes how many tiles it touches."""
    fits = evaluator.hand
    touched = 0
    for side in range(4):
        what = t.at[(cell + SIDE_OFFSETS[side]) & CELL_MASK]
        if 0 < what < EDGE:
            fits &= evaluator.partners[what - 1]
            touched += 1
    evaluator.touched = touched
    return fits


def may_begin(t: "Table", edge: int) -> int:
    """Can a chain of the seat to move begin on an edge cell?"""
    if (t.edge_low[edge] & t.hand_low[t.to_move]) == 0 and (
        t.edge_high[edge] & t.hand_high[t.to_move]
    ) == 0:
        return 0
    if not must_touch_last(t):
        return 1
    for side in range(4):
        if (t.edge_cell[edge] + SIDE_OFFSETS[side]) & CELL_MASK == t.last:
            return 1
    return 0


def is_empty(what: int) -> int:
    return what == 0 or what >= EDGE


# ------------------------------------------------------------------------------- what can be left


def find_chains(evaluator: "Evaluator", t: "Table", can_earn: int) -> None:
    """Find chains: one for each set of tiles that can be left, with and without a double turn."""
    evaluator.stamp += 1
    evaluator.found = 0
    evaluator.depth = 0
    evaluator.nodes = evaluator.node_limit
    for edge in range(t.edges):
        if may_begin(t, edge):
            find_chains_at(evaluator, t, t.edge_cell[edge], evaluator.hand, 0, can_earn)


def find_chains_at(
    evaluator: "Evaluator", t: "Table", cell: int, rest: int, bonus: int, can_earn: int
) -> None:
    """Find the chains that continue on this cell. Of chains that leave the same tiles and end with
    the same tile, only the first is continued."""
    fits = fitting_tiles(evaluator, t, cell) & rest
    if fits == 0:
        return
    earns = bonus
    if can_earn and evaluator.touched > 1:
        earns = 1
    what = t.at[cell]
    while fits:
        place = lowest_bit(fits)
        fits &= fits - 1
        left = rest ^ (1 << place)
        key = (left * 12 + place) * 2 + earns
        if evaluator.seen[key] == evaluator.stamp or evaluator.nodes <= 0:
            continue
        evaluator.seen[key] = evaluator.stamp
        evaluator.nodes -= 1
        evaluator.path_tile[evaluator.depth] = evaluator.tile[place]
        evaluator.path_cell[evaluator.depth] = cell
        evaluator.depth += 1
        note_chain(evaluator, left, earns)
        if evaluator.adjacent[place] & left:
            t.at[cell] = evaluator.tile[place] + 1
            for side in range(4):
                near = (cell + SIDE_OFFSETS[side]) & CELL_MASK
                if is_empty(t.at[near]):
                    find_chains_at(evaluator, t, near, left, earns, can_earn)
            t.at[cell] = what
        evaluator.depth -= 1


def note_chain(evaluator: "Evaluator", rest: int, bonus: int) -> None:
    if evaluator.noted[rest * 2 + bonus] == evaluator.stamp:
        return
    evaluator.noted[rest * 2 + bonus] = evaluator.stamp
    number = evaluator.found
    evaluator.found = number + 1
    evaluator.left[number] = rest
    evaluator.earns[number] = bonus
    evaluator.length[number] = evaluator.depth
    for place in range(evaluator.depth):
        evaluator.chain_tile[number * 10 + place] = evaluator.path_tile[place]
        evaluator.chain_cell[number * 10 + place] = evaluator.path_cell[place]


# ------------------------------------------------------------------------------ laying all tiles


def can_go_out(evaluator: "Evaluator", t: "Table", doubles: int) -> int:
    """Can a chain lay all tiles now, or with `doubles` a double turn? Keeps its first chain."""
    if evaluator.chains[evaluator.hand] > 1 + doubles:
        return 0
    evaluator.depth = 0
    evaluator.nodes = evaluator.node_limit
    for edge in range(t.edges):
        if may_begin(t, edge) and goes_out_at(
            evaluator, t, t.edge_cell[edge], evaluator.hand, 0, doubles
        ):
            return 1
    return 0


def goes_out_at(
    evaluator: "Evaluator", t: "Table", cell: int, rest: int, bonus: int, doubles: int
) -> int:
    """Does a chain that continues on this cell lay all the rest, perhaps with a second one? `bonus`
    is -1 in a second chain."""
    fits = fitting_tiles(evaluator, t, cell) & rest
    if fits == 0:
        return 0
    earns = bonus
    if doubles and evaluator.touched > 1:
        earns = 1
    what = t.at[cell]
    while fits:
        place = lowest_bit(fits)
        fits &= fits - 1
        left = rest ^ (1 << place)
        continues = evaluator.adjacent[place] & evaluator.ends[left]
        chains = evaluator.chains[left]
        if chains > 1 + doubles or (chains == 1 + doubles and continues == 0):
            continue
        evaluator.nodes -= 1
        if evaluator.nodes < 0:
            return 0
        evaluator.path_tile[evaluator.depth] = evaluator.tile[place]
        evaluator.path_cell[evaluator.depth] = cell
        evaluator.depth += 1
        if left == 0:
            if bonus >= 0:
                keep_first_chain(evaluator)
            return 1
        t.at[cell] = evaluator.tile[place] + 1
        found = 0
        if earns > 0 and chains == 1 and goes_out_with_second(evaluator, t, left):
            keep_first_chain(evaluator)
            found = 1
        if found == 0 and evaluator.adjacent[place] & left:
            for side in range(4):
                near = (cell + SIDE_OFFSETS[side]) & CELL_MASK
                if is_empty(t.at[near]) and goes_out_at(evaluator, t, near, left, earns, doubles):
                    found = 1
                    break
        t.at[cell] = what
        if found:
            return 1
        evaluator.depth -= 1
    return 0


def keep_first_chain(evaluator: "Evaluator") -> None:
    evaluator.out_length = evaluator.depth
    for place in range(evaluator.depth):
        evaluator.out_tile[place] = evaluator.path_tile[place]
        evaluator.out_cell[place] = evaluator.path_cell[place]


def goes_out_with_second(evaluator: "Evaluator", t: "Table", rest: int) -> int:
    """Does a second chain lay all the rest (U10), after a first one that has earned it?"""
    depth = evaluator.depth
    first = depth - 1 if t.continues else 0
    found = 0
    for place in range(first, depth):
        for side in range(4):
            near = (evaluator.path_cell[place] + SIDE_OFFSETS[side]) & CELL_MASK
            if found == 0 and is_empty(t.at[near]):
                found = goes_out_at(evaluator, t, near, rest, -1, 0)
    if found == 0 and not t.continues:
        for edge in range(t.edges):
            cell = t.edge_cell[edge]
            if found == 0 and t.at[cell] >= EDGE:
                found = goes_out_at(evaluator, t, cell, rest, -1, 0)
    evaluator.depth = depth
    return found
