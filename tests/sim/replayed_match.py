"""Matches as they are on disk, for the checks."""

from bisect import bisect_right
from collections import Counter
from typing import Any

import msgspec

from pytlik.game import AnyGame, Seat
from pytlik.server.live.table_connections import hash_view
from pytlik.store import Actor


class ReplayedMatch:
    """A match as it is on disk, with all its states."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.events: list[Any] = []
        self.states: list[Any] = []
        self.times: list[float] = []
        """When each event was committed."""
        self.last_actors: dict[Seat, Actor] = {}
        """Who acted last on each seat."""
        self.last_append = 0.0
        """When the log last grew, in seconds that clocks may count."""
        self.sand: tuple[float, float] | None = None
        """The world's active seconds when the hourglass was turned, and the seconds that it
        runs."""
        self.sand_turned_at = 0
        """When the hourglass was turned, according to the log (ms)."""
        self.breaks_before_sand = 0
        """How many breaks the world had had by then."""
        self.last_action: tuple[float, float, float] | None = None
        """When the last action of a person was sent, when it was committed, and the time that the
        log gives for it."""
        self.turn_due: int | None = None
        """When the turn clock was to run out, as of the last commit (ms)."""
        self.last_pause = 0.0
        """The world's active seconds when the match was last paused."""
        self.paused_at = 0
        """When the match was last paused, according to the table (ms)."""
        self.downtimes: Counter[int] = Counter()
        """The heartbeats (ms) that were followed by a gap, and how far the clocks of this match
        were moved for it (ms)."""
        self.delays: dict[Seat, tuple[int, tuple[int, ...]]] = {}
        """For each seat the least delay that it has acted with, and the credits that it got for its
        solutions (ms)."""
        self._views: dict[tuple[int, Seat | None], str] = {}

    @property
    def state(self) -> Any:
        return self.states[-1]

    def view_hash(self, seq: int, seat: Seat | None) -> str:
        key = (seq, seat)
        if key not in self._views:
            view = self.game.view(self.states[seq - 1], seat)
            self._views[key] = hash_view(msgspec.json.encode(view))
        return self._views[key]

    def count_actions_in_round(self, seat: Seat, length: int | None = None) -> int:
        """How many events of a seat count towards its limit, in the round that is on after `length`
        events. Doesn't use the code that enforces the limit."""
        limits, count = self.game.limits, 0
        for event in reversed(self.events[:length]):
            kind = type(event)
            if issubclass(kind, limits.starts_again):
                break
            count += issubclass(kind, limits.counted) and event.seat == seat
        return count

    def length_at(self, time: float) -> int:
        return bisect_right(self.times, time)
