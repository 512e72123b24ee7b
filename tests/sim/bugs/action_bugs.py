"""Bugs in how an action gets from the request to the disk."""

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
    patch_store_of_matches,
    register_bug,
)


@register_bug
def acknowledge_before_commit() -> AbstractContextManager[object]:
    class Eager(StoreProxy):
        async def commit(self, *writes: Any) -> None:
            self.late_commit = asyncio.get_running_loop().create_task(self._commit_late(*writes))

        async def _commit_late(self, *writes: Any) -> None:
            with suppress(Unavailable, Conflict):
                await self.store.commit(*writes)

    return patch_store_of_matches(Eager)


@register_bug
def treat_conflict_as_success() -> AbstractContextManager[object]:
    class Careless(StoreProxy):
        async def commit(self, *writes: Any) -> None:
            with suppress(Conflict):
                await self.store.commit(*writes)

    return patch_store_of_matches(Careless)


@register_bug
def repeat_write_after_lost_answer() -> AbstractContextManager[object]:
    """Append the events again as new ones, without asking whether the first attempt was stored."""

    class Hasty(StoreProxy):
        async def commit(self, *writes: Any) -> None:
            try:
                await self.store.commit(*writes)
            except Unavailable:
                first, *others = writes
                seq = len(await self.store.events(first.match))
                await self.store.commit(replace(first, seq=seq, command=None), *others)

    return patch_store_of_matches(Hasty)


@register_bug
def forget_command_ids() -> AbstractContextManager[object]:
    class Forgetful(StoreProxy):
        async def commit(self, *writes: Any) -> None:
            first, *others = writes
            if isinstance(first, Append):
                first = replace(first, command=None)
            await self.store.commit(first, *others)

    return patch_store_of_matches(Forgetful)


@register_bug
def refuse_resent_commands() -> AbstractContextManager[object]:
    """The answer to the first attempt was lost, and by now the action is no longer legal."""
    return patch.object(LiveMatch, "_seq_after_command", do_nothing)


@register_bug
def commit_deadlines_after_events() -> AbstractContextManager[object]:
    """Commit each write separately instead of all of them together."""

    class Separate(StoreProxy):
        async def commit(self, *writes: Any) -> None:
            for write in writes:
                await self.store.commit(write)

    return patch_store_of_matches(Separate)


@register_bug
def trust_each_workers_own_clock() -> AbstractContextManager[object]:
    return patch.object(LiveMatch, "now", property(lambda match: match._clock()))


@register_bug
def mix_shares_in_reverse_order() -> AbstractContextManager[object]:
    """A match that is loaded again has another chance than the one it was dealt from."""
    return patch.object(room, "mix", lambda secret, shares: mix(secret, [*shares][::-1]))


@register_bug
def count_actions_of_earlier_rounds() -> AbstractContextManager[object]:
    """People are refused although they're far from the limit."""

    def never_start_again(game: Any, tally: Tally, events: Any) -> Tally:
        limits = dataclasses.replace(game.limits, starts_again=())
        return tally_events(SimpleNamespace(limits=limits), tally, events)  # type: ignore[arg-type]

    return patch.object(log_replay, "tally_events", never_start_again)


@register_bug
def credit_any_measured_delay() -> AbstractContextManager[object]:
    """Credit even those who answer measurements late on purpose."""
    return patch.object(DelayCredits, "creditable_delay", lambda _self, _seat, lag: lag)


@register_bug
def let_anyone_act_for_any_seat() -> AbstractContextManager[object]:
    return patch.object(Table, "held_by", pretend_to_hold_all_seats(Table.held_by))


def pretend_to_hold_all_seats(held_by: Any) -> Any:
    """Everyone holds all seats, but only where an action checks who holds them."""

    def held(self: Table, holder: Any) -> tuple[int, ...]:
        if sys._getframe(1).f_code.co_name in {"act", "check_holder"}:
            return tuple(range(len(self.chairs)))
        found: tuple[int, ...] = held_by(self, holder)
        return found

    return held


@register_bug
def deal_from_secret_of_another_match() -> AbstractContextManager[object]:
    """Read the secret before a rematch, and start the match that comes after it."""

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
def allow_actions_during_pause() -> AbstractContextManager[object]:
    refusal_to_act = socket_requests.refusal_to_act
    return patch.object(
        socket_requests,
        "refusal_to_act",
        lambda table, match: refusal_to_act(replace(table, paused=None), match),
    )
