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
from pytlik.server import clocks, due, live, lobby, seats, steady_clock
from pytlik.server.hub import Connection, Hub
from pytlik.server.live import Live
from pytlik.server.lobby import Lobby
from pytlik.server.presence import Presence
from pytlik.server.room import Room
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


def rooms_with(proxy: type[Proxy]) -> AbstractContextManager[object]:
    """Let all rooms write through a proxy."""
    make = Room.__init__

    def init(self: Room, store: Any, *args: Any) -> None:
        make(self, proxy(store), *args)

    return patch.object(Room, "__init__", init)


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

    return rooms_with(Eager)


@bug
def take_a_conflict_for_a_success() -> AbstractContextManager[object]:
    class Careless(Proxy):
        async def commit(self, *writes: Any) -> None:
            with suppress(Conflict):
                await self.store.commit(*writes)

    return rooms_with(Careless)


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

    return rooms_with(Hasty)


@bug
def forget_the_id_of_a_command() -> AbstractContextManager[object]:
    class Forgetful(Proxy):
        async def commit(self, *writes: Any) -> None:
            first, *others = writes
            if isinstance(first, Append):
                first = replace(first, command=None)
            await self.store.commit(first, *others)

    return rooms_with(Forgetful)


@bug
def refuse_what_is_sent_again() -> AbstractContextManager[object]:
    """The answer to it was lost, and so it is not legal any more."""
    return patch.object(Room, "_done", nothing)


@bug
def write_deadlines_after_the_events() -> AbstractContextManager[object]:
    """And not together with them."""

    class Separate(Proxy):
        async def commit(self, *writes: Any) -> None:
            for write in writes:
                await self.store.commit(write)

    return rooms_with(Separate)


@bug
def believe_the_clock_of_each_worker() -> AbstractContextManager[object]:
    return patch.object(Room, "now", property(lambda room: room._clock()))


@bug
def let_shares_count_backwards() -> AbstractContextManager[object]:
    """The chance of a match that goes on is another than it was dealt from."""
    return patch.object(live, "mix", lambda secret, shares: mix(secret, [*shares][::-1]))


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
    async def act(self: Live, connection: Any, *args: Any) -> Any:
        found = await self.table(connection.table)
        unpaused = replace(found, table=replace(found.table, paused=None))
        with patch.dict(self._tables, {found.table.id: unpaused}):
            return await as_it_is(self, connection, *args)

    as_it_is = Live.act
    return patch.object(Live, "act", act)


# -------------------------------------------------------------------------------------- who is told


@bug
def rely_on_wake_ups() -> AbstractContextManager[object]:
    return patch.object(Live, "look", nothing)


@bug
def ignore_wake_ups_for_tables() -> AbstractContextManager[object]:
    hear = Live._heard

    def heard(self: Live, id: str, number: int) -> None:
        if "." in id:
            hear(self, id, number)

    return patch.object(Live, "_heard", heard)


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
    make = Hub.made

    def update(self: Hub, table: str, room: Any) -> None:
        made: dict[int, Any] = {}
        for connection in self.at(table):
            since = connection.seen[1] if connection.seen[0] == room.match else 0
            if connection.closing or not connection.shown or since >= room.seq:
                continue
            if since not in made:
                made[since] = make(self, room, connection.seat, since)
            connection.seen = (room.match, room.seq)
            connection.send(made[since])

    return patch.object(Hub, "update", update)


@bug
def tell_events_as_they_are() -> AbstractContextManager[object]:
    make = Hub.made

    def made(self: Hub, room: Any, seat: Any, since: int) -> Any:
        return replace(make(self, room, seat, since), events=tuple(self._events(room, since)))

    return patch.object(Hub, "made", made)


@bug
def leave_a_lost_seat_in_sight() -> AbstractContextManager[object]:
    return patch.object(live, "reseat", lambda *_: None)


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
    remember = Live.remember

    def once(self: Live, found: Any) -> None:
        if found.table.id not in self._tables:
            remember(self, found)

    return patch.object(Live, "remember", once)


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
        patch.object(clocks, "move_clocks", nothing),
        patch("pytlik.server.serving.move_clocks", nothing),
        patch("pytlik.server.presence.UNSURE", 10**12),
    )


@bug
def let_anybody_fill_a_log() -> AbstractContextManager[object]:
    return patch("pytlik.server.room.check_person", lambda *_: None)


@bug
def let_sand_run_in_a_pause() -> AbstractContextManager[object]:
    async def writes(self: Lobby, table: Any, _paused: Any) -> Any:
        return await clock_writes(self, table, None)

    clock_writes = Lobby._clock_writes
    return patch.object(Lobby, "_clock_writes", writes)


@bug
def forget_the_clock_of_a_seat_that_changes_hands() -> AbstractContextManager[object]:
    return patch.object(lobby, "hands_changed", lambda *_: False)


@bug
def set_deadlines_without_looking_again() -> AbstractContextManager[object]:
    """Whoever acts meanwhile loses theirs."""

    async def put(
        self: Live, table: Table, _: Room, deadlines: dict[str, int | None], **__: bool
    ) -> None:
        await self._store.commit(SetDeadlines(table.match_id, deadlines))

    return patch.object(Live, "put_deadlines", put)


@bug
def look_only_once_at_a_seat_that_changes_hands() -> AbstractContextManager[object]:
    """Somebody acts on a worker that has not heard of it, with the deadlines that were right."""
    return patch.object(clocks, "look_again", lambda _: {})


@bug
def let_a_match_end_unnoticed() -> AbstractContextManager[object]:
    """Only whoever saw it end says so, and may die before."""
    as_it_is = due.due

    def without_over(*args: Any) -> Any:
        found = as_it_is(*args)
        found.pop(due.OVER, None)
        return found

    return together(
        patch.object(lobby, "due", without_over), patch.object(Lobby, "finish", nothing)
    )


@bug
def wait_for_whoever_is_here() -> AbstractContextManager[object]:
    """The away clock runs on when somebody comes back, and nobody asks whether they did."""
    away = due.away

    def runs_on(before: Any, after: Any, now: int) -> Any:
        return {kind: at for kind, at in away(before, after, now).items() if at is not None}

    async def sit_in(self: Lobby, table: str, seat: int) -> Any:
        return await self.change(table, lambda old: seats.stand_in(old, seat, self.clock()))

    return together(patch.object(lobby, "away", runs_on), patch.object(Lobby, "sit_in", sit_in))


@bug
def let_bots_play_where_nobody_is() -> AbstractContextManager[object]:
    return patch.object(clocks, "may_bots_move", lambda *_, **__: True)


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
    async def least_time(self: Lobby) -> int:
        return await self.store.now()

    return patch.object(Lobby, "_least_time", least_time)


# ------------------------------------------------------------------------------------- who is here


@bug
def never_bury_a_worker() -> AbstractContextManager[object]:
    return patch.object(Presence, "bury", nothing)


@bug
def forget_who_comes_while_the_store_is_away() -> AbstractContextManager[object]:
    async def once(_: Any, work: Any, **__: Any) -> None:
        with suppress(Unavailable, Conflict):
            await work()

    return together(
        patch.object(Live, "_insist", once),
        patch.object(Presence, "is_said", lambda *_: True),
    )
