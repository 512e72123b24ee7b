"""What is due is written down, and happens in time; and everybody is up to date."""

from bisect import bisect_right
from typing import TYPE_CHECKING

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
    MAX_LATE_SECONDS,
    MAX_LONGER_SECONDS,
    MAX_OVERDUE_SECONDS,
    MAX_UPDATE_SECONDS,
)

if TYPE_CHECKING:
    from tests.sim.player import Player
    from tests.sim.replayed_match import ReplayedMatch
    from tests.sim.server_promises import ServerPromises

QUICK_STORE_SECONDS = 0.01
"""Where a request takes longer, the clock and the bots may be late as well."""

SETTINGS_BOT_PAUSE = Settings().bot_pause


def check_deadlines_written(
    promises: "ServerPromises", table: Table, writes: tuple[Write, ...]
) -> None:
    """Whatever will have to happen in a match is written down, together with its cause."""
    log = promises.logs.get(table.match_id)
    if table.phase != "playing" or table.paused is not None or log is None:
        return
    kinds = dict(
        promises.world.database.query(
            "SELECT kind, due FROM deadlines WHERE id = ? AND match = ?", table.id, table.match
        )
    )
    check_turn_time_is_full(promises, table, writes)
    check_turn_goes_on(promises, table, log, kinds, writes)
    promises.checked["deadlines are written down"] += 1
    if RECHECK_DEADLINE in kinds or RECHECK_AGAIN_DEADLINE in kinds:
        return  # they will be set anew in a moment
    game, state = log.game, log.state
    if game.outcome(state):
        promises.check(OVER_DEADLINE in kinds, f"nobody will notice that {table.match_id} is over")
        return
    awaited = game.awaited(state)
    bots = [seat for seat in awaited if table.acting_bot_level(seat)]
    if game.deadline(state) is not None:
        promises.check(RULES_DEADLINE in kinds, f"nobody will end the time of {table.match_id}")
    elif bots and table.id not in promises.empty:
        promises.check(BOT_DEADLINE in kinds, f"nobody will move the bots of {table.match_id}")
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
            f"{AWAY_DEADLINE_PREFIX}{seat}" in kinds, f"seat {seat} is away, and no bot will sit in"
        )


def check_turn_time_is_full(
    promises: "ServerPromises", table: Table, writes: tuple[Write, ...]
) -> None:
    """Whoever gets a clock for a turn gets all of it, also if they have just come back."""
    seconds = table.agreement.turn_seconds
    for write in writes:
        if promises.world.clock_was_set or not seconds:
            return  # workers may differ until they have caught up
        if isinstance(write, SetDeadlines) and write.match == table.match_id:
            due = write.due.get(TURN_DEADLINE)
            left = (due - promises.world.server_time) / 1000 if due is not None else seconds
            promises.check(
                left >= seconds - MAX_EARLY_SECONDS,
                f"somebody is given {left:.1f} s for a turn of {table.match_id}",
            )


def check_turn_goes_on(
    promises: "ServerPromises",
    table: Table,
    log: "ReplayedMatch",
    kinds: dict[str, int],
    writes: tuple[Write, ...],
) -> None:
    """Nobody gets more time for a turn because a seat changes hands, or for whatever reason but
    that somebody has acted or that a pause is over."""
    before, log.turn_due = log.turn_due, kinds.get(TURN_DEADLINE)
    if before is None or log.turn_due is None:
        return
    if all(isinstance(each, SetDeadlines | MoveDeadline) for each in writes):
        promises.checked["nobody gets more time for a turn"] += 1
        more = (log.turn_due - before) / 1000
        taken = promises.taken.get((table.match_id, TURN_DEADLINE))
        is_leased = taken is not None and taken.until == log.turn_due  # the time is already up
        promises.check(
            is_leased or more < MAX_EARLY_SECONDS,
            f"somebody is given {more:.1f} s more for a turn of {table.match_id}",
        )


def check_time_is_not_too_long(promises: "ServerPromises") -> None:
    """When clocks were moved, nobody has more time than was agreed."""
    now = promises.world.server_time
    for id, match, kind, due in promises.world.database.query("SELECT * FROM deadlines"):
        table = promises.tables.get(id)
        if table is None or table.match != match or promises.world.clock_was_set:
            continue
        agreement = table.agreement
        seconds = agreement.turn_seconds if kind == TURN_DEADLINE else agreement.away_seconds
        if seconds and (kind == TURN_DEADLINE or kind.startswith(AWAY_DEADLINE_PREFIX)):
            promises.checked["nobody gets more time than was agreed"] += 1
            left = (due - now) / 1000
            promises.check(
                left <= seconds + MAX_LONGER_SECONDS,
                f"{kind} of {id}.{match} is due in {left:.1f} s",
            )


def check_is_prompt(promises: "ServerPromises", write: Append, log: "ReplayedMatch") -> None:
    """The clock and the bots don't wait until somebody happens to look: where people are, they act
    when it is time. To be called before the events are applied."""
    world, now = promises.world, promises.world.loop.time()
    id = table_id_of(write.match)
    if (
        not log.events
        or world.seconds_healthy < MAX_OVERDUE_SECONDS
        or world.conditions.store_seconds > QUICK_STORE_SECONDS
        or world.clock_was_set
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
    elif write.actor is Actor.BOT and due is None and world.loop.longest_thinking < 1:
        changed = max(log.times[-1], promises.versions[id][-1])
        late = now - changed - SETTINGS_BOT_PAUSE - world.loop.longest_thinking
    else:
        return
    promises.checked["what is due happens at once"] += 1
    promises.check(
        late < MAX_LATE_SECONDS, f"{write.actor} acts {late:.1f} s late in {write.match}"
    )


def check_nothing_overdue(promises: "ServerPromises") -> None:
    promises.checked["what is due happens"] += 1
    now = promises.world.server_time
    for id, match, kind, due in promises.world.database.query("SELECT * FROM deadlines"):
        late = (now - due) / 1000
        if late > MAX_OVERDUE_SECONDS:
            promises.report_broken(f"{kind} of {id}.{match} is due for {late:.1f} s")


def check_player_is_up_to_date(promises: "ServerPromises", player: "Player") -> None:
    now = promises.world.loop.time()
    if player.seconds_connected < MAX_UPDATE_SECONDS or player.table not in promises.tables:
        return
    promises.checked["whoever asks is answered"] += 1
    waiting = min(
        player.seconds_unanswered, player.seconds_connected, promises.world.seconds_healthy
    )
    promises.check(
        waiting < MAX_ANSWER_SECONDS, f"{player.name} has no answer after {waiting:.1f} s"
    )
    promises.checked["whoever stays connected is up to date"] += 1
    versions = promises.versions[player.table]
    expected = bisect_right(versions, now - MAX_UPDATE_SECONDS)
    promises.check(
        player.version >= expected,
        f"{player.name} knows version {player.version} of the table, and not {expected}",
    )
    said = bisect_right([at for at, _ in promises.lines[player.table]], now - MAX_UPDATE_SECONDS)
    promises.check(
        player.line >= said,
        f"{player.name} has heard line {player.line} of the talk, and not {said}",
    )
    table = promises.tables[player.table]
    log = promises.logs.get(table.match_id)
    if table.phase != "lobby" and log is not None:
        check_returned_player_plays(promises, player, table)
        length = log.length_at(now - MAX_UPDATE_SECONDS)
        seen = player.shown.get(table.match_id, 0)
        promises.check(
            seen >= length or not length or (not seen and waits_for_log(promises, player)),
            f"{player.name} sees {table.match_id} at {seen}, and it is at {length}",
        )
        if seen:
            check_shown_seat(promises, player, table, expected)


def note_logs_being_read(promises: "ServerPromises") -> None:
    """Note where a match is open and its log hasn't been read yet."""
    now = promises.world.loop.time()
    for worker in promises.world.workers:
        for room in worker.rooms or ():
            if room.match and not room.match.seq:
                promises.log_unread[worker.process.name, room.match.id] = now


def waits_for_log(promises: "ServerPromises", player: "Player") -> bool:
    """Whether somebody has come to a worker that had to read the log first, or still has to. Where
    no state was saved, it reads one page after the other, and replays slice after slice: with a
    slow store, the tiny pages of some worlds take longer than an update may."""
    now, match = promises.world.loop.time(), promises.tables[player.table].match_id
    unread = promises.log_unread.get((player.worker_name, match))
    return (
        unread is not None
        and now - unread < MAX_UPDATE_SECONDS
        and player.seconds_connected < MAX_ANSWER_SECONDS
    )


def check_shown_seat(
    promises: "ServerPromises", player: "Player", table: Table, version: int
) -> None:
    """Whoever has had a seat since some version of the table sees the match from there, and whoever
    has had none sees no hand."""
    promises.checked["everyone sees their own seat"] += 1
    versions = range(version, len(promises.versions[table.id]) + 1)
    tables = [promises.documents[table.id, each] for each in versions]
    had = {each.held_by(player.holder) for each in tables if each.match == table.match}
    if len(had) != 1 or player.has_looked_elsewhere:
        return
    (mine,) = had
    promises.check(
        player.seat in mine if mine else player.seat is None,
        f"{player.name} has the seats {mine} of {table.id}, and sees that of {player.seat}",
    )


def check_deletion_told(promises: "ServerPromises", player: "Player") -> None:
    """Nobody goes on looking at a table that is gone."""
    if (deleted := promises.deleted.get(player.table)) is None:
        return
    seconds = min(promises.world.loop.time() - deleted, player.seconds_connected)
    promises.check(
        seconds < MAX_UPDATE_SECONDS,
        f"{player.name} looks at {player.table}, which was deleted {seconds:.1f} s ago",
    )


def check_player_gets_in(promises: "ServerPromises", player: "Player") -> None:
    """Whoever comes to a table is let in."""
    promises.checked["whoever comes is let in"] += 1
    promises.check(
        player.seconds_outside < MAX_ANSWER_SECONDS,
        f"{player.name} isn't let in for {player.seconds_outside:.1f} s",
    )
