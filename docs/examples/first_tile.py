"""A bot of Unikat for leagues: it lays the first tile that fits.

pytlik arena unikat first_tile.py:first_tile easy
"""

from pytlik.unikat.bots import random_bot
from pytlik.unikat.messages import Lay
from pytlik.unikat.model import Placement


def first_tile(view, stream, budget):
    for tile, cells in view.choices.lay.items():
        return Lay((Placement(tile, *cells[0]),))
    return random_bot(view, stream, budget)
