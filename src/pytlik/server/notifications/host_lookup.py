"""Looks up the addresses of hosts that strangers name.

Somebody who owns a name can make looking it up take most of a minute. So each lookup has a thread
of its own, which delays neither other lookups nor the end of the program. There are only a few at
once, one for each host, and answers are cached: browsers use a handful of push services.
"""

import asyncio
import socket
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from pytlik.server.daemon_threads import DaemonThreads

Address = IPv4Address | IPv6Address

MAX_LOOKUPS = 32
"""How many hosts are looked up at once."""

LOOKUP_SECONDS = 4.0
"""How long to wait for a lookup. After that it goes on, but nobody waits for it until it has
ended."""

REMEMBERED_SECONDS = 600.0
MAX_REMEMBERED_HOSTS = 256

Resolve = Callable[..., Any]
"""A function like `socket.getaddrinfo`."""


class HostLookup:
    def __init__(self, resolve: Resolve = socket.getaddrinfo) -> None:
        self._resolve = resolve
        self._threads = DaemonThreads("pytlik-lookup")
        self._running: dict[str, asyncio.Future[Any]] = {}
        self._late: set[str] = set()
        """Hosts whose lookup takes so long that nobody waits for it."""
        self._remembered: OrderedDict[str, tuple[list[Address], float]] = OrderedDict()
        """The addresses of each host, and until when they needn't be looked up again."""

    async def find_addresses(self, host: str) -> list[Address]:
        """The addresses of a host. Raises OSError if there are none, or none in time."""
        addresses, until = self._remembered.get(host, ([], 0.0))
        if asyncio.get_running_loop().time() < until:
            return addresses
        try:
            return await self._look_up(host)
        except OSError:
            if addresses:  # it most likely still has them
                return addresses
            raise

    async def _look_up(self, host: str) -> list[Address]:
        if host in self._late:
            raise OSError("it takes long to find")
        try:
            found = await asyncio.wait_for(self._join_lookup(host), LOOKUP_SECONDS)
        except TimeoutError:
            if host in self._running:
                self._late.add(host)
            raise OSError("it wasn't found in time") from None
        return to_addresses(found)

    def _join_lookup(self, host: str) -> "asyncio.Future[Any]":
        """The lookup of a host that is running already, or a new one in a thread. A caller that
        stops waiting doesn't cancel it."""
        if host not in self._running:
            if len(self._running) >= MAX_LOOKUPS:
                raise OSError("too many hosts are being looked up")
            work = self._threads.submit(self._resolve, host, None, type=socket.SOCK_STREAM)
            lookup = self._running[host] = asyncio.wrap_future(work)
            lookup.add_done_callback(partial(self._finish, host))
        return asyncio.shield(self._running[host])

    def _finish(self, host: str, lookup: "asyncio.Future[Any]") -> None:
        del self._running[host]
        self._late.discard(host)
        if not lookup.cancelled() and lookup.exception() is None:
            self._remember(host, to_addresses(lookup.result()))

    def _remember(self, host: str, addresses: list[Address]) -> None:
        until = asyncio.get_running_loop().time() + REMEMBERED_SECONDS
        self._remembered[host] = addresses, until
        self._remembered.move_to_end(host)
        if len(self._remembered) > MAX_REMEMBERED_HOSTS:
            self._remembered.popitem(last=False)


def to_addresses(found: list[Any]) -> list[Address]:
    """The addresses in what `getaddrinfo` returns, each once."""
    addresses = [ip_address(str(where[0]).partition("%")[0]) for *_, where in found]
    return list(dict.fromkeys(addresses))
