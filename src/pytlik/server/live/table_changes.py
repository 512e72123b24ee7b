"""What has to be written together with a change of a table. Pure functions."""

from collections.abc import Collection

import msgspec
from msgspec.structs import replace

from pytlik import chance
from pytlik.game import Opening, replay
from pytlik.server.live.presence import apply_presence
from pytlik.server.match.deadlines import (
    AWAY_DEADLINE_PREFIX,
    BOT_DEADLINE,
    RECHECK_DEADLINE,
    RESULT_DEADLINE,
    Deadlines,
    absent_players_to_wait_for,
    away_deadlines,
    have_seats_changed_hands,
    match_deadlines,
    may_bots_move,
    notice_deadlines,
)
from pytlik.server.table.stored_tables import StoredTable, make_put_table
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder
from pytlik.store import Append, SetDeadlines, Write

TableChange = tuple[Table, tuple[Write, ...]]
"""The new table, and what else is written with it."""


class TableUpdate(msgspec.Struct, frozen=True):
    """A table after a change, and the writes that change it."""

    after: StoredTable
    writes: tuple[Write, ...]


def plan_update(
    before: StoredTable, change: TableChange, now: int, bot_pause_ms: int, *, replaced: bytes
) -> TableUpdate:
    """Everything that is written with a change of a table, except for a pause's effect on the
    match's clocks. `replaced` is the table's former document."""
    table, writes = change
    presence = apply_presence(before.presence, writes)
    here = {one.holder for one in presence}
    waiting = away_deadlines(
        absent_players_to_wait_for(before.table, before.here),
        absent_players_to_wait_for(table, here),
        now,
    )
    table = without_outdated_votes(with_stand_in_times(table, waiting), here)
    after = StoredTable(table, before.version + 1, presence)
    if may_bots_move_again(before, after):
        waiting = {**waiting, BOT_DEADLINE: now + bot_pause_ms}
    if waiting:
        writes = (*writes, SetDeadlines(table.match_id, waiting))
    if have_seats_changed_hands(before.table, table) and not has_pause_changed(before.table, table):
        # It may be their turn, so let the scheduler check, whoever is connected.
        writes = (*writes, SetDeadlines(table.match_id, {RECHECK_DEADLINE: now}))
    if table.circle and (before.table.phase, table.phase) == ("playing", "over"):
        writes = (*writes, SetDeadlines(table.match_id, {RESULT_DEADLINE: now}))
    put = make_put_table(table, before.version, now, replaced)
    return TableUpdate(after, (put, *writes))


def with_stand_in_times(table: Table, waiting: Deadlines) -> Table:
    """The table, with the moments at which bots will begin to play for people, so that everyone
    sees them."""
    chairs = tuple(
        replace(chair, stand_in_at=waiting.get(f"{AWAY_DEADLINE_PREFIX}{seat}", chair.stand_in_at))
        for seat, chair in enumerate(table.chairs)
    )
    return replace(table, chairs=chairs)


def without_outdated_votes(table: Table, here: Collection[Holder]) -> Table:
    """The table, without votes that a bot play for somebody who is here: if they leave again, the
    vote starts over."""
    chairs = tuple(
        replace(chair, for_bot=()) if chair.for_bot and chair.holder in here else chair
        for chair in table.chairs
    )
    return replace(table, chairs=chairs)


def has_pause_changed(before: Table, after: Table) -> bool:
    """Whether a pause begins or ends in a running match."""
    return before.paused != after.paused and after.phase == "playing"


def may_bots_move_again(before: StoredTable, after: StoredTable) -> bool:
    """Whether somebody has come to a running match where bots waited."""
    if before.table.phase != "playing" or after.table.phase != "playing" or after.table.paused:
        return False
    was, now = (
        may_bots_move(stored.table, anyone_here=bool(stored.presence)) for stored in (before, after)
    )
    return now and not was


def match_start_writes(
    table: Table, secret: bytes, now: int, bot_pause_ms: int, *, gives_notice: bool = False
) -> tuple[Write, ...]:
    """What is written when a match begins."""
    shares = tuple(chair.share for chair in table.chairs)
    begins = Opening(players=len(shares), commitment=table.commitment, shares=shares)
    game = table.rules
    events = game.open(begins, table.decoded_options, chance.mix(secret, shares), now)
    state = replay(game.apply, events)
    due = match_deadlines(table, state, now, bot_pause_ms)
    if gives_notice:
        due |= notice_deadlines(table, None, state, now)
    return (
        Append(
            match=table.match_id,
            seq=0,
            events=tuple(map(msgspec.json.encode, events)),
            awaited=tuple(game.awaited(state)),
        ),
        SetDeadlines(table.match_id, due),
    )
