"""Tables: making and finding them, what is agreed, and the course of their matches."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from litestar import Router, delete, get, post, put
from litestar.params import JSONBody, QueryParameter

from pytlik.game import Seat
from pytlik.games import GAMES
from pytlik.protocol.agreement import Agreement, Phase
from pytlik.protocol.messages import TableInfo
from pytlik.server import metrics, tables
from pytlik.server.errors import REFUSED
from pytlik.server.limits import Kind
from pytlik.server.lobby import Lobby
from pytlik.server.log_replay import is_long, replay_log
from pytlik.server.reminders import nudge
from pytlik.server.routes.dependencies import (
    Body,
    TableAnswer,
    TableId,
    TheCaller,
    TheGate,
    TheIdentifiedCaller,
    TheLobby,
    TheVisitor,
    count_by_table,
)
from pytlik.server.stored_tables import StoredTable
from pytlik.server.table_info import describe

if TYPE_CHECKING:
    GameName = str
else:
    GameName = Literal[tuple(GAMES)]
"""The games that are installed."""

FEWEST_PLAYERS = min(game.players[0] for game in GAMES.values())
MOST_PLAYERS = max(game.players[-1] for game in GAMES.values())

MOST_LISTED = 50
MOST_MINE = 20


class NewTable(Body, frozen=True, kw_only=True):
    game: GameName
    chairs: Annotated[int, msgspec.Meta(ge=FEWEST_PLAYERS, le=MOST_PLAYERS)] | None = None
    """The most that the game allows, if not said."""
    options: dict[str, Any] | None = None
    """Of the game."""
    agreement: Agreement = Agreement()


class Start(Body, frozen=True, kw_only=True):
    without_free: bool = False
    """Take free seats away, and begin with who is there."""


class Pause(Body, frozen=True, kw_only=True):
    wanted: bool = True
    """A pause; or to go on, when there is one. False withdraws it, or refuses a pause that only
    others have asked for."""


class Lock(Body, frozen=True, kw_only=True):
    locked: bool


class HostIs(Body, frozen=True, kw_only=True):
    seat: Seat


class Nudge(Body, frozen=True, kw_only=True):
    seat: Seat


class MyTable(msgspec.Struct, frozen=True, kw_only=True):
    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool
    awaited: tuple[Seat, ...]
    """The seats that have something to do now."""


@post("/api/tables", responses=REFUSED, status_code=201)
async def create_table(
    data: JSONBody[NewTable], gate: TheGate, visitor: TheVisitor, identified: TheIdentifiedCaller
) -> TableAnswer:
    """Make a table; whoever makes it is its host. Its first match has a secret from now on, and the
    commitment to it is in the answer: take a seat, with your share of the seed, after that."""
    gate.take(Kind.CREATE, visitor.address)
    found = await identified.lobby.create(
        data.game,
        identified.holder,
        chairs=data.chairs,
        options=data.options,
        agreement=data.agreement,
    )
    metrics.TABLES.labels(data.game).inc()
    return identified.answer(found)


@get("/api/tables", responses=REFUSED)
async def list_tables(
    lobby: TheLobby,
    phase: Annotated[Phase, QueryParameter(description="lobby: to join; over: recent")] = "lobby",
) -> list[TableInfo]:
    """The listed tables in a phase, the last touched first. In the lobby only those where somebody
    is now."""
    return [describe(found) for found in await lobby.list_tables(phase, MOST_LISTED)]


@get("/api/mine", responses=REFUSED)
async def my_tables(caller: TheCaller, gate: TheGate, visitor: TheVisitor) -> list[MyTable]:
    """The tables where you sit or are the host, the last touched first."""
    if caller.holder is None:
        return []
    mine = (await caller.lobby.held_by(caller.holder))[:MOST_MINE]
    played = [found.table.match_id for found in mine if found.table.phase == "playing"]
    if await is_long(caller.lobby.store, *played):
        gate.take(Kind.HEAVY, visitor.address)
    return [
        MyTable(
            table=describe(found),
            yours=found.table.held_by(caller.holder),
            host=found.table.host == caller.holder,
            awaited=await awaited(caller.lobby, found),
        )
        for found in mine
    ]


async def awaited(lobby: Lobby, found: StoredTable) -> tuple[Seat, ...]:
    table, game = found.table, found.table.rules
    if table.phase != "playing":
        return ()
    log = await replay_log(lobby.store, game, table.match_id)
    return game.awaited(log.state) if log.seq else ()  # it was deleted since the table was read


@get("/api/tables/{table:str}", responses=REFUSED)
async def get_table(table: TableId, caller: TheCaller) -> TableAnswer:
    """A table. To look at it takes nothing."""
    return caller.answer(await caller.lobby.get(table))


@delete("/api/tables/{table:str}", responses=REFUSED)
async def delete_table(table: TableId, lobby: TheLobby, gate: TheGate, visitor: TheVisitor) -> None:
    """Delete a table and all its matches, as the server's administrator."""
    await gate.check_admin(visitor)
    await lobby.get(table)
    await lobby.drop(table)


@put("/api/tables/{table:str}/options", responses=REFUSED)
async def set_options(
    table: TableId, data: JSONBody[dict[str, Any]], caller: TheCaller
) -> TableAnswer:
    """The host chooses the options of the game, before it begins."""
    return await caller.change(table, lambda old: tables.set_options(old, caller.holder, data))


@put("/api/tables/{table:str}/agreement", responses=REFUSED)
async def set_agreement(
    table: TableId, data: JSONBody[Agreement], caller: TheCaller
) -> TableAnswer:
    """The host decides about everything but the game."""
    return await caller.change(table, lambda old: tables.set_agreement(old, caller.holder, data))


@post("/api/tables/{table:str}/chairs", responses=REFUSED, status_code=200)
async def add_chair(table: TableId, caller: TheCaller) -> TableAnswer:
    """The host brings one more chair."""
    return await caller.change(table, lambda old: tables.add_chair(old, caller.holder))


@put("/api/tables/{table:str}/lock", responses=REFUSED)
async def lock(table: TableId, data: JSONBody[Lock], caller: TheCaller) -> TableAnswer:
    """The host locks the table, so that nobody new can sit down; or opens it again."""
    return await caller.change(
        table, lambda old: tables.set_lock(old, caller.holder, locked=data.locked)
    )


@delete("/api/tables/{table:str}/removals", responses=REFUSED, status_code=200)
async def readmit_everyone(table: TableId, caller: TheCaller) -> TableAnswer:
    """The host lets everyone who was removed sit down again."""
    return await caller.change(table, lambda old: tables.readmit_everyone(old, caller.holder))


@put("/api/tables/{table:str}/host", responses=REFUSED)
async def set_host(table: TableId, data: JSONBody[HostIs], caller: TheCaller) -> TableAnswer:
    """The host makes somebody else the host."""
    return await caller.change(table, lambda old: tables.make_host(old, caller.holder, data.seat))


@post("/api/tables/{table:str}/start", responses=REFUSED, status_code=200)
async def start_match(table: TableId, data: JSONBody[Start], caller: TheCaller) -> TableAnswer:
    """The host lets the match begin."""
    return caller.answer(
        await caller.lobby.start(table, caller.holder, without_free=data.without_free)
    )


@post("/api/tables/{table:str}/rematch", responses=REFUSED, status_code=200)
async def rematch(table: TableId, caller: TheCaller) -> TableAnswer:
    """The host calls everyone to another match. It has a secret of its own, so everyone should send
    a new share."""
    return caller.answer(await caller.lobby.rematch(table, caller.holder))


@post("/api/tables/{table:str}/again", responses=REFUSED, status_code=200)
async def want_rematch(table: TableId, caller: TheCaller) -> TableAnswer:
    """Want another match. When everyone who plays and is here wants it, it has a secret, and begins
    as soon as all of them have sent a new share."""
    return caller.answer(await caller.lobby.want_rematch(table, caller.holder))


@post("/api/tables/{table:str}/pause", responses=REFUSED, status_code=200)
async def pause(
    table: TableId, data: JSONBody[Pause], caller: TheCaller, gate: TheGate, visitor: TheVisitor
) -> TableAnswer:
    """Ask for a pause, or to go on. It is so when everyone who is there has asked, and a pause is
    asked for no longer when somebody refuses it."""
    lobby = caller.lobby
    if await is_long(lobby.store, (await lobby.get(table)).table.match_id):
        gate.take(Kind.HEAVY, visitor.address)
    return caller.answer(await lobby.want_pause(table, caller.holder, wanted=data.wanted))


@post("/api/tables/{table:str}/nudge", responses=REFUSED, status_code=204)
async def nudge_player(
    table: TableId, data: JSONBody[Nudge], caller: TheCaller, gate: TheGate, visitor: TheVisitor
) -> None:
    """Remind the player of a seat, whom the match waits for, that it's their turn: at most once an
    hour, whoever at the table asks. It reaches those who have turned notifications on."""
    lobby = caller.lobby
    if await is_long(lobby.store, (await lobby.get(table)).table.match_id):
        gate.take(Kind.HEAVY, visitor.address)
    with lobby.rooms.open(table) as room:
        await nudge(room, caller.holder, data.seat)


router = Router(
    "/",
    route_handlers=[
        create_table,
        list_tables,
        my_tables,
        get_table,
        delete_table,
        set_options,
        set_agreement,
        add_chair,
        lock,
        readmit_everyone,
        set_host,
        start_match,
        rematch,
        want_rematch,
        pause,
        nudge_player,
    ],
    guards=[count_by_table],
    tags=["tables"],
)
