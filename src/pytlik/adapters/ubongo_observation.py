"""What a player sees of a round of Ubongo, as one row of small numbers (G16).

Seats are counted from the one that looks, clockwise. LAYOUT says where each part is.
"""

from itertools import accumulate

from pytlik.extras import explain_missing_extra

with explain_missing_extra("pettingzoo"):
    import numpy as np
    from numpy.typing import NDArray

from pytlik.adapters.ubongo_moves import BOX, SLOTS, NumberedMoves
from pytlik.ubongo.hexes import Shape
from pytlik.ubongo.model import Gem, Phase
from pytlik.ubongo.view import View

SEATS = 4
CELLS = BOX * BOX
PHASES = (Phase.SOLVING, Phase.SECOND_CHANCE)

PARTS = {
    "area": CELLS,  # the white cells, column by column
    "placed": SLOTS * CELLS,  # the cells that each piece covers
    "pieces": SLOTS * CELLS,  # the shape of each piece, moved to the box's corner
    "solved": SEATS,
    "gave_up": SEATS,
    "points": SEATS,
    "phase": len(PHASES),
    "display": len(Gem),
    "bag": len(Gem),
    "round": 1,
    "players": 1,
    "seconds": 1,  # until the sand has run out, at most 254; 255 where no timer runs
}
ENDS = dict(zip(PARTS, accumulate(PARTS.values()), strict=True))
LAYOUT = {name: slice(ENDS[name] - size, ENDS[name]) for name, size in PARTS.items()}
SIZE = sum(PARTS.values())


def observe(view: View, board: NumberedMoves | None, now: int) -> NDArray[np.uint8]:
    """What a view shows at a moment. `board`: of the seat's own deal, if it has one."""
    row = np.zeros(SIZE, np.uint8)
    seat = view.seat
    assert seat is not None
    if board is not None:
        row[LAYOUT["area"]][[board.cell_number(cell) for cell in board.area]] = 1
        placed, pieces = row[LAYOUT["placed"]], row[LAYOUT["pieces"]]
        for slot, number in enumerate(board.slots):
            cells = view.placed.get(seat, {}).get(number, ())
            placed[[slot * CELLS + board.cell_number(cell) for cell in cells]] = 1
            pieces[
                [slot * CELLS + cell for cell in cells_in_corner(view.deals[seat].pieces[number])]
            ] = 1
    solved = {solution.seat for solution in view.solutions}
    for further in range(view.players):
        other = (seat + further) % view.players
        row[LAYOUT["solved"]][further] = other in solved
        row[LAYOUT["gave_up"]][further] = other in view.gave_up
        row[LAYOUT["points"]][further] = min(view.points[other], 255)
    row[LAYOUT["phase"]] = [view.phase is phase for phase in PHASES]
    row[LAYOUT["display"]] = [view.books.display[gem] for gem in Gem]
    row[LAYOUT["bag"]] = [view.books.bag[gem] for gem in Gem]
    row[LAYOUT["round"]] = view.round
    row[LAYOUT["players"]] = view.players
    row[LAYOUT["seconds"]] = seconds_left(view, now)
    return row


def seconds_left(view: View, now: int) -> int:
    if view.sand is None:
        return 255
    return min(max(view.sand - now, 0) // 1000, 254)


def cells_in_corner(piece: Shape) -> list[int]:
    """The cells of a piece in the box's corner."""
    left, top = min(cell.q for cell in piece), min(cell.r for cell in piece)
    return [(cell.q - left) * BOX + cell.r - top for cell in piece]
