"""What the .pxd files give the compiled kernel and C has of its own, as Python for the uncompiled
one. The names are theirs."""

from pytlik.ubongo.hexes import Hex

WORD = 64
MOST_FORMS = 12
"""In so many ways a piece is turned and flipped."""
MOST_CELLS = 12
"""Of a piece."""
MOST_PIECES = 16
MOST_PLACES = 16
"""Where the pieces may lie is a set of at most so many words."""
KNOWN = 65536
"""How many positions are remembered while an effort is found out; others are looked at again."""
SEEN = 512
"""How many pieces a box knows at sight."""

address = id


def zeros(number: int) -> list[int]:
    """What is an array in C."""
    return [0] * number


def ones(bits: int) -> int:
    return bits.bit_count()


def lowest(bits: int) -> int:
    """The place of the lowest bit that is set."""
    return (bits & -bits).bit_length() - 1


def coordinate(cell: Hex, index: int) -> int:
    return cell[index]
