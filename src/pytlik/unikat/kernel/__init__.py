"""Unikat for searches and simulations: one round as numbers, changed in place.

The readable rules (rules.py and what is beneath it) are the reference, and this is held to them by
tests. Its modules, each on top of those before it:

    table       what lies where: tiles on cells, in hands and in the display
    actions     what is done in a turn, and what ends it
    numbers     the same as steps, each a number
    deals       new rounds, and guesses of what a seat may not know
    search      the longest turn, and chains to begin one with
    layouts     how the table can look after the longest turn
    round       what Python holds: a Round
    turns       questions about the turn of one

They are compiled where there is a C compiler, with the types of the .pxd beside each, and run as
they are elsewhere, with plain.py in their place and much slower: all of them, or none.

A tile is its place in model.TILES, 0 to 80. A turn is a row of steps, and a step one of 2,756
numbers:

    0 to 2591       lay: (tile on the table * 8 + which of its partners to lay) * 4 + side
    GIVE + tile     put a tile of the hand into the display, to begin a swap
    TAKE + tile     take a tile of the display, to end a swap or to draw
    BAG             the same from the bag
    STOP            end the chain, decline the extra action, or pass

The partners of a tile are counted in ascending order, the sides north, east, south, west of the
tile on the table. Where the new tile touches several only one of them gives its number: the last
tile laid where the new one must touch that, else the smallest. So a place has one number. A chain
that nothing can follow ends without a STOP.
"""

import sys

from pytlik.unikat.kernel.numbers import tile_laid
from pytlik.unikat.kernel.round import COMPILED, Round, random_games
from pytlik.unikat.kernel.table import (
    ACTION,
    BAG,
    BLOCKED,
    BONUS,
    CHAIN,
    DRAW,
    GIVE,
    LAST_TILE,
    OVER,
    STEPS,
    STOP,
    TAKE,
    TAKING,
    TILES,
)
from pytlik.unikat.kernel.turns import (
    count_layouts,
    different_turns,
    longest_chain,
    longest_turn,
)

__all__ = [
    "ACTION",
    "BAG",
    "BLOCKED",
    "BONUS",
    "CHAIN",
    "COMPILED",
    "DRAW",
    "GIVE",
    "LAST_TILE",
    "OVER",
    "STEPS",
    "STOP",
    "TAKE",
    "TAKING",
    "TILES",
    "Round",
    "count_layouts",
    "different_turns",
    "longest_chain",
    "longest_turn",
    "random_games",
    "tile_laid",
]

if not COMPILED:
    sys.stderr.write("pytlik: Unikat's kernel runs uncompiled, and slowly\n")
