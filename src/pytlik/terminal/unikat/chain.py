"""A chain of Unikat that is being built: what may come next, and what it earns."""

import re

from pytlik.game import Illegal, Reason
from pytlik.unikat.legal import fitting_tiles
from pytlik.unikat.model import PARTNERS, Cell, Chain, Phase, Tile
from pytlik.unikat.reasons import UnikatReason
from pytlik.unikat.view import View


def parse_cell(word: str) -> Cell | None:
    """`1,-2` as a cell."""
    found = re.fullmatch(r"(-?\d{1,4}),(-?\d{1,4})", word)
    return Cell(int(found[1]), int(found[2])) if found else None


def sort_rack(view: View, feature: int) -> list[Tile]:
    """The hand, sorted by one feature first."""
    return sorted(view.hand, key=lambda tile: (tile[feature], tile))


def board_with_chain(view: View, chain: Chain) -> dict[Cell, Tile]:
    """The tiles on the board, plus those of a chain."""
    tiles = {Cell(stone.x, stone.y): stone.tile for stone in view.board}
    return tiles | {placed.cell: placed.tile for placed in chain}


def fitting_places(view: View, chain: Chain, tile: Tile) -> tuple[Cell, ...]:
    """Where a tile may go next: for the first one, the view says it; later ones go beside the last
    one."""
    if tile not in view.hand:
        raise Illegal(UnikatReason.NOT_IN_HAND, tile=tile)
    if not chain:
        return tuple(sorted(view.choices.lay.get(tile, ()), key=lambda cell: (cell.y, cell.x)))
    board = board_with_chain(view, chain)
    near = (cell for cell in chain[-1].cell.neighbours() if cell not in board)
    return tuple(cell for cell in near if fitting_tiles(board, cell, frozenset({tile})))


def earns_bonus(view: View, chain: Chain) -> bool:
    """Whether a tile touches two or more as it is laid (U10)."""
    if view.phase is not Phase.ACTION:
        return False
    return any(
        sum(near in board_with_chain(view, chain[:count]) for near in placed.cell.neighbours()) > 1
        for count, placed in enumerate(chain)
    )


def explain_misfit(view: View, chain: Chain, tile: Tile, cell: Cell) -> Illegal:
    """Why a tile can't be the next one on a cell, with the code that the rules would give."""
    board = board_with_chain(view, chain)
    where = {"tile": tile, "x": cell.x, "y": cell.y}
    if cell in board:
        return Illegal(Reason.OCCUPIED, **where)
    near = [board[neighbour] for neighbour in cell.neighbours() if neighbour in board]
    if not near:
        return Illegal(UnikatReason.TOUCHES_NOTHING, **where)
    unlike = next((other for other in near if other not in PARTNERS[tile]), None)
    if unlike is None:
        # It would fit there, but the chain can't continue there.
        return Illegal(UnikatReason.NOT_NEXT_TO_LAST, **where)
    features = list(tile.differing_features(unlike))
    return Illegal(UnikatReason.UNLIKE_NEIGHBOUR, **where, neighbour=unlike, features=features)
