"""Circles, as everyone with the link may know them: who is in one, and what was played there."""

import msgspec

from pytlik.protocol.messages import TableInfo


class CircleMember(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    """The member's number in this circle. It's never given to anybody else."""
    name: str
    """Empty if they had their name removed."""


class CircleScore(msgspec.Struct, frozen=True, kw_only=True):
    """What a member has achieved in a game, in a season or since the circle began."""

    season: str
    """A quarter of a year, as in "2026-4"; empty for all time."""
    game: str
    member: int
    played: int = 0
    won: int = 0
    """A shared win counts."""
    streak: int = 0
    """How many matches they have won in a row, up to now."""
    longest: int = 0
    """The most they have ever won in a row."""
    margin: int = 0
    """Their largest lead over the next player in a match that they won, in points."""


class CircleSeat(msgspec.Struct, frozen=True, kw_only=True):
    """How somebody did in a match."""

    points: int
    member: int | None = None
    """Null for a bot, and for a guest, whose name isn't kept."""
    bot: str | None = None
    """The level, if it was a bot."""
    won: bool = False
    helped: bool = False
    """Whether a bot finished the match for them. Then it doesn't count as won."""


class CircleResult(msgspec.Struct, frozen=True, kw_only=True):
    """A match that is over."""

    game: str
    rounds: int | None = None
    seats: tuple[CircleSeat, ...]


class CircleInfo(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    members: tuple[CircleMember, ...]
    """In the order in which they joined. The first one is the organiser."""
    scores: tuple[CircleScore, ...]
    tables: tuple[TableInfo, ...]
    """The circle's tables with a free seat, where no match has begun. Running matches aren't shown
    here."""
