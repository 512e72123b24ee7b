"""The gate that every request and every socket passes before anything else sees it."""

import logging
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from ipaddress import ip_network
from math import ceil
from typing import Any, NoReturn
from urllib.parse import unquote_to_bytes

import msgspec

from pytlik.game import Illegal, Malformed, Reason, Refusal
from pytlik.protocol.reasons import ServerReason
from pytlik.server import metrics, tokens
from pytlik.server.access.admission import (
    OPEN_PATHS,
    SAFE_METHODS,
    SECURITY_HEADERS,
    STRICT_TRANSPORT_HEADER,
    CountGuess,
    Headers,
    Scope,
    Visitor,
    admit,
    check_admin,
    is_secure,
    without_cookies,
)
from pytlik.server.access.guess_limits import GuessLimits
from pytlik.server.access.rate_limits import ConnectionSlots, Kind, Limits, SlotLimit, Throttle
from pytlik.server.access.socket_limits import STRANGERS_MESSAGES_RATE, SocketLimits, SocketVisit
from pytlik.server.access.token_expiry import TokenExpiry
from pytlik.server.clocks.clock import Clock
from pytlik.server.responses import error_responses
from pytlik.server.responses.page_files import is_file_path, strip_base_path
from pytlik.server.settings import Settings
from pytlik.store import Store

log = logging.getLogger(__name__)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Any, Any], Awaitable[None]]

VISITOR, NEW_TOKEN, OLD_TOKEN = "visitor", "new_token", "old_token"
"""Keys in a request's state: who asks, the token that the answer gives them, and the old token that
they keep beside it (an empty one removes it)."""

NO_STORE_HEADER = (b"cache-control", b"no-store")

MAX_PATH_LENGTH = 300
"""In characters. Ours are shorter, and the limits keep parts of a path in memory."""


LIMITS_BY_ADDRESS = (
    Kind.READ,
    Kind.FILE,
    Kind.CHANGE,
    Kind.CREATE,
    Kind.HEAVY,
    Kind.CONNECT,
    Kind.MESSAGE_ADDRESS,
    Kind.TALK_ADDRESS,
)


class NetworkLoad(msgspec.Struct, frozen=True, kw_only=True):
    """The current load from a network. Addresses are shortened, and stored nowhere."""

    network: str
    """A /24 network for IPv4, and a /48 network for IPv6."""
    sockets: int
    """Open now."""
    used: dict[str, int]
    """For each limit by address, how many per cent of it are used up at the moment, by the address
    in the network that has used most. Unused limits are left out."""


class Gate:
    def __init__(self, settings: Settings, clock: Clock, store: Store | None = None) -> None:
        """Without a store guesses are counted for this worker alone, and no token expires."""
        self.settings = settings
        self.limits = Limits(settings.limit_scale)
        self.token_expiry = TokenExpiry(store, clock)
        self.guesses = GuessLimits(self.limits, store, clock)
        self.socket_limits = SocketLimits(
            self.count_request,
            self.penalize,
            ConnectionSlots(settings.limit_scale),
            Throttle(STRANGERS_MESSAGES_RATE, settings.limit_scale),
        )
        self._clock = clock

    def count_request(self, kind: Kind, asker: str) -> None:
        """Count one more request of a kind. Raises Illegal(TOO_FAST)."""
        self.limits.take(kind, asker, self._clock())

    def penalize(self, kind: Kind, asker: str) -> None:
        """Allow no more requests of a kind for a while."""
        self.limits.penalize(kind, asker, self._clock())

    def busiest_networks(self, most: int) -> list[NetworkLoad]:
        """The networks with the most load, as far as this worker knows."""
        sockets: Counter[str] = Counter()
        for address, number in self.socket_limits.slots.count_by_asker(SlotLimit.ADDRESS).items():
            sockets[network_of(address)] += number
        used: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for kind in LIMITS_BY_ADDRESS:
            for address, share in self.limits.share_used_by_asker(kind, self._clock()).items():
                network, name = used[network_of(address)], kind.name.lower()
                network[name] = max(network.get(name, 0), ceil(100 * share))
        loads = [
            NetworkLoad(network=network, sockets=sockets[network], used=used.get(network, {}))
            for network in {**sockets, **used}
        ]
        return sorted(loads, key=network_load_sort_key, reverse=True)[:most]

    async def check_admin(self, visitor: Visitor) -> None:
        """Raise Illegal for everyone but the administrator."""
        if visitor.is_program and not visitor.admin:
            await self.guesses.take([(Kind.GUESS, visitor.address)])
        check_admin(visitor)

    async def _admit(self, scope: Scope) -> Visitor:
        """Identify the visitor, whose token must not be too old. Raises Malformed or Illegal if
        they may not ask."""
        visitor = await self._identify(scope)
        if (
            visitor.holder is None
            or visitor.admin
            or not requires_valid_token(scope, self.settings)
        ):
            return visitor
        if await self.token_expiry.is_valid(visitor.holder):
            return visitor
        if visitor.is_program:
            raise Illegal(ServerReason.BAD_TOKEN)
        return await self._identify(without_cookies(scope))

    async def _identify(self, scope: Scope) -> Visitor:
        """Identify the visitor. A guess at the administrator's token counts unless it's right."""
        guessed: list[str] = []

        @contextmanager
        def note(address: str) -> Iterator[None]:
            guessed.append(address)
            yield

        visitor, refusal = None, None
        try:
            visitor = admit(scope, self.settings, note)
        except Refusal as refused:
            refusal = refused
        askers = [(Kind.GUESS, address) for address in dict.fromkeys(guessed)]
        try:
            await self.guesses.take(askers)
        except Illegal as late:
            return admit(scope, self.settings, make_refuser(late))
        if visitor is None:
            assert refusal
            raise refusal
        await self.guesses.give_back(askers)
        return visitor

    def count_change(self, table: str, visitor: Visitor, *, member: bool) -> None:
        """Count a change to a table: strangers can't use up its members' limits."""
        if visitor.admin:
            return
        if member:
            self.count_request(Kind.TABLE, f"{table} {visitor.holder}")
        else:
            self.count_request(Kind.STRANGER_AT_TABLE, f"{table} {visitor.address}")
            self.count_request(Kind.STRANGERS_AT_TABLE, table)

    async def admit_to_socket(self, scope: Scope) -> Visitor:
        """Identify who opens a socket. Raises Malformed if the request can't be understood, and
        Illegal if they may not: from another site's page, or without the passphrase."""
        check_query_is_utf8(scope.get("query_string", b""))
        check_path_length(scope, self.settings)
        return await self._admit(scope)

    def register_socket(self, visitor: Visitor, table: str) -> SocketVisit:
        """Count a new socket. Raises Illegal if somebody opens too many."""
        self.count_request(Kind.CONNECT, visitor.address)
        if visitor.holder is not None:
            self.count_request(Kind.CONNECT_PERSON, visitor.holder)
        return SocketVisit(table, visitor, self.socket_limits)

    async def handle_request(self, app: App, scope: Any, receive: Receive, send: Send) -> None:
        """Answer an HTTP request: refuse it here, or let the application do it."""
        head = scope["method"] == "HEAD"
        secure = is_secure(scope, Headers(scope), self.settings)
        answer = AnswerSender(send, with_body=not head, secure=secure)
        state = scope.setdefault("state", {})
        began = self._clock()
        try:
            visitor = await self._admit_request(scope)
        except Refusal as refusal:
            await answer.refuse(refusal)
        else:
            state[VISITOR] = visitor
            answer.cookies = lambda: self._cookies(state)
            # Whatever answers GET answers HEAD as well.
            await app({**scope, "method": "GET"} if head else scope, receive, answer)
        metrics.REQUESTS.labels(answer.status).inc()
        log.info(
            "answered",
            extra={
                "method": scope["method"],
                "route": scope.get("path_template"),
                "status": answer.status,
                "ms": self._clock() - began,
            },
        )

    def _cookies(self, state: dict[str, Any]) -> list[str]:
        secure, path = state[VISITOR].secure, self.settings.base_path
        return [
            tokens.cookie_header(state[key], secure=secure, base_path=path, old=key == OLD_TOKEN)
            for key in (NEW_TOKEN, OLD_TOKEN)
            if key in state
        ]

    async def _admit_request(self, scope: Scope) -> Visitor:
        check_query_is_utf8(scope.get("query_string", b""))
        visitor = await self._admit(scope)
        if scope["method"] not in SAFE_METHODS:
            self.count_request(Kind.CHANGE, visitor.address)
            check_content_type(Headers(scope))
        else:
            is_file = is_file_path(strip_base_path(scope["path"], self.settings.base_path))
            self.count_request(Kind.FILE if is_file else Kind.READ, visitor.address)
        check_path_length(scope, self.settings)
        if scope["path"].endswith("/socket"):
            # A plain request to a socket's path. The framework's routing fails on it.
            raise Malformed(ServerReason.NOT_FOUND)
        return visitor


def network_load_sort_key(load: NetworkLoad) -> tuple[int, int]:
    """What networks are sorted by: how many sockets they have, then how much of a limit is used."""
    return load.sockets, max(load.used.values(), default=0)


def network_of(address: str) -> str:
    """The network that an address belongs to; "?" for anything else, such as a Unix socket."""
    try:
        network = ip_network(address)
    except ValueError:
        return "?"
    return str(network.supernet(new_prefix=24 if network.version == 4 else 48))


def make_refuser(refusal: Illegal) -> CountGuess:
    """Return a function that refuses every guess."""

    def refuse(_: str) -> NoReturn:
        raise refusal

    return refuse


def requires_valid_token(scope: Scope, settings: Settings) -> bool:
    """Whether a token has to be valid for this path. The page and the health checks are for
    everyone, even while the store is away."""
    path = strip_base_path(scope["path"], settings.base_path)
    return path not in OPEN_PATHS and not is_file_path(path)


def check_path_length(scope: Scope, settings: Settings) -> None:
    if len(strip_base_path(scope["path"], settings.base_path)) > MAX_PATH_LENGTH:
        raise Malformed(ServerReason.NOT_FOUND)


def check_query_is_utf8(query: bytes) -> None:
    try:
        unquote_to_bytes(query).decode()
    except UnicodeDecodeError:
        raise Malformed(Reason.BAD_REQUEST, problem="the query isn't UTF-8") from None


def check_content_type(headers: Headers) -> None:
    """Require JSON: a form on a foreign page can't send this type without a preflight request."""
    kind = (headers.last("content-type") or "").partition(";")[0].strip().lower()
    empty = headers.last("content-length") in {None, "0"} and not headers.all("transfer-encoding")
    if kind != "application/json" and not (empty and not kind):
        raise Malformed(Reason.BAD_REQUEST, problem="send application/json")


class AnswerSender:
    """Sends an answer with the headers that all answers have, and without its body for HEAD."""

    def __init__(self, send: Send, *, with_body: bool, secure: bool) -> None:
        self.status = 0
        self.cookies: Callable[[], list[str]] = list
        """Returns the cookies to set. Called once the answer is known, unless that's a refusal."""
        self._send = send
        self._with_body = with_body
        self._always = SECURITY_HEADERS | dict([STRICT_TRANSPORT_HEADER] if secure else [])

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [tuple(pair) for pair in message.get("headers", ())]
            given = {name.lower() for name, _ in headers}
            headers += [
                (name.encode(), value.encode())
                for name, value in self._always.items()
                if name.encode() not in given
            ]
            if NO_STORE_HEADER[0] not in given:
                headers.append(NO_STORE_HEADER)
            if self.status < 400:
                headers += [(b"set-cookie", cookie.encode()) for cookie in self.cookies()]
            message = {**message, "headers": headers}
        elif not self._with_body:
            message = {**message, "body": b""}
        await self._send(message)

    async def refuse(self, refusal: Refusal) -> None:
        body = msgspec.json.encode(error_responses.body_of(refusal))
        headers = {
            "content-type": "application/json",
            "content-length": str(len(body)),
            **error_responses.headers_of(refusal),
        }
        await self(
            {
                "type": "http.response.start",
                "status": error_responses.status_of(refusal),
                "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            }
        )
        await self({"type": "http.response.body", "body": body})
