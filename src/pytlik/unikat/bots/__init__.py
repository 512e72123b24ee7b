"""Everything that can sit down at a table of Unikat.

A bot is a function of what its seat may know, a stream of chance and a budget. To add one, write
the function and add a line to BOTS, or to LEVELS if people should be able to choose it.
"""

from pytlik.unikat.bots.bot import BUDGET, Bot, at_table
from pytlik.unikat.bots.ratings import Rated, alternatives, rate
from pytlik.unikat.bots.simple_bots import hasty, longest, random_bot
from pytlik.unikat.bots.strong_bots import hard, master
from pytlik.unikat.bots.weak_bots import cover, easy, first_steps, medium

__all__ = ["BOTS", "BUDGET", "LEVELS", "Bot", "Rated", "alternatives", "random_bot", "rate"]

BOTS: dict[str, Bot] = {
    "random": random_bot,
    "hasty": hasty,
    "longest": at_table(longest),
    "cover": at_table(cover),
}
"""Bots to compare others with."""

LEVELS: dict[str, Bot] = {
    "first-steps": at_table(first_steps),
    "easy": at_table(easy),
    "medium": at_table(medium),
    "hard": at_table(hard),
    "master": at_table(master),
}
"""Bots that people can choose, the weakest first."""
