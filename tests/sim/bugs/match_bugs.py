"""Bugs in how matches begin and end, and in what their tables know about it."""

import secrets
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from pytlik import chance
from pytlik.server.lobby import Lobby
from pytlik.server.match import live_match, saved_states
from pytlik.server.table import rematches, tables
from pytlik.store import PutSecret, PutState
from tests.sim.bugs.bug_patches import apply_all_patches, register_bug


@register_bug
def store_secret_after_rematch() -> AbstractContextManager[object]:
    """Store it in a separate commit: if the worker dies in between, the table can't start a
    match."""

    async def rematch(self: Lobby, table_id: str, holder: Any) -> Any:
        secret = secrets.token_bytes(32)
        commitment = chance.commit(secret)
        stored = await self.change(table_id, lambda old: rematches.rematch(old, holder, commitment))
        await self.store.commit(PutSecret(stored.table.match_id, secret))
        return stored

    return patch.object(Lobby, "rematch", rematch)


@register_bug
def store_secret_before_rematch() -> AbstractContextManager[object]:
    """Store it in a separate commit: if the rematch is refused or never happens, the secret blocks
    the next one."""

    async def rematch(self: Lobby, table_id: str, holder: Any) -> Any:
        secret = secrets.token_bytes(32)
        commitment = chance.commit(secret)
        again = rematches.rematch((await self.get(table_id)).table, holder, commitment)
        await self.store.commit(PutSecret(again.match_id, secret))
        return await self.change(table_id, lambda old: rematches.rematch(old, holder, commitment))

    return patch.object(Lobby, "rematch", rematch)


@register_bug
def give_finished_match_the_next_number() -> AbstractContextManager[object]:
    """A table whose match is over has the number of the next match, not of the one that has
    ended."""
    finish = tables.finish

    def finish_and_count(table: tables.Table, *given: Any) -> tables.Table:
        ended = finish(table, *given)
        more = ended.phase != table.phase
        return replace(ended, match=ended.match + more)

    rematch = rematches.rematch

    def rematch_as_counted(table: tables.Table, *given: Any) -> tables.Table:
        return replace(rematch(table, *given), match=table.match)

    return apply_all_patches(
        patch.object(tables, "finish", finish_and_count),
        patch.object(rematches, "rematch", rematch_as_counted),
    )


@register_bug
def save_state_under_previous_seq() -> AbstractContextManager[object]:
    """When the match is opened, its last event is applied again."""
    encode_saved_state = saved_states.encode_saved_state

    def save_early(*given: Any) -> PutState:
        put = encode_saved_state(*given)
        return replace(put, seq=put.seq - 1)

    return patch.object(live_match, "encode_saved_state", save_early)
