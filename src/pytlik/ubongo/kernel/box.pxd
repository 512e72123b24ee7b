# The C types of box.py, and what plain.py gives the modules where they run uncompiled.

cimport cython
from cpython.object cimport PyObject
from cpython.tuple cimport PyTuple_Check, PyTuple_GET_ITEM, PyTuple_GET_SIZE

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define pytlik_lowest __builtin_ctzll
    #else
    static inline int pytlik_lowest(unsigned long long bits) {
        int place = 0;
        for (; !(bits & 1); bits >>= 1) place++;
        return place;
    }
    #endif
    """
    int lowest "pytlik_lowest" (unsigned long long bits) noexcept nogil

ctypedef unsigned long long word

cdef enum:
    WORD = 64
    MOST_FORMS = 12
    MOST_CELLS = 12
    SEEN = 512

# How many bits are set: in each two of them, in each four, in each eight, in all.
cdef inline int ones(word bits) noexcept nogil:
    bits -= (bits >> 1) & <word>0x5555555555555555
    bits = (bits & <word>0x3333333333333333) + ((bits >> 2) & <word>0x3333333333333333)
    bits = (bits + (bits >> 4)) & <word>0x0F0F0F0F0F0F0F0F
    return <int>(bits * <word>0x0101010101010101 >> 56)

# A cell is a named tuple, which Python would ask by way of its class.
cdef inline long long coordinate(object cell, Py_ssize_t index) except? -1:
    if PyTuple_Check(cell) and PyTuple_GET_SIZE(cell) > index:
        return <object>PyTuple_GET_ITEM(cell, index)
    return cell[index]

cdef inline size_t address(object it) noexcept:
    return <size_t><PyObject*>it

cdef bint AS_IT_IS
cdef int REMEMBERED
cdef list BOXES

@cython.final
cdef class Forms:
    cdef int number
    cdef int size
    cdef word base[12]
    cdef word valid[12]
    cdef int steps[144]
    cdef word lying[768]
    cdef int many[64]

@cython.final
cdef class Box:
    cdef int height
    cdef int width
    cdef dict known
    cdef list seen

@cython.locals(known=Box)
cdef Box box_of(int height, int width)

@cython.locals(at=size_t, seen=tuple, found=Forms)
cdef Forms forms_of(Box box, tuple piece)
