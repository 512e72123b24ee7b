# The C types of round.py.

from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_INCREF

from pytlik.unikat.engine.kernel.actions cimport play_random_steps
from pytlik.unikat.engine.kernel.deals cimport clear, deal_round, guess_unknown
from pytlik.unikat.engine.kernel.steps cimport (
    LEGAL_STEPS,
    do_step,
    find_legal_steps,
    is_legal_step,
    lay_number,
)
from pytlik.unikat.engine.kernel.table cimport (
    CELL_MASK,
    EDGE,
    HIGH,
    LOW,
    OVER,
    SIDE_OFFSETS,
    START_CELL,
    STEPS,
    TILES,
    Table,
    add_to_display,
    add_to_hand,
    copy_table,
    free_table,
    is_tile,
    new_table,
    put,
)

cdef inline list objects_at(list objects, int* places, int count):
    cdef list found = PyList_New(count)
    cdef int number
    for number in range(count):
        thing = objects[places[number]]
        Py_INCREF(thing)
        PyList_SET_ITEM(found, number, thing)
    return found

cdef list STEP_OBJECTS

cdef class Round:
    cdef Table* table
    cdef readonly tuple origin
    cdef int cell_at(self, int x, int y)
    cpdef Round copy(self)
    cpdef void copy_from(self, Round other) except *
    cpdef list legal(self)
    cpdef bytearray legal_mask(self)
    cpdef void step(self, int number) except *
