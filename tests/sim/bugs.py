"""Bugs to plant in the server: what such code is known to get wrong.

Each is a patch of the real code, and the simulation must find it: see `test_bugs.py`.
"""

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from pytlik.chance import mix
from pytlik.server import (
    audience,
    deadline_actions,
    deadlines,
    live_match,
    room,
    rooms,
    scheduler,
    seats,
    socket_requests,
    steady_clock,
    table_changes,
)
from pytlik.server.audience import Audience, make_update
from pytlik.server.cleanup import Cleanup
from pytlik.server.connection import Connection
from pytlik.server.live_match import LiveMatch
from pytlik.server.presence import Presence
from pytlik.server.room import Room
from pytlik.server.rooms import Rooms
from pytlik.server.steady_clock import SteadyClock
from pytlik.server.tables import Table
from pytlik.store import Append, Conflict, Deadline, SetDeadlines, Unavailable
from tests.sim import store as sim_store

Bug = Callable[[], AbstractContextManager[object]]

BUGS: dict[str, Bug] = {}


def bug(plant: Bug) -> Bug:
    BUGS[plant.__name__] = plant
    return plant


class Proxy:
    """A store as it is, but for its commits."""

    def __init__(self, store: Any) -> None:
        self.store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


def matches_with(proxy: type[Proxy]) -> AbstractContextManager[object]:
    """Let all matches write through a proxy."""
    make = LiveMatch.__init__

    def init(self: LiveMatch, store: Any, *args: Any, **more: Any) -> None:
        make(self, proxy(store), *args, **more)

    return patch.object(LiveMatch, "__init__", init)


@contextmanager
def together(*plants: AbstractContextManager[object]) -> Iterator[None]:
    for plant in plants:
        plant.__enter__()
    try:
        yield
    finally:
        for plant in reversed(plants):
            plant.__exit__(None, None, None)


async def nothing(*_: Any, **__: Any) -> None: ...


# ------------------------------------------------------------------------------ the path of an act


@bug
def acknowledge_before_commit() -> AbstractContextManager[object]:
    class Eager(Proxy):
        async def commit(self, *writes: Any) -> None:
            self.late = asyncio.get_running_loop().create_task(self._late(*writes))

        async def _late(self, *writes: Any) -> None:
            with suppress(Unavailable, Conflict):
                await self.store.commit(*writes)

    return matches_with(Eager)


@bug
def take_a_conflict_for_a_success() -> AbstractContextManager[object]:
    class Careless(Proxy):
        async def commit(self, *writes: Any) -> None:
            with suppress(Conflict):
                await self.store.commit(*writes)

    return matches_with(Careless)


@bug
def write_again_after_a_lost_answer() -> AbstractContextManager[object]:
    """As something new, without asking whether it was done."""

    class Hasty(Proxy):
        async def commit(self, *writes: Any) -> None:
            try:
                await self.store.commit(*writes)
            except Unavailable:
                first, *others = writes
                seq = len(await self.store.events(first.match))
                await self.store.commit(replace(first, seq=seq, command=None), *others)

    return matches_with(Hasty)


@bug
def forget_the_id_of_a_command() -> AbstractContextManager[object]:
    class Forgetful(Proxy):
        async def commit(self, *writes: Any) -> None:
            first, *others = writes
            if isinstance(first, Append):
                first = replace(first, command=None)
            await self.store.commit(first, *others)

    return matches_with(Forgetful)


@bug
def refuse_what_is_sent_again() -> AbstractContextManager[object]:
    """The answer to it was lost, and so it is not legal any more."""
    return patch.object(LiveMatch, "_done", nothing)


@bug
def write_deadlines_after_the_events() -> AbstractContextManager[object]:
    """And not together with them."""

    class Separate(Proxy):
        async def commit(self, *writes: Any) -> None:
            for write in writes:
                await self.store.commit(write)

    return matches_with(Separate)


@bug
def believe_the_clock_of_each_worker() -> AbstractContextManager[object]:
    return patch.object(LiveMatch, "now", property(lambda match: match._clock()))


@bug
def let_shares_count_backwards() -> AbstractContextManager[object]:
    """The chance of a match that goes on is another than it was dealt from."""
    return patch.object(room, "mix", lambda secret, shares: mix(secret, [*shares][::-1]))


@bug
def let_anybody_act_for_anybody() -> AbstractContextManager[object]:
    return patch.object(Table, "held_by", everyones_where_acting(Table.held_by))


def everyones_where_acting(held_by: Any) -> Any:
    """All seats are everybody's, but only where an action asks whose they are."""

    def held(self: Table, holder: Any) -> tuple[int, ...]:
        if sys._getframe(1).f_code.co_name == "act":
            return tuple(range(len(self.chairs)))
        found: tuple[int, ...] = held_by(self, holder)
        return found

    return held


@bug
def let_people_act_in_a_pause() -> AbstractContextManager[object]:
    why_not_now = socket_requests.why_not_now
    return patch.object(
        socket_requests,
        "why_not_now",
        lambda table, match: why_not_now(replace(table, paused=None), match),
    )


# -------------------------------------------------------------------------------------- who is told


@bug
def rely_on_wake_ups() -> AbstractContextManager[object]:
    return patch.object(Rooms, "check_progress", nothing)


@bug
def ignore_wake_ups_for_tables() -> AbstractContextManager[object]:
    hear = Rooms.handle_wake_up

    def hear_matches(self: Rooms, id: str, number: int) -> None:
        if "." in id:
            hear(self, id, number)

    return patch.object(Rooms, "handle_wake_up", hear_matches)


@bug
def show_a_stale_view_after_a_reconnect() -> AbstractContextManager[object]:
    """Whatever this worker happens to know, before it has looked at the log."""
    make = Connection.__init__

    def init(self: Connection, *args: Any) -> None:
        make(self, *args)
        self.shown = True

    return patch.object(Connection, "__init__", init)


@bug
def show_everyone_the_same() -> AbstractContextManager[object]:
    """An update is made once for everybody who knows as much, and not for each seat."""

    def update(self: Audience, match: LiveMatch) -> None:
        updates: dict[int, Any] = {}
        for connection, since in self.outdated_connections(match):
            if since not in updates:
                updates[since] = make_update(match, connection.seat, since, self._clock())
            connection.seen = (match.id, match.seq)
            connection.send(updates[since])

    return patch.object(Audience, "update", update)


@bug
def tell_events_as_they_are() -> AbstractContextManager[object]:

    def unmasked(match: LiveMatch, seat: Any, since: int, now: int) -> Any:
        update = make_update(match, seat, since, now)
        return replace(update, events=tuple(match.events_since(since)))

    return patch.object(audience, "make_update", unmasked)


@bug
def leave_a_lost_seat_in_sight() -> AbstractContextManager[object]:
    return patch.object(Audience, "reseat", lambda *_: None)


@bug
def drop_what_a_slow_client_has_no_room_for() -> AbstractContextManager[object]:
    put = Connection.put

    def drop(self: Connection, data: bytes) -> None:
        if len(self._queue) < 2:
            put(self, data)

    return patch.object(Connection, "put", drop)


@bug
def answer_from_an_old_table() -> AbstractContextManager[object]:
    """A change of a table that comes while it is read is not looked for."""
    take_in = Room.take_in

    def once(self: Room, stored: Any) -> None:
        if self.stored is None:
            take_in(self, stored)

    return patch.object(Room, "take_in", once)


# ------------------------------------------------------------------------------------ what is due


@bug
def fire_deadlines_on_every_worker() -> AbstractContextManager[object]:
    """Nobody lends them: whoever looks takes them, and so does everyone else."""

    def take(connection: Any, now: int, _lease: int, limit: int) -> list[Deadline]:
        rows = connection.execute(
            "SELECT match, kind, due FROM deadlines WHERE due <= ? ORDER BY due LIMIT ?",
            (now, limit),
        )
        return [Deadline(*row) for row in rows]

    return patch.object(sim_store, "take_due", take)


@bug
def drop_a_deadline_when_it_is_taken() -> AbstractContextManager[object]:
    """Whoever dies before it has happened takes it along."""

    def take(connection: Any, now: int, _lease: int, limit: int) -> list[Deadline]:
        rows = connection.execute(
            "SELECT match, kind, due FROM deadlines WHERE due <= ? ORDER BY due LIMIT ?",
            (now, limit),
        ).fetchall()
        connection.executemany(
            "DELETE FROM deadlines WHERE match = ? AND kind = ?", [row[:2] for row in rows]
        )
        return [Deadline(*row) for row in rows]

    return patch.object(sim_store, "take_due", take)


@bug
def let_time_pass_while_nobody_can_act() -> AbstractContextManager[object]:
    return together(
        patch.object(scheduler, "move_clocks", nothing),
        patch("pytlik.server.startup.move_clocks", nothing),
        patch("pytlik.server.heartbeat.MAX_GAP_MS", 10**12),
    )


@bug
def let_anybody_fill_a_log() -> AbstractContextManager[object]:
    return patch.object(live_match, "check_person", lambda *_: None)


@bug
def let_sand_run_in_a_pause() -> AbstractContextManager[object]:
    change_pause = Room._change_pause

    async def without_shift(self: Room, before: Table, update: Any) -> None:
        await change_pause(self, replace(before, paused=None), update)

    return patch.object(Room, "_change_pause", without_shift)


@bug
def forget_the_clock_of_a_seat_that_changes_hands() -> AbstractContextManager[object]:
    return patch.object(table_changes, "hands_changed", lambda *_: False)


@bug
def set_deadlines_without_looking_again() -> AbstractContextManager[object]:
    """Whoever acts meanwhile loses theirs."""

    async def put(room: Room, table: Table, _: Any, due: dict[str, int | None], **__: bool) -> None:
        await room.services.store.commit(SetDeadlines(table.match_id, due))

    return patch.object(deadline_actions, "put_deadlines", put)


@bug
def look_only_once_at_a_seat_that_changes_hands() -> AbstractContextManager[object]:
    """Somebody acts on a worker that has not heard of it, with the deadlines that were right."""
    return patch.object(deadline_actions, "look_again", lambda _: {})


@bug
def let_a_match_end_unnoticed() -> AbstractContextManager[object]:
    """Only whoever saw it end says so, and may die before."""
    match_deadlines = deadlines.match_deadlines

    def without_over(*args: Any) -> Any:
        found = match_deadlines(*args)
        found.pop(deadlines.OVER, None)
        return found

    return together(
        patch.object(deadlines, "match_deadlines", without_over),
        patch.object(live_match, "match_deadlines", without_over),
        patch.object(table_changes, "match_deadlines", without_over),
        patch("pytlik.server.tables.finish_match", lambda table, _: table),
    )


@bug
def wait_for_whoever_is_here() -> AbstractContextManager[object]:
    """The away clock runs on when somebody comes back, and nobody asks whether they did."""
    away = deadlines.away_deadlines

    def runs_on(before: Any, after: Any, now: int) -> Any:
        return {kind: at for kind, at in away(before, after, now).items() if at is not None}

    async def stand_in(room: Room, seat: int) -> None:
        await room.change(lambda old: seats.stand_in(old, seat, room.services.clock()))

    return together(
        patch.object(table_changes, "away_deadlines", runs_on),
        patch.object(deadline_actions, "stand_in", stand_in),
    )


@bug
def let_bots_play_where_nobody_is() -> AbstractContextManager[object]:
    return patch.object(deadline_actions, "may_bots_move", lambda *_, **__: True)


# --------------------------------------------------------------------------------- what time it is


@bug
def jump_with_the_database_clock() -> AbstractContextManager[object]:
    return patch.object(steady_clock, "SLEW", 1e12)


@bug
def let_every_worker_have_its_own_time() -> AbstractContextManager[object]:
    """As wrong as its machine's clock, by up to a second."""
    start = SteadyClock.start

    async def wrong(self: SteadyClock, store: Any, **given: Any) -> None:
        await start(self, store, **given)
        self._set(self() - 1_000 + self() % 2_001)

    async def follow(_: SteadyClock, __: Any) -> None:
        await asyncio.get_running_loop().create_future()

    return together(
        patch.object(SteadyClock, "start", wrong), patch.object(SteadyClock, "follow", follow)
    )


@bug
def delete_what_is_old_by_a_clock_that_has_jumped() -> AbstractContextManager[object]:
    async def database_time(self: Cleanup) -> int:
        return await self._store.now()

    return patch.object(Cleanup, "_earlier_time", database_time)


# ------------------------------------------------------------------------------------- who is here


@bug
def never_reap_a_worker() -> AbstractContextManager[object]:
    return patch.object(Rooms, "reap", nothing)


@bug
def forget_who_comes_while_the_store_is_away() -> AbstractContextManager[object]:
    async def once(work: Any, **__: Any) -> None:
        with suppress(Unavailable, Conflict):
            await work()

    def pending_writes(self: Presence, stored: Any) -> Any:
        """Only where it is written, and not where it is looked for whether it was."""
        return as_it_is(self, stored) if sys._getframe(1).f_code.co_name == "<lambda>" else ()

    as_it_is = Presence.pending_writes
    return together(
        patch.object(room, "retry", once),
        patch.object(rooms, "retry", once),
        patch.object(Presence, "pending_writes", pending_writes),
    )
