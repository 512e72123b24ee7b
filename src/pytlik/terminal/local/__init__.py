"""A match in this process, with bots on the other seats."""

from pytlik.game import Seat

YOU: Seat = 0
"""The person's seat; the bots sit clockwise from there."""
