cimport cython
from cpython.object cimport PyObject
from cpython.tuple cimport PyTuple_Check, PyTuple_GET_ITEM, PyTuple_GET_SIZE

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define pytlik_lowest_bit __builtin_ctzll
    #else
    static inline int pytlik_lowest_bit(unsigned long long bits) {
        int place = 0;
        for (; !(bits & 1); bits >>= 1) place++;
        return place;
    }
    #endif
    """
    int lowest_bit "pytlik_lowest_bit" (unsigned long long bits) noexcept nogil

ctypedef unsigned long long mask

cdef enum:
    WORD_BITS = 64
    MAX_ORIENTATIONS = 12
    MAX_PIECE_CELLS = 12
    MAX_PIECES = 16

# Adds up pairs of bits, then fours, then bytes.
cdef inline int count_bits(mask bits) noexcept nogil:
    bits -= (bits >> 1) & <mask>0x5555555555555555
    bits = (bits & <mask>0x3333333333333333) + ((bits >> 2) & <mask>0x3333333333333333)
    bits = (bits + (bits >> 4)) & <mask>0x0F0F0F0F0F0F0F0F
    return <int>(bits * <mask>0x0101010101010101 >> 56)

# A cell is a named tuple. Python would look up the method of its class first.
cdef inline long long coordinate(object cell, Py_ssize_t index) except? -1:
    if PyTuple_Check(cell) and PyTuple_GET_SIZE(cell) > index:
        return <object>PyTuple_GET_ITEM(cell, index)
    return cell[index]

cdef inline tuple as_tuple(object cells):
    return cells if isinstance(cells, tuple) else tuple(cells)

cdef inline size_t address_of(object it) noexcept:
    return <size_t><PyObject*>it


# The orientations of a shape for which a box has room.
@cython.final
cdef class Orientations:
    cdef int count
    cdef int size               # cells of the shape; 0 if the kernel can't handle it
    cdef mask base[12]          # for each, its cells with the lowest one in the box's first cell
    cdef mask anchors[12]       # for each, the cells on which its lowest cell may lie
    cdef int offsets[144]       # for each, the steps from its lowest cell to the others
    cdef mask at_cell[768]      # for each cell of the box, the masks that have their lowest cell there
    cdef int at_cell_count[64]

# What is known about pieces in a box of one size. Equal shapes share one Orientations object.
@cython.final
cdef class Box:
    cdef int height
    cdef int width
    cdef dict by_shape
    cdef list by_address

# An area, the pieces that have to cover it, and the state of a search for solutions.
@cython.final
cdef class Puzzle:
    cdef tuple cells
    cdef Box box
    cdef list kinds             # an Orientations object for each kind of piece
    cdef mask area
    cdef bint flipped
    cdef long long top
    cdef long long leftmost
    cdef int area_size
    cdef int pieces_size        # cells of all pieces
    cdef int piece_count
    cdef int kind_count
    cdef int kind_of[16]        # for each piece
    cdef int remaining[16]      # for each kind, how many pieces aren't laid yet
    cdef mask* at_cell[16]      # for each kind, what its Orientations object has
    cdef int* at_cell_count[16]
    cdef long long found        # tilings so far
    cdef long long limit        # tilings after which the search stops
    cdef mask laid[16]          # the tiling under way, in the order in which pieces were laid
    cdef int laid_kind[16]

    cdef bint set_area(self, tuple cells) except *
    cdef bint set_pieces(self, object pieces) except *
    cdef tuple cells_of(self, mask cells)
    cdef mask bit_of(self, object cell) except? 0
