"""The bots for Unikat.

A bot is a function of a view, a random stream and a budget. To add one, write the function and add
a line to BOTS, or to LEVELS if people should be able to choose it.
"""

from pytlik.unikat.bots.action_ratings import Rated, alternatives, rate
from pytlik.unikat.bots.bot import DEFAULT_BUDGET, Bot, make_match_bot
from pytlik.unikat.bots.simple_bots import longest_chain_bot, longest_turn_bot, random_bot
from pytlik.unikat.bots.strong_bots import hard, master
from pytlik.unikat.bots.weak_bots import easy, fewest_chains_bot, first_steps, medium

__all__ = ["BOTS", "DEFAULT_BUDGET", "LEVELS", "Bot", "Rated", "alternatives", "random_bot", "rate"]

BOTS: dict[str, Bot] = {
    "random": random_bot,
    "hasty": longest_chain_bot,
    "longest": make_match_bot(longest_turn_bot),
    "cover": make_match_bot(fewest_chains_bot),
}
"""Baselines to compare other bots with."""

LEVELS: dict[str, Bot] = {
    "first-steps": make_match_bot(first_steps),
    "easy": make_match_bot(easy),
    "medium": make_match_bot(medium),
    "hard": make_match_bot(hard),
    "master": make_match_bot(master),
}
"""Bots that people can choose, weakest first."""
