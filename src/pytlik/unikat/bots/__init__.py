"""Everything that can sit down at a table of Unikat.

A bot is a function of what its seat may know, a stream of chance and a budget. To add one, write
the function and add a line to BOTS, or to LEVELS if people should be able to choose it.
"""

from pytlik.unikat.bots.action_ratings import Rated, alternatives, rate
from pytlik.unikat.bots.bot import BUDGET, Bot, make_table_bot
from pytlik.unikat.bots.simple_bots import hasty, longest, random_bot
from pytlik.unikat.bots.strong_bots import hard, master
from pytlik.unikat.bots.weak_bots import cover, easy, first_steps, medium

__all__ = ["BOTS", "BUDGET", "LEVELS", "Bot", "Rated", "alternatives", "random_bot", "rate"]

BOTS: dict[str, Bot] = {
    "random": random_bot,
    "hasty": hasty,
    "longest": make_table_bot(longest),
    "cover": make_table_bot(cover),
}
"""Bots to compare others with."""

LEVELS: dict[str, Bot] = {
    "first-steps": make_table_bot(first_steps),
    "easy": make_table_bot(easy),
    "medium": make_table_bot(medium),
    "hard": make_table_bot(hard),
    "master": make_table_bot(master),
}
"""Bots that people can choose, the weakest first."""
