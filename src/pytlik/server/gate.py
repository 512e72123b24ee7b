"""The gate: every request and every socket comes by here before anything else looks at it."""

import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from urllib.parse import unquote_to_bytes

import msgspec

from pytlik.game import Malformed, Reason, Refusal
from pytlik.server import errors, metrics, tokens
from pytlik.server.limits import Kind, Limits, Taken
from pytlik.server.page import inner, is_file
from pytlik.server.room import Clock
from pytlik.server.security import (
    HEADERS,
    SAFE,
    TLS_ONLY,
    Headers,
    Scope,
    Visitor,
    admit,
    by_tls,
    check_admin,
)
from pytlik.server.settings import Settings
from pytlik.server.visits import Visit

log = logging.getLogger(__name__)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Any, Any], Awaitable[None]]

VISITOR, GIVE, KEEP_OLD = "visitor", "give", "keep_old"
"""In the state of a request: who asks, the token that the answer gives them, and the one that they
keep beside it (or none any more, if it is empty)."""

NO_STORE = (b"cache-control", b"no-store")


class Gate:
    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.settings = settings
        self.limits = Limits(settings.limit_scale)
        self._places = Taken(settings.limit_scale)
        self._clock = clock

    def take(self, kind: Kind, asker: str) -> None:
        """Count something. Raises Illegal(TOO_FAST)."""
        self.limits.take(kind, asker, self._clock())

    @contextmanager
    def guessing(self, *askers: tuple[Kind, str]) -> Iterator[None]:
        """A guess is made inside: only a wrong one (that is refused) counts, but whoever has made
        too many can't even try."""
        taken: list[tuple[Kind, str]] = []
        try:
            for kind, asker in askers:
                self.take(kind, asker)
                taken.append((kind, asker))
        except Refusal:
            self._give_back(taken)
            raise
        yield
        self._give_back(taken)

    def guessing_code(self, table: str, address: str) -> AbstractContextManager[None]:
        """A guess of a short code. All addresses together have few, but whoever has not guessed
        wrong yet doesn't wait for those who have."""
        mine = f"{table} {address}"
        first = self.limits.is_unused(Kind.GUESS, mine, self._clock())
        shared = Kind.FIRST_GUESS_AT_TABLE if first else Kind.GUESS_AT_TABLE
        return self.guessing((Kind.GUESS, mine), (Kind.GUESS_ANYWHERE, address), (shared, table))

    def guessing_recovery(self, table: str, address: str) -> AbstractContextManager[None]:
        """A guess of a recovery code, which is so long that no number of addresses finds it."""
        mine = f"{table} {address}"
        return self.guessing((Kind.GUESS, mine), (Kind.GUESS_ANYWHERE, address))

    def _give_back(self, taken: Iterable[tuple[Kind, str]]) -> None:
        for kind, asker in taken:
            self.limits.give_back(kind, asker)

    def _guessing_token(self, address: str) -> AbstractContextManager[None]:
        return self.guessing((Kind.GUESS, address))

    def check_admin(self, visitor: Visitor) -> None:
        """Raises Illegal for all but the administrator."""
        check_admin(visitor, self._guessing_token)

    def take_change(self, table: str, visitor: Visitor, *, member: bool) -> None:
        """Count a change to a table: strangers can't use up what its members may do."""
        if visitor.admin:
            return
        if member:
            self.take(Kind.TABLE, f"{table} {visitor.holder}")
        else:
            self.take(Kind.STRANGER_AT_TABLE, f"{table} {visitor.address}")
            self.take(Kind.STRANGERS_AT_TABLE, table)

    def open_socket(self, scope: Any, table: str) -> Visit:
        """Who opens a socket. Raises Malformed if that can't be understood, and Illegal if they may
        not: from another site's page, without the passphrase, or too often."""
        check_query(scope.get("query_string", b""))
        visitor = admit(scope, self.settings, self._guessing_token)
        self.take(Kind.CONNECT, visitor.address)
        if visitor.holder is not None:
            self.take(Kind.CONNECT_PERSON, visitor.holder)
        return Visit(table, visitor, self.take, self._places)

    async def pass_through(self, app: App, scope: Any, receive: Receive, send: Send) -> None:
        """Answer an HTTP request: refuse it here, or let the application do it."""
        head = scope["method"] == "HEAD"
        secure = by_tls(scope, Headers(scope), self.settings)
        answer = Answer(send, with_body=not head, secure=secure)
        state = scope.setdefault("state", {})
        began = self._clock()
        try:
            visitor = self._admitted(scope)
        except Refusal as refusal:
            await answer.refuse(refusal)
        else:
            state[VISITOR] = visitor
            answer.cookies = lambda: self._cookies(state)
            # Whatever can be got has a head, too.
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
            tokens.cookie(state[key], secure=secure, base_path=path, old=key == KEEP_OLD)
            for key in (GIVE, KEEP_OLD)
            if key in state
        ]

    def _admitted(self, scope: Scope) -> Visitor:
        check_query(scope.get("query_string", b""))
        visitor = admit(scope, self.settings, self._guessing_token)
        if scope["method"] not in SAFE:
            self.take(Kind.CHANGE, visitor.address)
            check_json(Headers(scope))
        elif not is_file(inner(scope["path"], self.settings.base_path)):
            # Files of the page come from memory, and many at once: a whole class opens it.
            self.take(Kind.READ, visitor.address)
        if scope["path"].endswith("/socket"):
            # Who asks there without upgrading. The framework's routing fails at that.
            raise Malformed(Reason.NOT_FOUND)
        return visitor


def check_query(query: bytes) -> None:
    try:
        unquote_to_bytes(query).decode()
    except UnicodeDecodeError:
        raise Malformed(Reason.BAD_REQUEST, problem="the query is not UTF-8") from None


def check_json(headers: Headers) -> None:
    """A form of a foreign page can't send this type without being asked about first."""
    kind = (headers.last("content-type") or "").partition(";")[0].strip().lower()
    empty = headers.last("content-length") in {None, "0"} and not headers.all("transfer-encoding")
    if kind != "application/json" and not (empty and not kind):
        raise Malformed(Reason.BAD_REQUEST, problem="send application/json")


class Answer:
    """Sends an answer with the headers that all have, and without its body if only the head was
    asked for."""

    def __init__(self, send: Send, *, with_body: bool, secure: bool) -> None:
        self.status = 0
        self.cookies: Callable[[], list[str]] = list
        """Asked when the answer is known, and given if it is no refusal."""
        self._send = send
        self._with_body = with_body
        self._always = HEADERS | dict([TLS_ONLY] if secure else [])

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
            if NO_STORE[0] not in given:
                headers.append(NO_STORE)
            if self.status < 400:
                headers += [(b"set-cookie", cookie.encode()) for cookie in self.cookies()]
            message = {**message, "headers": headers}
        elif not self._with_body:
            message = {**message, "body": b""}
        await self._send(message)

    async def refuse(self, refusal: Refusal) -> None:
        body = msgspec.json.encode(errors.body_of(refusal))
        headers = {
            "content-type": "application/json",
            "content-length": str(len(body)),
            **errors.headers_of(refusal),
        }
        await self(
            {
                "type": "http.response.start",
                "status": errors.status_of(refusal),
                "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            }
        )
        await self({"type": "http.response.body", "body": body})
