"""A place at a table on a server.

Every update is complete, so nothing is missed if the connection is lost and opened again.
Unanswered actions are sent again under the same id, and carried out only once.
"""

import asyncio
from collections.abc import Callable
from typing import Any, assert_never

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from pytlik.game import Seat
from pytlik.games import GAMES
from pytlik.i18n import Catalogue
from pytlik.protocol import messages as wire
from pytlik.terminal.remote.admission import TABLE_GONE_ENDING, Admission, NothingToJoin
from pytlik.terminal.remote.http_client import Unreachable
from pytlik.terminal.remote.outbox import Outbox
from pytlik.terminal.remote.seat_names import name_seats
from pytlik.terminal.remote.table_api import HostApi, PlayerApi, TableRequests
from pytlik.terminal.remote.table_url import TableUrl
from pytlik.terminal.session import (
    ChatLine,
    Connected,
    ConnectionLost,
    MatchUpdate,
    Notify,
    Refused,
    TableUpdate,
)
from pytlik.terminal.system_clock import WaitingClock

NO_SUCH_TABLE_CODE = 4404
"""The server closes a socket with this code if there is no such table."""
RETRY_PAUSES_MS = (500, 1_000, 2_000, 4_000, 8_000)
"""Pauses before trying to connect again; the last one repeats."""

server_message_decoder = msgspec.json.Decoder(wire.ServerMessage)


class RemoteSession:
    def __init__(
        self,
        link: TableUrl,
        clock: WaitingClock,
        translate: Catalogue,
        *,
        token: str | None = None,
        save_token: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.game: str | None = None
        self.link = link
        self.table: TableUpdate | None = None
        self._requests = TableRequests(link, token)
        self.player_api = PlayerApi(self._requests)
        self.host_api = HostApi(self._requests)
        self.admission = Admission(self._requests, save_token)
        self._clock = clock
        self._translate = translate
        self._clock_offset = 0
        """How far the server's clock is ahead of ours (ms)."""
        self._match: str | None = None
        self._seat: Seat | None = None
        self._last_chat_number = -1
        self._outbox = Outbox()
        self._is_lost = False
        self._notify: Notify = lambda _: None

    def now(self) -> int:
        return self._clock.now() + self._clock_offset

    def act(self, action: Any) -> None:
        if self._seat is None:
            return
        self._outbox.add_action(self._seat, action, self._match)
        if self._is_lost:
            self._notify(ConnectionLost(len(self._outbox), table_known=True))

    def chat(self, text: str) -> None:
        self._outbox.add_message(wire.Chat(text))

    def react(self, reaction: str) -> None:
        self._outbox.add_message(
            msgspec.convert({"kind": "react", "reaction": reaction}, wire.React)
        )

    # -------------------------------------------------------------------------------- connection

    async def run(self, notify: Notify) -> None:
        self._notify = self._requests.notify = notify
        tries = 0
        while True:
            before = self.table
            try:
                await self.admission.request_until_admitted(table_known=self.table is not None)
                await self._run_connection()
            except NothingToJoin as nothing:
                notify(nothing.ended)
                return
            except (Unreachable, OSError, WebSocketException, TimeoutError):
                pass
            # A connection that gets as far as the table resets the count.
            tries = 0 if self.table is not before else tries + 1
            self._is_lost = True
            notify(ConnectionLost(len(self._outbox), table_known=self.table is not None))
            pause = RETRY_PAUSES_MS[min(tries, len(RETRY_PAUSES_MS) - 1)]
            await self._clock.wait(self._clock.now() + pause)

    async def _run_connection(self) -> None:
        headers = {"Authorization": f"Bearer {self._requests.token}"}
        async with connect(
            self.link.socket_url, additional_headers=headers, compression=None
        ) as socket:
            sender = asyncio.create_task(self._outbox.send_all(socket))
            try:
                async for data in socket:
                    await self._receive(socket, data)
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code == NO_SUCH_TABLE_CODE:
                    raise NothingToJoin(TABLE_GONE_ENDING) from None
                raise
            finally:
                sender.cancel()

    # ---------------------------------------------------------------------------------- messages

    async def _receive(self, socket: ClientConnection, data: str | bytes) -> None:
        try:
            message = server_message_decoder.decode(data)
        except msgspec.ValidationError:
            return  # A newer server may send messages that we don't know.
        match message:
            case wire.Ping(n=n):
                await socket.send(msgspec.json.encode(wire.Pong(n)).decode())
            case wire.Hello():
                self._clock_offset = message.now - self._clock.now()
                self._update_table(message)
                self._is_lost = False
                self._notify(Connected())
                for line in message.talk:
                    self._add_chat_line(line, fresh=False)
            case wire.TableChanged():
                self._update_table(message)
            case wire.Update():
                self._update_match(message)
            case wire.Done(id=id):
                self._outbox.mark_answered(id)
            case wire.Refused(id=id, reason=reason, detail=detail):
                self._outbox.mark_answered(id)
                self._notify(Refused(reason, detail))
            case wire.Line():
                self._add_chat_line(message, fresh=True)
            case wire.TableGone():
                raise NothingToJoin(TABLE_GONE_ENDING)
            case _:
                assert_never(message)

    def _update_table(self, message: wire.Hello | wire.TableChanged) -> None:
        table, before = message.table, self.table
        self.game = table.game
        names = name_seats(table, message.yours, self._translate)
        self.table = TableUpdate(table, message.yours, message.host, names)
        self._notify(self.table)
        known = (before.table.match, self._requests.shared_match) if before else (table.match,)
        if table.match not in known and table.phase == "lobby":
            # The next match has another secret, so each of our seats needs another share.
            for seat in self.table.yours:
                self._requests.run_in_background(self._requests.send_share(seat))

    def _update_match(self, update: wire.Update) -> None:
        assert self.table is not None
        assert self.game is not None
        self._clock_offset = update.now - self._clock.now()
        self._match, self._seat = update.match, update.seat
        game = GAMES[self.game]
        view = msgspec.json.decode(update.view, type=game.view_type)
        try:
            events = msgspec.convert(update.events, tuple[game.event, ...])  # type: ignore[name-defined]
        except msgspec.ValidationError:
            events = ()  # Events of a newer server: the view has to be enough.
        self._notify(MatchUpdate(view, events, self.table.names))

    def _add_chat_line(self, line: wire.Line, *, fresh: bool) -> None:
        taken_back = "" in (line.text, line.name)
        if line.number > self._last_chat_number or taken_back:
            self._notify(
                ChatLine(
                    line.seat,
                    line.text,
                    line.reaction,
                    line.change,
                    line.name,
                    fresh=fresh and not taken_back,
                    number=line.number,
                )
            )
        self._last_chat_number = max(self._last_chat_number, line.number)
