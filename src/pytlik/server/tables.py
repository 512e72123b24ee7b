"""A table: who sits where, what is agreed, and which match is played. Pure functions over it.

A seat is held by whoever knows a token; the table knows only the token's hash. Names are here and
not in the log, so that they can be changed and deleted.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from pytlik.game import Game, Illegal, Malformed, Reason, Refusal, Seat
from pytlik.games import GAMES

Holder = str
"""The hash of a token."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=24)]
Level = Literal["first-steps", "easy", "medium", "hard", "master"]
Phase = Literal["lobby", "playing", "over"]


class Chair(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat at the table: free, a person's, or a bot's."""

    name: str = ""
    holder: Holder | None = None
    bot: Level | None = None
    share: str = ""
    """The person's part of the seed."""
    stand_in: bool = False
    """A bot plays for the person until they are back."""
    recovery: str | None = None
    """The hash of the code that gives a lost seat back."""
    muted: bool = False

    @property
    def free(self) -> bool:
        return self.holder is None and self.bot is None

    @property
    def automatic(self) -> Level | None:
        """The level of the bot that acts here now."""
        return self.bot or ("medium" if self.stand_in else None)


class Agreement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the host decides about a table, beside the options of the game."""

    listed: bool = False
    """Shown among the open tables."""
    slow: bool = False
    """Days for a turn."""
    turn_seconds: Annotated[int, msgspec.Meta(ge=10, le=14 * 86_400)] | None = None
    """After so long a bot plays the turn."""
    away_seconds: Annotated[int, msgspec.Meta(ge=10, le=14 * 86_400)] | None = 120
    """How long the table waits for somebody who left, before a bot sits in."""
    chat: bool = False
    bot_level: Level = "medium"
    """Of the bot that sits in."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    game: str
    options: msgspec.Raw
    agreement: Agreement
    chairs: tuple[Chair, ...]
    host: Holder
    created: int
    match: int = 1
    """The number of the match that is played or will be next."""
    commitment: str
    """To the secret of that match: published before anybody sits down."""
    phase: Phase = "lobby"
    pausing: tuple[Seat, ...] = ()
    """Who wants a pause, or wants to go on when there is one."""
    paused: int | None = None
    """Since when."""

    @property
    def match_id(self) -> str:
        return f"{self.id}.{self.match}"

    @property
    def rules(self) -> Game:
        return GAMES[self.game]

    def held_by(self, holder: Holder | None) -> tuple[Seat, ...]:
        return tuple(
            seat
            for seat, chair in enumerate(self.chairs)
            if holder is not None and chair.holder == holder
        )
