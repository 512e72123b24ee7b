"""The bots for Unikat.

A bot is a function of a view, a random stream and a budget. To add one, write the function and add
a line to BOTS, or to LEVELS if people should be able to choose it.
"""

from pytlik.unikat.bots.action_ratings import Rated, alternatives, rate
from pytlik.unikat.bots.bot import DEFAULT_BUDGET, Bot, wrap_turn_bot
from pytlik.unikat.bots.simple_bots import longest_chain_bot, longest_turn_bot, random_bot
from pytlik.unikat.bots.strong_bots import hard, master
from pytlik.unikat.bots.weak_bots import easy, fewest_chains_bot, first_steps, medium

__all__ = ["BOTS", "DEFAULT_BUDGET", "LEVELS", "Bot", "Rated", "alternatives", "random_bot", "rate"]

BOTS: dict[str, Bot] = {
    "random": random_bot,
    "hasty": longest_chain_bot,
    "longest": wrap_turn_bot(longest_turn_bot),
    "cover": wrap_turn_bot(fewest_chains_bot),
}
"""Baselines to compare other bots with."""

LEVELS: dict[str, Bot] = {
    "first-steps": wrap_turn_bot(first_steps),
    "easy": wrap_turn_bot(easy),
    "medium": wrap_turn_bot(medium),
    "hard": wrap_turn_bot(hard),
    "master": wrap_turn_bot(master),
}
"""Bots that people can choose, weakest first."""
