"""A chain of Unikat that is being built: what may come next, and what it earns."""

import re

from pytlik.game import Illegal, Reason
from pytlik.unikat.legal import fitting
from pytlik.unikat.model import PARTNERS, Cell, Chain, Phase, Tile
from pytlik.unikat.reasons import UnikatReason
from pytlik.unikat.view import View


def cell_of(word: str) -> Cell | None:
    """`1,-2` as a cell."""
    found = re.fullmatch(r"(-?\d{1,4}),(-?\d{1,4})", word)
    return Cell(int(found[1]), int(found[2])) if found else None


def fits_at(view: View, chain: Chain, tile: Tile) -> tuple[Cell, ...]:
    """Where a tile may go now: the first one where the view says, others next to the last."""
    if tile not in view.hand:
        raise Illegal(UnikatReason.NOT_IN_HAND, tile=tile)
    if not chain:
        return tuple(sorted(view.choices.lay.get(tile, ()), key=lambda cell: (cell.y, cell.x)))
    table = tiles_on(view, chain)
    near = (cell for cell in chain[-1].cell.neighbours() if cell not in table)
    return tuple(cell for cell in near if fitting(table, cell, frozenset({tile})))


def tiles_on(view: View, chain: Chain) -> dict[Cell, Tile]:
    tiles = {Cell(stone.x, stone.y): stone.tile for stone in view.board}
    return tiles | {placed.cell: placed.tile for placed in chain}


def earns_bonus(view: View, chain: Chain) -> bool:
    """Does a tile touch two or more as it is laid (U10)?"""
    if view.phase is not Phase.ACTION:
        return False
    return any(
        sum(near in tiles_on(view, chain[:count]) for near in placed.cell.neighbours()) > 1
        for count, placed in enumerate(chain)
    )


def why_not(view: View, chain: Chain, tile: Tile, cell: Cell) -> Illegal:
    """Why a tile may not be put onto a cell next: in the same words in which the rules refuse."""
    table = tiles_on(view, chain)
    where = {"tile": tile, "x": cell.x, "y": cell.y}
    if cell in table:
        return Illegal(Reason.OCCUPIED, **where)
    near = [table[beside] for beside in cell.neighbours() if beside in table]
    if not near:
        return Illegal(UnikatReason.TOUCHES_NOTHING, **where)
    unlike = next((other for other in near if other not in PARTNERS[tile]), None)
    if unlike is None:
        # It would fit there, but that is not where the chain goes on.
        return Illegal(UnikatReason.NOT_NEXT_TO_LAST, **where)
    features = list(tile.differing(unlike))
    return Illegal(UnikatReason.UNLIKE_NEIGHBOUR, **where, neighbour=unlike, features=features)
