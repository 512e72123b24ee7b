"""Who asks, from where, and whether they may ask at all: for requests and for sockets alike.

A browser sends its cookie with whatever page made it ask, so a request with a cookie must come from
a page of ours (Origin). A program sends its token as Bearer, which no foreign page can.
"""

import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pytlik.game import Illegal, Reason
from pytlik.server import tokens
from pytlik.server.page import inner, is_open
from pytlik.server.settings import UNIX, Settings
from pytlik.server.tables import Holder

SAFE = {"GET", "HEAD", "OPTIONS"}

OPEN_PATHS = {"/healthz", "/readyz", "/api/enter"}
"""What a private server answers to everyone, beside the page that asks for the passphrase."""

SOURCES = {
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

HEADERS = {
    "content-security-policy": "; ".join(f"{kind} {source}" for kind, source in SOURCES.items()),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

Scope = Mapping[str, Any]


@dataclass(frozen=True)
class Visitor:
    """Whoever asks."""

    address: str
    """For counting; of IPv6 only the network, of which everyone has a whole one."""
    secure: bool
    token: str | None = None
    by_cookie: bool = False
    admin: bool = False

    @property
    def holder(self) -> Holder | None:
        return tokens.holder(self.token) if self.token else None


def admit(scope: Scope, settings: Settings) -> Visitor:
    """Who asks. Raises Illegal, if they may not."""
    headers = Headers(scope)
    trusted = by_proxy(scope, settings)
    scheme = headers.last("x-forwarded-proto") if trusted else None
    secure = (scheme or scope["scheme"]) in {"https", "wss"}
    visitor = identified(
        headers, settings, Visitor(address=address(scope, headers, settings), secure=secure)
    )
    unsafe = scope["type"] == "websocket" or scope["method"] not in SAFE
    if unsafe and (visitor.by_cookie or visitor.token is None) and not visitor.admin:
        host = headers.last("x-forwarded-host") if trusted else None
        check_origin(headers, settings, visitor, host or headers.last("host") or "")
    check_entered(scope, settings, visitor)
    return visitor


def identified(headers: "Headers", settings: Settings, visitor: Visitor) -> Visitor:
    authorization = headers.all("authorization")
    if authorization:
        scheme, _, said = authorization[-1].partition(" ")
        if scheme.lower() != "bearer":
            raise Illegal(Reason.BAD_TOKEN)
        if settings.admin_token and equal(said, settings.admin_token):
            return replace(visitor, admin=True)
        if not tokens.well_formed(said):
            raise Illegal(Reason.BAD_TOKEN)
        return replace(visitor, token=said)
    token = headers.cookie(tokens.cookie_name(secure=visitor.secure))
    # A cookie that can't be ours is as good as none: the next answer that gives one replaces it.
    if token is not None and tokens.well_formed(token):
        return replace(visitor, token=token, by_cookie=True)
    return visitor


def equal(said: str, secret: str) -> bool:
    return hmac.compare_digest(said.encode("utf-8", "replace"), secret.encode())


def check_origin(headers: "Headers", settings: Settings, visitor: Visitor, host: str) -> None:
    """A browser says where a request comes from, always. Also without a cookie: a foreign page
    could make the browser take a new one, and lose its seats."""
    origins = headers.all("origin")
    if not origins and not visitor.by_cookie:
        return  # no browser
    scheme = "https" if visitor.secure else "http"
    usual = ":443" if visitor.secure else ":80"
    ours = settings.origins or (f"{scheme}://{host.lower().removesuffix(usual)}",)
    if len(origins) != 1 or origins[0].lower() not in ours:
        raise Illegal(Reason.WRONG_ORIGIN)


def check_entered(scope: Scope, settings: Settings, visitor: Visitor) -> None:
    path = inner(str(scope["path"]), settings.base_path)
    if settings.passphrase is None or visitor.admin:
        return
    if scope["type"] == "http" and (path in OPEN_PATHS or is_open(path)):
        return
    if visitor.token is None or not tokens.bears_mark(visitor.token, settings.passphrase):
        raise Illegal(Reason.PASSPHRASE_NEEDED)


# ------------------------------------------------------------------------- proxies and addresses


def by_proxy(scope: Scope, settings: Settings) -> bool:
    """Is it one of our proxies that asks for somebody?"""
    client = scope.get("client")
    if not client or not client[0]:
        return UNIX in settings.trusted_proxies
    return known(client[0], settings)


def known(text: str, settings: Settings) -> bool:
    ip = parsed(text)
    return ip is not None and any(ip in network for network in settings.proxies)


def address(scope: Scope, headers: "Headers", settings: Settings) -> str:
    """Where a request comes from: of what proxies say only what ours have added, at the end."""
    client = scope.get("client")
    found = client[0] if client and client[0] else UNIX
    if by_proxy(scope, settings):
        passed = ",".join(headers.all("x-forwarded-for")).split(",")
        for hop in reversed([part.strip() for part in passed]):
            if parsed(hop) is None:
                break
            found = hop
            if not known(hop, settings):
                break
    return grouped(found)


def grouped(text: str) -> str:
    ip = parsed(text)
    if isinstance(ip, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(ip), 64), strict=False))
    return text if ip is None else str(ip)


def parsed(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        ip = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        return ip.ipv4_mapped  # how a socket for both versions says it
    return ip


class Headers:
    """The headers of a request; some may come more than once."""

    def __init__(self, scope: Scope) -> None:
        self._pairs: list[tuple[bytes, bytes]] = list(scope["headers"])

    def all(self, name: str) -> list[str]:
        key = name.encode()
        return [value.decode("latin-1") for said, value in self._pairs if said.lower() == key]

    def last(self, name: str) -> str | None:
        """What was said last: a proxy adds to the end."""
        values = ",".join(self.all(name)).split(",")
        return values[-1].strip() or None

    def cookie(self, name: str) -> str | None:
        for header in self.all("cookie"):
            for part in header.split(";"):
                key, _, value = part.strip().partition("=")
                if key == name:
                    return value
        return None
