# The C types of chains.py.

from pytlik.unikat.judgment.hand cimport Mind
from pytlik.unikat.kernel.table cimport AROUND, BONUS, EDGE, OFFSET, Table, lowest

cdef int look(Mind* q, Table* t, int cell) noexcept nogil
cdef int may_begin(Table* t, int cell) noexcept nogil
cdef void find_chains(Mind* q, Table* t, int earning) noexcept nogil
cdef void chains_at(Mind* q, Table* t, int cell, int rest, int bonus, int earning) noexcept nogil
cdef void note_chain(Mind* q, int rest, int bonus) noexcept nogil

cdef int lays_all(Mind* q, Table* t, int doubles) noexcept nogil
cdef int out_at(Mind* q, Table* t, int cell, int rest, int bonus, int doubles) noexcept nogil
cdef void keep_out(Mind* q) noexcept nogil
cdef int out_again(Mind* q, Table* t, int rest) noexcept nogil
