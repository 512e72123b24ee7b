"""Checks at the end of a world, after a while in which nothing went wrong."""

from typing import TYPE_CHECKING

from pytlik.chance import mix
from pytlik.matchfile import Flaw, MatchRecord, Seed, verify
from pytlik.server.match.deadlines import table_id_of
from pytlik.server.table.stored_tables import table_codec
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder
from pytlik.store import split_match
from pytlik.store.schema import metadata
from tests.sim.replayed_match import ReplayedMatch
from tests.sim.tolerances import MAX_ANSWER_SECONDS, MAX_UPDATE_SECONDS

if TYPE_CHECKING:
    from tests.sim.player import Player
    from tests.sim.server_promises import ServerPromises

SQL_TABLES_WITH_ID = [
    name for name, table in metadata.tables.items() if "id" in table.columns and name != "beats"
]

PRESENCE_QUERY = "SELECT id, holder, worker FROM presence"


def check_database_matches_commits(promises: "ServerPromises") -> None:
    """The database holds exactly what was committed, and a refused commit has left nothing
    behind."""
    promises.checked["a refused commit leaves nothing behind"] += 1
    rows = promises.world.database.query
    tables = {id: table_codec.decode(doc) for id, doc in rows("SELECT id, doc FROM tables")}
    promises.check(tables == promises.tables, "the database has other tables than were committed")
    logs = dict(rows("SELECT id || '.' || match, count(*) FROM events GROUP BY 1"))
    known = {
        match: len(log.events)
        for match, log in promises.logs.items()
        if table_id_of(match) not in promises.deleted_at
    }
    promises.check(logs == known, "the database has other events than were committed")
    stored = {(id, holder, worker) for id, holder, worker in rows(PRESENCE_QUERY)}
    recorded = {(*key, worker) for key, workers in promises.presence.items() for worker in workers}
    recorded = {each for each in recorded if each[0] not in promises.deleted_at}
    promises.check(stored == recorded, "the database has other presence rows than were committed")


def check_stored_presence(promises: "ServerPromises", table: Table) -> None:
    promises.checked["presence is recorded correctly"] += 1
    seated = {chair.holder for chair in table.chairs if chair.holder}
    present = {
        player.holder
        for player in promises.world.connected_players
        if player.table == table.id and player.seconds_connected > MAX_UPDATE_SECONDS
    }
    recorded = {holder for (id, holder), at in promises.presence.items() if id == table.id and at}
    now = promises.world.loop.time()
    just_left = {
        holder for (id, holder), at in promises.left_at.items() if now - at < MAX_UPDATE_SECONDS
    }
    promises.check(
        present & seated - just_left <= recorded,
        f"at {table.id} someone is present, but isn't recorded as present",
    )
    players = [player for player in promises.world.everyone if player.table == table.id]
    gone = {
        player.holder
        for player in players
        if not player.has_open_socket
        and promises.world.loop.time() - player.gone_at > MAX_UPDATE_SECONDS
    }
    # Some have another tab, which they may just have opened.
    holders_connected = {player.holder for player in players if player.has_open_socket}
    promises.check(
        not (recorded & gone - holders_connected),
        f"at {table.id} someone is recorded as present who is gone",
    )
    watching = any(player.seconds_connected > 2 * MAX_UPDATE_SECONDS for player in players)
    promises.check(
        recorded or not watching,
        f"someone is watching {table.id}, but nobody is recorded as present",
    )
    connected = {
        (player.holder, player.worker_name)
        for player in promises.world.everyone
        if (player.table == table.id and now - player.gone_at < MAX_UPDATE_SECONDS)
        or player.has_open_socket
    }
    workers = {worker.presence_name: worker.process.name for worker in promises.world.workers}
    for (id, holder), there in promises.presence.items():
        # All spectators are stored as one.
        for worker in there if id == table.id and holder and holder not in just_left else ():
            promises.check(
                (holder, workers.get(worker)) in connected,
                f"at {table.id} someone is recorded as connected to {workers.get(worker, worker)}",
            )
    for player in promises.world.connected_players:
        if player.table == table.id and player.seconds_connected > 2 * MAX_UPDATE_SECONDS:
            check_presence_shown(
                promises, player, table, present - just_left, gone - holders_connected
            )


def check_presence_shown(
    promises: "ServerPromises",
    player: "Player",
    table: Table,
    present: set[Holder],
    gone: set[Holder],
) -> None:
    for seat, (chair, shown) in enumerate(
        zip(table.chairs, player.table_info["chairs"], strict=False)
    ):
        if chair.holder in present:
            promises.check(shown["here"], f"{player.name} is shown that seat {seat} is away")
        elif chair.holder in gone:
            promises.check(not shown["here"], f"{player.name} is shown that seat {seat} is present")


def check_retracted_lines_are_gone(promises: "ServerPromises") -> None:
    """Nobody who is connected still has retracted lines on their page."""
    for player in promises.world.connected_players:
        table = promises.tables.get(player.table)
        if table is None or player.seconds_connected < MAX_UPDATE_SECONDS:
            continue
        for line in table.talk:
            known = player.lines_on_page.get(line.number)
            promises.checked["retracted lines vanish from every page"] += 1
            promises.check(
                known is None or (known["text"], known["name"]) == (line.text, line.name),
                f"{player.name} still sees line {line.number} of {table.id}: {known}",
            )


def check_match_follows_seed(promises: "ServerPromises", match: str, log: ReplayedMatch) -> None:
    promises.checked["matches follow from their seed"] += 1
    ((secret,),) = promises.world.database.query(
        "SELECT secret FROM secrets WHERE id = ? AND match = ?", *split_match(match)
    )
    shares = log.events[0].shares
    mix(secret, shares)
    finding = verify(MatchRecord(log.game, (), tuple(log.events), Seed(secret.hex(), shares)))
    over = log.game.outcome(log.state) is not None
    if finding is not None and not (finding.flaw is Flaw.CUT_OFF and not over):
        promises.report_broken(f"{match} doesn't follow from its seed: {finding}")
    if over:
        promises.checked["finished matches follow from their seed"] += 1
    promises.check(table_id_of(match) in promises.tables, f"{match} has no table")


def note_unused_rooms(promises: "ServerPromises") -> None:
    """Note since when nobody has been connected to a room."""
    unused = [
        room
        for worker in promises.world.workers
        if worker.is_open and worker.rooms
        for room in worker.rooms
        if not room.connections
    ]
    now, before = promises.world.loop.time(), promises.rooms_unused_since
    promises.rooms_unused_since = {room: before.get(room, now) for room in unused}


def check_unused_rooms_are_closed(promises: "ServerPromises") -> None:
    """A room stays open only while someone uses it, or while bots think there, one after the
    other."""
    promises.checked["unused rooms are closed"] += 1
    now, thinking = promises.world.loop.time(), promises.world.loop.max_thinking_seconds
    for room, since in promises.rooms_unused_since.items():
        table = promises.tables.get(room.id)
        log = promises.logs.get(table.match_id) if table else None
        used = max([since, *log.times[-1:]]) if log else since
        chairs = len(table.chairs) if table else 0
        promises.check(
            now - used < MAX_ANSWER_SECONDS + chairs * thinking,
            f"the room of {room.id} is still open, although nobody has been there for"
            f" {now - used:.1f} s",
        )


def check_deleted_tables(promises: "ServerPromises") -> None:
    for id in promises.deleted_at:
        promises.checked["a deleted table leaves nothing behind"] += 1
        for name in SQL_TABLES_WITH_ID:
            left = promises.world.database.query(f"SELECT 1 FROM {name} WHERE id = ? LIMIT 1", id)
            promises.check(not left, f"{name} still has rows of {id}, which was deleted")
