"""The solver's questions for what people solve, in machine words: the whole box around an area is
one number of 64 bits.

Every answer is the reference's (solver.py), to the last bit of an effort, and the first solution is
the same one. Where this is not compiled, or a puzzle is too large for it, the reference answers
itself: its big numbers are what Python is quickest with.

The modules, each on top of those before it:

    box         the forms of pieces in a box of one size
    puzzle      an area, and the pieces that are to cover it
    cover       its solutions: how many there are, and the first
    places      where its pieces may lie, each place a bit
    effort      how many pieces a person lays down until it is solved
    misses      in how many ways it is nearly solved
    answers     what Python asks

They are compiled where there is a C compiler, with the types of the .pxd beside each, and run as
they are elsewhere, with plain.py in their place: all of them, or none.
"""

from pytlik.ubongo.kernel.answers import (
    COMPILED,
    count,
    counts,
    effort,
    efforts,
    first,
    near_misses,
)

__all__ = ["COMPILED", "count", "counts", "effort", "efforts", "first", "near_misses"]
