"""What a player sees of a round of Ubongo, as one row of small numbers (G16).

Seats are counted clockwise from the observing one. LAYOUT says where each part is.
"""

from itertools import accumulate

from pytlik.extras import explain_missing_extra

with explain_missing_extra("pettingzoo"):
    import numpy as np
    from numpy.typing import NDArray

from pytlik.adapters.ubongo_moves import BOX_SIDE, SLOT_COUNT, NumberedMoves
from pytlik.ubongo.hexes import Shape
from pytlik.ubongo.model import Gem, Phase
from pytlik.ubongo.view import View

MAX_SEATS = 4
BOX_CELLS = BOX_SIDE * BOX_SIDE
OBSERVED_PHASES = (Phase.SOLVING, Phase.SECOND_CHANCE)

PART_SIZES = {
    "area": BOX_CELLS,  # the white cells, column by column
    "placed": SLOT_COUNT * BOX_CELLS,  # the cells that each piece covers
    "pieces": SLOT_COUNT * BOX_CELLS,  # the shape of each piece, moved to the box's corner
    "solved": MAX_SEATS,
    "gave_up": MAX_SEATS,
    "points": MAX_SEATS,
    "phase": len(OBSERVED_PHASES),
    "display": len(Gem),
    "bag": len(Gem),
    "round": 1,
    "players": 1,
    "seconds": 1,  # until the sand has run out, at most 254; 255 if no timer runs
}
PART_ENDS = dict(zip(PART_SIZES, accumulate(PART_SIZES.values()), strict=True))
LAYOUT = {name: slice(PART_ENDS[name] - size, PART_ENDS[name]) for name, size in PART_SIZES.items()}
OBSERVATION_SIZE = sum(PART_SIZES.values())


def observe(view: View, board: NumberedMoves | None, now: int) -> NDArray[np.uint8]:
    """What a view shows at a moment. `board` is for the seat's own deal, if it has one."""
    row = np.zeros(OBSERVATION_SIZE, np.uint8)
    seat = view.seat
    assert seat is not None
    if board is not None:
        row[LAYOUT["area"]][[board.cell_number(cell) for cell in board.area]] = 1
        placed, pieces = row[LAYOUT["placed"]], row[LAYOUT["pieces"]]
        for slot, number in enumerate(board.slots):
            cells = view.placed.get(seat, {}).get(number, ())
            placed[[slot * BOX_CELLS + board.cell_number(cell) for cell in cells]] = 1
            pieces[
                [
                    slot * BOX_CELLS + cell
                    for cell in number_cells_from_corner(view.deals[seat].pieces[number])
                ]
            ] = 1
    solved = {solution.seat for solution in view.solutions}
    for further in range(view.players):
        other = (seat + further) % view.players
        row[LAYOUT["solved"]][further] = other in solved
        row[LAYOUT["gave_up"]][further] = other in view.gave_up
        row[LAYOUT["points"]][further] = min(view.points[other], 255)
    row[LAYOUT["phase"]] = [view.phase is phase for phase in OBSERVED_PHASES]
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


def number_cells_from_corner(piece: Shape) -> list[int]:
    """The numbers of a piece's cells when it is moved to the corner of the box."""
    left, top = min(cell.q for cell in piece), min(cell.r for cell in piece)
    return [(cell.q - left) * BOX_SIDE + cell.r - top for cell in piece]
