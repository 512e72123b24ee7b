"""What the host of a table decides about it, besides the options of the game."""

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from pytlik.games import GAMES

if TYPE_CHECKING:
    Level = str
else:
    Level = Literal[tuple(dict.fromkeys(lvl for game in GAMES.values() for lvl in game.levels))]
"""How well a bot plays: a level of any game."""

Phase = Literal["lobby", "playing", "over"]
"""The phase of a table."""

Seconds = Annotated[int, msgspec.Meta(ge=10, le=14 * 86_400)]


class Agreement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the host decides about a table, besides the options of the game."""

    listed: bool = False
    """Whether it's listed among the open tables."""
    slow: bool = False
    """Whether turns may take days, and nobody is expected to be there."""
    turn_seconds: Seconds | None = None
    """How long a turn may take before a bot plays it, unless only one person plays."""
    away_seconds: Seconds | None = 120
    """How long the table waits for someone who left before a bot takes over, unless only one person
    plays."""
    chat: bool = False
    aids: bool = True
    """Whether players may be shown where tiles fit, what closes a corner, and hints, in games that
    have such aids."""
    bot_level: Level = "medium"
    """The level of the bot that takes over."""
    bot_seconds: Annotated[float, msgspec.Meta(ge=0.1, le=30)] = 1.5
    """How long a bot that searches may think about one decision, from 0.1 to 30 seconds."""
