"""Coming in: tokens for programs and the passphrase of a private server."""

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from pytlik.game import Illegal, Reason
from pytlik.server import tokens
from pytlik.server.errors import REFUSED
from pytlik.server.limits import Kind
from pytlik.server.routes.asking import AnyRequest, Body, TheGate, TheVisitor, give
from pytlik.server.routes.seats import Said
from pytlik.server.security import equal


class Token(msgspec.Struct, frozen=True, kw_only=True):
    token: str
    """Send it as `Authorization: Bearer`, and keep it: it is who you are."""


class Enter(Body, frozen=True, kw_only=True):
    passphrase: Said
    program: bool = False
    """Answer with a token, in place of a cookie."""


class Entered(msgspec.Struct, frozen=True, kw_only=True):
    token: str | None


@post("/api/tokens", responses=REFUSED, status_code=201)
async def make_token(gate: TheGate, visitor: TheVisitor) -> Token:
    """A token for a program. Browsers need not ask: they get a cookie with their first seat."""
    gate.take(Kind.CREATE, visitor.address)
    token = tokens.new()
    passphrase = gate.settings.passphrase
    return Token(token=tokens.marked(token, passphrase) if passphrase else token)


@post("/api/enter", responses=REFUSED, status_code=200)
async def enter(
    request: AnyRequest, data: JSONBody[Enter], gate: TheGate, visitor: TheVisitor
) -> Entered:
    """Come into a private server: from now on your token bears the mark of who knows the
    passphrase."""
    passphrase = gate.settings.passphrase
    with gate.guessing((Kind.GUESS, visitor.address)):
        if passphrase is None or not equal(data.passphrase, passphrase):
            raise Illegal(Reason.WRONG_PASSPHRASE)
    token = tokens.marked(visitor.token or tokens.new(), passphrase)
    if data.program and not visitor.by_cookie:
        return Entered(token=token)
    give(request, token)
    return Entered(token=None)


router = Router("/", route_handlers=[make_token, enter], tags=["entrance"])
