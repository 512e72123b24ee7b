"""A match as it is on disk, for whoever checks."""

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
        self.active = 0.0
        """When it last grew, as clocks may count."""
        self.sand: tuple[float, float] | None = None
        """How long anybody could act when the timer was turned, and how long it runs."""
        self.turned = 0
        """When that was, as the log has it (ms)."""
        self.breaks = 0
        """How often nobody could act, until then."""
        self.acted: tuple[float, float, float] | None = None
        """When somebody last acted: when it was sent, when it was on disk, and when the log says
        that it was."""
        self.turn_due: int | None = None
        """When the time for a turn was up after the last commit (ms)."""
        self.paused = 0.0
        """The same, when it was last paused."""
        self.paused_at = 0
        """When that was, as the table has it (ms)."""
        self.downtimes: Counter[int] = Counter()
        """The heartbeats (ms) after which there was none for a while, and how far the clocks of
        this match were moved for that (ms)."""
        self.delays: dict[Seat, tuple[int, tuple[int, ...]]] = {}
        """For each seat the least delay that it has acted with, and what it was credited for its
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

    def actions_in_round(self, seat: Seat, length: int | None = None) -> int:
        """How many events of a seat count for its limit, in the round that is on after so many
        events: reckoned without the code that enforces it."""
        limits, count = self.game.limits, 0
        for event in reversed(self.events[:length]):
            kind = type(event)
            if issubclass(kind, limits.starts_again):
                break
            count += issubclass(kind, limits.counted) and event.seat == seat
        return count

    def length_at(self, time: float) -> int:
        return bisect_right(self.times, time)
