"""Bugs on the path of an action, from whoever asks to the disk."""

import asyncio
import dataclasses
import sys
from contextlib import AbstractContextManager, suppress
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from pytlik.chance import mix
from pytlik.server import socket_requests
from pytlik.server.live import room
from pytlik.server.live.table_changes import match_start_writes
from pytlik.server.lobby import Lobby
from pytlik.server.match import log_replay
from pytlik.server.match.delay_credit import DelayCredits
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.match.round_action_limits import Tally, tally_events
from pytlik.server.table import tables
from pytlik.server.table.tables import Table
from pytlik.store import (
    Append,
    Conflict,
    Unavailable,
)
from tests.sim.bugs.bug_patches import (
    StoreProxy,
    do_nothing,
    let_matches_write_through,
    register_bug,
)


@register_bug
def acknowledge_before_commit() -> AbstractContextManager[object]:
    class Eager(StoreProxy):
        async def commit(self, *writes: Any) -> None:
            self.late = asyncio.get_running_loop().create_task(self._commit_late(*writes))

        async def _commit_late(self, *writes: Any) -> None:
            with suppress(Unavailable, Conflict):
                await self.store.commit(*writes)

    return let_matches_write_through(Eager)


@register_bug
def take_a_conflict_for_a_success() -> AbstractContextManager[object]:
    class Careless(StoreProxy):
        async def commit(self, *writes: Any) -> None:
            with suppress(Conflict):
                await self.store.commit(*writes)

    return let_matches_write_through(Careless)


@register_bug
def write_again_after_a_lost_answer() -> AbstractContextManager[object]:
    """As something new, without asking whether it was done."""

    class Hasty(StoreProxy):
        async def commit(self, *writes: Any) -> None:
            try:
                await self.store.commit(*writes)
            except Unavailable:
                first, *others = writes
                seq = len(await self.store.events(first.match))
                await self.store.commit(replace(first, seq=seq, command=None), *others)

    return let_matches_write_through(Hasty)


@register_bug
def forget_the_id_of_a_command() -> AbstractContextManager[object]:
    class Forgetful(StoreProxy):
        async def commit(self, *writes: Any) -> None:
            first, *others = writes
            if isinstance(first, Append):
                first = replace(first, command=None)
            await self.store.commit(first, *others)

    return let_matches_write_through(Forgetful)


@register_bug
def refuse_what_is_sent_again() -> AbstractContextManager[object]:
    """The answer to it was lost, and so it is not legal any more."""
    return patch.object(LiveMatch, "_seq_after_command", do_nothing)


@register_bug
def write_deadlines_after_the_events() -> AbstractContextManager[object]:
    """And not together with them."""

    class Separate(StoreProxy):
        async def commit(self, *writes: Any) -> None:
            for write in writes:
                await self.store.commit(write)

    return let_matches_write_through(Separate)


@register_bug
def believe_the_clock_of_each_worker() -> AbstractContextManager[object]:
    return patch.object(LiveMatch, "now", property(lambda match: match._clock()))


@register_bug
def let_shares_count_backwards() -> AbstractContextManager[object]:
    """The chance of a match that goes on is another than it was dealt from."""
    return patch.object(room, "mix", lambda secret, shares: mix(secret, [*shares][::-1]))


@register_bug
def count_what_was_done_in_earlier_rounds() -> AbstractContextManager[object]:
    """So people come to a limit that they are far from."""

    def never_start_again(game: Any, tally: Tally, events: Any) -> Tally:
        limits = dataclasses.replace(game.limits, starts_again=())
        return tally_events(SimpleNamespace(limits=limits), tally, events)  # type: ignore[arg-type]

    return patch.object(log_replay, "tally_events", never_start_again)


@register_bug
def credit_whatever_delay_a_line_shows() -> AbstractContextManager[object]:
    """Also of those who answer measurements late on purpose."""
    return patch.object(DelayCredits, "creditable_delay", lambda _self, _seat, lag: lag)


@register_bug
def let_anybody_act_for_anybody() -> AbstractContextManager[object]:
    return patch.object(Table, "held_by", pretend_to_hold_all_seats(Table.held_by))


def pretend_to_hold_all_seats(held_by: Any) -> Any:
    """All seats are everybody's, but only where an action asks whose they are."""

    def held(self: Table, holder: Any) -> tuple[int, ...]:
        if sys._getframe(1).f_code.co_name in {"act", "check_holder"}:
            return tuple(range(len(self.chairs)))
        found: tuple[int, ...] = held_by(self, holder)
        return found

    return held


@register_bug
def deal_from_the_secret_of_another_match() -> AbstractContextManager[object]:
    """A start that reads the secret before a rematch and begins the match after it."""

    async def start(self: Lobby, table_id: str, holder: Any, *, without_free: bool = False) -> Any:
        secret = await self.store.secret((await self.get(table_id)).table.match_id)
        assert secret

        def alter(stored: Any) -> Any:
            begun = tables.start(stored.table, holder, without_free=without_free)
            bot_pause_ms = self.rooms.services.bot_pause_ms
            return begun, match_start_writes(begun, secret, self.now(), bot_pause_ms)

        return await self.change_with_writes(table_id, alter)

    return patch.object(Lobby, "start", start)


@register_bug
def let_people_act_in_a_pause() -> AbstractContextManager[object]:
    refusal_to_act = socket_requests.refusal_to_act
    return patch.object(
        socket_requests,
        "refusal_to_act",
        lambda table, match: refusal_to_act(replace(table, paused=None), match),
    )
