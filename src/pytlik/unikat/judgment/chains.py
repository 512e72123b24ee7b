# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Chains that the hand can lay where the tiles lie, and whether a turn lays all of it."""

if __file__.endswith(".py"):
    from pytlik.unikat.judgment.hand import *


# -------------------------------------------------------------------------- all that may be laid


def look(q: "Mind", t: "Table", cell: int) -> int:
    """Which tiles of the hand fit on an empty cell; and how many tiles it touches."""
    fits = q.full
    touched = 0
    for side in range(4):
        what = t.at[(cell + OFFSET[side]) & AROUND]
        if 0 < what < EDGE:
            fits &= q.local[what - 1]
            touched += 1
    q.touched = touched
    return fits


def may_begin(t: "Table", cell: int) -> int:
    """Where the extra action must go on it begins next to the last tile (U10)."""
    if t.phase != BONUS or not t.continues:
        return 1
    for side in range(4):
        if (cell + OFFSET[side]) & AROUND == t.last:
            return 1
    return 0


def find_chains(q: "Mind", t: "Table", earning: int) -> None:
    """Chains, one for each set of tiles that is left and whether it earns a double turn."""
    q.stamp += 1
    q.found = 0
    q.depth = 0
    q.nodes = q.limit
    for edge in range(t.edges):
        if (t.edge_low[edge] & t.hand_low[t.to_move]) == 0 and (
            t.edge_high[edge] & t.hand_high[t.to_move]
        ) == 0:
            continue
        cell = t.edge_cell[edge]
        if may_begin(t, cell):
            chains_at(q, t, cell, q.full, 0, earning)


def chains_at(q: "Mind", t: "Table", cell: int, rest: int, bonus: int, earning: int) -> None:
    """Those that go on in a cell. Of what ends with the same tile only the first goes on."""
    fits = look(q, t, cell) & rest
    if fits == 0:
        return
    earns = bonus
    if earning and q.touched > 1:
        earns = 1
    what = t.at[cell]
    while fits:
        place = lowest(fits)
        fits &= fits - 1
        left = rest ^ (1 << place)
        key = (left * 12 + place) * 2 + earns
        if q.seen[key] == q.stamp or q.nodes <= 0:
            continue
        q.seen[key] = q.stamp
        q.nodes -= 1
        q.path_tile[q.depth] = q.tile[place]
        q.path_cell[q.depth] = cell
        q.depth += 1
        note_chain(q, left, earns)
        if q.adjacent[place] & left:
            t.at[cell] = q.tile[place] + 1
            for side in range(4):
                near = (cell + OFFSET[side]) & AROUND
                beyond = t.at[near]
                if beyond == 0 or beyond >= EDGE:
                    chains_at(q, t, near, left, earns, earning)
            t.at[cell] = what
        q.depth -= 1


def note_chain(q: "Mind", rest: int, bonus: int) -> None:
    if q.noted[rest * 2 + bonus] == q.stamp:
        return
    q.noted[rest * 2 + bonus] = q.stamp
    number = q.found
    q.found = number + 1
    q.left[number] = rest
    q.earns[number] = bonus
    q.length[number] = q.depth
    for place in range(q.depth):
        q.chain_tile[number * 10 + place] = q.path_tile[place]
        q.chain_cell[number * 10 + place] = q.path_cell[place]


# ----------------------------------------------------------------------------- laying everything


def lays_all(q: "Mind", t: "Table", doubles: int) -> int:
    """Can all tiles be laid now? The first chain is then kept."""
    if q.paths[q.full] > 1 + doubles:
        return 0
    q.depth = 0
    q.nodes = q.limit
    for edge in range(t.edges):
        if (t.edge_low[edge] & t.hand_low[t.to_move]) == 0 and (
            t.edge_high[edge] & t.hand_high[t.to_move]
        ) == 0:
            continue
        cell = t.edge_cell[edge]
        if may_begin(t, cell) and out_at(q, t, cell, q.full, 0, doubles):
            return 1
    return 0


def out_at(q: "Mind", t: "Table", cell: int, rest: int, bonus: int, doubles: int) -> int:
    """Does a chain that goes on in a cell lay all the rest? `bonus` is -1 for a second chain."""
    fits = look(q, t, cell) & rest
    if fits == 0:
        return 0
    earns = bonus
    if doubles and q.touched > 1:
        earns = 1
    what = t.at[cell]
    while fits:
        place = lowest(fits)
        fits &= fits - 1
        left = rest ^ (1 << place)
        goes_on = q.adjacent[place] & q.ends[left]
        paths = q.paths[left]
        if paths > 1 + doubles or (paths == 1 + doubles and goes_on == 0):
            continue
        q.nodes -= 1
        if q.nodes < 0:
            return 0
        q.path_tile[q.depth] = q.tile[place]
        q.path_cell[q.depth] = cell
        q.depth += 1
        if left == 0:
            if bonus >= 0:
                keep_out(q)
            return 1
        t.at[cell] = q.tile[place] + 1
        found = 0
        if earns > 0 and paths == 1 and out_again(q, t, left):
            keep_out(q)
            found = 1
        if found == 0 and q.adjacent[place] & left:
            for side in range(4):
                near = (cell + OFFSET[side]) & AROUND
                beyond = t.at[near]
                if (beyond == 0 or beyond >= EDGE) and out_at(q, t, near, left, earns, doubles):
                    found = 1
                    break
        t.at[cell] = what
        if found:
            return 1
        q.depth -= 1
    return 0


def keep_out(q: "Mind") -> None:
    q.out_length = q.depth
    for place in range(q.depth):
        q.out_tile[place] = q.path_tile[place]
        q.out_cell[place] = q.path_cell[place]


def out_again(q: "Mind", t: "Table", rest: int) -> int:
    """After a first chain that earned it: does a second one lay all the rest?"""
    depth = q.depth
    first = q.depth - 1 if t.continues else 0
    found = 0
    for place in range(first, depth):
        for side in range(4):
            near = (q.path_cell[place] + OFFSET[side]) & AROUND
            beyond = t.at[near]
            if found == 0 and (beyond == 0 or beyond >= EDGE):
                found = out_at(q, t, near, rest, -1, 0)
    if found == 0 and not t.continues:
        for edge in range(t.edges):
            cell = t.edge_cell[edge]
            if found == 0 and t.at[cell] >= EDGE:
                found = out_at(q, t, cell, rest, -1, 0)
    q.depth = depth
    return found
