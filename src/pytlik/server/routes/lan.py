"""Where others on the network find this server, for people who open it on the same machine."""

import msgspec
from litestar import Router, get

from pytlik.server.processes.lan_address import find_lan_address
from pytlik.server.responses.error_responses import REFUSAL_RESPONSES
from pytlik.server.routes.dependencies import TheGate, TheVisitor
from pytlik.server.settings import is_loopback


class Lan(msgspec.Struct, frozen=True, kw_only=True):
    host: str | None
    """The server's address in the local network; null if it listens only on its own machine, or if
    you ask from another one."""


@get("/api/lan", responses=REFUSAL_RESPONSES)
async def show_lan_address(gate: TheGate, visitor: TheVisitor) -> Lan:
    """Where others on the network can open this server. Only its own machine gets an address."""
    if not visitor.is_on_this_machine or is_loopback(gate.settings.host):
        return Lan(host=None)
    host = find_lan_address()
    return Lan(host=None if is_loopback(host) else host)


router = Router("/", route_handlers=[show_lan_address], tags=["lan"])
