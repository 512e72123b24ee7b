"""The 2,756 steps of Unikat's turns by name. The numbers are the kernel's, and never change:

    number             name        step
    0 to 2591          0110E0210   lay 0210 east of 0110, which lies on the table
    2592 + tile        -0210       give 0210 from the hand into the display, to begin a swap
    2673 + tile        +0210       take 0210 from the display, to end a swap or to draw
    2754               +bag        the same from the bag, unseen
    2755               stop        end the chain, decline the extra action, or pass

A tile's number is its code read with base 3: 0210 is 21. The number of a lay is
(tile on the table * 8 + which of its eight partners) * 4 + side, the partners in ascending order,
the sides north, east, south, west. `pytlik.unikat.engine.kernel` says which tile on the table
counts if the new one touches several: each place has one number.
"""

from collections.abc import Iterator

from pytlik.unikat.engine.kernel import GIVE, TAKE, tile_laid
from pytlik.unikat.model import TILES

SIDE_LETTERS = "NESW"


def step_names() -> Iterator[str]:
    for step in range(GIVE):
        yield f"{TILES[step >> 5]}{SIDE_LETTERS[step & 3]}{TILES[tile_laid(step)]}"
    yield from (f"-{tile}" for tile in TILES)
    yield from (f"+{tile}" for tile in TILES)
    yield "+bag"
    yield "stop"


NAMES = tuple(step_names())
NUMBERS = {name: number for number, name in enumerate(NAMES)}
STEP_COUNT = len(NAMES)

assert NAMES[TAKE] == "+0000"
