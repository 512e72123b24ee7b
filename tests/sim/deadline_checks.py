"""Checks that deadlines are stored and met, and that everyone is up to date."""

from bisect import bisect_right
from typing import TYPE_CHECKING

from pytlik.server.match import log_replay
from pytlik.server.match.deadlines import (
    AWAY_DEADLINE_PREFIX,
    BOT_DEADLINE,
    OVER_DEADLINE,
    RECHECK_AGAIN_DEADLINE,
    RECHECK_DEADLINE,
    RULES_DEADLINE,
    TURN_DEADLINE,
    absent_players_to_wait_for,
    table_id_of,
)
from pytlik.server.settings import Settings
from pytlik.server.table.tables import Table
from pytlik.store import (
    Actor,
    Append,
    MoveDeadline,
    SetDeadlines,
    Write,
)
from tests.sim.table_checks import check_returned_player_plays
from tests.sim.tolerances import (
    MAX_ANSWER_SECONDS,
    MAX_EARLY_SECONDS,
    MAX_EXTRA_SECONDS,
    MAX_LATE_SECONDS,
    MAX_OVERDUE_SECONDS,
    MAX_UPDATE_SECONDS,
)

if TYPE_CHECKING:
    from tests.sim.player import Player
    from tests.sim.replayed_match import ReplayedMatch
    from tests.sim.server_promises import ServerPromises

QUICK_STORE_SECONDS = 0.01
"""If requests take longer than this, the clock and the bots may be late as well."""

SETTINGS_BOT_PAUSE = Settings().bot_pause


def check_deadlines_are_stored(
    promises: "ServerPromises", table: Table, writes: tuple[Write, ...]
) -> None:
    """Whatever will have to happen in a match has a deadline, stored together with its cause."""
    log = promises.logs.get(table.match_id)
    if table.phase != "playing" or table.paused is not None or log is None:
        return
    kinds = dict(
        promises.world.database.query(
            "SELECT kind, due FROM deadlines WHERE id = ? AND match = ?", table.id, table.match
        )
    )
    check_turn_time_is_complete(promises, table, writes)
    check_turn_is_not_extended(promises, table, log, kinds, writes)
    promises.checked["deadlines are stored"] += 1
    if RECHECK_DEADLINE in kinds or RECHECK_AGAIN_DEADLINE in kinds:
        return  # all deadlines are about to be set again
    game, state = log.game, log.state
    if game.outcome(state):
        promises.check(
            OVER_DEADLINE in kinds, f"{table.match_id} has ended, and no deadline will notice it"
        )
        return
    awaited = game.awaited(state)
    bots = [seat for seat in awaited if table.acting_bot_level(seat)]
    if game.deadline(state) is not None:
        promises.check(
            RULES_DEADLINE in kinds, f"{table.match_id} has no deadline for the end of its time"
        )
    elif bots and table.id not in promises.empty_since:
        promises.check(
            BOT_DEADLINE in kinds, f"{table.match_id} has no deadline for the moves of its bots"
        )
    if table.agreement.turn_seconds and len(awaited) > len(bots) and not table.has_one_person:
        promises.check(TURN_DEADLINE in kinds, f"{table.match_id} has lost its turn clock")
        left = (kinds[TURN_DEADLINE] - log.events[-1].at) / 1000 if TURN_DEADLINE in kinds else 0
        if any(isinstance(each, Append) and each.match == table.match_id for each in writes):
            promises.check(
                left >= table.agreement.turn_seconds - MAX_EARLY_SECONDS,
                f"a turn of {table.match_id} begins with only {left:.1f} s",
            )
    for seat, _, _ in absent_players_to_wait_for(table, promises.holders_present_at(table)):
        promises.check(
            f"{AWAY_DEADLINE_PREFIX}{seat}" in kinds,
            f"seat {seat} is away, and no deadline will start a stand-in",
        )


def check_turn_time_is_complete(
    promises: "ServerPromises", table: Table, writes: tuple[Write, ...]
) -> None:
    """Anyone who gets a turn clock gets the full time, even if they have just returned."""
    seconds = table.agreement.turn_seconds
    for write in writes:
        if promises.world.clock_was_set or not seconds:
            return  # workers may disagree until they have caught up
        if isinstance(write, SetDeadlines) and write.match == table.match_id:
            due = write.due.get(TURN_DEADLINE)
            left = (due - promises.world.server_time) / 1000 if due is not None else seconds
            promises.check(
                left >= seconds - MAX_EARLY_SECONDS,
                f"someone gets only {left:.1f} s for a turn of {table.match_id}",
            )


def check_turn_is_not_extended(
    promises: "ServerPromises",
    table: Table,
    log: "ReplayedMatch",
    kinds: dict[str, int],
    writes: tuple[Write, ...],
) -> None:
    """A turn clock is extended only if someone has acted or a pause has ended, not because a seat
    changes hands or for any other reason."""
    before, log.turn_due = log.turn_due, kinds.get(TURN_DEADLINE)
    if before is None or log.turn_due is None:
        return
    if all(isinstance(each, SetDeadlines | MoveDeadline) for each in writes):
        promises.checked["turn clocks are not extended"] += 1
        more = (log.turn_due - before) / 1000
        taken = promises.taken_deadlines.get((table.match_id, TURN_DEADLINE))
        is_leased = taken is not None and taken.until == log.turn_due  # the time was already up
        promises.check(
            is_leased or more < MAX_EARLY_SECONDS,
            f"someone gets {more:.1f} s more for a turn of {table.match_id}",
        )


def check_time_left_is_not_too_long(promises: "ServerPromises") -> None:
    """After clocks were moved, nobody has more time than was agreed."""
    now = promises.world.server_time
    for id, match, kind, due in promises.world.database.query("SELECT * FROM deadlines"):
        table = promises.tables.get(id)
        if table is None or table.match != match or promises.world.clock_was_set:
            continue
        agreement = table.agreement
        seconds = agreement.turn_seconds if kind == TURN_DEADLINE else agreement.away_seconds
        if seconds and (kind == TURN_DEADLINE or kind.startswith(AWAY_DEADLINE_PREFIX)):
            promises.checked["nobody gets more time than agreed"] += 1
            left = (due - now) / 1000
            promises.check(
                left <= seconds + MAX_EXTRA_SECONDS,
                f"{kind} of {id}.{match} is due only in {left:.1f} s",
            )


def check_is_on_time(promises: "ServerPromises", write: Append, log: "ReplayedMatch") -> None:
    """The clock and the bots act as soon as it's time, not when some worker happens to look, at
    least while people are connected. Call this before the events are applied."""
    world, now = promises.world, promises.world.loop.time()
    id = table_id_of(write.match)
    if (
        not log.events
        or world.seconds_healthy < MAX_OVERDUE_SECONDS
        or world.conditions.store_seconds > QUICK_STORE_SECONDS
        or world.clock_was_set
        # A worker that doesn't know the match yet has to read its log, page by page.
        or len(log.events) > log_replay.EVENTS_PER_PAGE
        or not any(
            player.table == id and player.seconds_connected > MAX_UPDATE_SECONDS
            for player in world.connected_players
        )
    ):
        return
    due = log.game.deadline(log.state)
    if write.actor is Actor.CLOCK and due is not None:
        since = max(due, log.events[-1].at)  # skipping time may leave it in the past
        late = (world.server_time - since) / 1000
    elif write.actor is Actor.BOT and due is None and world.loop.max_thinking_seconds < 1:
        changed = max(log.times[-1], promises.version_times[id][-1])
        late = now - changed - SETTINGS_BOT_PAUSE - world.loop.max_thinking_seconds
    else:
        return
    promises.checked["the clock and the bots are on time"] += 1
    promises.check(
        late < MAX_LATE_SECONDS, f"{write.actor} acts {late:.1f} s late in {write.match}"
    )


def check_nothing_overdue(promises: "ServerPromises") -> None:
    promises.checked["nothing is overdue"] += 1
    now = promises.world.server_time
    for id, match, kind, due in promises.world.database.query("SELECT * FROM deadlines"):
        late = (now - due) / 1000
        if late > MAX_OVERDUE_SECONDS:
            promises.report_broken(f"{kind} of {id}.{match} has been due for {late:.1f} s")


def check_player_is_up_to_date(promises: "ServerPromises", player: "Player") -> None:
    now = promises.world.loop.time()
    if player.seconds_connected < MAX_UPDATE_SECONDS or player.table not in promises.tables:
        return
    promises.checked["everyone connected gets an answer"] += 1
    waiting = min(
        player.seconds_unanswered, player.seconds_connected, promises.world.seconds_healthy
    )
    promises.check(
        waiting < MAX_ANSWER_SECONDS, f"{player.name} has waited {waiting:.1f} s for an answer"
    )
    promises.checked["everyone connected is up to date"] += 1
    versions = promises.version_times[player.table]
    expected_version = bisect_right(versions, now - MAX_UPDATE_SECONDS)
    promises.check(
        player.known_version >= expected_version,
        f"{player.name} has table version {player.known_version} instead of {expected_version}",
    )
    expected_line = bisect_right(
        [at for at, _ in promises.chat_lines[player.table]], now - MAX_UPDATE_SECONDS
    )
    promises.check(
        player.last_line >= expected_line,
        f"{player.name} has seen chat line {player.last_line} instead of {expected_line}",
    )
    table = promises.tables[player.table]
    log = promises.logs.get(table.match_id)
    if table.phase != "lobby" and log is not None:
        check_returned_player_plays(promises, player, table)
        expected_seq = log.length_at(now - MAX_UPDATE_SECONDS)
        seen = player.shown_seqs.get(table.match_id, 0)
        promises.check(
            seen >= expected_seq
            or not expected_seq
            or (not seen and waits_for_log_to_be_read(promises, player)),
            f"{player.name} sees {table.match_id} at {seen} instead of {expected_seq}",
        )
        if seen:
            check_shown_seat_is_own(promises, player, table, expected_version)


def note_logs_being_read(promises: "ServerPromises") -> None:
    """Note which workers have a match open whose log they haven't read yet."""
    now = promises.world.loop.time()
    for worker in promises.world.workers:
        for room in worker.rooms or ():
            if room.match and not room.match.seq:
                promises.log_last_unread_at[worker.process.name, room.match.id] = now


def waits_for_log_to_be_read(promises: "ServerPromises", player: "Player") -> bool:
    """Whether someone has come to a worker that is still reading the log, or has just read it.
    Where no state was saved, the worker reads page after page and replays slice after slice. With a
    slow store, the tiny pages of some worlds take longer than an update may."""
    now, match = promises.world.loop.time(), promises.tables[player.table].match_id
    unread = promises.log_last_unread_at.get((player.worker_name, match))
    return (
        unread is not None
        and now - unread < MAX_UPDATE_SECONDS
        and player.seconds_connected < MAX_ANSWER_SECONDS
    )


def check_shown_seat_is_own(
    promises: "ServerPromises", player: "Player", table: Table, version: int
) -> None:
    """Someone who has had the same seats since a version of the table sees the match from one of
    them, and someone who has had none sees no hand."""
    promises.checked["everyone sees their own seat's view"] += 1
    versions = range(version, len(promises.version_times[table.id]) + 1)
    tables = [promises.table_versions[table.id, each] for each in versions]
    seats_held = {each.held_by(player.holder) for each in tables if each.match == table.match}
    if len(seats_held) != 1 or player.has_changed_seat_view:
        return
    (mine,) = seats_held
    promises.check(
        player.viewed_seat in mine if mine else player.viewed_seat is None,
        f"{player.name} has seats {mine} of {table.id}, but sees the match from"
        f" {player.viewed_seat}",
    )


def check_told_of_deletion(promises: "ServerPromises", player: "Player") -> None:
    """Nobody keeps looking at a deleted table."""
    if (deleted := promises.deleted_at.get(player.table)) is None:
        return
    seconds = min(promises.world.loop.time() - deleted, player.seconds_connected)
    promises.check(
        seconds < MAX_UPDATE_SECONDS,
        f"{player.name} looks at {player.table}, which was deleted {seconds:.1f} s ago",
    )


def check_player_is_let_in(promises: "ServerPromises", player: "Player") -> None:
    """Everyone who comes to a table is soon let in."""
    promises.checked["everyone who comes is let in"] += 1
    promises.check(
        player.seconds_outside < MAX_ANSWER_SECONDS,
        f"{player.name} has waited {player.seconds_outside:.1f} s to be let in",
    )
