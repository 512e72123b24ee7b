# cython: annotation_typing=False, auto_pickle=False
# cython: boundscheck=False, wraparound=False, cdivision=True
"""In how many ways a puzzle is nearly solved: all pieces but one lie, and that one does not fit."""

if __file__.endswith(".py"):
    from pytlik.ubongo.kernel.cover import *
    from pytlik.ubongo.kernel.places import *


def ways_to_miss(p: "Puzzle") -> int | None:
    """None if the pieces fit in too many places."""
    if p.covers != p.size:
        return 0
    places = spread(p, p.pieces - 1)
    if places is None:
        return None
    ways = 0
    for kind in range(p.number):
        pieces = p.left[kind]
        p.left[kind] -= 1
        ways += pieces * packings(p, places, 0, p.pieces - 1)
        p.left[kind] += 1
    # All of a solution but one piece is no miss.
    return ways - p.pieces * number_of_solutions(p, None)


def packings(p: "Puzzle", places: "Places", kind: int, left: int) -> int:
    """In how many ways the pieces that are left lie beside each other."""
    while not p.left[kind]:
        kind += 1
    p.left[kind] -= 1
    ways = 0
    for part in range(places.start[kind], places.start[kind + 1]):
        fit = places.fits[left * MOST_PLACES + part]
        if left == 1:
            ways += ones(fit)
            continue
        while fit:
            lay(places, part * WORD + lowest(fit), left)
            fit &= fit - 1
            ways += packings(p, places, kind, left - 1)
    p.left[kind] += 1
    return ways
