"""What takes the generator longest, in machine words. Every answer is the generator's own, for the
same numbers drawn; where this is not compiled, or something is too large for it, the generator
answers itself.

Compiled where the kernel is, and made in the same way. Its modules, the first beneath the others:

    draws       numbers from a stream of chance, many at once
    growth      areas that grow
    filling     all sets that fill one in exactly one way
    choice      a set for every colour
"""

from pytlik.ubongo.kernel import COMPILED
from pytlik.ubongo.making.choice import fours
from pytlik.ubongo.making.filling import filling_once
from pytlik.ubongo.making.growth import grown

__all__ = ["COMPILED", "SEARCHES", "filling_once", "fours", "grown"]

SEARCHES = COMPILED
"""Whether the generator asks here. As it is this can answer, but the generator is quicker then."""
