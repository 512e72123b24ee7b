# cython: auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""A puzzle as 64-bit masks: an area in the box around it, and the pieces that have to cover it.

A cell of the box is a bit, row after row. puzzle.pxd has the fields.
"""

from functools import lru_cache

from pytlik.ubongo.hexes import free_form, orientations

cdef int MAX_KNOWN_PIECES = 4096  # in each box, so that odd pieces can't fill the memory
cdef int ADDRESS_SLOTS = 512
cdef long long MAX_COORDINATE = 1 << 40  # differences between larger ones might overflow


cdef class Orientations:

    def __init__(self, shape, height, width):
        cdef int index, cell
        self.count = 0
        self.size = len(shape)
        if not 0 < len(shape) <= MAX_PIECE_CELLS:
            self.size = 0
            return
        for form in _orientations(shape):
            columns = [r for _, r in form]
            left, right = min(columns), max(columns)
            down = max(q for q, _ in form)
            if down >= height or right - left >= width:
                continue
            index = self.count
            self.base[index] = sum(1 << (q * width + r) for q, r in form)
            self.anchors[index] = sum(
                1 << (q * width + r)
                for q in range(height - down)
                for r in range(-left, width - right)
            )
            for number, (q, r) in enumerate(form):
                self.offsets[index * MAX_PIECE_CELLS + <int>number] = q * width + r
            for cell in range(height * width):
                if self.anchors[index] >> cell & 1:
                    self.at_cell[cell * MAX_ORIENTATIONS + self.at_cell_count[cell]] = (
                        self.base[index] << cell
                    )
                    self.at_cell_count[cell] += 1
            self.count += 1


cdef class Box:

    def __init__(self, height, width):
        self.height = height
        self.width = width
        self.by_shape = {}
        # The same few tuples are asked for again and again, so they're looked up by address.
        # They're kept here, so that no other tuple can get that address.
        self.by_address = [None] * ADDRESS_SLOTS


cdef list BOXES = [None] * (WORD_BITS + 1) ** 2


cdef Box get_box(int height, int width):
    cdef Box box = BOXES[height * (WORD_BITS + 1) + width]
    if box is None:
        box = BOXES[height * (WORD_BITS + 1) + width] = Box(height, width)
    return box


cdef Orientations get_orientations(Box box, tuple piece):
    cdef size_t slot = (address_of(piece) >> 4) % ADDRESS_SLOTS
    cdef tuple entry = box.by_address[slot]
    cdef Orientations found
    if entry is not None and entry[0] is piece:
        return entry[1]
    found = box.by_shape.get(piece)
    if found is None:
        if len(box.by_shape) >= MAX_KNOWN_PIECES:
            box.by_shape.clear()
        shape = _free_form(piece)
        if shape not in box.by_shape:
            box.by_shape[shape] = Orientations(shape, box.height, box.width)
        found = box.by_shape[piece] = box.by_shape[shape]
    box.by_address[slot] = piece, found
    return found


# Cached here for all boxes, of which there are many.


@lru_cache(maxsize=4096)
def _free_form(piece):
    return free_form(set(piece)) if piece else ()


@lru_cache(maxsize=4096)
def _orientations(shape):
    return orientations(shape)


cdef class Puzzle:

    cdef bint set_area(self, tuple cells) except *:
        """Number the cells as solver.py does. False if they don't fit into 64 bits."""
        cdef long long top, bottom, left, right, q, r, height, width
        self.cells = cells
        if not 0 < len(cells) <= WORD_BITS:
            return False
        try:
            top = bottom = coordinate(cells[0], 0)
            left = right = coordinate(cells[0], 1)
            for cell in cells:
                q = coordinate(cell, 0)
                r = coordinate(cell, 1)
                top = min(top, q)
                bottom = max(bottom, q)
                left = min(left, r)
                right = max(right, r)
        except OverflowError:
            return False
        if (
            top < -MAX_COORDINATE
            or left < -MAX_COORDINATE
            or bottom > MAX_COORDINATE
            or right > MAX_COORDINATE
        ):
            return False
        height = bottom - top + 1
        width = right - left + 1
        if height > WORD_BITS or width > WORD_BITS or height * width > WORD_BITS:
            return False
        self.top = top
        self.leftmost = left
        self.flipped = width > height
        self.box = get_box(width, height) if self.flipped else get_box(height, width)
        self.area = 0
        for cell in cells:
            self.area |= self.bit_of(cell)
        self.area_size = count_bits(self.area)
        return True

    cdef bint set_pieces(self, object pieces) except *:
        """Sort the pieces into kinds. False if there are none, too many, or too large ones."""
        cdef Py_ssize_t number = len(pieces)
        cdef list kinds = []
        cdef int index, kind
        cdef Orientations own
        if not 0 < number <= MAX_PIECES:
            return False
        self.piece_count = number
        self.kinds = kinds
        self.kind_count = 0
        self.pieces_size = 0
        for index, piece in enumerate(pieces):
            try:
                own = get_orientations(self.box, as_tuple(piece))
            except OverflowError:
                return False
            if not own.size:
                return False
            self.pieces_size += own.size
            kind = 0
            while kind < self.kind_count and kinds[kind] is not own:
                kind += 1
            if kind == self.kind_count:
                kinds.append(own)
                self.kind_count += 1
                self.remaining[kind] = 0
                self.at_cell[kind] = own.at_cell
                self.at_cell_count[kind] = own.at_cell_count
            self.remaining[kind] += 1
            self.kind_of[index] = kind
        return True

    cdef tuple cells_of(self, mask cells):
        return tuple(sorted({cell for cell in self.cells if cells & self.bit_of(cell)}))

    cdef mask bit_of(self, object cell) except? 0:
        cdef long long down = coordinate(cell, 0) - self.top
        cdef long long across = coordinate(cell, 1) - self.leftmost
        if self.flipped:
            down, across = across, down
        return <mask>1 << (down * self.box.width + across)
