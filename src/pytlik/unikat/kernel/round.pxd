# The C types of round.py.

from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_INCREF

from pytlik.unikat.kernel.actions cimport do_any, lay, random_steps, stop
from pytlik.unikat.kernel.deals cimport clear, deal_round, mix_unknown
from pytlik.unikat.kernel.numbers cimport LEGAL, allows, lay_number, legal_numbers, play
from pytlik.unikat.kernel.policies cimport play_to_end
from pytlik.unikat.kernel.search cimport SEARCH, fill_covers, link, search_chains, search_longest
from pytlik.unikat.kernel.table cimport (
    AROUND,
    CHAIN,
    EAGER,
    EDGE,
    HIGH,
    LOW,
    OFFSET,
    OVER,
    PATIENT,
    START,
    STEPS,
    STOP,
    TILES,
    UNIFORM,
    Table,
    copy_table,
    drop_table,
    into_display,
    into_hand,
    is_stone,
    new_table,
    ones,
    put,
)

cdef inline list chosen(list objects, int* places, int count):
    cdef list found = PyList_New(count)
    cdef int number
    for number in range(count):
        thing = objects[places[number]]
        Py_INCREF(thing)
        PyList_SET_ITEM(found, number, thing)
    return found

cdef list NUMBERS

cdef class Round:
    cdef Table* table
    cdef readonly tuple origin
    cpdef Round copy(self)
    cpdef void copy_from(self, Round other) except *
    cpdef list legal(self)
    cpdef void legal_mask(self, unsigned char[::1] mask) except *
    cpdef void step(self, int number) except *
