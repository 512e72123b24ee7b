"""Tables: creating and finding them, their settings, and starting and pausing their matches."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from litestar import Router, delete, get, post, put
from litestar.params import JSONBody, QueryParameter

from pytlik.game import Seat
from pytlik.games import GAMES
from pytlik.protocol.messages import TableInfo
from pytlik.protocol.table_agreement import Agreement, Phase
from pytlik.server import metrics
from pytlik.server.access.rate_limits import Kind
from pytlik.server.circle.circles import add_table, require_member
from pytlik.server.circle.stored_circles import change_circle, read_circle
from pytlik.server.match.log_replay import NO_EVENTS, are_logs_long, replay_log
from pytlik.server.match.saved_states import decode_saved_state
from pytlik.server.responses.error_responses import REFUSAL_RESPONSES
from pytlik.server.routes.dependencies import (
    Body,
    TableAnswer,
    TableId,
    TheCaller,
    TheGate,
    TheIdentifiedCaller,
    TheLobby,
    TheVisitor,
    limit_table_changes,
)
from pytlik.server.scheduling.skipping_bots import skip_bots
from pytlik.server.scheduling.turn_reminders import nudge
from pytlik.server.table import tables
from pytlik.server.table.table_info import make_table_info
from pytlik.server.table.tables import Table
from pytlik.store import Store

if TYPE_CHECKING:
    GameName = str
else:
    GameName = Literal[tuple(GAMES)]
"""The games that are installed."""

MIN_PLAYERS = min(game.players[0] for game in GAMES.values())
MAX_PLAYERS = max(game.players[-1] for game in GAMES.values())

MAX_LISTED_TABLES = 50
MAX_MY_TABLES = 20
MAX_MY_TABLES_READ = 100
"""How many tables are read to find those: somebody may have left very many."""


class NewTable(Body, frozen=True, kw_only=True):
    game: GameName
    chairs: Annotated[int, msgspec.Meta(ge=MIN_PLAYERS, le=MAX_PLAYERS)] | None = None
    """By default, as many as the game allows."""
    options: dict[str, Any] | None = None
    """The game's options."""
    agreement: Agreement = Agreement()
    first_game: bool = False
    """Deal the first match in a fixed way that lets a newcomer lay at once, if the game has such a
    deal (`first_game` of the table says so). Only one person can play it, and your share of the
    seed isn't used. Rematches are dealt as usual."""
    circle: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    """A circle that you're in: what is played at this table counts there."""


class Start(Body, frozen=True, kw_only=True):
    without_free: bool = False
    """Remove free seats, and start with whoever is there."""


class Pause(Body, frozen=True, kw_only=True):
    wanted: bool = True
    """Whether you want a pause or, during a pause, want to resume. False takes that back, or
    refuses a pause that only others have asked for."""


class Lock(Body, frozen=True, kw_only=True):
    locked: bool


class NewHost(Body, frozen=True, kw_only=True):
    seat: Seat


class Nudge(Body, frozen=True, kw_only=True):
    seat: Seat


class MyTable(msgspec.Struct, frozen=True, kw_only=True):
    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool
    awaited: tuple[Seat, ...]
    """The seats that can act now."""


@post("/api/tables", responses=REFUSAL_RESPONSES, status_code=201)
async def create_table(
    data: JSONBody[NewTable], gate: TheGate, visitor: TheVisitor, identified: TheIdentifiedCaller
) -> TableAnswer:
    """Create a table, as its host. The answer contains the commitment to the secret of its first
    match, so take a seat and send your share of the seed only after that."""
    gate.count_request(Kind.CREATE, visitor.address)
    lobby, holder = identified.lobby, identified.holder
    if data.circle is not None:
        require_member(await read_circle(lobby.store, data.circle), holder)
    found = await lobby.create(
        data.game,
        holder,
        chairs=data.chairs,
        options=data.options,
        agreement=data.agreement,
        first_game=data.first_game,
        circle=data.circle,
    )
    if data.circle is not None:
        id = found.table.id
        await change_circle(
            lobby.store, data.circle, lobby.now(), lambda old: add_table(old, holder, id)
        )
    metrics.TABLES_CREATED.labels(data.game).inc()
    return identified.answer(found)


@get("/api/tables", responses=REFUSAL_RESPONSES)
async def list_tables(
    lobby: TheLobby,
    phase: Annotated[
        Phase, QueryParameter(description="lobby: open to join; over: recently finished")
    ] = "lobby",
) -> list[TableInfo]:
    """The listed tables in a phase, most recently touched first. In the lobby phase, only those
    where somebody is connected."""
    return [make_table_info(found) for found in await lobby.list_tables(phase, MAX_LISTED_TABLES)]


@get("/api/mine", responses=REFUSAL_RESPONSES)
async def my_tables(caller: TheCaller, gate: TheGate, visitor: TheVisitor) -> list[MyTable]:
    """The tables where you sit or are the host, most recently touched first."""
    if caller.holder is None:
        return []
    found_tables = await caller.lobby.tables_held_by(caller.holder, MAX_MY_TABLES_READ)
    mine = found_tables[:MAX_MY_TABLES]
    played = [found.table for found in mine if found.table.phase == "playing"]
    store = caller.lobby.store
    awaited = await store.awaited_seats([table.match_id for table in played])
    if unknown := [table for table in played if table.match_id not in awaited]:
        if await are_logs_long(store, *(table.match_id for table in unknown)):
            gate.count_request(Kind.HEAVY, visitor.address)
        # All at once, so that their requests to the store share transactions.
        found_seats = await asyncio.gather(*(replay_awaited(store, table) for table in unknown))
        awaited |= zip((table.match_id for table in unknown), found_seats, strict=True)
    return [
        MyTable(
            table=make_table_info(found),
            yours=found.table.held_by(caller.holder),
            host=found.table.host == caller.holder,
            awaited=awaited[found.table.match_id] if found.table.phase == "playing" else (),
        )
        for found in mine
    ]


async def replay_awaited(store: Store, table: Table) -> tuple[Seat, ...]:
    """The seats that can act in a match, where that isn't stored with its last event."""
    game = table.rules
    kept = await store.secret_and_state(table.match_id)
    saved = decode_saved_state(game, kept[1]) if kept else None
    log = await replay_log(store, game, table.match_id, saved or NO_EVENTS, with_recent=False)
    return game.awaited(log.state) if log.seq else ()  # it was deleted since the table was read


@get("/api/tables/{table:str}", responses=REFUSAL_RESPONSES)
async def get_table(table: TableId, caller: TheCaller) -> TableAnswer:
    """A table. You don't need a token to look at it."""
    return caller.answer(await caller.lobby.get(table))


@delete("/api/tables/{table:str}", responses=REFUSAL_RESPONSES)
async def delete_table(table: TableId, lobby: TheLobby, gate: TheGate, visitor: TheVisitor) -> None:
    """Delete a table and all its matches, as the administrator of the server."""
    await gate.check_admin(visitor)
    await lobby.get(table)
    await lobby.delete_table(table)


@put("/api/tables/{table:str}/options", responses=REFUSAL_RESPONSES)
async def set_options(
    table: TableId, data: JSONBody[dict[str, Any]], caller: TheCaller
) -> TableAnswer:
    """Choose the options of the game before it starts, as the host."""
    return await caller.change(table, lambda old: tables.set_options(old, caller.holder, data))


@put("/api/tables/{table:str}/agreement", responses=REFUSAL_RESPONSES)
async def set_agreement(
    table: TableId, data: JSONBody[Agreement], caller: TheCaller
) -> TableAnswer:
    """Choose everything except the game's own options, as the host."""
    return await caller.change(table, lambda old: tables.set_agreement(old, caller.holder, data))


@post("/api/tables/{table:str}/chairs", responses=REFUSAL_RESPONSES, status_code=200)
async def add_chair(table: TableId, caller: TheCaller) -> TableAnswer:
    """Add a seat, as the host."""
    return await caller.change(table, lambda old: tables.add_chair(old, caller.holder))


@put("/api/tables/{table:str}/lock", responses=REFUSAL_RESPONSES)
async def lock_table(table: TableId, data: JSONBody[Lock], caller: TheCaller) -> TableAnswer:
    """Lock the table so that nobody new can sit down, or unlock it, as the host."""
    return await caller.change(
        table, lambda old: tables.set_lock(old, caller.holder, locked=data.locked)
    )


@delete("/api/tables/{table:str}/removals", responses=REFUSAL_RESPONSES, status_code=200)
async def readmit_everyone(table: TableId, caller: TheCaller) -> TableAnswer:
    """Let everyone who was removed sit down again, as the host."""
    return await caller.change(table, lambda old: tables.readmit_everyone(old, caller.holder))


@put("/api/tables/{table:str}/host", responses=REFUSAL_RESPONSES)
async def set_host(table: TableId, data: JSONBody[NewHost], caller: TheCaller) -> TableAnswer:
    """Make somebody else the host."""
    return await caller.change(table, lambda old: tables.make_host(old, caller.holder, data.seat))


@post("/api/tables/{table:str}/start", responses=REFUSAL_RESPONSES, status_code=200)
async def start_match(table: TableId, data: JSONBody[Start], caller: TheCaller) -> TableAnswer:
    """Start the match, as the host. If the host doesn't sit at the table, the person on the first
    seat can start it, too."""
    return caller.answer(
        await caller.lobby.start(table, caller.holder, without_free=data.without_free)
    )


@post("/api/tables/{table:str}/rematch", responses=REFUSAL_RESPONSES, status_code=200)
async def rematch(table: TableId, caller: TheCaller) -> TableAnswer:
    """Prepare another match, as the host. It has a new secret, so everyone should send a new
    share."""
    return caller.answer(await caller.lobby.rematch(table, caller.holder))


@post("/api/tables/{table:str}/again", responses=REFUSAL_RESPONSES, status_code=200)
async def vote_for_rematch(table: TableId, caller: TheCaller) -> TableAnswer:
    """Vote for another match. When everyone who plays and is here wants it, it gets a secret, and
    it begins as soon as all of them have sent a new share."""
    return caller.answer(await caller.lobby.vote_for_rematch(table, caller.holder))


@post("/api/tables/{table:str}/pause", responses=REFUSAL_RESPONSES, status_code=200)
async def vote_on_pause(
    table: TableId, data: JSONBody[Pause], caller: TheCaller, gate: TheGate, visitor: TheVisitor
) -> TableAnswer:
    """Ask for a pause, or to resume. It happens when everyone who is there has asked; if somebody
    refuses a pause, all requests for it are cleared."""
    lobby = caller.lobby
    if await are_logs_long(lobby.store, (await lobby.get(table)).table.match_id):
        gate.count_request(Kind.HEAVY, visitor.address)
    return caller.answer(await lobby.vote_on_pause(table, caller.holder, wanted=data.wanted))


@post("/api/tables/{table:str}/nudge", responses=REFUSAL_RESPONSES, status_code=204)
async def nudge_player(
    table: TableId, data: JSONBody[Nudge], caller: TheCaller, gate: TheGate, visitor: TheVisitor
) -> None:
    """Remind the player of a seat, whom the match waits for, that it's their turn: at most once an
    hour, whoever at the table asks. It reaches those who have turned notifications on."""
    lobby = caller.lobby
    if await are_logs_long(lobby.store, (await lobby.get(table)).table.match_id):
        gate.count_request(Kind.HEAVY, visitor.address)
    with lobby.rooms.open(table) as room:
        await nudge(room, caller.holder, data.seat)


@post("/api/tables/{table:str}/skip", responses=REFUSAL_RESPONSES, status_code=204)
async def skip_bot_time(
    table: TableId, caller: TheCaller, gate: TheGate, visitor: TheVisitor
) -> None:
    """Skip the time in which only bots still solve, as somebody who sits at the table. What they
    would have done happens at once, and nothing else changes."""
    lobby = caller.lobby
    if await are_logs_long(lobby.store, (await lobby.get(table)).table.match_id):
        gate.count_request(Kind.HEAVY, visitor.address)
    with lobby.rooms.open(table) as room:
        await skip_bots(room, caller.holder)


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
        lock_table,
        readmit_everyone,
        set_host,
        start_match,
        rematch,
        vote_for_rematch,
        vote_on_pause,
        nudge_player,
        skip_bot_time,
    ],
    guards=[limit_table_changes],
    tags=["tables"],
)
