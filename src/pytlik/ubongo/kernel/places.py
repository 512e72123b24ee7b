# cython: annotation_typing=False, auto_pickle=False
# cython: boundscheck=False, wraparound=False, cdivision=True
"""Where the pieces of a puzzle may lie. A placement is a bit as well, and those of each kind begin
with a word of their own."""

AS_IT_IS: bool = __file__.endswith(".py")

if AS_IT_IS:
    from pytlik.ubongo.kernel.puzzle import *


class Places:
    """For each cell the placements that cover it (`reach`), for each placement those that it leaves
    no room for (`touch`), and while so many pieces are left those that are possible (`fits`)."""

    def __init__(self) -> None:
        if AS_IT_IS:
            self.start = zeros(MOST_PIECES + 1)
            self.mask = zeros(MOST_PLACES * WORD)
            self.reach = zeros(WORD * MOST_PLACES)
            self.touch = zeros(MOST_PLACES * WORD * MOST_PLACES)
            self.fits = zeros((MOST_PIECES + 1) * MOST_PLACES)
        self.words = 0


# One for all: while it is in use nothing of Python runs that could ask for it again.
PLACES_HERE = Places()


def spread(p: "Puzzle", left: int) -> Places | None:
    """Number the placements, as the reference does: all are possible while so many pieces are left.
    None if there are too many."""
    places = PLACES_HERE
    one = 1
    for at in range(WORD * MOST_PLACES):
        places.reach[at] = 0
    number = 0
    for kind in range(p.number):
        forms = p.kinds[kind]
        if number == MOST_PLACES * WORD:
            return None
        places.start[kind] = number // WORD
        places.fits[left * MOST_PLACES + number // WORD] = 0
        for form in range(forms.number):
            fit = fitting(forms, form, p.area)
            while fit:
                low = fit & -fit
                fit ^= low
                rest = places.mask[number] = forms.base[form] * low
                part = number // WORD
                bit = one << number % WORD
                places.fits[left * MOST_PLACES + part] |= bit
                while rest:
                    places.reach[lowest(rest) * MOST_PLACES + part] |= bit
                    rest &= rest - 1
                number += 1
                if number % WORD == 0:
                    if number == MOST_PLACES * WORD:
                        return None
                    places.fits[left * MOST_PLACES + number // WORD] = 0
        number = (number // WORD + 1) * WORD
    places.words = number // WORD
    places.start[p.number] = places.words
    tell_apart(places, left)
    return places


def fitting(forms: "Forms", form: int, area: int) -> int:
    """All at once: the cells from which every step of this form leads to one of the area."""
    fit = forms.valid[form] & area
    for step in range(1, forms.size):
        fit &= area >> forms.steps[form * MOST_CELLS + step]
    return fit


def tell_apart(places: Places, left: int) -> None:
    for part in range(places.words):
        fit = places.fits[left * MOST_PLACES + part]
        while fit:
            number = part * WORD + lowest(fit)
            fit &= fit - 1
            at = number * MOST_PLACES
            for other in range(places.words):
                places.touch[at + other] = 0
            rest = places.mask[number]
            while rest:
                cell = lowest(rest) * MOST_PLACES
                rest &= rest - 1
                for other in range(places.words):
                    places.touch[at + other] |= places.reach[cell + other]


def lay(places: Places, number: int, left: int) -> None:
    """What is still possible when one of the pieces that are left lies at this place."""
    here = left * MOST_PLACES
    for part in range(places.words):
        places.fits[here - MOST_PLACES + part] = (
            places.fits[here + part] & ~places.touch[number * MOST_PLACES + part]
        )
