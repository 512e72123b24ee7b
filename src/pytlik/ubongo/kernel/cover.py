# cython: annotation_typing=False, auto_pickle=False
# cython: boundscheck=False, wraparound=False, cdivision=True
"""The solutions of a puzzle: how many there are, and the first."""

from pytlik.ubongo.hexes import Shape

if __file__.endswith(".py"):
    from pytlik.ubongo.kernel.puzzle import *


def number_of_solutions(p: "Puzzle", limit: int | None) -> int:
    """With a limit the search stops there, and never says more."""
    if p.covers != p.size:
        return 0
    # A tiling stands for as many solutions as there are ways to exchange equal pieces.
    each = 1
    for kind in range(p.number):
        for factor in range(2, p.left[kind] + 1):
            each *= factor
    p.found = 0
    p.enough = 1 << 62 if limit is None else -(-limit // each)
    if p.enough > 0:
        search(p, p.area, p.pieces)
    return p.found * each if limit is None else min(limit, p.found * each)


def first_solution(p: "Puzzle") -> tuple[Shape, ...] | None:
    """The cells that each piece covers, in the order of the pieces."""
    if p.covers != p.size:
        return None
    p.found = 0
    p.enough = 1
    search(p, p.area, p.pieces)
    if not p.found:
        return None
    # Of equal pieces the first takes what was laid first.
    masks: list[list[int]] = [[] for _ in range(p.number)]
    for index in range(p.pieces):
        masks[p.laid_kind[index]].append(p.laid[index])
    return tuple([p.shape(masks[p.order[at]].pop(0)) for at in range(p.pieces)])


def search(p: "Puzzle", free: int, left: int) -> None:
    """Cover the lowest free cell in every way, by a piece whose own lowest cell lies there."""
    cell = lowest(free)
    for kind in range(p.number):
        if not p.left[kind]:
            continue
        p.left[kind] -= 1
        lying = p.lying[kind]
        for at in range(cell * MOST_FORMS, cell * MOST_FORMS + p.many[kind][cell]):
            mask = lying[at]
            if mask & free != mask:
                continue
            p.laid[p.pieces - left] = mask
            p.laid_kind[p.pieces - left] = kind
            if left > 2:
                search(p, free ^ mask, left - 1)
            elif left == 1 or fills(p, free ^ mask):
                p.found += 1
            if p.found >= p.enough:
                break
        p.left[kind] += 1
        if p.found >= p.enough:
            return


def fills(p: "Puzzle", free: int) -> bool:
    """Does the last piece fill just what is left?"""
    kind = 0
    while not p.left[kind]:
        kind += 1
    cell = lowest(free)
    lying = p.lying[kind]
    for at in range(cell * MOST_FORMS, cell * MOST_FORMS + p.many[kind][cell]):
        if lying[at] == free:
            p.laid[p.pieces - 1] = free
            p.laid_kind[p.pieces - 1] = kind
            return True
    return False
