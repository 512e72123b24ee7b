"""Checks of what is added to a match's log: who acts, when, and how often."""

from typing import TYPE_CHECKING, Any

from pytlik.game import Cause, Illegal, Seat
from pytlik.server.match.deadlines import (
    table_id_of,
)
from pytlik.server.table.seats import MIN_PLAYERS_TO_AGREE
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder
from pytlik.store import (
    Actor,
    Append,
)
from tests.sim.replayed_match import ReplayedMatch
from tests.sim.table_checks import check_actor_has_no_stand_in, check_stand_in_is_still_needed
from tests.sim.tolerances import (
    MAX_CLOCK_ERROR_SECONDS,
    MAX_EARLY_SECONDS,
    MAX_OVERDUE_SECONDS,
    MAX_UPDATE_SECONDS,
)

if TYPE_CHECKING:
    from tests.sim.server_promises import ServerPromises


def check_log_limits(
    promises: "ServerPromises", write: Append, log: ReplayedMatch, events: list[Any]
) -> None:
    """Nobody can fill a log with pointless actions, whichever workers they use."""
    cause = log.game.cause(events[0])
    if write.actor is Actor.PERSON and cause and cause.seat is not None:
        promises.checked["action limits are enforced"] += 1
        try:
            log.game.limits.check(log.state, events, log.count_actions_in_round(cause.seat))
        except Illegal as refusal:
            promises.report_broken(f"{write.match} at {write.seq}: {refusal}")


def check_actor_is_right(promises: "ServerPromises", write: Append, cause: Cause | None) -> None:
    """The actor of every event is stored, and it's the right one."""
    promises.checked["every event has the right actor"] += 1
    seat = cause.seat if cause else None
    match write.actor:
        case Actor.PERSON:
            holder = promises.world.command_senders.get((write.match, write.command))
            kept = (
                seat is not None
                and holder is not None
                and promises.seconds_since_held(write.match, seat, holder) < MAX_UPDATE_SECONDS
            )
            check_no_action_in_pause(promises, write)
            check_actor_has_no_stand_in(promises, write.match, seat)
            check_time_between_actions(promises, write)
        case Actor.STAND_IN:
            check_no_action_in_pause(promises, write)
            check_bot_is_not_alone(promises, write)
            check_stand_in_is_still_needed(promises, write.match, seat)
            kept = (write.match, seat) in promises.stand_in_seats
        case Actor.BOT:
            check_no_action_in_pause(promises, write)
            check_bot_is_not_alone(promises, write)
            table = promises.tables[table_id_of(write.match)]
            kept = seat is not None and table.chairs[seat].bot is not None
        case _:  # the clock or the server
            kept = seat is None
    promises.check(kept, f"{write.match} at {write.seq}: {write.actor}, seat {seat}")


def check_time_between_actions(promises: "ServerPromises", write: Append) -> None:
    """Between two actions, the log counts as much time as really passed, whichever workers handled
    them. So no ranking depends on how wrong a worker's clock is."""
    log, now = promises.logs[write.match], promises.world.loop.time()
    at = log.events[-1].at / 1000
    sent = promises.world.first_sent_at.get((write.match, write.command or ""), 0.0)
    if log.last_action and not promises.world.clock_was_set:
        promises.checked["logs have true times"] += 1
        last_sent, last_now, last_at = log.last_action
        passed = at - last_at
        promises.check(
            sent - last_now - MAX_CLOCK_ERROR_SECONDS
            <= passed
            <= now - last_sent + MAX_CLOCK_ERROR_SECONDS,
            f"{write.match} counts {passed:.3f} s between two actions, but the first was sent"
            f" {now - last_sent:.3f} s ago and was done {sent - last_now:.3f} s before the second"
            " was sent",
        )
    log.last_action = sent, now, at


def check_no_action_in_pause(promises: "ServerPromises", write: Append) -> None:
    """Nobody acts during a pause, except that an action decided just before it may still be
    written."""
    promises.checked["nobody acts during a pause"] += 1
    table, log = promises.tables[table_id_of(write.match)], promises.logs[write.match]
    if table.match_id == write.match and table.paused is not None:
        since = promises.world.active_seconds - log.last_pause
        promises.check(
            since < MAX_UPDATE_SECONDS or promises.world.seconds_healthy < MAX_UPDATE_SECONDS,
            f"someone acts in {write.match}, {since:.1f} s after a pause began",
        )


def check_bot_is_not_alone(promises: "ServerPromises", write: Append) -> None:
    """Bots don't move while nobody is at the table, except that a move chosen before the last
    person left may still be written."""
    promises.checked["bots don't move at empty tables"] += 1
    now = promises.world.loop.time()
    alone = now - promises.empty_since.get(table_id_of(write.match), now)
    promises.check(
        alone < MAX_OVERDUE_SECONDS or promises.world.seconds_healthy < MAX_OVERDUE_SECONDS,
        f"a bot moves in {write.match}, where nobody has been for {alone:.1f} s",
    )


def check_stand_in_is_due(
    promises: "ServerPromises", table: Table, seat: Seat, holder: Holder
) -> None:
    """A stand-in begins only where others are waiting: for someone who took too long for a turn or
    was away too long, or for someone who is away if enough others vote for it."""
    promises.checked["no stand-in begins too early"] += 1
    agreement, active = table.agreement, promises.countable_seconds
    log = promises.logs[table.match_id]
    thought = active - log.last_append
    away = (
        active - promises.absent_since[table.id, holder]
        if not promises.presence[table.id, holder]
        else 0
    )
    promises.check(
        (agreement.turn_seconds and thought >= agreement.turn_seconds - MAX_EARLY_SECONDS)
        or (agreement.away_seconds and away >= agreement.away_seconds - MAX_EARLY_SECONDS)
        or (
            not promises.presence[table.id, holder]
            and len(promises.stand_in_voters[table.id, seat]) >= MIN_PLAYERS_TO_AGREE
        ),
        f"a stand-in takes seat {seat} of {table.id} after {thought:.1f} s for a turn and"
        f" {away:.1f} s away",
    )
    promises.checked["lone players get no stand-in"] += 1
    others = {chair.holder for chair in table.chairs} - {holder, None}
    promises.check(others, f"a stand-in takes seat {seat} of {table.id}, where nobody else plays")
