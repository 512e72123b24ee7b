# cython: annotation_typing=False, auto_pickle=False
# cython: boundscheck=False, wraparound=False, cdivision=True
"""The forms of pieces in a box of one size. A cell of the box is a bit, row after row."""

from functools import lru_cache

from pytlik.ubongo.hexes import Shape, free_form, orientations

AS_IT_IS: bool = __file__.endswith(".py")

if AS_IT_IS:
    from pytlik.ubongo.kernel.plain import *

REMEMBERED = 4096
"""For how many pieces a box knows the forms: who asks for all that there are fills no memory."""


class Forms:
    """The orientations of a shape that a box has room for. For each the mask that it covers when
    its lowest cell is the box's lowest (`base`), and all cells on which its lowest cell may lie
    (`valid`); for each cell the masks of those that lie with their lowest cell there."""

    def __init__(self, shape: Shape, height: int, width: int) -> None:
        if AS_IT_IS:
            self.base = zeros(MOST_FORMS)
            self.valid = zeros(MOST_FORMS)
            self.steps = zeros(MOST_FORMS * MOST_CELLS)
            self.lying = zeros(MOST_FORMS * WORD)
            self.many = zeros(WORD)
        self.number = 0
        self.size = len(shape)
        if not 0 < len(shape) <= MOST_CELLS:
            self.size = 0
            return
        for form in _orientations(shape):
            across = [r for _, r in form]
            left, right = min(across), max(across)
            down = max(q for q, _ in form)
            if down >= height or right - left >= width:
                continue
            at = self.number
            columns = range(-left, width - right)
            self.base[at] = sum(1 << (q * width + r) for q, r in form)
            self.valid[at] = sum(
                1 << (q * width + r) for q in range(height - down) for r in columns
            )
            for index, (q, r) in enumerate(form):
                self.steps[at * MOST_CELLS + index] = q * width + r
            for cell in range(height * width):
                if self.valid[at] >> cell & 1:
                    self.lying[cell * MOST_FORMS + self.many[cell]] = self.base[at] << cell
                    self.many[cell] += 1
            self.number += 1


class Box:
    """What is known of pieces in a box of one size. Equal shapes have one and the same Forms."""

    def __init__(self, height: int, width: int) -> None:
        self.height = height
        self.width = width
        self.known: dict[Shape, Forms] = {}
        # The same few pieces are asked for again and again, and known by where they are in memory:
        # they stay there while they are kept here.
        self.seen: list[tuple[Shape, Forms] | None] = [None] * SEEN


def forms_of(box: Box, piece: Shape) -> Forms:
    at = (address(piece) >> 4) % SEEN
    seen = box.seen[at]
    if seen is not None and seen[0] is piece:
        return seen[1]
    found = box.known.get(piece)
    if found is None:
        if len(box.known) >= REMEMBERED:
            box.known.clear()
        shape = _free_form(piece)
        if shape not in box.known:
            box.known[shape] = Forms(shape, box.height, box.width)
        found = box.known[piece] = box.known[shape]
    box.seen[at] = piece, found
    return found


# For every box the same, and there are many boxes.


@lru_cache(maxsize=REMEMBERED)
def _free_form(piece: Shape) -> Shape:
    return free_form(set(piece)) if piece else ()


@lru_cache(maxsize=REMEMBERED)
def _orientations(shape: Shape) -> tuple[Shape, ...]:
    return orientations(shape)


BOXES: list[Box | None] = [None] * (WORD + 1) ** 2


def box_of(height: int, width: int) -> Box:
    known = BOXES[height * (WORD + 1) + width]
    if known is None:
        known = BOXES[height * (WORD + 1) + width] = Box(height, width)
    return known
