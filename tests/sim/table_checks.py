"""Checks of every version of every table: its match, its secret, and its stand-ins."""

from typing import TYPE_CHECKING

from pytlik import chance
from pytlik.game import Seat
from pytlik.server.match.deadlines import table_id_of
from pytlik.server.table.tables import Table
from pytlik.store import EndDowntime, MoveDeadline, PutSecret, PutTable, Write
from tests.sim.tolerances import MAX_EARLY_SECONDS, MAX_OVERDUE_SECONDS, MAX_UPDATE_SECONDS

if TYPE_CHECKING:
    from tests.sim.player import Player
    from tests.sim.server_promises import ServerPromises

UNPLAYED_SECONDS = 12.0
"""How long a table is kept if nobody has ever played there and nobody is there. In the product it's
45 minutes."""

MAX_SWEEP_SECONDS = 6.0 + MAX_OVERDUE_SECONDS
"""How long it may take until such a table is deleted."""

NEXT_PHASE = {
    "lobby": ("playing", 0),
    "playing": ("over", 0),
    "over": ("lobby", 1),
}
"""What may follow each phase, and how much the number of the match grows with it."""


def check_tables_are_consistent(promises: "ServerPromises", writes: tuple[Write, ...]) -> None:
    """What belongs together is written together. Call this after each commit."""
    changed = {write.id for write in writes if isinstance(write, PutTable)}
    changed |= {table_id_of(write.match) for write in writes if isinstance(write, PutSecret)}
    for id in changed - promises.deleted_at.keys():
        table = promises.tables.get(id)
        if table is None:
            promises.report_broken(f"a secret is stored for {id}, which doesn't exist")
            continue
        check_secret(promises, table, writes)
        check_phase_matches_log(promises, table)


def check_secret(promises: "ServerPromises", table: Table, writes: tuple[Write, ...]) -> None:
    """From the beginning, a table has the secret of its published commitment."""
    promises.checked["tables have the secrets they're committed to"] += 1
    secret = promises.secrets.get(table.match_id)
    promises.check(
        secret is not None and chance.commit(secret) == table.commitment,
        f"{table.match_id} doesn't have the secret that its table is committed to",
    )
    for write in writes:
        if isinstance(write, PutSecret):
            promises.check(
                write.match == table.match_id,
                f"a secret is stored for {write.match}, but the table is at {table.match_id}",
            )


def check_commit_concerns_one_table(promises: "ServerPromises", writes: tuple[Write, ...]) -> None:
    """A commit changes only one table, so that a database can be partitioned by table. The clocks
    of many tables are moved together only after downtime. Leases may be renewed together."""
    if any(isinstance(each, EndDowntime) for each in writes) or all(
        isinstance(each, MoveDeadline) for each in writes
    ):
        return
    promises.checked["a commit changes only one table"] += 1
    tables = {table_id_of(each.match) for each in writes if hasattr(each, "match")}
    tables |= {each.id for each in writes if hasattr(each, "id")}
    promises.check(len(tables) <= 1, f"tables {sorted(tables)} are changed together")


def check_phase_matches_log(promises: "ServerPromises", table: Table) -> None:
    """A match is being played, or over, if and only if its log says so."""
    promises.checked["a match is over when its log says so"] += 1
    log = promises.logs.get(table.match_id)
    promises.check(
        (log is not None) == (table.phase != "lobby"),
        f"{table.id} is in phase {table.phase}, but {table.match_id} has{'' if log else ' no'}"
        " events",
    )
    if table.phase == "over" and log:
        promises.check(
            log.game.outcome(log.state),
            f"{table.match_id} has ended in the table, but not in its log",
        )
    finished = table.match if table.phase == "over" else table.match - 1
    promises.check(
        len(table.past) == len(table.past_holders) == finished,
        f"{table.id} knows of {len(table.past)} past matches, but {finished} are over",
    )


def check_phase_order(promises: "ServerPromises", old: Table, table: Table) -> None:
    """A match begins, ends, and is followed by the next one, in this order."""
    was, now = (old.phase, old.match), (table.phase, table.match)
    phase, more = NEXT_PHASE[old.phase]
    promises.check(now in (was, (phase, old.match + more)), f"{table.id} goes from {was} to {now}")


def record_stand_ins(promises: "ServerPromises", old: Table | None, table: Table) -> None:
    """Note since when stand-ins play, and until when they did."""
    now = promises.world.loop.time()
    for seat, chair in enumerate(table.chairs):
        key = table.match_id, seat
        was = old.chairs[seat] if old and old.match_id == table.match_id else None
        if not chair.stand_in:
            if key in promises.stand_in_since:
                del promises.stand_in_since[key]
                promises.stand_in_until[key] = now
        elif key not in promises.stand_in_since or (was and was.holder != chair.holder):
            promises.stand_in_since[key] = now


def check_stand_in_is_still_needed(
    promises: "ServerPromises", match: str, seat: Seat | None
) -> None:
    """A stand-in plays only until the person is back. What it chose just before that may still be
    written."""
    promises.checked["stand-ins stop when people return"] += 1
    if seat is not None and (match, seat) not in promises.stand_in_since:
        back = promises.world.loop.time() - promises.stand_in_until.get((match, seat), 0)
        promises.check(
            back < MAX_UPDATE_SECONDS or promises.world.seconds_healthy < MAX_UPDATE_SECONDS,
            f"a stand-in plays seat {seat} of {match}, whose person has been back for {back:.1f} s",
        )


def check_actor_has_no_stand_in(promises: "ServerPromises", match: str, seat: Seat | None) -> None:
    """Someone who acts is back, so they no longer have a stand-in."""
    promises.checked["people who act have no stand-in"] += 1
    if seat is not None and (since := promises.stand_in_since.get((match, seat))) is not None:
        seconds = promises.world.loop.time() - since
        promises.check(
            seconds < MAX_UPDATE_SECONDS or promises.world.seconds_healthy < MAX_UPDATE_SECONDS,
            f"seat {seat} of {match} acts, but has had a stand-in for {seconds:.1f} s",
        )


def check_returned_player_plays(promises: "ServerPromises", player: "Player", table: Table) -> None:
    """Someone who comes back plays for themselves. Call this for someone who has been connected for
    a while."""
    promises.checked["returning players play for themselves"] += 1
    for seat in table.held_by(player.holder):
        since = promises.stand_in_since.get((table.match_id, seat))
        promises.check(
            since is None or since > player.arrived_at,
            f"{player.name} is back at seat {seat} of {table.id}, but still has a stand-in",
        )


def is_long_unplayed(promises: "ServerPromises", id: str) -> bool:
    """Whether nobody has ever played at a table, nobody is there, and nobody has been for long."""
    promises.checked["only unused tables are deleted"] += 1
    table, now = promises.tables.get(id), promises.world.loop.time()
    # The table is written once more together with its deletion, and someone may come and leave
    # again while it's being decided.
    before = now - MAX_EARLY_SECONDS
    changed = max((at for at in promises.version_times[id] if at < before), default=now)
    age = now - changed + promises.world.max_jump_seconds
    return (
        table is not None
        and table.phase == "lobby"
        and table.match == 1
        and not promises.holders_present_at(table)
        and age > UNPLAYED_SECONDS - MAX_EARLY_SECONDS
    )


def check_unplayed_table_is_deleted(promises: "ServerPromises", table: Table) -> None:
    """A table that its creator has left isn't kept for ever."""
    if table.id in promises.unplayed_tables and not promises.world.clock_was_set:
        promises.checked["abandoned tables are deleted"] += 1
        alone = promises.world.loop.time() - promises.version_times[table.id][-1]
        promises.check(
            promises.holders_present_at(table) or alone < UNPLAYED_SECONDS + MAX_SWEEP_SECONDS,
            f"{table.id} was left {alone:.1f} s ago, and still exists",
        )
