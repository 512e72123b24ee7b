"""Bugs that repeat work, do it too late, or skip it, although nothing gets lost."""

from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from pytlik.game import Seat, TimedAction
from pytlik.server import cleanup
from pytlik.server.cleanup import Cleanup
from pytlik.server.clocks.leases import Lease, Leases
from pytlik.server.clocks.scheduler_alarm import SchedulerAlarm
from pytlik.server.match import log_replay
from pytlik.server.match.bot_pool import BotPool
from pytlik.server.match.deadlines import RECHECK_AGAIN_DEADLINE
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.scheduling import skipping_bots
from pytlik.server.table.tables import Table
from pytlik.store import NO_LIMIT
from tests.sim.bugs.bug_patches import register_bug


@register_bug
def never_end_recheck_deadlines() -> AbstractContextManager[object]:
    """A worker that looks three seconds later fires the deadline again, and so on for ever."""
    end_deadline = Leases.end_deadline

    async def end_some(self: Leases, lease: Lease, *writes: Any) -> None:
        if lease.deadline.kind != RECHECK_AGAIN_DEADLINE:
            await end_deadline(self, lease, *writes)

    return patch.object(Leases, "end_deadline", end_some)


@register_bug
def let_bots_act_during_countdown() -> AbstractContextManager[object]:
    """They're refused, and try again at once."""
    next_step = BotPool.next_step

    async def next_step_at_once(
        self: BotPool, match: LiveMatch, *given: Any
    ) -> TimedAction[Any] | None:
        step = await next_step(self, match, *given)
        if step and step[0] == getattr(match.state, "resumes", None):
            return 0, step[1]
        return step

    return patch.object(BotPool, "next_step", next_step_at_once)


@register_bug
def never_wake_scheduler() -> AbstractContextManager[object]:
    """Nobody wakes it when something in an open match becomes due."""
    return patch.object(SchedulerAlarm, "add", lambda *_: None)


@register_bug
def skip_time_while_people_solve() -> AbstractContextManager[object]:
    """Skip time as soon as one of those who are solving is a bot."""

    def waits_for_a_bot(table: Table, match: LiveMatch) -> bool:
        awaited: tuple[Seat, ...] = match.game.awaited(match.state)
        some = any(table.chairs[seat].bot for seat in awaited)
        return some and table.match_id == match.id and table.paused is None

    return patch.object(skipping_bots, "waits_only_for_bots", waits_for_a_bot)


@register_bug
def lose_events_between_pages() -> AbstractContextManager[object]:
    """It happens when a log is too long to be read at once."""

    async def read_log(
        store: Any, match: str, after: int = 0, until: int = NO_LIMIT
    ) -> list[bytes]:
        raw: list[bytes] = []
        page: list[bytes] = []
        while (limit := min(log_replay.EVENTS_PER_PAGE, until - after - len(raw))) > 0:
            page = await store.events(match, after + len(raw) + bool(raw), limit)
            raw += page
            if len(page) < limit:
                break
        return raw

    return patch.object(log_replay, "read_log", read_log)


@register_bug
def delete_new_tables() -> AbstractContextManager[object]:
    earlier = Cleanup._earlier_of_both_clocks

    async def later(self: Cleanup) -> int:
        return await earlier(self) + cleanup.UNPLAYED_TABLE_LIFETIME_MS

    return patch.object(Cleanup, "_earlier_of_both_clocks", later)
