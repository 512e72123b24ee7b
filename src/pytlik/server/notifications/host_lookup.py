"""Looks up the addresses of hosts that strangers name.

Somebody who owns a name can make looking it up take most of a minute. So a lookup has a thread of
its own, which delays neither the lookups of others nor the end of the program. There are only a few
at once, one for each host, and answers are remembered: browsers use a handful of push services.
"""

import asyncio
import socket
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from pytlik.server.daemon_threads import DaemonThreads

Address = IPv4Address | IPv6Address

MAX_LOOKUPS = 32
"""How many hosts are looked up at once."""

LOOKUP_SECONDS = 4.0
"""How long anybody waits for a lookup. It goes on, but for a while its host counts as away."""

REMEMBERED_SECONDS = 600.0
MAX_REMEMBERED_HOSTS = 256

Resolve = Callable[..., Any]
"""Like `socket.getaddrinfo`."""


class HostLookup:
    def __init__(self, resolve: Resolve = socket.getaddrinfo) -> None:
        self._resolve = resolve
        self._threads = DaemonThreads("pytlik-lookup")
        self._running: dict[str, asyncio.Future[Any]] = {}
        self._remembered: OrderedDict[str, tuple[list[Address], float]] = OrderedDict()
        """The addresses of each host, none if it was too slow, and until when that counts."""

    async def find_addresses(self, host: str) -> list[Address]:
        """The addresses of a host. Raises OSError if there are none, or none in time."""
        loop = asyncio.get_running_loop()
        addresses, until = self._remembered.get(host, ([], 0.0))
        if until <= loop.time():
            addresses = await self._look_up(host)
            self._remembered[host] = addresses, loop.time() + REMEMBERED_SECONDS
            self._remembered.move_to_end(host)
            if len(self._remembered) > MAX_REMEMBERED_HOSTS:
                self._remembered.popitem(last=False)
        if not addresses:
            raise OSError("nobody says in time where it is")
        return addresses

    async def _look_up(self, host: str) -> list[Address]:
        """Raises OSError if there is no such host."""
        try:
            found = await asyncio.wait_for(asyncio.shield(self._start(host)), LOOKUP_SECONDS)
        except TimeoutError:
            return []
        addresses = [ip_address(str(where[0]).partition("%")[0]) for *_, where in found]
        return list(dict.fromkeys(addresses))

    def _start(self, host: str) -> "asyncio.Future[Any]":
        """A lookup in a thread, or the one that is running already."""
        if host in self._running:
            return self._running[host]
        if len(self._running) >= MAX_LOOKUPS:
            raise OSError("too many hosts are being looked up")
        work = self._threads.submit(self._resolve, host, None, type=socket.SOCK_STREAM)
        lookup = asyncio.wrap_future(work)
        self._running[host] = lookup

        def finish(done: "asyncio.Future[Any]") -> None:
            del self._running[host]
            if not done.cancelled():
                done.exception()  # or it would be logged if nobody waits any more

        lookup.add_done_callback(finish)
        return lookup
