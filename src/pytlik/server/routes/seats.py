"""Seats: taking and leaving them, bots, and moving a seat to another device."""

from collections.abc import Callable
from typing import Annotated

import msgspec
from litestar import Router, delete, post, put
from litestar.params import JSONBody

from pytlik.game import Seat
from pytlik.protocol.table_agreement import Level
from pytlik.server import tokens
from pytlik.server.live.table_changes import TableChange
from pytlik.server.responses.error_responses import REFUSAL_RESPONSES
from pytlik.server.routes.dependencies import (
    Body,
    IdentifiedCaller,
    SeatNumber,
    TableAnswer,
    TableId,
    TheCaller,
    TheGate,
    TheIdentifiedCaller,
    TheVisitor,
    limit_table_changes,
)
from pytlik.server.table import seats
from pytlik.server.table.sanitize import clean_name
from pytlik.server.table.stored_tables import StoredTable
from pytlik.server.table.tables import Table

Share = Annotated[str, msgspec.Meta(max_length=64)]
ShortText = Annotated[str, msgspec.Meta(max_length=200)]


class Sit(Body, frozen=True, kw_only=True):
    name: ShortText
    seat: Seat | None = None
    """By default, the first free seat."""
    share: Share = ""
    """Your part of the match's seed: any random text, so that nobody alone decides the deal."""


class TakenSeat(TableAnswer, frozen=True, kw_only=True):
    seat: Seat
    recovery: str
    """The code that gets this seat back if you lose your cookie. It's only shown now."""


class MovedSeat(TableAnswer, frozen=True, kw_only=True):
    seat: Seat
    recovery: str
    """The code that gets this seat back from now on. The earlier one no longer works."""


class NewName(Body, frozen=True, kw_only=True):
    name: ShortText


class NewShare(Body, frozen=True, kw_only=True):
    share: Share


class NewMute(Body, frozen=True, kw_only=True):
    muted: bool


class NewBot(Body, frozen=True, kw_only=True):
    level: Level


class MoveCode(msgspec.Struct, frozen=True, kw_only=True):
    code: str
    expires: int


class EnteredCode(Body, frozen=True, kw_only=True):
    table: ShortText
    code: ShortText


@post("/api/tables/{table:str}/seats", responses=REFUSAL_RESPONSES, status_code=201)
async def sit(table: TableId, data: JSONBody[Sit], identified: TheIdentifiedCaller) -> TakenSeat:
    """Take a free seat. One browser can hold several."""
    name = clean_name(data.name)
    recovery = tokens.random_letters(tokens.RECOVERY_LENGTH)
    taken = -1

    def alter(old: Table) -> Table:
        nonlocal taken
        taken = seats.first_free(old) if data.seat is None else data.seat
        hashed = tokens.hashed_code(table, recovery)
        return seats.sit(
            old, identified.holder, taken, name=name, recovery=hashed, share=data.share
        )

    answer = await identified.change(table, alter)
    return TakenSeat(**msgspec.structs.asdict(answer), seat=taken, recovery=recovery)


@delete("/api/tables/{table:str}/seats/{seat:int}", responses=REFUSAL_RESPONSES, status_code=200)
async def leave(table: TableId, seat: SeatNumber, caller: TheCaller) -> TableAnswer:
    """Leave your seat, or ask that somebody else leave theirs. Outside a match, the host decides.
    During a match, everyone else has to agree: the host, and at least two players. If the person
    isn't here, a bot then plays for them until they're back."""
    now = caller.lobby.now()

    def alter(stored: StoredTable) -> TableChange:
        old = stored.table
        if seat in old.held_by(caller.holder):
            return seats.leave(old, caller.holder, seat, now), ()
        return seats.request_removal(old, caller.holder, seat, stored.here, now), ()

    return caller.answer(await caller.lobby.change_with_writes(table, alter))


@put("/api/tables/{table:str}/seats/{seat:int}/name", responses=REFUSAL_RESPONSES)
async def rename(
    table: TableId, seat: SeatNumber, data: JSONBody[NewName], caller: TheCaller
) -> TableAnswer:
    name = clean_name(data.name)
    return await caller.change(table, lambda old: seats.rename(old, caller.holder, seat, name))


@put("/api/tables/{table:str}/seats/{seat:int}/share", responses=REFUSAL_RESPONSES)
async def set_share(
    table: TableId, seat: SeatNumber, data: JSONBody[NewShare], caller: TheCaller
) -> TableAnswer:
    """Send your part of the seed for a rematch. If everyone wants it, the last part starts it."""
    return caller.answer(await caller.lobby.set_share(table, caller.holder, seat, data.share))


@post("/api/tables/{table:str}/seats/{seat:int}/back", responses=REFUSAL_RESPONSES, status_code=200)
async def take_back(table: TableId, seat: SeatNumber, caller: TheCaller) -> TableAnswer:
    """Play for yourself again after a bot took over."""
    return await caller.change(table, lambda old: seats.take_back(old, caller.holder, seat))


@put("/api/tables/{table:str}/seats/{seat:int}/muted", responses=REFUSAL_RESPONSES)
async def mute(
    table: TableId, seat: SeatNumber, data: JSONBody[NewMute], caller: TheCaller
) -> TableAnswer:
    """Mute or unmute somebody's reactions and chat, as the host."""
    return await caller.change(
        table, lambda old: seats.mute(old, caller.holder, seat, muted=data.muted)
    )


@put("/api/tables/{table:str}/seats/{seat:int}/bot", responses=REFUSAL_RESPONSES)
async def add_bot(
    table: TableId, seat: SeatNumber, data: JSONBody[NewBot], caller: TheCaller
) -> TableAnswer:
    """Seat a bot, or change its level, as the host."""
    return await caller.change(
        table, lambda old: seats.add_bot(old, caller.holder, seat, data.level)
    )


@delete(
    "/api/tables/{table:str}/seats/{seat:int}/bot", responses=REFUSAL_RESPONSES, status_code=200
)
async def remove_bot(table: TableId, seat: SeatNumber, caller: TheCaller) -> TableAnswer:
    return await caller.change(table, lambda old: seats.remove_bot(old, caller.holder, seat))


@post("/api/tables/{table:str}/seats/{seat:int}/code", responses=REFUSAL_RESPONSES, status_code=201)
async def create_move_code(table: TableId, seat: SeatNumber, caller: TheCaller) -> MoveCode:
    """Create a code that moves your seat to the device where it's entered within ten minutes."""
    code = tokens.random_letters(tokens.CODE_LENGTH)
    now = caller.lobby.now()
    hashed = tokens.hashed_code(table, code)
    await caller.change(
        table, lambda old: seats.add_move_code(old, caller.holder, seat, hashed, now)
    )
    return MoveCode(code=code, expires=now + seats.CODE_LIFETIME_MS)


@post("/api/codes", responses=REFUSAL_RESPONSES, status_code=200)
async def redeem_move_code(
    data: JSONBody[EnteredCode], gate: TheGate, visitor: TheVisitor, identified: TheIdentifiedCaller
) -> MovedSeat:
    """Move a seat to this device, with a code from the other one."""
    now = identified.lobby.now()

    def redeem(old: Table, hashed: str, recovery: str) -> tuple[Table, Seat]:
        return seats.redeem_move_code(old, identified.holder, hashed, now, recovery=recovery)

    async with gate.guesses.limit_move_code(data.table, visitor.address):
        return await move_seat_by_code(data, identified, redeem)


@post("/api/recover", responses=REFUSAL_RESPONSES, status_code=200)
async def recover_seat(
    data: JSONBody[EnteredCode], gate: TheGate, visitor: TheVisitor, identified: TheIdentifiedCaller
) -> MovedSeat:
    """Get a seat back with its recovery code, which works once."""

    def recover(old: Table, hashed: str, recovery: str) -> tuple[Table, Seat]:
        return seats.recover_seat(old, identified.holder, hashed, recovery=recovery)

    async with gate.guesses.limit_recovery_code(data.table, visitor.address):
        return await move_seat_by_code(data, identified, recover)


async def move_seat_by_code(
    data: JSONBody[EnteredCode],
    identified: IdentifiedCaller,
    by: Callable[[Table, str, str], tuple[Table, Seat]],
) -> MovedSeat:
    hashed = tokens.hashed_code(data.table, data.code)
    recovery = tokens.random_letters(tokens.RECOVERY_LENGTH)
    next_hash = tokens.hashed_code(data.table, recovery)
    seat = -1

    def alter(old: Table) -> Table:
        nonlocal seat
        table, seat = by(old, hashed, next_hash)
        return table

    answer = await identified.change(data.table, alter)
    return MovedSeat(**msgspec.structs.asdict(answer), seat=seat, recovery=recovery)


router = Router(
    "/",
    route_handlers=[
        sit,
        leave,
        rename,
        set_share,
        take_back,
        mute,
        add_bot,
        remove_bot,
        create_move_code,
        redeem_move_code,
        recover_seat,
    ],
    guards=[limit_table_changes],
    tags=["seats"],
)
