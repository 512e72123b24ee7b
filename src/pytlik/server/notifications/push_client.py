"""Requests to the push services of browser makers.

A browser tells us where its service is, so anyone can make us send a request to an address of their
choice. It must be a public one: we look up its name ourselves, check every address, and connect to
one of those that we have checked. We follow no redirect, and nobody is told what the answer was.
"""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import Enum, auto
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from urllib.parse import SplitResult, urlsplit

from pytlik.server.notifications.host_lookup import Address, HostLookup

REQUEST_TIMEOUT_SECONDS = 10.0

MAX_ENDPOINT_LENGTH = 1000
"""Characters of an endpoint; those of today's browsers have 100 to 500."""

NAT64_NETWORK = IPv6Network("64:ff9b::/96")
"""Addresses in here stand for the IPv4 addresses in their last four bytes."""

PUBLIC_IPV6_NETWORK = IPv6Network("2000::/3")
"""All public addresses are in here. Python's `is_global` also allows networks that aren't assigned,
or that lead back to IPv4."""

RESERVED_NETWORKS = (IPv4Network("192.0.0.0/24"), IPv6Network("3fff::/20"))
"""For protocols and for examples; `is_global` allows some of them."""

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class DeliveryOutcome(Enum):
    """What became of a message."""

    ACCEPTED = auto()
    GONE = auto()
    """The browser no longer wants any messages."""
    TRY_LATER = auto()
    REFUSED = auto()


def parse_endpoint(endpoint: str) -> SplitResult:
    """The parts of an endpoint. Raises ValueError for one that we'd never send to."""
    parts = urlsplit(endpoint)
    if len(endpoint) > MAX_ENDPOINT_LENGTH or not endpoint.isascii() or not endpoint.isprintable():
        raise ValueError("it is no address")
    if parts.scheme != "https" or not parts.hostname or "@" in parts.netloc or " " in endpoint:
        raise ValueError("it is no https address")
    if parts.port == 0:
        raise ValueError("there is no such port")
    return parts


def origin_of(endpoint: str) -> str:
    """The push service, as its signatures name it."""
    return f"https://{parse_endpoint(endpoint).netloc.lower()}"


def is_public_address(address: Address, port: int) -> bool:
    """Whether an address is on the public internet, and not in this server's own network."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in NAT64_NETWORK:
            inner = IPv4Address(int(address) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public_address(inner, port)
        if address not in PUBLIC_IPV6_NETWORK:
            return False
    reserved = any(address in network for network in RESERVED_NETWORKS)
    return port == 443 and address.is_global and not address.is_multicast and not reserved


class PushClient:
    def __init__(
        self,
        *,
        is_allowed: Callable[[Address, int], bool] = is_public_address,
        tls: ssl.SSLContext | None = None,
        lookup: HostLookup | None = None,
    ) -> None:
        self._is_allowed = is_allowed
        self._lookup = lookup or HostLookup()
        self._tls = tls

    async def post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> DeliveryOutcome:
        """Send a message to an endpoint. Never raises, whatever is or isn't there."""
        try:
            async with asyncio.timeout(REQUEST_TIMEOUT_SECONDS):
                status = await self._post(endpoint, headers, body)
        except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError):
            return DeliveryOutcome.TRY_LATER
        except ValueError:  # the address or the answer can't be a push service's
            return DeliveryOutcome.REFUSED
        if 200 <= status < 300:
            return DeliveryOutcome.ACCEPTED
        if status in {404, 410}:
            return DeliveryOutcome.GONE
        return (
            DeliveryOutcome.TRY_LATER if status == 429 or status >= 500 else DeliveryOutcome.REFUSED
        )

    async def _post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> int:
        parts = parse_endpoint(endpoint)
        host, port = str(parts.hostname), parts.port or 443
        reader, writer = await self._connect(host, port, await self._find_addresses(host, port))
        try:
            writer.write(format_request(parts, headers, body))
            await writer.drain()
            return parse_status(await reader.readline())
        finally:
            writer.transport.abort()

    async def _connect(self, host: str, port: int, addresses: list[Address]) -> Streams:
        # Reading the system's certificates takes a while, so only once, and when it's needed.
        self._tls = self._tls or await asyncio.to_thread(ssl.create_default_context)
        for address in addresses[:-1]:
            with suppress(OSError):  # many machines have no IPv6
                return await self._connect_to(address, host, port)
        return await self._connect_to(addresses[-1], host, port)

    async def _connect_to(self, address: Address, host: str, port: int) -> Streams:
        return await asyncio.open_connection(
            str(address), port, ssl=self._tls, server_hostname=host
        )

    async def _find_addresses(self, host: str, port: int) -> list[Address]:
        """The addresses of a host. Raises ValueError if any of them isn't allowed."""
        addresses = await self._lookup.find_addresses(host)
        if not all(self._is_allowed(each, port) for each in addresses):
            raise ValueError("it is not on the public internet")
        return addresses


def format_request(parts: SplitResult, headers: Mapping[str, str], body: bytes) -> bytes:
    path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    lines = [
        f"POST {path} HTTP/1.1",
        f"Host: {parts.netloc}",
        *(f"{name}: {value}" for name, value in headers.items()),
        f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


def parse_status(line: bytes) -> int:
    """The status in the first line of an answer. Raises ValueError, or EOFError without one."""
    if not line:
        raise EOFError
    version, status, *_ = line.split()
    if not version.startswith(b"HTTP/1."):
        raise ValueError("it doesn't speak HTTP")
    return int(status)
