# cython: annotation_typing=False, auto_pickle=False
# cython: boundscheck=False, wraparound=False, cdivision=True
"""The solver's questions for what people solve, in machine words: the whole box around an area is
one number of 64 bits. C types stand in kernel.pxd; the same file runs without being compiled.

Every answer is the reference's (`solver.py`), to the last bit of an effort, and the first solution
is the same one. Where this file is not compiled, or a puzzle is too large for it, the reference
answers itself: its big numbers are what Python is quickest with.
"""

from collections.abc import Iterable, Sequence

from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Hex, Shape, free_form, orientations

Cells = Iterable[Hex]

COMPILED: bool = not __file__.endswith(".py")
SEARCHES = COMPILED
"""Whether this file answers. As it is it can, but the reference is quicker then."""

WORD = 64
MOST_PIECES = 16
MOST_CELLS = 12
"""Of a piece."""
MOST_FORMS = 12 * MOST_PIECES
MOST_SHAPES = 64
MOST_WAYS = 8192
SLOTS = 16384
KNOWN = 65536
"""How many positions are remembered while an effort is found out; others are looked at again."""
PAIRS = 0x5555555555555555
FOURS = 0x3333333333333333
EIGHTS = 0x0F0F0F0F0F0F0F0F
ALL = 0x0101010101010101
MIX = 0x1E3779B97F4A7C15
SPREAD = 0x2545F4914F6CDD1D
"""Large odd numbers: a product with them is as good as chance."""
FAR = 1 << 40
"""Cells further away are left to the reference: here differences would be too large for a word."""
REMEMBERED = 4096
"""For how many pieces a box knows the forms: who asks for all that there are fills no memory."""


def zeros(number: int) -> list[int]:
    """What is an array in C."""
    return [0] * number


def _numbered() -> list[int]:
    """What tells powers of two apart is their remainder: sooner found than the zeros counted."""
    numbers = zeros(67)
    for cell in range(WORD):
        numbers[(1 << cell) % 67] = cell
    return numbers


NUMBERED = _numbered()

# ------------------------------------------------------------------------------------- asking


def count(area: Cells, pieces: Sequence[Cells], limit: int | None = None) -> int:
    """The number of solutions; with a limit the search stops there, and never says more."""
    cells = _tuple(area)
    cover = Cover()
    if SEARCHES and cover.lay_out(cells) and cover.take(pieces):
        return cover.count(limit)
    return solver.count(cells, pieces, limit)


def counts(area: Cells, sets: Iterable[Sequence[Cells]]) -> list[int]:
    """The number of solutions for each of many sets of pieces on one area."""
    cells = _tuple(area)
    cover = Cover()
    if SEARCHES and cover.lay_out(cells):
        return [
            cover.count(None) if cover.take(pieces) else solver.count(cells, pieces)
            for pieces in sets
        ]
    return [solver.count(cells, pieces) for pieces in sets]


def first(area: Cells, pieces: Sequence[Cells]) -> tuple[Shape, ...] | None:
    """The cells that each piece covers in one solution, in the order of the pieces."""
    cells = _tuple(area)
    cover = Cover()
    if SEARCHES and cover.lay_out(cells) and cover.take(pieces):
        return cover.first()
    return solver.first(cells, pieces)


def near_misses(area: Cells, pieces: Sequence[Cells]) -> int:
    """In how many ways all pieces but one can lie so that the last one does not fit."""
    cells = _tuple(area)
    cover = Effort()
    if SEARCHES and cover.lay_out(cells) and cover.take(pieces) and cover.pieces > 1:
        return cover.near_misses()
    return solver.near_misses(cells, pieces)


def effort(area: Cells, pieces: Sequence[Cells]) -> float:
    """How many pieces a person lays down, in the mean, until the puzzle is solved."""
    cells = _tuple(area)
    cover = Effort()
    if SEARCHES and cover.lay_out(cells) and cover.take(pieces) and cover.pieces > 1:
        return cover.effort()
    return solver.effort(cells, pieces)


def efforts(area: Cells, sets: Iterable[Sequence[Cells]]) -> list[float]:
    """The effort of each of many sets of pieces on one area."""
    cells = _tuple(area)
    return [effort(cells, pieces) for pieces in sets]


def filling_once(
    area: Cells, shapes: Sequence[Shape], beside: Sequence[int], number: int
) -> list[int] | None:
    """All sets of so many shapes that fill the area in exactly one way, each as a number with the
    bits of its shapes, in the order in which they are found. `beside` has for each shape those that
    may be in a set with it. They are connected, of two cells or more. None if that is too much for
    this file, or it is not compiled."""
    filling = Filling()
    if SEARCHES and filling.prepare(_tuple(area), shapes, beside):
        return filling.once(number)
    return None


# ---------------------------------------------------------------------------- pieces in a box


class Forms:
    """The orientations of a shape that a box has room for. For each the mask that it covers when
    its lowest cell is the box's lowest (`base`), and all cells on which its lowest cell may lie
    (`valid`); for each cell the masks of those that lie with their lowest cell there."""

    def __init__(self, shape: Shape, height: int, width: int) -> None:
        if not COMPILED:
            self.base = zeros(12)
            self.valid = zeros(12)
            self.steps = zeros(12 * MOST_CELLS)
            self.lying = zeros(12 * WORD)
            self.many = zeros(WORD)
        self.number = 0
        self.size = len(shape)
        if not 0 < len(shape) <= MOST_CELLS:
            self.size = 0
            return
        for form in orientations(shape):
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
                    self.lying[cell * 12 + self.many[cell]] = self.base[at] << cell
                    self.many[cell] += 1
            self.number += 1


class Box:
    """What is known of pieces in a box of one size. Equal shapes have one and the same Forms."""

    def __init__(self, height: int, width: int) -> None:
        self.height = height
        self.width = width
        self.known: dict[Shape, Forms] = {}

    def forms(self, piece: Shape) -> Forms:
        found = self.known.get(piece)
        if found is None:
            if len(self.known) >= REMEMBERED:
                self.known.clear()
            cells = tuple(sorted(set(piece)))
            shape = free_form(cells) if cells else ()
            if shape not in self.known:
                self.known[shape] = Forms(shape, self.height, self.width)
            found = self.known[piece] = self.known[shape]
        return found


BOXES: dict[int, Box] = {}


def _box(height: int, width: int) -> Box:
    key = height * WORD + width
    if key not in BOXES:
        BOXES[key] = Box(height, width)
    return BOXES[key]


def _tuple(cells: Cells) -> Shape:
    return cells if isinstance(cells, tuple) else tuple(cells)


def _ones(mask: int) -> int:
    """How many bits are set: in each two of them, in each four, in each eight, in all."""
    mask -= (mask >> 1) & PAIRS
    mask = (mask & FOURS) + ((mask >> 2) & FOURS)
    mask = (mask + (mask >> 4)) & EIGHTS
    return (mask * ALL >> 56) & 0xFF


# ------------------------------------------------------------------------------------ search


class Cover:
    """An area, and the pieces that are to cover it."""

    lying: list[list[int]]
    many: list[list[int]]

    def __init__(self) -> None:
        if not COMPILED:
            self.q = zeros(WORD)
            self.r = zeros(WORD)
            for name in ("lying", "many"):  # in C pointers, to which no list can be given
                setattr(self, name, [zeros(0)] * MOST_PIECES)
            self.order = zeros(MOST_PIECES)
            self.left = zeros(MOST_PIECES)
            self.laid = zeros(MOST_PIECES)
            self.laid_kind = zeros(MOST_PIECES)

    def lay_out(self, cells: Shape) -> bool:
        """Number the area's cells as the reference does; say whether they fit into a word."""
        self.cells = cells
        size = len(cells)
        if not 0 < size <= WORD:
            return False
        try:
            top = bottom = cells[0][0]
            left = right = cells[0][1]
            for index, cell in enumerate(cells):
                q = cell[0]
                r = cell[1]
                self.q[index] = q
                self.r[index] = r
                top = min(top, q)
                bottom = max(bottom, q)
                left = min(left, r)
                right = max(right, r)
        except OverflowError:  # so far away that it is no number in C
            return False
        if top < -FAR or left < -FAR or bottom > FAR or right > FAR:
            return False
        height = bottom - top + 1
        width = right - left + 1
        if height > WORD or width > WORD or height * width > WORD:
            return False
        self.area = 0
        self.flipped = width > height
        one = 1
        if self.flipped:
            for index in range(size):
                at = (self.r[index] - left) * height + self.q[index] - top
                self.area |= one << at
            self.box = _box(width, height)
        else:
            for index in range(size):
                at = (self.q[index] - top) * width + self.r[index] - left
                self.area |= one << at
            self.box = _box(height, width)
        self.top = top
        self.leftmost = left
        self.size = _ones(self.area)
        return True

    def take(self, pieces: Sequence[Cells]) -> bool:
        """Tell the kinds of pieces. False if there are too many, too large ones, or none."""
        number = len(pieces)
        if not 0 < number <= MOST_PIECES:
            return False
        self.pieces = number
        kinds: list[Forms] = []
        self.kinds = kinds
        self.number = 0
        self.covers = 0
        for index, piece in enumerate(pieces):
            try:
                forms = self.box.forms(piece if isinstance(piece, tuple) else tuple(piece))
            except OverflowError:
                return False
            if not forms.size:
                return False
            self.covers += forms.size
            kind = 0
            while kind < self.number and kinds[kind] is not forms:
                kind += 1
            if kind == self.number:
                kinds.append(forms)
                self.number += 1
                self.left[kind] = 0
                self.lying[kind] = forms.lying
                self.many[kind] = forms.many
            self.left[kind] += 1
            self.order[index] = kind
        return True

    def count(self, limit: int | None) -> int:
        if self.covers != self.size:
            return 0
        # A tiling stands for as many solutions as there are ways to exchange equal pieces.
        each = 1
        for kind in range(self.number):
            for factor in range(2, self.left[kind] + 1):
                each *= factor
        self.found = 0
        self.enough = 1 << 62 if limit is None else -(-limit // each)
        if self.enough > 0:
            self._search(self.area, self.pieces)
        return self.found * each if limit is None else min(limit, self.found * each)

    def first(self) -> tuple[Shape, ...] | None:
        if self.covers != self.size:
            return None
        self.found = 0
        self.enough = 1
        self._search(self.area, self.pieces)
        if not self.found:
            return None
        # Of equal pieces the first takes what was laid first.
        masks: list[list[int]] = [[] for _ in range(self.number)]
        for index in range(self.pieces):
            masks[self.laid_kind[index]].append(self.laid[index])
        return tuple([self._shape(masks[self.order[at]].pop(0)) for at in range(self.pieces)])

    def _shape(self, mask: int) -> Shape:
        return tuple(sorted({cell for cell in self.cells if mask & self._bit(cell)}))

    def _bit(self, cell: Hex) -> int:
        down = cell[0] - self.top
        across = cell[1] - self.leftmost
        if self.flipped:
            down, across = across, down
        one = 1
        return one << (down * self.box.width + across)

    def _search(self, free: int, left: int) -> None:
        """Cover the lowest free cell in every way, by a piece whose own lowest cell lies there."""
        cell = NUMBERED[(free & -free) % 67]
        for kind in range(self.number):
            if not self.left[kind]:
                continue
            self.left[kind] -= 1
            lying = self.lying[kind]
            for at in range(cell * 12, cell * 12 + self.many[kind][cell]):
                mask = lying[at]
                if mask & free != mask:
                    continue
                self.laid[self.pieces - left] = mask
                self.laid_kind[self.pieces - left] = kind
                if left > 2:
                    self._search(free ^ mask, left - 1)
                elif left == 1 or self._last(free ^ mask):
                    self.found += 1
                if self.found >= self.enough:
                    break
            self.left[kind] += 1
            if self.found >= self.enough:
                return

    def _last(self, free: int) -> bool:
        """Does the last piece fill just what is left?"""
        kind = 0
        while not self.left[kind]:
            kind += 1
        cell = NUMBERED[(free & -free) % 67]
        lying = self.lying[kind]
        for at in range(cell * 12, cell * 12 + self.many[kind][cell]):
            if lying[at] == free:
                self.laid[self.pieces - 1] = free
                self.laid_kind[self.pieces - 1] = kind
                return True
        return False


# ------------------------------------------------------------------------------------ effort


class Known:
    """What was found out about positions (free cells, pieces left) of the puzzle at hand. A stamp
    tells its entries from those of earlier puzzles, so that nothing need be cleared."""

    def __init__(self) -> None:
        if not COMPILED:
            self.free = zeros(KNOWN)
            self.code = zeros(KNOWN)
            self.tries = [0.0] * 65536
            self.solved = zeros(KNOWN)
            self.stamp = zeros(KNOWN)
        self.now = 0
        self.used = 0

    def begin(self, pieces: int) -> None:
        self.now += 1
        self.used = 0
        # Few pieces have few positions: what lies close together is found sooner.
        self.room = 0x1FFF if pieces <= 4 else 0xFFFF

    def slot(self, free: int, code: int) -> int:
        """Where this position is kept, or would be."""
        at = ((free ^ code * SPREAD) * MIX >> 48) & self.room
        while self.stamp[at] == self.now and (self.free[at] != free or self.code[at] != code):
            at = (at + 1) & self.room
        return at

    def keep(self, free: int, code: int, solved: int, tries: float) -> None:
        if self.used > self.room // 2:
            return
        at = self.slot(free, code)
        self.stamp[at] = self.now
        self.free[at] = free
        self.code[at] = code
        self.solved[at] = solved
        self.tries[at] = tries
        self.used += 1


# One for all: while it is in use nothing of Python runs that could ask for it again.
KNOWN_HERE = Known()


class Effort(Cover):
    """A cover of which is asked how hard it is."""

    def __init__(self) -> None:
        Cover.__init__(self)
        if not COMPILED:
            self.base = zeros(MOST_FORMS)
            self.valid = zeros(MOST_FORMS)
            self.start = zeros(MOST_PIECES + 1)
            self.steps = zeros(MOST_FORMS * MOST_CELLS)
            self.sizes = zeros(MOST_PIECES)
            self.fits = zeros((MOST_PIECES + 1) * MOST_FORMS)
        self.known = KNOWN_HERE

    def spread(self) -> int:
        """All forms of all pieces in a row."""
        at = 0
        for kind in range(self.number):
            forms = self.kinds[kind]
            self.start[kind] = at
            self.sizes[kind] = forms.size
            for index in range(forms.number):
                self.base[at] = forms.base[index]
                self.valid[at] = forms.valid[index]
                for step in range(forms.size):
                    self.steps[at * MOST_CELLS + step] = forms.steps[index * MOST_CELLS + step]
                at += 1
            self.start[kind + 1] = at
        return at

    def effort(self) -> float:
        if self.covers != self.size:
            return 0.0
        self.spread()
        self.known.begin(self.pieces)
        code = 0
        one = 1
        for kind in range(self.number):
            code += (one << 4 * kind) * self.left[kind]
        return self._tries(self.area, self.pieces, code)

    def _tries(self, free: int, left: int, code: int) -> float:
        """The mean number of tries until this is solved, or until all have failed; `right` says
        which. In the same order as the reference, so that the sums are the same."""
        known = self.known
        slot = known.slot(free, code)
        if known.stamp[slot] == known.now:
            self.right = known.solved[slot]
            return known.tries[slot]
        here = left * MOST_FORMS
        if not self._lowest(free) or self._reached(free, here) != free:
            known.keep(free, code, 0, 0.0)
            self.right = 0
            return 0.0
        total = 0.0
        right = 0
        one = 1
        for kind in range(self.number):
            pieces = self.left[kind]
            if not pieces:
                continue
            self.left[kind] -= 1
            right = 0
            good = bad = 0.0
            for form in range(self.start[kind], self.start[kind + 1]):
                fit = self.fits[here + form]
                while fit:
                    low = fit & -fit
                    fit ^= low
                    rest = free ^ self.base[form] * low
                    if left == 2:
                        # The last piece fills what is left or not: that is seen without a try.
                        self.right = self._last(rest)
                        tries = 1.0 if self.right else 0.0
                    else:
                        tries = self._tries(rest, left - 1, code - (one << 4 * kind))
                    if self.right:
                        right += 1
                        good += 1 + tries
                    else:
                        bad += 1 + tries
            # A wrong way comes before all right ones in one of (right + 1) orders.
            mean = bad / (right + 1) + good / max(right, 1)
            for _ in range(pieces):
                total += mean
            self.left[kind] += 1
        total /= left
        known.keep(free, code, right > 0, total)
        self.right = right > 0
        return total

    def _lowest(self, free: int) -> bool:
        """Does any piece reach the lowest free cell? That is found out soon, and often enough."""
        cell = NUMBERED[(free & -free) % 67]
        for kind in range(self.number):
            if self.left[kind]:
                for at in range(cell * 12, cell * 12 + self.many[kind][cell]):
                    if self.lying[kind][at] & ~free == 0:
                        return True
        return False

    def _reached(self, free: int, here: int) -> int:
        """Note for each form where it fits; the cells that some piece which is left reaches."""
        reached = 0
        for kind in range(self.number):
            if not self.left[kind]:
                continue
            size = self.sizes[kind]
            for form in range(self.start[kind], self.start[kind + 1]):
                fit = self._fit(form, size, free)
                self.fits[here + form] = fit
                if fit and reached != free:
                    for step in range(size):
                        reached |= fit << self.steps[form * MOST_CELLS + step]
        return reached

    def _fit(self, form: int, size: int, free: int) -> int:
        """All at once: the cells from which every step of this form leads to a free one."""
        fit = self.valid[form] & free
        for step in range(1, size):
            fit &= free >> self.steps[form * MOST_CELLS + step]
        return fit

    def near_misses(self) -> int:
        if self.covers != self.size:
            return 0
        self.spread()
        ways = 0
        for kind in range(self.number):
            pieces = self.left[kind]
            self.left[kind] -= 1
            ways += pieces * self._packings(self.area, 0, self.pieces - 1)
            self.left[kind] += 1
        # All of a solution but one piece is no miss.
        return ways - self.pieces * self.count(None)

    def _packings(self, free: int, kind: int, left: int) -> int:
        """In how many ways the pieces that are left lie beside each other."""
        while not self.left[kind]:
            kind += 1
        self.left[kind] -= 1
        ways = 0
        size = self.sizes[kind]
        for form in range(self.start[kind], self.start[kind + 1]):
            fit = self._fit(form, size, free)
            if left == 1:
                ways += _ones(fit)
                continue
            while fit:
                low = fit & -fit
                fit ^= low
                ways += self._packings(free ^ self.base[form] * low, kind, left - 1)
        self.left[kind] += 1
        return ways


# ------------------------------------------------------------------------------- new puzzles


class Filling:
    """An area, and many shapes of which some are to fill it."""

    def __init__(self) -> None:
        if not COMPILED:
            self.mask = zeros(MOST_WAYS)
            self.shape = zeros(MOST_WAYS)
            self.start = zeros(WORD + 1)
            self.beside = zeros(MOST_SHAPES)
            self.exact = zeros(SLOTS)
            self.exact_shape = zeros(SLOTS)
            self.taken = zeros(SLOTS // WORD)

    def prepare(self, cells: Shape, shapes: Sequence[Shape], beside: Sequence[int]) -> bool:
        """Find where each shape fits, by the lowest cell that it covers. False if too much does."""
        cover = Cover()
        if not cover.lay_out(cells) or not 0 < len(shapes) <= MOST_SHAPES:
            return False
        forms = [cover.box.forms(shape) for shape in shapes]
        sizes = [known.size for known in forms]
        self.smallest, self.largest = min(sizes), max(sizes)
        if not self.smallest:
            return False
        for index in range(len(shapes)):
            self.beside[index] = beside[index]
        self.area = cover.area
        self.width = cover.box.width
        self.begins = self.ends = 0
        one = 1
        for row in range(cover.box.height):
            self.begins |= one << row * self.width
            self.ends |= one << (row * self.width + self.width - 1)
        self.shapes = len(shapes)
        return self._fill_in(forms)

    def _fill_in(self, forms: "list[Forms]") -> bool:
        at = 0
        rest = self.area
        while rest:
            low = rest & -rest
            rest ^= low
            self.start[NUMBERED[low % 67]] = at
            for shape in range(self.shapes):
                known = forms[shape]
                for form in range(known.number):
                    mask = known.base[form] * low
                    if known.valid[form] & low and mask & self.area == mask:
                        if at == MOST_WAYS - WORD:
                            return False
                        self.mask[at] = mask
                        self.shape[at] = shape
                        self._remember(mask, shape)
                        at += 1
            self.mask[at] = 0
            at += 1
        return True

    def _remember(self, mask: int, shape: int) -> None:
        slot = (mask * MIX >> 50) & 0x3FFF
        one = 1
        self.taken[slot >> 6] |= one << (slot & 63)
        while self.exact[slot]:
            slot = (slot + 1) & 0x3FFF
        self.exact[slot] = mask
        self.exact_shape[slot] = shape

    def once(self, number: int) -> list[int]:
        self.found: dict[int, int] = {}
        everything = 0
        one = 1
        for shape in range(self.shapes):
            everything |= one << shape
        self._cover(self.area, 0, everything, number)
        return [used for used, solutions in self.found.items() if solutions == 1]

    def _beside(self, cells: int) -> int:
        """All that touches one of these cells, and perhaps more that is not in the box."""
        from_end = cells & ~self.ends
        from_begin = cells & ~self.begins
        return (
            cells << self.width
            | cells >> self.width
            | from_end << 1
            | from_begin >> 1
            | from_begin << (self.width - 1)
            | from_end >> (self.width - 1)
        )

    def _cover(self, free: int, used: int, allowed: int, left: int) -> int:
        cells = _ones(free)
        if cells < self.smallest * left or cells > self.largest * left:
            return 0
        # A hole that is too small for every piece will stay one.
        if free & ~self._beside(free):
            return 0
        hole = free & -free
        for _ in range(1, self.smallest):
            hole |= self._beside(hole) & free
        if _ones(hole) < self.smallest:
            return 0
        one = 1
        at = self.start[NUMBERED[(free & -free) % 67]]
        while self.mask[at]:
            mask = self.mask[at]
            shape = self.shape[at]
            bit = one << shape
            at += 1
            if mask & free != mask or not bit & allowed:
                continue
            beside = allowed & self.beside[shape]
            rest = free ^ mask
            if left > 2:
                self._cover(rest, used | bit, beside, left - 1)
                continue
            slot = (rest * MIX >> 50) & 0x3FFF
            # Most are in no slot, and a few bits that say so are at hand sooner than the slots.
            if not self.taken[slot >> 6] >> (slot & 63) & 1:
                continue
            while self.exact[slot] and self.exact[slot] != rest:
                slot = (slot + 1) & 0x3FFF
            bit |= one << self.exact_shape[slot]
            if self.exact[slot] and beside >> self.exact_shape[slot] & 1:
                self.found[used | bit] = self.found.get(used | bit, 0) + 1
        return 0
