"""Bots against each other: a single match (`play`), or a whole league (`pytlik.arena.league`)."""

from pytlik.arena.runner import BotError, PlayedMatch, play

__all__ = ["BotError", "PlayedMatch", "play"]
