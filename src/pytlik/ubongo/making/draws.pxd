# The C types of draws.py.

cimport cython

from pytlik.ubongo.kernel.box cimport word

cdef word FULL

cdef class Draws:
    cdef object stream
    cdef list words
    cdef Py_ssize_t at
    cdef int fetch(self, Py_ssize_t number) except -1
    @cython.locals(drawn=word)
    cdef int below(self, int n) except -1
