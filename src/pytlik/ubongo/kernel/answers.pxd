# The C types of answers.py.

from pytlik.ubongo.kernel.cover cimport first_solution, number_of_solutions
from pytlik.ubongo.kernel.effort cimport mean_tries
from pytlik.ubongo.kernel.misses cimport ways_to_miss
from pytlik.ubongo.kernel.puzzle cimport Puzzle

cdef tuple _tuple(object cells)
