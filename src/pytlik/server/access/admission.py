"""Who is asking, from where, and whether they may: for requests and sockets alike.

A browser sends its cookie whichever page makes the request, so a request with a cookie must come
from one of our pages (Origin). A program sends its token as Bearer, which no foreign page can do.
"""

import hmac
import ipaddress
import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from pytlik.game import Illegal, Malformed, Reason
from pytlik.protocol.reasons import ServerReason
from pytlik.server import tokens
from pytlik.server.responses.page_files import is_page_or_file_path, strip_base_path
from pytlik.server.settings import UNIX_SOCKET, Settings, is_loopback
from pytlik.server.tokens import Holder

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}

OPEN_PATHS = {"/healthz", "/readyz", "/api/enter"}
"""What a private server answers to everyone, besides the page that asks for the passphrase."""

CONTENT_SECURITY_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "media-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
"""What our pages may load, and from where."""

SECURITY_HEADERS = {
    "content-security-policy": "; ".join(
        f"{kind} {source}" for kind, source in CONTENT_SECURITY_POLICY.items()
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

STRICT_TRANSPORT_HEADER = ("strict-transport-security", "max-age=31536000")
"""For answers over TLS: browsers then use nothing but TLS for a year."""

HOST_PATTERN = re.compile(r"(\[(?P<ip>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(:[0-9]*)?")

FORWARDED_HEADERS = ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host")

ADDRESS_WITH_PORT_PATTERN = re.compile(r"\[(?P<v6>[^\]]+)\](:[0-9]+)?|(?P<v4>[0-9.]+):[0-9]+")

LOOPBACK_NETWORK = "::/64"
"""The network that ::1 is counted under."""

Scope = Mapping[str, Any]

CountGuess = Callable[[str], AbstractContextManager[None]]
"""Counts a guess from an address, unless it turns out to be right. Raises Illegal after too
many."""


def ignore_guess(_: str) -> AbstractContextManager[None]:
    return nullcontext()


@dataclass(frozen=True)
class Visitor:
    """Whoever sent a request."""

    address: str
    """The address that requests are counted by. For IPv6 it's only the network, since everyone has
    a whole one."""
    secure: bool
    token: str | None = None
    by_cookie: bool = False
    old_token: str | None = None
    """A browser's former token, until everything has moved to its new one."""
    admin: bool = False

    @property
    def is_program(self) -> bool:
        """Whether it's a program, which sends its token itself."""
        return self.token is not None and not self.by_cookie

    @property
    def is_on_this_machine(self) -> bool:
        """Whether the request comes from the server's own machine."""
        return self.address == LOOPBACK_NETWORK or is_loopback(self.address)

    @property
    def holder(self) -> Holder | None:
        return tokens.holder_of(self.token) if self.token else None


def admit(scope: Scope, settings: Settings, count_guess: CountGuess = ignore_guess) -> Visitor:
    """Identify the visitor. Raises Malformed or Illegal if they may not ask."""
    headers = Headers(scope)
    host = require_valid_host_header(scope, headers, settings)
    visitor = identify_visitor(
        headers,
        settings,
        Visitor(
            address=client_address(scope, headers, settings),
            secure=is_secure(scope, headers, settings),
        ),
        count_guess,
    )
    unsafe = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
    if unsafe and (visitor.by_cookie or visitor.token is None) and not visitor.admin:
        check_origin(headers, settings, visitor, host)
    check_passphrase_mark(scope, settings, visitor, count_guess)
    return visitor


def is_secure(scope: Scope, headers: "Headers", settings: Settings) -> bool:
    scheme = headers.last("x-forwarded-proto") if is_via_proxy(scope, settings) else None
    return (scheme or scope["scheme"]) in {"https", "wss"}


def identify_visitor(
    headers: "Headers", settings: Settings, visitor: Visitor, count_guess: CountGuess
) -> Visitor:
    authorization = headers.all("authorization")
    if authorization:
        scheme, _, token = authorization[-1].partition(" ")
        if scheme.lower() != "bearer":
            raise Illegal(ServerReason.BAD_TOKEN)
        return identify_bearer(token, settings, visitor, count_guess)
    cookie, old_cookie = (
        headers.token_in_cookie(tokens.cookie_name(secure=visitor.secure, old=old))
        for old in (False, True)
    )
    return replace(visitor, token=cookie, by_cookie=cookie is not None, old_token=old_cookie)


def identify_bearer(
    token: str, settings: Settings, visitor: Visitor, count_guess: CountGuess
) -> Visitor:
    """Identify whose token it is. One that can't be a player's is a guess at the administrator's.
    One that looks like a player's is a guess only where the administrator's is required
    (`check_admin`); until then nothing reveals whether it's right."""
    player = replace(visitor, token=token) if tokens.is_well_formed(token) else None
    right = settings.admin_token is not None and equal_in_constant_time(token, settings.admin_token)
    if player and not right:
        return player
    try:
        refuse_wrong_guess(
            visitor, count_guess if settings.admin_token else ignore_guess, right=right
        )
    except Illegal:
        if player:
            return player  # as if it were wrong
        raise
    return replace(player or visitor, admin=True)


def refuse_wrong_guess(visitor: Visitor, count_guess: CountGuess, *, right: bool) -> None:
    """Raise Illegal for a wrong guess and, after too many of them, even for a right one."""
    with count_guess(visitor.address):
        if not right:
            raise Illegal(ServerReason.BAD_TOKEN)


def check_admin(visitor: Visitor) -> None:
    """Raise Illegal for everyone but the administrator."""
    if not visitor.admin:
        raise Illegal(ServerReason.NOT_ADMIN)


def equal_in_constant_time(guess: str, secret: str) -> bool:
    return hmac.compare_digest(guess.encode("utf-8", "replace"), secret.encode())


def check_origin(headers: "Headers", settings: Settings, visitor: Visitor, host: str) -> None:
    """Check that a browser's request comes from our page. Browsers always say where it comes from.
    This is checked even without a cookie: otherwise a foreign page could make the browser take a
    new one and lose its seats."""
    origins = headers.all("origin")
    if not origins and not visitor.by_cookie:
        return  # not a browser
    scheme = "https" if visitor.secure else "http"
    usual = ":443" if visitor.secure else ":80"
    ours = settings.origins or (f"{scheme}://{host.lower().removesuffix(usual)}",)
    if len(origins) != 1 or origins[0].lower() not in ours:
        raise Illegal(ServerReason.WRONG_ORIGIN)


def check_passphrase_mark(
    scope: Scope, settings: Settings, visitor: Visitor, count_guess: CountGuess
) -> None:
    path = strip_base_path(str(scope["path"]), settings.base_path)
    if settings.passphrase is None or visitor.admin:
        return
    if scope["type"] == "http" and (path in OPEN_PATHS or is_page_or_file_path(path)):
        return
    if visitor.token is None or not tokens.has_passphrase_mark(visitor.token, settings.passphrase):
        # It may be a guess at the administrator's token, which would be accepted here.
        guess = visitor.is_program and settings.admin_token is not None
        with count_guess(visitor.address) if guess else nullcontext():
            raise Illegal(ServerReason.PASSPHRASE_NEEDED)


# ------------------------------------------------------------------------------------------- hosts


def require_valid_host_header(scope: Scope, headers: "Headers", settings: Settings) -> str:
    """Return the name that the client used for the server, from its only Host header.

    A server for this machine answers only to names of this machine: otherwise any website could
    have its own name point here, and be taken for ours (DNS rebinding). If a trusted proxy forwards
    a request, it's the name that the client used for the proxy.
    """
    hosts = headers.all("host")
    if len(hosts) > 1 or (not hosts and scope.get("http_version") != "1.0"):
        raise Malformed(Reason.BAD_REQUEST, problem="send one Host header")
    passed_on = is_via_proxy(scope, settings) and any(map(headers.all, FORWARDED_HEADERS))
    host = (headers.last("x-forwarded-host") if passed_on else None) or "".join(hosts)
    if host and not is_own_host(host, settings, passed_on=passed_on):
        raise Illegal(ServerReason.WRONG_HOST)
    return host


def is_own_host(host: str, settings: Settings, *, passed_on: bool) -> bool:
    local = is_loopback(settings.host)
    if not settings.hosts and (passed_on or not local):
        return True
    found = HOST_PATTERN.fullmatch(host)
    if not found:
        return False
    name = (found["ip"] or found["name"]).lower().removesuffix(".")
    ip = parse_address(name)
    if (str(ip) if ip else name) in settings.own_host_names or is_loopback(name):
        return True
    return ip is not None and not local


# ------------------------------------------------------------------------- proxies and addresses


def is_via_proxy(scope: Scope, settings: Settings) -> bool:
    """Whether the request comes from one of our proxies."""
    client = scope.get("client")
    if not client or not client[0]:
        return UNIX_SOCKET in settings.trusted_proxies
    return is_proxy(client[0], settings)


def is_proxy(text: str, settings: Settings) -> bool:
    ip = parse_address(text)
    return ip is not None and any(ip in network for network in settings.proxies)


def client_address(scope: Scope, headers: "Headers", settings: Settings) -> str:
    """The address that a request comes from. Of the addresses that proxies list, we trust only
    those that our own proxies have added at the end: each of them is trusted about the hop before
    it."""
    client = scope.get("client")
    found = client[0] if client and client[0] else UNIX_SOCKET
    if is_via_proxy(scope, settings):
        passed = ",".join(headers.all("x-forwarded-for")).split(",")
        for hop in map(without_port, reversed(passed)):
            if parse_address(hop) is None:
                break
            found = hop
            if not is_proxy(hop, settings):
                break
    return rate_limit_address(found)


def without_port(hop: str) -> str:
    """Remove a port, which some proxies add: 192.0.2.1:50000, [2001:db8::1]:50000."""
    found = ADDRESS_WITH_PORT_PATTERN.fullmatch(hop.strip())
    return (found["v6"] or found["v4"]) if found else hop.strip()


def rate_limit_address(text: str) -> str:
    ip = parse_address(text)
    if isinstance(ip, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(ip), 64), strict=False))
    return text if ip is None else str(ip)


def parse_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        ip = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        return ip.ipv4_mapped  # as a socket for both versions writes it
    return ip


def without_cookies(scope: Scope) -> Scope:
    """The same request from a browser without our cookies."""
    kept = [(name, value) for name, value in scope["headers"] if name.lower() != b"cookie"]
    return {**scope, "headers": kept}


class Headers:
    """The headers of a request; some may come more than once."""

    def __init__(self, scope: Scope) -> None:
        self._pairs: list[tuple[bytes, bytes]] = list(scope["headers"])

    def all(self, name: str) -> list[str]:
        key = name.encode()
        return [value.decode("latin-1") for said, value in self._pairs if said.lower() == key]

    def last(self, name: str) -> str | None:
        """The last value: a proxy adds its own at the end."""
        values = ",".join(self.all(name)).split(",")
        return values[-1].strip() or None

    def token_in_cookie(self, cookie: str) -> str | None:
        """The token in a cookie. One that can't be ours counts as none, and the next answer that
        sets a cookie replaces it."""
        token = self.cookie(cookie)
        return token if token is not None and tokens.is_well_formed(token) else None

    def cookie(self, name: str) -> str | None:
        for header in self.all("cookie"):
            for part in header.split(";"):
                key, _, value = part.strip().partition("=")
                if key == name:
                    return value
        return None
