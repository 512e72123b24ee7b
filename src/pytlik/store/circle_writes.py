"""Writes about circles: groups of people who play regularly, and what they have played."""

import msgspec


class PutCircle(msgspec.Struct, frozen=True, kw_only=True):
    """A new version of a circle, which replaces version `version` (0 if it's new), and the result
    of a match (`played`) with it, if there is one. Raises Conflict if the circle has another
    version, or that result is already there."""

    id: str
    version: int
    doc: bytes
    touched: int
    holders: tuple[str, ...]
    """Its members and those it has removed, as hashes."""
    played: str | None = None
    """The id of the match."""
    ended: int = 0
    result: bytes = b""
    most: int = 0
    """How many results the circle keeps. The oldest are deleted first."""


class DeleteCircle(msgspec.Struct, frozen=True):
    """Delete a circle with all its results. Raises Conflict if it has another version."""

    id: str
    version: int


CircleWrite = PutCircle | DeleteCircle
"""Writes about circles. Each is committed alone: no commit concerns both a circle and a table,
because a distributed database may keep them on different machines."""
