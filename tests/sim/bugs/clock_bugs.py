"""Bugs in deadlines and clocks."""

import asyncio
from contextlib import AbstractContextManager, suppress
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from pytlik.game import Refusal, Shift
from pytlik.server.cleanup import Cleanup
from pytlik.server.clocks import synchronized_clock
from pytlik.server.clocks.synchronized_clock import SynchronizedClock
from pytlik.server.live import room, table_changes
from pytlik.server.live.room import Room
from pytlik.server.live.rooms import Rooms
from pytlik.server.match import deadlines, live_match
from pytlik.server.scheduling import deadline_actions, scheduler
from pytlik.server.table import seats
from pytlik.server.table.tables import Table
from pytlik.store import (
    Actor,
    CheckStillDue,
    Deadline,
    EndDowntime,
    MoveDeadline,
    SetDeadlines,
)
from tests.sim import store as sim_store
from tests.sim.bugs.bug_patches import apply_all_patches, do_nothing, register_bug


@register_bug
def fire_deadlines_on_every_worker() -> AbstractContextManager[object]:
    """Nobody leases deadlines, so every worker that looks takes all of them."""

    def take(connection: Any, now: int, _lease: int, limit: int) -> list[Deadline]:
        rows = connection.execute(
            "SELECT id, match, kind, due FROM deadlines WHERE due <= ? ORDER BY due LIMIT ?",
            (now, limit),
        )
        return [Deadline(f"{id}.{match}", kind, due) for id, match, kind, due in rows]

    return patch.object(sim_store, "take_due", take)


@register_bug
def delete_deadlines_when_taken() -> AbstractContextManager[object]:
    """A worker that dies before it fires the deadline takes it along."""

    def take(connection: Any, now: int, _lease: int, limit: int) -> list[Deadline]:
        rows = connection.execute(
            "SELECT id, match, kind, due FROM deadlines WHERE due <= ? ORDER BY due LIMIT ?",
            (now, limit),
        ).fetchall()
        connection.executemany(
            "DELETE FROM deadlines WHERE id = ? AND match = ? AND kind = ?",
            [row[:3] for row in rows],
        )
        return [Deadline(f"{id}.{match}", kind, due) for id, match, kind, due in rows]

    return patch.object(sim_store, "take_due", take)


@register_bug
def run_clocks_during_downtime() -> AbstractContextManager[object]:
    return apply_all_patches(
        patch.object(scheduler, "move_clocks", do_nothing),
        patch("pytlik.server.startup.move_clocks", do_nothing),
        patch("pytlik.server.clocks.heartbeat.MAX_GAP_MS", 10**12),
    )


@register_bug
def move_clocks_once_per_worker() -> AbstractContextManager[object]:
    """Name the command that moves a match's clocks after the worker's current time, not after the
    last heartbeat."""
    act = Room.act

    async def act_with_new_name(
        self: Room, seat: Any, action: Any, command: str | None = None, **more: Any
    ) -> int:
        if isinstance(action, Shift) and command:
            command = f"asleep until {self.services.clock()}"
        return await act(self, seat, action, command, **more)

    return patch.object(Room, "act", act_with_new_name)


@register_bug
def end_downtime_before_moving_sand() -> AbstractContextManager[object]:
    """The other workers continue at once, and the worker that claimed the downtime may die before
    it has moved the sand."""

    async def end_downtime_first(all_rooms: Rooms, last: int, now: int) -> None:
        store, gap = all_rooms.services.store, now - last
        found = await store.deadlines()
        moves = (
            MoveDeadline(each.match, each.kind, each.due, each.due + gap)
            for each in found
            if each.kind != deadlines.RULES_DEADLINE
        )
        await store.commit(EndDowntime(last, now), *moves)
        for each in found:
            if each.kind == deadlines.RULES_DEADLINE:
                with suppress(Refusal), all_rooms.open(deadlines.table_id_of(each.match)) as opened:
                    await opened.refresh()
                    command = f"asleep since {last}"
                    await opened.act(None, Shift(gap), command, actor=Actor.SERVER)

    return apply_all_patches(
        patch.object(scheduler, "move_clocks", end_downtime_first),
        patch("pytlik.server.startup.move_clocks", end_downtime_first),
    )


@register_bug
def end_turn_without_rechecking() -> AbstractContextManager[object]:
    """Someone who acts at the last moment is replaced by a stand-in all the same."""

    async def let_bots_stand_in_for_slow_players(
        opened: Room, slow: tuple[int, ...], _: Any
    ) -> None:
        def alter(table: Table) -> Table:
            for seat in slow:
                table = seats.start_stand_in(table, seat, opened.services.clock())
            return table

        await opened.change(alter)

    return patch.object(
        deadline_actions, "let_bots_stand_in_for_slow_players", let_bots_stand_in_for_slow_players
    )


@register_bug
def ignore_action_limits() -> AbstractContextManager[object]:
    return patch.object(live_match, "check_action_limit", lambda *_: None)


@register_bug
def run_sand_during_pause() -> AbstractContextManager[object]:
    begin_or_end_pause = room.begin_or_end_pause

    async def without_shift(at: Room, before: Table, update: Any) -> None:
        await begin_or_end_pause(at, replace(before, paused=None), update)

    return patch.object(room, "begin_or_end_pause", without_shift)


@register_bug
def run_sand_during_countdown() -> AbstractContextManager[object]:
    """The countdown at the end of a pause isn't added to the time that is left."""

    def without_countdown(by: int, countdown: int) -> Shift:
        return Shift(max(by - countdown, countdown), countdown)

    return patch.object(room, "Shift", without_countdown)


@register_bug
def restart_turn_clock_when_seat_changes_hands() -> AbstractContextManager[object]:
    """A slow player gets the full time again."""
    recompute = deadline_actions.recompute_deadlines

    async def recompute_all(*given: Any, kept_kinds: Any, **more: Any) -> None:
        kept_kinds = set(kept_kinds) - {deadlines.TURN_DEADLINE}
        await recompute(*given, kept_kinds=kept_kinds, **more)

    return patch.object(deadline_actions, "recompute_deadlines", recompute_all)


@register_bug
def forget_clocks_when_seat_changes_hands() -> AbstractContextManager[object]:
    return patch.object(table_changes, "have_seats_changed_hands", lambda *_: False)


@register_bug
def set_deadlines_without_rechecking() -> AbstractContextManager[object]:
    """Someone who acts in the meantime loses their deadlines."""

    async def write_unchecked(
        room: Room, table: Table, _: Any, due: dict[str, int | None], **__: bool
    ) -> None:
        await room.services.store.commit(SetDeadlines(table.match_id, due))

    return patch.object(deadline_actions, "write_deadlines", write_unchecked)


@register_bug
def recheck_only_once_when_seat_changes_hands() -> AbstractContextManager[object]:
    """Someone acts on a worker that hasn't heard of the change, and stores the deadlines that were
    right before."""
    return patch.object(deadline_actions, "recheck_again_deadline", lambda _: {})


@register_bug
def store_no_deadline_for_end_of_match() -> AbstractContextManager[object]:
    """Only the worker that saw the match end says so, and it may die first."""
    match_deadlines = deadlines.match_deadlines

    def without_over(*args: Any) -> Any:
        found = match_deadlines(*args)
        found.pop(deadlines.OVER_DEADLINE, None)
        return found

    return apply_all_patches(
        patch.object(deadlines, "match_deadlines", without_over),
        patch.object(live_match, "match_deadlines", without_over),
        patch.object(table_changes, "match_deadlines", without_over),
        patch("pytlik.server.table.tables.finish_if_current", lambda table, *_: table),
    )


@register_bug
def replace_returned_player_when_away_clock_ends() -> AbstractContextManager[object]:
    """The away clock keeps running when a player returns, and nobody checks whether they have."""
    away = deadlines.away_deadlines

    def never_stop(before: Any, after: Any, now: int) -> Any:
        return {kind: at for kind, at in away(before, after, now).items() if at is not None}

    async def let_bot_stand_in(room: Room, seat: int, _: CheckStillDue) -> None:
        await room.change(lambda old: seats.start_stand_in(old, seat, room.services.clock()))

    return apply_all_patches(
        patch.object(table_changes, "away_deadlines", never_stop),
        patch.object(deadline_actions, "let_bot_stand_in", let_bot_stand_in),
    )


@register_bug
def let_bots_play_at_empty_tables() -> AbstractContextManager[object]:
    return patch.object(deadline_actions, "may_bots_move", lambda *_, **__: True)


@register_bug
def jump_with_database_clock() -> AbstractContextManager[object]:
    return patch.object(synchronized_clock, "SLEW", 1e12)


@register_bug
def give_each_worker_its_own_time() -> AbstractContextManager[object]:
    """Each is as wrong as its machine's clock, by up to a second."""
    start = SynchronizedClock.start

    async def start_wrong(self: SynchronizedClock, store: Any, **given: Any) -> None:
        await start(self, store, **given)
        self._set(self() - 1_000 + self() % 2_001)

    async def follow(_: SynchronizedClock, __: Any) -> None:
        await asyncio.get_running_loop().create_future()

    return apply_all_patches(
        patch.object(SynchronizedClock, "start", start_wrong),
        patch.object(SynchronizedClock, "follow", follow),
    )


@register_bug
def delete_old_tables_by_database_clock() -> AbstractContextManager[object]:
    async def database_time(self: Cleanup) -> int:
        return await self._store.now()

    return patch.object(Cleanup, "_earlier_of_both_clocks", database_time)
