# cython: annotation_typing=False, auto_pickle=False
# cython: boundscheck=False, wraparound=False, cdivision=True
"""The solver's questions for what people solve, in machine words: the whole box around an area is
one number of 64 bits. C types stand in kernel.pxd; the same file runs without being compiled.

Every answer is the reference's (`solver.py`), to the last bit of an effort, and the first solution
is the same one. Where this file is not compiled, or a puzzle is too large for it, the reference
answers itself: its big numbers are what Python is quickest with.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

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
MOST_PLACES = 16
"""Where the pieces may lie is a set of at most so many words."""
KNOWN = 65536
"""How many positions are remembered while an effort is found out; others are looked at again."""
ROOM = KNOWN - 1
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
    if SEARCHES and cover.lay_out(cells) and cover.weighs(pieces):
        return cover.near_misses()
    return solver.near_misses(cells, pieces)


def effort(area: Cells, pieces: Sequence[Cells]) -> float:
    """How many pieces a person lays down, in the mean, until the puzzle is solved."""
    return efforts(area, [pieces])[0]


def efforts(area: Cells, sets: Iterable[Sequence[Cells]]) -> list[float]:
    """The effort of each of many sets of pieces on one area."""
    cells = _tuple(area)
    cover = Effort()
    if SEARCHES and cover.lay_out(cells):
        return [
            cover.effort() if cover.weighs(pieces) else solver.effort(cells, pieces)
            for pieces in sets
        ]
    return [solver.effort(cells, pieces) for pieces in sets]


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
            shape = _free_form(piece)
            if shape not in self.known:
                self.known[shape] = Forms(shape, self.height, self.width)
            found = self.known[piece] = self.known[shape]
        return found


# For every box the same, and there are many boxes.


@lru_cache(maxsize=REMEMBERED)
def _free_form(piece: Shape) -> Shape:
    return free_form(set(piece)) if piece else ()


@lru_cache(maxsize=REMEMBERED)
def _orientations(shape: Shape) -> tuple[Shape, ...]:
    return orientations(shape)


BOXES: dict[int, Box] = {}


def _box(height: int, width: int) -> Box:
    key = height * WORD + width
    if key not in BOXES:
        BOXES[key] = Box(height, width)
    return BOXES[key]


def _tuple(cells: Cells) -> Shape:
    return cells if isinstance(cells, tuple) else tuple(cells)


def ones(mask: int) -> int:
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
        self.size = ones(self.area)
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

    def begin(self) -> None:
        self.now += 1
        self.used = 0

    def slot(self, free: int, code: int) -> int:
        """Where this position is kept, or would be."""
        at = ((free ^ code * SPREAD) * MIX >> 48) & ROOM
        while self.stamp[at] == self.now and (self.free[at] != free or self.code[at] != code):
            at = (at + 1) & ROOM
        return at

    def keep(self, free: int, code: int, solved: int, tries: float) -> None:
        if self.used > ROOM // 2:
            return
        at = self.slot(free, code)
        self.stamp[at] = self.now
        self.free[at] = free
        self.code[at] = code
        self.solved[at] = solved
        self.tries[at] = tries
        self.used += 1


class Places:
    """Where the pieces of the puzzle at hand may lie. A placement is a bit as well, and those of
    each kind begin with a word of their own."""

    def __init__(self) -> None:
        if not COMPILED:
            self.start = zeros(MOST_PIECES + 1)
            self.mask = zeros(MOST_PLACES * WORD)
            self.reach = zeros(WORD * MOST_PLACES)
            self.touch = zeros(MOST_PLACES * WORD * MOST_PLACES)
            self.fits = zeros((MOST_PIECES + 1) * MOST_PLACES)
        self.words = 0


# One for all: while they are in use nothing of Python runs that could ask for them again.
KNOWN_HERE = Known()
PLACES_HERE = Places()


class Effort(Cover):
    """A cover of which is asked how hard it is."""

    def __init__(self) -> None:
        Cover.__init__(self)
        self.known = KNOWN_HERE
        self.places = PLACES_HERE

    def weighs(self, pieces: Sequence[Cells]) -> bool:
        """Take these pieces. False if they are too few to be weighed here, or fit in too many
        places."""
        if not self.take(pieces) or self.pieces == 1:
            return False
        words = 0
        for kind in range(self.number):
            forms = self.kinds[kind]
            places = 0
            for form in range(forms.number):
                places += ones(self._fit(forms, form))
            words += places // WORD + 1
        return words <= MOST_PLACES

    def _fit(self, forms: Forms, form: int) -> int:
        """All at once: the cells from which every step of this form leads to one of the area."""
        fit = forms.valid[form] & self.area
        for step in range(1, forms.size):
            fit &= self.area >> forms.steps[form * MOST_CELLS + step]
        return fit

    def _spread(self, left: int) -> int:
        """Number the placements, as the reference does: all are possible while so many pieces are
        left. For each cell those that cover it (`reach`)."""
        places = self.places
        one = 1
        for at in range(WORD * MOST_PLACES):
            places.reach[at] = 0
        number = 0
        for kind in range(self.number):
            forms = self.kinds[kind]
            places.start[kind] = number // WORD
            places.fits[left * MOST_PLACES + number // WORD] = 0
            for form in range(forms.number):
                fit = self._fit(forms, form)
                while fit:
                    low = fit & -fit
                    fit ^= low
                    rest = places.mask[number] = forms.base[form] * low
                    part = number // WORD
                    bit = one << number % WORD
                    places.fits[left * MOST_PLACES + part] |= bit
                    while rest:
                        cell = NUMBERED[(rest & -rest) % 67]
                        rest &= rest - 1
                        places.reach[cell * MOST_PLACES + part] |= bit
                    number += 1
                    if not number % WORD:
                        places.fits[left * MOST_PLACES + number // WORD] = 0
            number = (number // WORD + 1) * WORD
        places.words = number // WORD
        places.start[self.number] = places.words
        return self._tell_apart(left)

    def _tell_apart(self, left: int) -> int:
        """For each placement those that it leaves no room for (`touch`)."""
        places = self.places
        for part in range(places.words):
            fit = places.fits[left * MOST_PLACES + part]
            while fit:
                number = part * WORD + NUMBERED[(fit & -fit) % 67]
                fit &= fit - 1
                at = number * MOST_PLACES
                for other in range(places.words):
                    places.touch[at + other] = 0
                rest = places.mask[number]
                while rest:
                    cell = NUMBERED[(rest & -rest) % 67] * MOST_PLACES
                    rest &= rest - 1
                    for other in range(places.words):
                        places.touch[at + other] |= places.reach[cell + other]
        return 0

    def _lay(self, number: int, left: int) -> int:
        """What is still possible when one of the pieces that are left lies at this place."""
        places = self.places
        here = left * MOST_PLACES
        for part in range(places.words):
            places.fits[here - MOST_PLACES + part] = (
                places.fits[here + part] & ~places.touch[number * MOST_PLACES + part]
            )
        return 0

    def effort(self) -> float:
        if self.covers != self.size:
            return 0.0
        self._spread(self.pieces)
        self.known.begin()
        code = 0
        one = 1
        for kind in range(self.number):
            code += (one << 4 * kind) * self.left[kind]
        return self._tries(self.area, self.pieces, code)

    def _tries(self, free: int, left: int, code: int) -> float:
        """The mean number of tries until this is solved, or until all have failed; `right` says
        which. In the same order as the reference, so that the sums are the same."""
        if left == 2:
            return self._tries_of_two(free)
        known = self.known
        # With one piece laid no position comes twice.
        twice = left < self.pieces - 1
        if twice:
            slot = known.slot(free, code)
            if known.stamp[slot] == known.now:
                self.right = known.solved[slot]
                return known.tries[slot]
        total = 0.0
        right = 0
        if self._reached(free, left):
            places = self.places
            one = 1
            for kind in range(self.number):
                pieces = self.left[kind]
                if not pieces:
                    continue
                self.left[kind] -= 1
                right = 0
                good = bad = 0.0
                for part in range(places.start[kind], places.start[kind + 1]):
                    fit = places.fits[left * MOST_PLACES + part]
                    while fit:
                        number = part * WORD + NUMBERED[(fit & -fit) % 67]
                        fit &= fit - 1
                        self._lay(number, left)
                        rest = free ^ places.mask[number]
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
        if twice:
            known.keep(free, code, right > 0, total)
        self.right = right > 0
        return total

    def _tries_of_two(self, free: int) -> float:
        """The same with two pieces left: the last fills what is left or not, and that is seen
        without a try. So all that is needed is how many places there are, and how many right."""
        one = 0
        while not self.left[one]:
            one += 1
        other = one
        if self.left[one] == 1:
            other += 1
            while not self.left[other]:
                other += 1
        self.right = False
        if not self._reached(free, 2):
            return 0.0
        cell = NUMBERED[(free & -free) % 67]
        # One of them covers the lowest cell; of equal ones it may be either.
        right = self._solutions(cell, one, other) + self._solutions(cell, other, one)
        self.right = right > 0
        total = _mean(self._many(one), right)
        total += total if other == one else _mean(self._many(other), right)
        return total / 2

    def _solutions(self, cell: int, one: int, other: int) -> int:
        """In how many places of the one on this cell the other has room: then it fills the rest."""
        places = self.places
        fits = 2 * MOST_PLACES
        found = 0
        for part in range(places.start[one], places.start[one + 1]):
            fit = places.fits[fits + part] & places.reach[cell * MOST_PLACES + part]
            while fit:
                number = part * WORD + NUMBERED[(fit & -fit) % 67]
                fit &= fit - 1
                for last in range(places.start[other], places.start[other + 1]):
                    if places.fits[fits + last] & ~places.touch[number * MOST_PLACES + last]:
                        found += 1
                        break
        return found

    def _many(self, kind: int) -> int:
        """How many places a piece has when two are left."""
        places = self.places
        found = 0
        for part in range(places.start[kind], places.start[kind + 1]):
            found += ones(places.fits[2 * MOST_PLACES + part])
        return found

    def _reached(self, free: int, left: int) -> bool:
        """Is every free cell within reach of a piece that is left?"""
        while free:
            if not self._reaches(NUMBERED[(free & -free) % 67], left):
                return False
            free &= free - 1
        return True

    def _reaches(self, cell: int, left: int) -> bool:
        places = self.places
        for kind in range(self.number):
            if self.left[kind]:
                for part in range(places.start[kind], places.start[kind + 1]):
                    if (
                        places.fits[left * MOST_PLACES + part]
                        & places.reach[cell * MOST_PLACES + part]
                    ):
                        return True
        return False

    def near_misses(self) -> int:
        if self.covers != self.size:
            return 0
        self._spread(self.pieces - 1)
        ways = 0
        for kind in range(self.number):
            pieces = self.left[kind]
            self.left[kind] -= 1
            ways += pieces * self._packings(0, self.pieces - 1)
            self.left[kind] += 1
        # All of a solution but one piece is no miss.
        return ways - self.pieces * self.count(None)

    def _packings(self, kind: int, left: int) -> int:
        """In how many ways the pieces that are left lie beside each other."""
        places = self.places
        while not self.left[kind]:
            kind += 1
        self.left[kind] -= 1
        ways = 0
        for part in range(places.start[kind], places.start[kind + 1]):
            fit = places.fits[left * MOST_PLACES + part]
            if left == 1:
                ways += ones(fit)
                continue
            while fit:
                self._lay(part * WORD + NUMBERED[(fit & -fit) % 67], left)
                fit &= fit - 1
                ways += self._packings(kind, left - 1)
        self.left[kind] += 1
        return ways


def _mean(places: int, right: int) -> float:
    """The mean tries with one of two pieces, where each right place is two of them: both lie."""
    return (places - right) / (right + 1.0) + 2.0 * right / max(right, 1)
