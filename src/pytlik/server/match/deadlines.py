"""What is due in a match, and when: stored beside the log, so that it survives a restart.

The rules have deadlines of their own (the sand). The others are the table's: a bot's next move, a
turn that takes too long.
"""

from collections.abc import Collection
from typing import Any

from pytlik.game import Seat
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder

Deadlines = dict[str, int | None]
"""When something is due, by kind; None for never."""

RULES_DEADLINE = "rules"
BOT_DEADLINE = "bot"
TURN_DEADLINE = "turn"
RECHECK_DEADLINE = "look"
"""Set the match's deadlines again, because a seat has passed from a person to a bot or back, or
somebody has become or stopped being the only person there."""
RECHECK_AGAIN_DEADLINE = "again"
"""Set them once more, because a worker that didn't know of the change may have acted since."""
RECHECK_AGAIN_AFTER_MS = 5_000
"""How long until every worker knows of a change or can't act there."""
OVER_DEADLINE = "over"
"""The match is over, and the table has to know, even if the worker that saw it end has died."""
RESULT_DEADLINE = "result"
"""The match is over, and its result has to be written into the table's circle."""
AWAY_DEADLINE_PREFIX = "away "
"""With the number of a seat: its player isn't connected, and a bot will stand in."""
NOTICE_DEADLINE_PREFIX = "notice "
"""With the number of a seat: its turn has begun, and its player is notified if they are away."""
NOTICE_AFTER_MS = 45_000
"""How long after the start of a turn. By then it's known if the connection was lost before."""


def match_deadlines(table: Table, state: Any, now: int, bot_pause_ms: int) -> Deadlines:
    """All deadlines of the match that is played at a table, except for players who are away.
    Nothing is due in a pause. A bot seems to think for `bot_pause_ms`, so that people can
    follow."""
    game = table.rules
    if game.outcome(state):
        return {RULES_DEADLINE: None, BOT_DEADLINE: None, TURN_DEADLINE: None, OVER_DEADLINE: now}
    if table.paused is not None:
        return {RULES_DEADLINE: None, BOT_DEADLINE: None, TURN_DEADLINE: None}
    awaited = game.awaited(state)
    bots = [seat for seat in awaited if table.acting_bot_level(seat)]
    seconds = None if table.has_one_person else table.agreement.turn_seconds
    # In a race against the sand a bot plans its own moments, so ask it at once.
    thinking = bot_pause_ms if game.deadline(state) is None else 0
    return {
        RULES_DEADLINE: game.deadline(state),
        BOT_DEADLINE: now + thinking if bots else None,
        TURN_DEADLINE: now + 1000 * seconds if seconds and len(awaited) > len(bots) else None,
    }


def changed_deadlines(
    table: Table, before: Any, after: Any, now: int, bot_pause_ms: int
) -> Deadlines:
    """The deadlines to write with an action that leads from one state to another. Kinds that
    weren't due and still aren't are left out, which saves most writes."""
    known = match_deadlines(table, before, now, bot_pause_ms)
    return {
        kind: at
        for kind, at in match_deadlines(table, after, now, bot_pause_ms).items()
        if at is not None or known.get(kind) is not None
    }


def notice_deadlines(table: Table, before: Any, after: Any, now: int) -> Deadlines:
    """The deadlines to write because turns begin and end between two states; `before` is None when
    the match begins. Nobody is notified where nobody else plays, or while the sand runs."""
    game = table.rules
    if table.has_one_person:
        return {}
    awaited_before, awaited_now = (awaited_people(table, state) for state in (before, after))
    begins = awaited_now - awaited_before if game.deadline(after) is None else set[Seat]()
    ends = awaited_before - awaited_now
    removed: Deadlines = {f"{NOTICE_DEADLINE_PREFIX}{seat}": None for seat in sorted(ends)}
    return removed | {
        f"{NOTICE_DEADLINE_PREFIX}{seat}": now + NOTICE_AFTER_MS for seat in sorted(begins)
    }


def awaited_people(table: Table, state: Any) -> set[Seat]:
    """The seats that a match waits for where a person plays, and not a bot in their place."""
    game = table.rules
    if state is None or game.outcome(state):
        return set()
    return {
        seat
        for seat in game.awaited(state)
        if table.chairs[seat].holder is not None and table.acting_bot_level(seat) is None
    }


def recheck_again_deadline(now: int) -> Deadlines:
    return {RECHECK_AGAIN_DEADLINE: now + RECHECK_AGAIN_AFTER_MS}


def may_bots_move(table: Table, *, anyone_here: bool) -> bool:
    """Whether bots may act: not at a table that everyone has left. But while somebody still plays
    for themselves, the bots go on until it's that person's turn: otherwise people who play by
    correspondence would never be notified of it."""
    return anyone_here or any(chair.holder and not chair.stand_in for chair in table.chairs)


def absent_players_to_wait_for(
    table: Table, here: Collection[Holder]
) -> frozenset[tuple[Seat, Holder, int]]:
    """The seats whose absent player the match waits for, with the player and the number of seconds.
    There are none in a pause, where a bot already stands in, or where nobody else plays."""
    wait = table.agreement.away_seconds
    if not wait or table.phase != "playing" or table.paused is not None or table.has_one_person:
        return frozenset()
    return frozenset(
        (seat, chair.holder, wait)
        for seat, chair in enumerate(table.chairs)
        if chair.holder is not None and not chair.stand_in and chair.holder not in here
    )


def away_deadlines(
    before: frozenset[tuple[Seat, Holder, int]],
    after: frozenset[tuple[Seat, Holder, int]],
    now: int,
) -> Deadlines:
    """The deadlines to write when different players are absent than before. A wait that is already
    running isn't extended."""
    ended: Deadlines = {
        f"{AWAY_DEADLINE_PREFIX}{seat}": None for seat, _, _ in sorted(before - after)
    }
    return ended | {
        f"{AWAY_DEADLINE_PREFIX}{seat}": now + 1000 * wait
        for seat, _, wait in sorted(after - before)
    }


def have_seats_changed_hands(before: Table, after: Table) -> bool:
    """Whether a seat of a running match has passed from a person to a bot or back, or somebody has
    become or stopped being alone with bots."""
    if before.phase != "playing" or after.phase != "playing":
        return False
    if before.has_one_person != after.has_one_person:
        return True
    seats = range(len(after.chairs))
    return any(after.acting_bot_level(seat) != before.acting_bot_level(seat) for seat in seats)


def needs_new_deadlines(before: Table, after: Table) -> bool:
    """Whether a change of the table means that the match's deadlines must be computed again."""
    return before.paused != after.paused or have_seats_changed_hands(before, after)


def table_id_of(match: str) -> str:
    """The id of a match's table: matches are named "table.1", "table.2"."""
    return match.partition(".")[0]
