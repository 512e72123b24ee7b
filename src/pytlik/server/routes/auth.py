"""Identity: tokens and cookies, the passphrase of a private server, and logging out other
devices."""

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from pytlik.game import Illegal, Malformed, Reason, Seat
from pytlik.protocol.reasons import ServerReason
from pytlik.server import tokens
from pytlik.server.access.admission import equal_in_constant_time
from pytlik.server.access.rate_limits import Kind
from pytlik.server.name_removal_and_takeover import take_over_everything
from pytlik.server.responses.error_responses import REFUSAL_RESPONSES
from pytlik.server.routes.dependencies import (
    AnyRequest,
    Body,
    TheGate,
    TheIdentifiedCaller,
    TheVisitor,
    keep_old_token,
    set_token_cookie,
)
from pytlik.server.routes.seats import ShortText


class Token(msgspec.Struct, frozen=True, kw_only=True):
    token: str
    """Send it as `Authorization: Bearer`, and keep it: it's what identifies you."""


class PassphraseEntry(Body, frozen=True, kw_only=True):
    passphrase: ShortText
    program: bool = False
    """Answer with a token instead of a cookie."""


class EntryResult(msgspec.Struct, frozen=True, kw_only=True):
    token: str | None


class AdoptionRequest(Body, frozen=True, kw_only=True):
    old: ShortText | None = None
    """The token you had before. Browsers have it in a cookie and can leave this out."""


class AdoptedSeat(msgspec.Struct, frozen=True, kw_only=True):
    table: str
    seat: Seat
    recovery: str
    """The code that gets this seat back from now on. The earlier one no longer works."""


class AdoptionResult(msgspec.Struct, frozen=True, kw_only=True):
    seats: tuple[AdoptedSeat, ...]
    """The seats your new token has taken over, each with a new recovery code."""
    refused: tuple[str, ...]
    """Tables where your new token has seen another hand in the meantime. Ask again when their match
    is over."""


@post("/api/tokens", responses=REFUSAL_RESPONSES, status_code=201)
async def make_token(gate: TheGate, visitor: TheVisitor) -> Token:
    """Create a token for a program. Browsers don't need this: they get a cookie with their first
    seat."""
    gate.count_request(Kind.CREATE, visitor.address)
    return Token(token=new_token(gate))


def new_token(gate: TheGate) -> str:
    token, passphrase = tokens.new_token(), gate.settings.passphrase
    return tokens.add_passphrase_mark(token, passphrase) if passphrase else token


@post("/api/cookie", responses=REFUSAL_RESPONSES, status_code=204)
async def make_cookie(identified: TheIdentifiedCaller) -> None:
    """Give this browser a cookie if it has none. A browser that asks for it before taking a seat
    still holds that seat if the answer gets lost."""


@post("/api/cookie/renewal", responses=REFUSAL_RESPONSES, status_code=204)
async def renew_cookie(request: AnyRequest, gate: TheGate, visitor: TheVisitor) -> None:
    """Give this browser a new token. It also keeps the old one until `POST /api/adoption` has
    transferred everything; until then, asking again changes nothing."""
    if visitor.is_program:
        raise Malformed(Reason.BAD_REQUEST, problem="programs use POST /api/tokens")
    if visitor.token and visitor.old_token:
        return
    gate.count_request(Kind.CREATE, visitor.address)
    set_token_cookie(request, new_token(gate))
    if visitor.token:
        keep_old_token(request, visitor.token)


@post("/api/adoption", responses=REFUSAL_RESPONSES, status_code=200)
async def replace_token(
    request: AnyRequest,
    data: JSONBody[AdoptionRequest],
    gate: TheGate,
    visitor: TheVisitor,
    identified: TheIdentifiedCaller,
) -> AdoptionResult:
    """Log out all other devices: transfer everything your old token has to your new one. Codes
    created earlier stop working. If the answer gets lost, ask again."""
    old, new = data.old or visitor.old_token, visitor.token
    if old is None or new is None:
        return AdoptionResult(seats=(), refused=())
    if not tokens.is_well_formed(old):
        raise Illegal(ServerReason.BAD_TOKEN)
    gate.count_request(Kind.CREATE, visitor.address)  # every table remembers both tokens

    def code(table: str, seat: Seat) -> str:
        return tokens.recovery_code(new, table, seat)

    def hashed(table: str, seat: Seat) -> str:
        return tokens.hashed_code(table, code(table, seat))

    holder = tokens.holder_of(old)
    if not await gate.token_expiry.is_valid(holder):
        raise Illegal(ServerReason.BAD_TOKEN)
    refused = await take_over_everything(
        identified.lobby.rooms,
        holder,
        identified.holder,
        lambda table: lambda seat: hashed(table, seat),
    )
    if visitor.old_token and not refused:
        keep_old_token(request, "")
    mine = [found.table for found in await identified.lobby.tables_held_by(identified.holder)]
    return AdoptionResult(
        seats=tuple(
            AdoptedSeat(table=table.id, seat=seat, recovery=code(table.id, seat))
            for table in mine
            for seat in table.held_by(identified.holder)
            if table.chairs[seat].recovery == hashed(table.id, seat)
        ),
        refused=refused,
    )


@post("/api/enter", responses=REFUSAL_RESPONSES, status_code=200)
async def enter(
    request: AnyRequest, data: JSONBody[PassphraseEntry], gate: TheGate, visitor: TheVisitor
) -> EntryResult:
    """Enter a private server: your token is marked as belonging to someone who knows the
    passphrase."""
    passphrase = gate.settings.passphrase
    async with gate.guesses.limit((Kind.GUESS, visitor.address)):
        if passphrase is None or not equal_in_constant_time(data.passphrase, passphrase):
            raise Illegal(ServerReason.WRONG_PASSPHRASE)
    token = tokens.add_passphrase_mark(visitor.token or tokens.new_token(), passphrase)
    if data.program and not visitor.by_cookie:
        return EntryResult(token=token)
    set_token_cookie(request, token)
    return EntryResult(token=None)


router = Router(
    "/",
    route_handlers=[make_token, make_cookie, renew_cookie, replace_token, enter],
    tags=["entrance"],
)
