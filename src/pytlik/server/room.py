"""A live match: the one door that every action comes in by, whoever asks for it.

The order is always the same: decide, store, then tell. Nothing has changed until it is on disk.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from pytlik.chance import Chance
from pytlik.game import AnyGame, Illegal, Seat
from pytlik.server.log_limits import check_person
from pytlik.server.replaying import NOTHING, Replayed, follow, replay_log
from pytlik.store import Actor, Append, Conflict, Duplicate, SetDeadlines, Store, Unavailable

TRIES = 10
"""So often a write may be in conflict with a log that has nothing new, before we give up."""


class Clock(Protocol):
    def __call__(self) -> int:
        """Milliseconds since 1970."""


class Told(msgspec.Struct, frozen=True):
    """The last events that have happened (not all, if there were many), how many there are in all
    after them, and what is due when: None, where another worker knows."""

    seq: int
    events: tuple[Any, ...]
    due: dict[str, int | None] | None = None


class Room:
    """The state of a match on this worker, never ahead of the log."""

    def __init__(
        self,
        store: Store,
        game: AnyGame,
        match: str,
        chance: Chance,
        clock: Clock,
        tell: Callable[["Room", Told], None],
        due: Callable[[str, Any, Any, int], dict[str, int | None]],
    ) -> None:
        self.game = game
        self.match = match
        self.chance = chance
        self._replayed = NOTHING
        """All that follows from the log as far as we know it."""
        self._latest = 0
        """When the last event happened."""
        self._store = store
        self._clock = clock
        self._tell = tell
        self._due = due
        self._lock = asyncio.Lock()
        self._sure = False
        """Whether the log can't be further than we are, as far as this worker knows."""

    async def act(
        self,
        seat: Seat | None,
        action: Any,
        command: str | None = None,
        lag: int = 0,
        *,
        actor: Actor,
    ) -> int:
        """Do it, or raise Illegal or Unavailable. `lag` is the measured delay of the line that it
        came by. How many events there are, once it is on disk."""
        async with self._lock:
            tries = TRIES
            while True:
                if not self._sure:
                    await self._catch_up()
                now = self.now
                try:
                    allowed = self._replayed.credits.allow(seat, lag)
                    events = self.game.decide(self.state, seat, action, self.chance, now, allowed)
                    if events and seat is not None and actor is Actor.PERSON:
                        check_person(self.game, self._replayed.tally, self.state, seat, events)
                except Illegal:
                    done = await self._done(command)
                    if done is None:
                        raise
                    return done
                if not events:
                    return await self._done(command) or self.seq
                after = follow(self.game, self._replayed, events)
                due = self._due(self.match, self.state, after.state, now)
                append = Append(
                    match=self.match,
                    seq=self.seq,
                    events=tuple(map(msgspec.json.encode, events)),
                    command=command,
                    actor=actor,
                )
                try:
                    if due:
                        await self._store.commit(append, SetDeadlines(self.match, due))
                    else:
                        await self._store.commit(append)
                except Conflict:
                    tries = TRIES if await self._behind() else tries - 1
                    if not tries:
                        # The log has become shorter: the table was dropped, or another backup put
                        # in its place.
                        raise Unavailable("the log is not what it was") from None
                    continue
                except Duplicate as duplicate:
                    # Another worker has done it, which may be news.
                    await self._behind()
                    return duplicate.seq
                except Unavailable:
                    # It may have been written all the same: look before anything else is done.
                    self._sure = False
                    raise
                self._take_in(after, due)
                return self.seq

    @property
    def state(self) -> Any:
        return self._replayed.state

    @property
    def seq(self) -> int:
        """How many events there are."""
        return self._replayed.seq

    @property
    def now(self) -> int:
        """The time, which never runs back in a match, although clocks differ between workers."""
        return max(self._clock(), self._latest)

    async def _done(self, command: str | None) -> int | None:
        return None if command is None else await self._store.done(self.match, command)

    async def ready(self) -> None:
        """Have the state at hand."""
        if not self._sure:
            async with self._lock:
                await self._catch_up()

    async def doubt(self) -> None:
        """Wake-ups may have been lost: look at the log."""
        async with self._lock:
            await self._catch_up()

    async def reached(self, seq: int) -> None:
        """The log is said to have come so far: take in what this worker does not know yet."""
        async with self._lock:
            if seq > self.seq:
                await self._catch_up()

    async def _behind(self) -> bool:
        """Catch up; whether there was anything new."""
        known, self._sure = self.seq, False
        await self._catch_up()
        return self.seq > known

    async def _catch_up(self) -> None:
        found = await replay_log(self._store, self.game, self.match, self._replayed)
        if found.seq > self.seq:
            self._take_in(found)
        self._sure = True

    def _take_in(self, found: Replayed, due: dict[str, int | None] | None = None) -> None:
        self._replayed = found
        self._latest = found.recent[-1].at
        self._tell(self, Told(self.seq, found.recent, due))
