# The C types of misses.py.

cimport cython

from pytlik.ubongo.kernel.box cimport WORD, lowest, ones, word
from pytlik.ubongo.kernel.cover cimport number_of_solutions
from pytlik.ubongo.kernel.places cimport MOST_PLACES, Places, lay, spread
from pytlik.ubongo.kernel.puzzle cimport Puzzle

@cython.locals(places=Places, ways="long long", kind=int, pieces=int)
cdef object ways_to_miss(Puzzle p)
@cython.locals(ways="long long", part=int, fit=word)
cdef long long packings(Puzzle p, Places places, int kind, int left) noexcept
