"""What must be so of every table, in every version of it: its match, its secret, who plays."""

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
"""How long a table stays where nobody has ever played and nobody is: 45 minutes in the product."""

MAX_SWEEP_SECONDS = 6.0 + MAX_OVERDUE_SECONDS
"""How long it may take until somebody looks for such tables."""

NEXT_PHASE = {
    "lobby": ("playing", 0),
    "playing": ("over", 0),
    "over": ("lobby", 1),
}
"""What may come after each phase, and how much higher the number of the match is then."""


def check_tables_are_consistent(promises: "ServerPromises", writes: tuple[Write, ...]) -> None:
    """To be called after each commit: what belongs together is written together."""
    changed = {write.id for write in writes if isinstance(write, PutTable)}
    changed |= {table_id_of(write.match) for write in writes if isinstance(write, PutSecret)}
    for id in changed - promises.deleted.keys():
        table = promises.tables.get(id)
        if table is None:
            promises.report_broken(f"a secret is stored for {id}, which isn't there")
            continue
        check_secret(promises, table, writes)
        check_phase_matches_log(promises, table)


def check_secret(promises: "ServerPromises", table: Table, writes: tuple[Write, ...]) -> None:
    """A table has the secret that it has published a commitment to, from the beginning."""
    promises.checked["a table has the secret that it is committed to"] += 1
    secret = promises.secrets.get(table.match_id)
    promises.check(
        secret is not None and chance.commit(secret) == table.commitment,
        f"{table.match_id} hasn't got the secret that its table is committed to",
    )
    for write in writes:
        if isinstance(write, PutSecret):
            promises.check(
                write.match == table.match_id,
                f"a secret is stored for {write.match}, and the table is at {table.match_id}",
            )


def check_commit_concerns_one_table(promises: "ServerPromises", writes: tuple[Write, ...]) -> None:
    """A commit concerns one table, so that a database can be spread by table. Clocks of many tables
    are moved together only after downtime. Leases needn't be renewed together."""
    if any(isinstance(each, EndDowntime) for each in writes) or all(
        isinstance(each, MoveDeadline) for each in writes
    ):
        return
    promises.checked["a commit concerns one table"] += 1
    tables = {table_id_of(each.match) for each in writes if hasattr(each, "match")}
    tables |= {each.id for each in writes if hasattr(each, "id")}
    promises.check(len(tables) <= 1, f"tables {sorted(tables)} are changed together")


def check_phase_matches_log(promises: "ServerPromises", table: Table) -> None:
    """A match is played, or over, if and only if its log says so."""
    promises.checked["a match is over when its log says so"] += 1
    log = promises.logs.get(table.match_id)
    promises.check(
        (log is not None) == (table.phase != "lobby"),
        f"{table.id} is in phase {table.phase}, and {table.match_id} has{'' if log else ' no'}"
        " events",
    )
    if table.phase == "over" and log:
        promises.check(log.game.outcome(log.state), f"{table.match_id} is ended, and isn't over")
    finished = table.match if table.phase == "over" else table.match - 1
    promises.check(
        len(table.past) == len(table.past_holders) == finished,
        f"{table.id} knows of {len(table.past)} matches, and {finished} are over",
    )


def check_phase_order(promises: "ServerPromises", old: Table, table: Table) -> None:
    """A match begins, ends, and is followed by the next one: in this order."""
    was, now = (old.phase, old.match), (table.phase, table.match)
    phase, more = NEXT_PHASE[old.phase]
    promises.check(now in (was, (phase, old.match + more)), f"{table.id} goes from {was} to {now}")


def record_stand_ins(promises: "ServerPromises", old: Table | None, table: Table) -> None:
    """Note since when bots play for people, and until when they did."""
    now = promises.world.loop.time()
    for seat, chair in enumerate(table.chairs):
        key = table.match_id, seat
        was = old.chairs[seat] if old and old.match_id == table.match_id else None
        if not chair.stand_in:
            if key in promises.sits_in:
                del promises.sits_in[key]
                promises.sat_in[key] = now
        elif key not in promises.sits_in or (was and was.holder != chair.holder):
            promises.sits_in[key] = now


def check_stand_in_may_act(promises: "ServerPromises", match: str, seat: Seat | None) -> None:
    """A bot plays for a person only until they are back. What it thought of just before may still
    be written."""
    promises.checked["no bot plays for who is back"] += 1
    if seat is not None and (match, seat) not in promises.sits_in:
        back = promises.world.loop.time() - promises.sat_in.get((match, seat), 0)
        promises.check(
            back < MAX_UPDATE_SECONDS or promises.world.seconds_healthy < MAX_UPDATE_SECONDS,
            f"a bot plays for seat {seat} of {match}, whose person is back for {back:.1f} s",
        )


def check_actor_has_no_stand_in(promises: "ServerPromises", match: str, seat: Seat | None) -> None:
    """Whoever acts is back, and no bot plays for them any more."""
    promises.checked["whoever acts is back"] += 1
    if seat is not None and (since := promises.sits_in.get((match, seat))) is not None:
        seconds = promises.world.loop.time() - since
        promises.check(
            seconds < MAX_UPDATE_SECONDS or promises.world.seconds_healthy < MAX_UPDATE_SECONDS,
            f"seat {seat} of {match} acts, and a bot has played for it for {seconds:.1f} s",
        )


def check_returned_player_plays(promises: "ServerPromises", player: "Player", table: Table) -> None:
    """Whoever comes back plays for themselves, and sees the match as their seat does. To be called
    of somebody who has been here for a while."""
    promises.checked["whoever comes back plays"] += 1
    for seat in table.held_by(player.holder):
        since = promises.sits_in.get((table.match_id, seat))
        promises.check(
            since is None or since > player.arrived,
            f"{player.name} is back at seat {seat} of {table.id}, where a bot still plays",
        )


def is_long_unplayed(promises: "ServerPromises", id: str) -> bool:
    """Whether nobody has ever played at a table, nobody is there, and nobody was for long."""
    promises.checked["only tables that nobody uses are deleted"] += 1
    table, now = promises.tables.get(id), promises.world.loop.time()
    # It's written once more together with its deletion; and somebody may come and go again while
    # it's decided.
    before = now - MAX_EARLY_SECONDS
    changed = max((at for at in promises.versions[id] if at < before), default=now)
    # A worker that is cut off from the store may return with the true time to one that has started
    # when the database's clock was wrong.
    age = now - changed + promises.world.seconds_behind_at_start
    return (
        table is not None
        and table.phase == "lobby"
        and table.match == 1
        and not promises.holders_present_at(table)
        and age > UNPLAYED_SECONDS - MAX_EARLY_SECONDS
    )


def check_unplayed_table_is_deleted(promises: "ServerPromises", table: Table) -> None:
    """A table that somebody has made and left doesn't stay for ever."""
    if table.id in promises.unplayed and not promises.world.clock_was_set:
        promises.checked["a table that was left is deleted"] += 1
        alone = promises.world.loop.time() - promises.versions[table.id][-1]
        promises.check(
            promises.holders_present_at(table) or alone < UNPLAYED_SECONDS + MAX_SWEEP_SECONDS,
            f"{table.id} was left {alone:.1f} s ago, and is still there",
        )
