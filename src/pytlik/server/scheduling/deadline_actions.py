"""What happens when something is due in a match."""

from collections.abc import Collection

from pytlik.game import Expire, Refusal, Seat
from pytlik.server.circle.result_recording import record_match
from pytlik.server.clocks.leases import Lease, Leases
from pytlik.server.live.room import Room, set_alarm_for_deadlines
from pytlik.server.live.table_changes import TableChange
from pytlik.server.match.deadlines import (
    AWAY_DEADLINE_PREFIX,
    BOT_DEADLINE,
    NOTICE_DEADLINE_PREFIX,
    OVER_DEADLINE,
    RECHECK_AGAIN_DEADLINE,
    RECHECK_DEADLINE,
    RESULT_DEADLINE,
    RULES_DEADLINE,
    TURN_DEADLINE,
    Deadlines,
    may_bots_move,
    needs_new_deadlines,
    recheck_again_deadline,
)
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.scheduling.turn_reminders import remind_of_turn
from pytlik.server.table import seats, tables
from pytlik.server.table.stored_tables import StoredTable, read_table
from pytlik.server.table.tables import Table
from pytlik.store import Actor, CheckStillDue, MoveDeadline, SetDeadlines, split_match

MAX_STAND_IN_TRIES = 5
"""How often to try again if others change the table while a bot takes over. If that is no longer
due, every try fails."""


async def fire_deadline(room: Room, lease: Lease, leases: Leases) -> None:
    """Do what a deadline is for, and end it. Raises Unavailable or Conflict; then the next worker
    that takes it tries again."""
    if lease.deadline.kind == RESULT_DEADLINE:
        await record_result(room, lease)
        await leases.end_deadline(lease)
        return
    found = await find_due_match(room, lease)
    if found is None:
        await leases.end_deadline(lease)
        return
    stored, match = found
    try:
        await handle_deadline(room, match, stored, lease, leases)
    except Refusal:
        # It was too early, or somebody has acted since: set the deadlines again.
        await recompute_deadlines(
            room, stored.table, match, kept_kinds=(TURN_DEADLINE,), repeat_later=True
        )


async def record_result(room: Room, lease: Lease) -> None:
    """Write the result of a finished match into its table's circle."""
    store, clock = room.services.store, room.services.clock
    try:
        table = (await read_table(store, room.id)).table
    except Refusal:
        return  # the table is gone
    await record_match(store, table, split_match(lease.deadline.match)[1], clock())


async def find_due_match(room: Room, lease: Lease) -> tuple[StoredTable, LiveMatch] | None:
    """The table and the match of a deadline, up to date; None if nothing is due there now."""
    try:
        stored = await room.refresh()
        table = stored.table
        if (
            table.match_id != lease.deadline.match
            or table.phase != "playing"
            or table.paused is not None
        ):
            return None
        known = room.match
        match = await room.open_match(table)
        if match is known:
            # The action that set the deadline may not be known here yet, if its bus message is
            # lost or late. Whatever is done for an older state wouldn't replace the deadline.
            await room.catch_up(match)
    except Refusal:  # the table is gone
        return None
    return stored, match


async def handle_deadline(
    room: Room, match: LiveMatch, stored: StoredTable, lease: Lease, leases: Leases
) -> None:
    table, kind = stored.table, lease.deadline.kind
    if kind == RULES_DEADLINE:
        await room.act(None, Expire(), actor=Actor.CLOCK)
    elif kind == BOT_DEADLINE:
        if may_bots_move(table, anyone_here=room.presence.is_anyone_here(stored)):
            await let_bots_act(room, table, match)
        else:  # until somebody comes (`may_bots_move_again`)
            await leases.end_deadline(lease)
    elif kind == RECHECK_DEADLINE:
        await recompute_deadlines(
            room, table, match, kept_kinds=(TURN_DEADLINE,), repeat_later=False
        )
        again = SetDeadlines(match.id, recheck_again_deadline(room.services.clock()))
        await leases.end_deadline(lease, again)
    elif kind == RECHECK_AGAIN_DEADLINE:
        # Bots may already be thinking.
        await recompute_deadlines(
            room, table, match, kept_kinds=(TURN_DEADLINE, BOT_DEADLINE), repeat_later=False
        )
        await leases.end_deadline(lease)
    elif kind == TURN_DEADLINE:
        still_due = CheckStillDue(match.id, TURN_DEADLINE, lease.until)
        await let_bots_stand_in_for_slow_players(room, match.game.awaited(match.state), still_due)
    elif kind == OVER_DEADLINE:
        if match.game.outcome(match.state) is None:
            await room.catch_up(match)
        outcome = match.game.outcome(match.state)
        await room.change(lambda old: tables.finish_if_current(old, table.match, outcome))
        await room.services.store.commit(SetDeadlines(match.id, {OVER_DEADLINE: None}))
    elif kind.startswith(AWAY_DEADLINE_PREFIX):
        still_due = CheckStillDue(match.id, kind, lease.until)
        await let_bot_stand_in(room, int(kind.removeprefix(AWAY_DEADLINE_PREFIX)), still_due)
        await leases.end_deadline(lease)
    elif kind.startswith(NOTICE_DEADLINE_PREFIX):
        await remind_of_turn(room, match, stored, int(kind.removeprefix(NOTICE_DEADLINE_PREFIX)))
        await leases.end_deadline(lease)


async def let_bots_act(room: Room, table: Table, match: LiveMatch) -> None:
    """Let every bot that can act do so, or note when it will."""
    clock, store = room.services.clock, room.services.store
    next_moments: list[int] = []
    seq = match.seq
    for seat in match.game.awaited(match.state):
        level = table.acting_bot_level(seat)
        if level is None:
            continue
        seconds = table.agreement.bot_seconds
        step = await room.services.bots.next_step(match, seat, level, clock(), seconds)
        if step is None:
            continue
        moment, action = step
        if room.stored:  # it may have changed while the bot was thinking
            table = room.stored.table
            if not may_bots_move(table, anyone_here=room.presence.is_anyone_here(room.stored)):
                continue
        if table.paused is not None or table.acting_bot_level(seat) is None:
            continue
        if moment > clock():
            next_moments.append(moment)
        else:
            # At most one move per seat for each state it has seen.
            actor = Actor.BOT if table.chairs[seat].bot else Actor.STAND_IN
            await room.act(seat, action, f"bot {seat} {seq}", actor=actor)
    if next_moments:
        # Another bot may have thought for longer than this one wanted to wait.
        deadlines: Deadlines = {BOT_DEADLINE: max(min(next_moments), clock())}
        await store.commit(SetDeadlines(match.id, deadlines))
        set_alarm_for_deadlines(room, match, deadlines)
    elif match.seq == seq:
        await write_deadlines(room, table, match, {BOT_DEADLINE: None}, repeat_later=True)


async def let_bots_stand_in_for_slow_players(
    room: Room, slow: tuple[Seat, ...], due: CheckStillDue
) -> None:
    """Let bots play for seats that took too long for a turn, unless everyone else has left since it
    began. Raises Conflict if somebody acted."""

    def alter(stored: StoredTable) -> TableChange:
        table = stored.table
        for seat in () if table.has_one_person else slow:
            table = seats.start_stand_in(table, seat, room.services.clock())
        return table, (due, MoveDeadline(due.match, due.kind, due.due, None))

    await room.change_with_writes(alter, tries=MAX_STAND_IN_TRIES)


async def let_bot_stand_in(room: Room, seat: Seat, due: CheckStillDue) -> None:
    """Let a bot play for a seat from now on, unless its person is here or nobody else plays. Raises
    Conflict if they came and went, or somebody else has the seat now: then the wait has started
    over."""

    def alter(stored: StoredTable) -> TableChange:
        table = stored.table
        if table.has_one_person or table.chairs[seat].holder in stored.here:
            return table, ()
        return seats.start_stand_in(table, seat, room.services.clock()), (due,)

    await room.change_with_writes(alter, tries=MAX_STAND_IN_TRIES)


# -------------------------------------------------------------------------- setting deadlines again


async def recompute_deadlines(
    room: Room, table: Table, match: LiveMatch, *, kept_kinds: Collection[str], repeat_later: bool
) -> None:
    """Set a match's deadlines again. Those of `kept_kinds` stay if they are set."""
    deadlines = await missing_deadlines(room, table, match, kept_kinds)
    await write_deadlines(room, table, match, deadlines, repeat_later=repeat_later)


async def write_deadlines(
    room: Room, table: Table, match: LiveMatch, deadlines: Deadlines, *, repeat_later: bool
) -> None:
    """Set deadlines that follow from the state and the table. If the log grows or a seat changes
    hands at the same time, this may overwrite newer deadlines, so check and set them again. With
    `repeat_later` that happens even if this worker dies before it can check."""
    services = room.services
    while True:
        seq = match.seq
        later = recheck_again_deadline(services.clock()) if repeat_later else {}
        await services.store.commit(SetDeadlines(match.id, deadlines | later))
        set_alarm_for_deadlines(room, match, deadlines)
        await room.catch_up(match)
        try:
            before, table = table, (await read_table(services.store, room.id)).table
        except Refusal:
            # The table is gone, and these would stay until they are due.
            await services.store.commit(SetDeadlines(match.id, dict.fromkeys(deadlines | later)))
            return
        if match.seq == seq and not needs_new_deadlines(before, table):
            return
        deadlines = await missing_deadlines(room, table, match, kept_kinds=(TURN_DEADLINE,))


async def missing_deadlines(
    room: Room, table: Table, match: LiveMatch, kept_kinds: Collection[str]
) -> Deadlines:
    """What should be due by now, without those of `kept_kinds` that are set: nobody gets more time
    for a turn that has begun."""
    known = await room.services.store.deadlines_of(match.id)
    return {
        kind: at
        for kind, at in match.deadlines(table).items()
        if at is None or kind not in kept_kinds or kind not in known
    }
