"""What must be so in the end, after some time in which nothing went wrong."""

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
    """Whatever is on disk was committed, and the other way round: a commit that was refused has
    left nothing behind."""
    promises.checked["a refused commit leaves nothing behind"] += 1
    rows = promises.world.database.query
    tables = {id: table_codec.decode(doc) for id, doc in rows("SELECT id, doc FROM tables")}
    promises.check(tables == promises.tables, "tables are on disk that nobody has committed")
    logs = dict(rows("SELECT id || '.' || match, count(*) FROM events GROUP BY 1"))
    known = {
        match: len(log.events)
        for match, log in promises.logs.items()
        if table_id_of(match) not in promises.deleted
    }
    promises.check(logs == known, "events are on disk that nobody has committed")
    here = {(id, holder, worker) for id, holder, worker in rows(PRESENCE_QUERY)}
    said = {(*key, worker) for key, workers in promises.here.items() for worker in workers}
    said = {each for each in said if each[0] not in promises.deleted}
    promises.check(here == said, "people are here on disk whom nobody has committed")


def check_stored_presence(promises: "ServerPromises", table: Table) -> None:
    promises.checked["everyone knows who is here"] += 1
    seated = {chair.holder for chair in table.chairs if chair.holder}
    really = {
        player.holder
        for player in promises.world.connected_players
        if player.table == table.id and player.seconds_connected > MAX_UPDATE_SECONDS
    }
    said = {holder for (id, holder), at in promises.here.items() if id == table.id and at}
    now = promises.world.loop.time()
    just_left = {
        holder for (id, holder), at in promises.left.items() if now - at < MAX_UPDATE_SECONDS
    }
    promises.check(
        really & seated - just_left <= said,
        f"at {table.id} somebody is here, and nobody knows it",
    )
    players = [player for player in promises.world.everyone if player.table == table.id]
    gone = {
        player.holder
        for player in players
        if not player.has_open_socket
        and promises.world.loop.time() - player.gone_at > MAX_UPDATE_SECONDS
    }
    # Some have another tab, and may just have opened it.
    holders_connected = {player.holder for player in players if player.has_open_socket}
    promises.check(
        not (said & gone - holders_connected), f"at {table.id} somebody is gone, and seems here"
    )
    watching = any(player.seconds_connected > 2 * MAX_UPDATE_SECONDS for player in players)
    promises.check(
        said or not watching, f"somebody looks at {table.id}, and nobody is said to be there"
    )
    connected = {
        (player.holder, player.worker_name)
        for player in promises.world.everyone
        if (player.table == table.id and now - player.gone_at < MAX_UPDATE_SECONDS)
        or player.has_open_socket
    }
    workers = {worker.presence: worker.process.name for worker in promises.world.workers}
    for (id, holder), there in promises.here.items():
        # Spectators are written as one, whoever they are.
        for worker in there if id == table.id and holder and holder not in just_left else ():
            promises.check(
                (holder, workers.get(worker)) in connected,
                f"at {table.id} somebody seems connected to {workers.get(worker, worker)}",
            )
    for player in promises.world.connected_players:
        if player.table == table.id and player.seconds_connected > 2 * MAX_UPDATE_SECONDS:
            check_presence_shown(
                promises, player, table, really - just_left, gone - holders_connected
            )


def check_presence_shown(
    promises: "ServerPromises",
    player: "Player",
    table: Table,
    really: set[Holder],
    gone: set[Holder],
) -> None:
    for seat, (chair, told) in enumerate(zip(table.chairs, player.info["chairs"], strict=False)):
        if chair.holder in really:
            promises.check(told["here"], f"{player.name} believes that seat {seat} is away")
        elif chair.holder in gone:
            promises.check(not told["here"], f"{player.name} believes that seat {seat} is here")


def check_lines_taken_back(promises: "ServerPromises") -> None:
    """Whoever is connected no longer has on their page what somebody has taken back."""
    for player in promises.world.connected_players:
        table = promises.tables.get(player.table)
        if table is None or player.seconds_connected < MAX_UPDATE_SECONDS:
            continue
        for line in table.talk:
            known = player.heard.get(line.number)
            promises.checked["what is taken back is gone from every page"] += 1
            promises.check(
                known is None or (known["text"], known["name"]) == (line.text, line.name),
                f"{player.name} still reads line {line.number} of {table.id}: {known}",
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
        promises.report_broken(f"{match} does not follow from its seed: {finding}")
    if over:
        promises.checked["finished matches follow from their seed"] += 1
    promises.check(table_id_of(match) in promises.tables, f"{match} has no table")


def note_unused_rooms(promises: "ServerPromises") -> None:
    """Note since when nobody is connected to a room."""
    unused = [
        room
        for worker in promises.world.workers
        if worker.is_open and worker.rooms
        for room in worker.rooms
        if not room.connections
    ]
    now, before = promises.world.loop.time(), promises.unused_rooms
    promises.unused_rooms = {room: before.get(room, now) for room in unused}


def check_rooms_closed(promises: "ServerPromises") -> None:
    """A room is there only while somebody uses it, or while bots think there, one after the
    other."""
    promises.checked["rooms are closed"] += 1
    now, thinking = promises.world.loop.time(), promises.world.loop.longest_thinking
    for room, since in promises.unused_rooms.items():
        table = promises.tables.get(room.id)
        log = promises.logs.get(table.match_id) if table else None
        used = max([since, *log.times[-1:]]) if log else since
        chairs = len(table.chairs) if table else 0
        promises.check(
            now - used < MAX_ANSWER_SECONDS + chairs * thinking,
            f"the room of {room.id} is still open, and nobody has been there for"
            f" {now - used:.1f} s",
        )


def check_deleted_tables(promises: "ServerPromises") -> None:
    for id in promises.deleted:
        promises.checked["a deleted table leaves nothing behind"] += 1
        for name in SQL_TABLES_WITH_ID:
            left = promises.world.database.query(f"SELECT 1 FROM {name} WHERE id = ? LIMIT 1", id)
            promises.check(not left, f"{name} still has rows of {id}, which was deleted")
