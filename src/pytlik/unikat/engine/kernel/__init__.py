"""Unikat for searches and simulations: one round as numbers, changed in place.

The readable rules (rules.py and the modules it uses) are the reference, and tests check that the
kernel agrees with them. Each module builds on those before it:

    table                 what lies where: tiles on cells, in hands and in the display
    actions               actions of a turn, and what ends it
    steps                 the same actions as numbered steps
    deals                 new rounds, and guesses of what a seat may not know
    longest_turn_search   the turn that lays most tiles
    chain_search          chains to begin a turn with, and what each leaves
    longest_turn_layouts  how the table can look after the longest turn
    round                 the class that Python code uses: Round
    turn_queries          questions about the turn of a Round

Where there is a C compiler, all modules are compiled, with the types in the .pxd files beside them.
Elsewhere all run as pure Python, with fallback.py in place of the .pxd files, and much slower.

A tile is its place in model.TILES, 0 to 80. A turn is a sequence of steps, and a step is one
of 2,756 numbers:

    0 to 2591       lay: (tile on the table * 8 + which of its partners to lay) * 4 + side
    GIVE + tile     put a tile of the hand into the display, to begin a swap
    TAKE + tile     take a tile of the display, to end a swap or to draw
    BAG             the same from the bag
    STOP            end the chain, decline the extra action, or pass

Partners of a tile are counted in ascending order, and sides clockwise from north. A new tile that
touches several is numbered by one of them: by the tile laid last where it has to touch that, else
by the smallest. So each lay has exactly one number. A chain that can't be extended ends without a
STOP.
"""

import sys

from pytlik.unikat.engine.kernel.round import COMPILED, Round, random_games
from pytlik.unikat.engine.kernel.steps import tile_laid
from pytlik.unikat.engine.kernel.table import (
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
from pytlik.unikat.engine.kernel.turn_queries import (
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
