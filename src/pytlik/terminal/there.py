"""A place at a table on a server, over its HTTP and its socket (docs/protocol.md).

An update is whole, so after a broken connection one connects again and has missed nothing. What was
asked for and not answered is sent again under the same id, and is done once.
"""

import asyncio
import secrets
from collections.abc import Callable
from itertools import count
from typing import Any, assert_never

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from pytlik.game import Seat
from pytlik.games import GAMES
from pytlik.i18n import Catalogue
from pytlik.protocol import messages as wire
from pytlik.terminal.asking import Link, NotDone, Unreachable, ask
from pytlik.terminal.clock import WaitingClock
from pytlik.terminal.seated import (
    Ended,
    LineBack,
    LineCut,
    PassphraseNeeded,
    Refused,
    Seen,
    Spoken,
    TableSeen,
    Tell,
)
from pytlik.terminal.wishes import Wishes
from pytlik.ubongo.view import View as UbongoView
from pytlik.unikat.view import View as UnikatView

VIEWS: dict[str, type[UnikatView | UbongoView]] = {"unikat": UnikatView, "ubongo": UbongoView}
NO_SUCH_TABLE = 4404
"""The code with which a socket is closed for good."""
PAUSES = (500, 1_000, 2_000, 4_000, 8_000)
"""How long to wait before each try to connect again (ms); the last for all that follow."""

decoder = msgspec.json.Decoder(wire.ServerMessage)


class Over(Exception):
    """There is nothing to come back to."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__(title)
        self.ended = Ended(title, text)


MISSING = ("page.missing.table.title", "page.missing.table.text")
GONE = ("page.missing.gone.title", "page.missing.gone.text")


class SeatedThere(Wishes):
    def __init__(
        self,
        link: Link,
        clock: WaitingClock,
        say: Catalogue,
        *,
        token: str | None = None,
        keep: Callable[[str], None] = lambda _: None,
    ) -> None:
        super().__init__(link, token)
        self.game: str | None = None
        self._keep = keep
        self._clock = clock
        self._say = say
        self._code = link.code
        self._ahead = 0
        """The server's clock is so much ahead of ours."""
        self._match: str | None = None
        self._seat: Seat | None = None
        self._spoken = -1
        self._pending: dict[str, wire.Act] = {}
        """Asked for, and not answered."""
        self._unsent: list[wire.ClientMessage] = []
        self._wake = asyncio.Event()
        self._cut = False
        self._passphrase: asyncio.Queue[str] = asyncio.Queue()
        # Nobody else's, whoever holds the same seat: so nothing of theirs is taken for ours.
        self._name = secrets.token_hex(6)
        self._numbers = count(1)

    def now(self) -> int:
        return self._clock.now() + self._ahead

    # -------------------------------------------------------------------------- what is asked for

    def act(self, action: Any) -> None:
        if self._seat is None:
            return
        id = f"{self._name}-{next(self._numbers)}"
        raw = msgspec.Raw(msgspec.json.encode(action))
        self._pending[id] = wire.Act(id, self._seat, raw, self._match)
        self._wake.set()
        if self._cut:
            self._tell(LineCut(len(self._pending), known=True))

    def chat(self, text: str) -> None:
        self._say_to_all(wire.Chat(text))

    def react(self, reaction: str) -> None:
        self._say_to_all(msgspec.convert({"kind": "react", "reaction": reaction}, wire.React))

    def _say_to_all(self, message: wire.ClientMessage) -> None:
        self._unsent.append(message)
        self._wake.set()

    def enter(self, passphrase: str) -> None:
        self._passphrase.put_nowait(passphrase)

    # ------------------------------------------------------------------------------ the connection

    async def run(self, tell: Tell) -> None:
        self._tell = tell
        tries = 0
        while True:
            before = self.table
            try:
                await self._come_in()
                await self._stay()
            except Over as over:
                tell(over.ended)
                return
            except (Unreachable, OSError, WebSocketException, TimeoutError):
                pass
            # Whoever was let in begins to count anew.
            tries = 0 if self.table is not before else tries + 1
            self._cut = True
            tell(LineCut(len(self._pending), known=self.table is not None))
            pause = PAUSES[min(tries, len(PAUSES) - 1)]
            await self._clock.wait(self._clock.now() + pause)

    async def _come_in(self) -> None:
        """Say who we are, and see whether there is such a table: a socket can't say why not."""
        server = self.link.server
        while True:
            try:
                if self.token is None:
                    self._is(await ask("POST", server, "/api/tokens"))
                if self._code is not None:
                    body = {"table": self.link.table, "code": self._code}
                    code, self._code = self._code, None
                    try:
                        await ask("POST", server, "/api/codes", self.token, body)
                    except Unreachable:
                        self._code = code
                        raise
                await self._ask("GET", "")
            except NotDone as no:
                await self._said_no(no)
            else:
                return

    async def _said_no(self, no: NotDone) -> None:
        """Do what helps against a refusal to let us in, or raise what ends it."""
        match no.reason:
            case "no_such_table" | "not_found":
                raise Over(*(MISSING if self.table is None else GONE)) from None
            case "passphrase_needed" | "wrong_passphrase":
                await self._say_passphrase()
            case "bad_token" if self.token is not None:
                self.token = None
            case "bad_code":
                # Without the seat that it was for, one can still look on, or take another.
                self._tell(Refused(no.reason, no.detail))
            case _:
                raise Unreachable(no.reason)

    async def _say_passphrase(self) -> None:
        wrong = False
        while True:
            self._tell(PassphraseNeeded(wrong))
            body = {"passphrase": await self._passphrase.get(), "program": True}
            try:
                answer = await ask("POST", self.link.server, "/api/enter", self.token, body)
            except NotDone as no:
                if no.reason != "wrong_passphrase":
                    raise Unreachable(no.reason) from None
                wrong = True
            else:
                self._is(answer)
                return

    def _is(self, answer: dict[str, Any]) -> None:
        self.token = str(answer["token"])
        self._keep(self.token)

    async def _stay(self) -> None:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with connect(
            self.link.socket, additional_headers=headers, compression=None
        ) as socket:
            sender = asyncio.create_task(self._send_all(socket))
            try:
                async for data in socket:
                    await self._hear(socket, data)
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code == NO_SUCH_TABLE:
                    raise Over(*GONE) from None
                raise
            finally:
                sender.cancel()

    async def _send_all(self, socket: ClientConnection) -> None:
        """All that was not answered, also if it was sent over another connection before."""
        sent: set[str] = set()
        while True:
            self._wake.clear()
            while self._unsent:
                await socket.send(msgspec.json.encode(self._unsent.pop(0)).decode())
            for id, act in list(self._pending.items()):
                if id not in sent:
                    sent.add(id)
                    await socket.send(msgspec.json.encode(act).decode())
            await self._wake.wait()

    # ------------------------------------------------------------------------------- what is heard

    async def _hear(self, socket: ClientConnection, data: str | bytes) -> None:
        try:
            message = decoder.decode(data)
        except msgspec.ValidationError:
            return  # a newer server may say more than we know of
        match message:
            case wire.Ping(n=n):
                await socket.send(msgspec.json.encode(wire.Pong(n)).decode())
            case wire.Hello():
                self._ahead = message.now - self._clock.now()
                self._see_table(message)
                self._cut = False
                self._tell(LineBack())
                for line in message.talk:
                    self._hear_line(line, fresh=False)
            case wire.TableChanged():
                self._see_table(message)
            case wire.Update():
                self._see_match(message)
            case wire.Done(id=id):
                self._pending.pop(id, None)
            case wire.Refused(id=of, reason=reason, detail=detail):
                self._pending.pop(of or "", None)
                self._tell(Refused(reason, detail))
            case wire.Line():
                self._hear_line(message, fresh=True)
            case wire.TableGone():
                raise Over(*GONE)
            case _:
                assert_never(message)

    def _see_table(self, message: wire.Hello | wire.TableChanged) -> None:
        table, before = message.table, self.table
        self.game = table.game
        seen = TableSeen(table, message.yours, message.host, self._names(table, message.yours))
        self.table = seen
        self._tell(seen)
        other = before is not None and table.match not in (before.table.match, self._shared)
        if other and table.phase == "lobby":
            # Another match has another secret: so it gets another share of the seed from us.
            for seat in seen.yours:
                self._later(self._give_share(seat))

    def _names(self, table: wire.TableInfo, yours: tuple[Seat, ...]) -> tuple[str, ...]:
        """What seats are called: bots are counted only where there are several."""
        bots = [chair for chair in table.chairs if chair.kind == "bot" or is_left(chair)]

        def name(seat: Seat, chair: wire.ChairInfo) -> str:
            if yours == (seat,):
                return self._say("play.you")
            if chair.name:
                return chair.name
            if chair.kind == "person":
                return self._say("page.pass.player", n=seat + 1)
            if chair not in bots:
                return self._say("page.lobby.free")
            if len(bots) == 1:
                return self._say("page.lobby.bot")
            before = table.chairs[: seat + 1]
            number = sum(other.kind == "bot" or is_left(other) for other in before)
            return self._say("page.lobby.bot_number", n=number)

        return tuple(name(seat, chair) for seat, chair in enumerate(table.chairs))

    def _see_match(self, update: wire.Update) -> None:
        assert self.table is not None
        assert self.game is not None
        self._ahead = update.now - self._clock.now()
        self._match, self._seat = update.match, update.seat
        view = msgspec.json.decode(update.view, type=VIEWS[self.game])
        try:
            events = msgspec.convert(update.events, tuple[GAMES[self.game].event, ...])  # type: ignore[misc]
        except msgspec.ValidationError:
            events = ()  # what a newer server tells; the view is all there is to go by
        self._tell(Seen(view, events, self.table.names))

    def _hear_line(self, line: wire.Line, *, fresh: bool) -> None:
        taken_back = "" in (line.text, line.name)
        if line.number > self._spoken or taken_back:
            self._tell(
                Spoken(
                    line.seat,
                    line.text,
                    line.reaction,
                    line.change,
                    line.name,
                    fresh=fresh and not taken_back,
                    number=line.number,
                )
            )
        self._spoken = max(self._spoken, line.number)


def is_left(chair: wire.ChairInfo) -> bool:
    """Whether somebody has left it in the middle of a match, and a bot plays on."""
    return chair.kind == "free" and chair.stand_in
