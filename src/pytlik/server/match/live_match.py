"""The state of a match on this worker: what its log leads to, and never ahead of it."""

import asyncio
from collections import deque
from typing import Any

import msgspec

from pytlik.chance import Chance
from pytlik.game import AnyGame, Illegal, Seat
from pytlik.server.clocks.clock import Clock
from pytlik.server.match.deadlines import (
    Deadlines,
    changed_deadlines,
    match_deadlines,
    notice_deadlines,
)
from pytlik.server.match.log_replay import (
    NO_EVENTS,
    ReplayResult,
    apply_events,
    apply_raw_events,
    replay_log,
)
from pytlik.server.match.round_action_limits import check_action_limit
from pytlik.server.match.saved_states import encode_saved_state, is_worth_saving
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder
from pytlik.store import (
    Actor,
    Append,
    Conflict,
    Duplicate,
    PutState,
    SetDeadlines,
    Store,
    Unavailable,
    Write,
)

RECENT_EVENTS = 64
"""Events kept in memory, so that clients that are a little behind can animate them."""


class ActionRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody asks to do in a match."""

    seat: Seat | None
    action: Any
    """An action, or a function that returns one from the time at which it's decided."""
    command: str | None
    """The sender's id for the action, which is done at most once in a match."""
    actor: Actor
    holder: Holder | None = None
    """Who has the seat, if a person acts."""
    lag: int = 0
    """The measured delay of their connection."""


class LiveMatch:
    """A match that is played or shown here. Only its room changes it, one change at a time."""

    def __init__(
        self,
        store: Store,
        game: AnyGame,
        id: str,
        chance: Chance,
        clock: Clock,
        *,
        bot_pause_ms: int = 0,
        gives_notice: bool = False,
        saved: ReplayResult | None = None,
    ) -> None:
        """With `gives_notice`, people are notified when their turn has begun. `saved` is the last
        saved result of replaying the log."""
        self.id = id
        self.game = game
        self.chance = chance
        self.lock = asyncio.Lock()
        """Held by whoever may change it."""
        self.is_current = False
        """Whether, as far as this worker knows, this is the end of the log."""
        self.next_check: asyncio.Task[None] | None = None
        """Checks the log as soon as it has the lock."""
        self.is_being_refreshed = False
        """Whether a write has failed, and the log will be checked for it."""
        self.replayed = NO_EVENTS
        self._saved = saved or NO_EVENTS
        """Where to begin replaying."""
        self._saved_seq = self._saved.seq
        """After how many events the state was last saved, or is being saved."""
        self._last_append: Append | None = None
        """What was last written here."""
        self._latest = 0
        """When the last event happened."""
        self._recent: deque[tuple[int, Any]] = deque(maxlen=RECENT_EVENTS)
        self._store = store
        self._clock = clock
        self._bot_pause_ms = bot_pause_ms
        self._gives_notice = gives_notice

    @property
    def state(self) -> Any:
        return self.replayed.state

    @property
    def seq(self) -> int:
        """How many events there are."""
        return self.replayed.seq

    @property
    def now(self) -> int:
        """The current time, which never runs backwards in a match although clocks differ between
        workers."""
        return max(self._clock(), self._latest)

    def deadlines(self, table: Table) -> Deadlines:
        """What should be due now at this table."""
        return match_deadlines(table, self.state, self.now, self._bot_pause_ms)

    async def decide_and_store(
        self, request: ActionRequest, table: Table, *others: Write, guard: Write | None = None
    ) -> int:
        """Store the events that a request leads to with their deadlines, apply them, and return the
        number of events. If the table changes with it, `others` are the writes that change it. If
        the store refuses the `guard`, nothing is written. Raises Illegal, Conflict, Duplicate or
        Unavailable."""
        now = self.now
        try:
            events = self._decide(request, now)
        except Illegal:
            done = await self._seq_after_command(request)
            if done is None:
                raise
            return done
        if not events:
            assert not others, "clocks must be moved before anything else is decided"
            return await self._seq_after_command(request) or self.seq
        after = apply_events(self.game, self.replayed, events)
        if others:
            due = match_deadlines(table, after.state, now, self._bot_pause_ms)
        else:
            due = changed_deadlines(table, self.state, after.state, now, self._bot_pause_ms)
            if self._gives_notice:
                due |= notice_deadlines(table, self.state, after.state, now)
        append = Append(
            match=self.id,
            seq=self.seq,
            events=tuple(map(msgspec.json.encode, events)),
            command=request.command,
            actor=request.actor,
            awaited=tuple(self.game.awaited(after.state)),
        )
        deadlines = (SetDeadlines(self.id, due),) if due else ()
        guards = (guard,) if guard else ()
        try:
            await self._store.commit(*others, append, *deadlines, *guards)
        except (Conflict, Duplicate, Unavailable) as error:
            # Another worker has written, or our own write succeeded although we got no answer;
            # unless a command that we know of was only sent again.
            if not isinstance(error, Duplicate) or error.seq > self.seq:
                self.is_current = False
            raise
        self._set_replayed(after)
        self._last_append = append
        return self.seq

    def events_for_bus_message(self, seq: int) -> tuple[bytes, ...]:
        """The events that brought the log to `seq`, if they were just written here."""
        last = self._last_append
        return last.events if last and last.seq + len(last.events) == seq else ()

    def _decide(self, request: ActionRequest, now: int) -> list[Any]:
        """The events that a request leads to; none, if it changes nothing. Raises Illegal."""
        seat, lag = request.seat, self.replayed.credits.creditable_delay(request.seat, request.lag)
        action = request.action(now) if callable(request.action) else request.action
        events = self.game.decide(self.state, seat, action, self.chance, now, lag)
        if events and seat is not None and request.actor is Actor.PERSON:
            check_action_limit(self.game, self.replayed.tally, self.state, seat, events)
        return events

    async def _seq_after_command(self, request: ActionRequest) -> int | None:
        """The length of the log after a command, if it was ever done."""
        if request.command is None:
            return None
        return await self._store.seq_of_command(self.id, request.command)

    async def catch_up(self) -> bool:
        """Apply what is new in the log. Returns whether there was anything."""
        before = self.replayed if self.seq else self._saved
        found = await replay_log(self._store, self.game, self.id, before)
        self._saved = NO_EVENTS
        is_new = found.seq > self.seq
        if is_new:
            self._set_replayed(found)
        self.is_current = True
        return is_new

    def apply_bus_message(self, seq: int, events: str) -> bool:
        """Apply events that another worker has written and sent with its bus message, if they are
        exactly the ones that are missing here. Returns whether they are."""
        try:
            raw = msgspec.json.decode(events, type=list[msgspec.Raw]) if events else []
            if not raw or self.seq + len(raw) != seq:
                return False
            self._set_replayed(apply_raw_events(self.game, self.replayed, raw))
        except msgspec.DecodeError:  # from a newer version
            return False
        return True

    def _set_replayed(self, after: ReplayResult) -> None:
        """Adopt the result of replaying events that are on disk."""
        self.replayed = after
        self._latest = after.recent[-1].at
        events = after.recent[-RECENT_EVENTS:]
        self._recent.extend(enumerate(events, after.seq - len(events) + 1))

    def state_to_save(self) -> PutState | None:
        """The write that saves the state, if that's worthwhile by now."""
        if not is_worth_saving(self.game, self.seq, self._saved_seq):
            return None
        self._saved_seq = self.seq
        return encode_saved_state(self.game, self.id, self.replayed)

    def events_since(self, since: int) -> list[Any]:
        """The events after the first `since`; none if some of them are no longer in memory."""
        events = []
        for seq, event in reversed(self._recent):
            if seq <= since:
                break
            events.append(event)
        return events[::-1] if since and len(events) == self.seq - since else []
