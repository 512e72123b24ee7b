"""What a person wants of a table on a server, beside the game: it is asked over HTTP, and what
comes of it is told by the socket."""

import asyncio
import secrets
from collections.abc import Coroutine
from typing import Any

from pytlik.game import Seat
from pytlik.terminal.asking import Link, NotDone, Unreachable, ask
from pytlik.terminal.seated import Refused, TableSeen, Tell


class Wishes:
    def __init__(self, link: Link, token: str | None) -> None:
        self.link = link
        self.token = token
        """Who we are on that server; whoever has it has our seat."""
        self.table: TableSeen | None = None
        self._shared: int | None = None
        """The match for which our shares of the seed are on their way."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._tell: Tell = lambda _: None

    def sit(self, name: str) -> None:
        body = {"name": name, "share": secrets.token_hex(16)}
        self._later(self._ask("POST", "/seats", body))

    def start(self) -> None:
        self._later(self._ask("POST", "/start", {"without_free": True}))

    def play_again(self) -> None:
        self._later(self._again())

    async def _again(self) -> None:
        """With nobody else at the table, another match begins at once."""
        before = self.table
        assert before is not None
        alone = all(
            chair.kind == "bot" or seat in before.yours
            for seat, chair in enumerate(before.table.chairs)
        )
        if alone:
            self._shared = before.table.match + 1
        await self._ask("POST", "/rematch")
        if alone:
            for seat in before.yours:
                await self._give_share(seat)
            await self._ask("POST", "/start", {"without_free": True})

    async def _give_share(self, seat: Seat) -> None:
        await self._ask("PUT", f"/seats/{seat}/share", {"share": secrets.token_hex(16)})

    def pause(self, *, wanted: bool) -> None:
        self._later(self._ask("POST", "/pause", {"wanted": wanted}))

    def take_back(self) -> None:
        for seat in self.table.yours if self.table else ():
            self._later(self._ask("POST", f"/seats/{seat}/back"))

    def rename(self, seat: Seat, name: str) -> None:
        self._later(self._ask("PUT", f"/seats/{seat}/name", {"name": name}))

    def free(self, seat: Seat) -> None:
        """Leave one's own seat; or free another's, as the host."""
        self._later(self._ask("DELETE", f"/seats/{seat}"))

    # What only a host can do.

    def add_chair(self) -> None:
        self._later(self._ask("POST", "/chairs"))

    def seat_bot(self, seat: Seat, level: str) -> None:
        """Or change the level of the one that sits there."""
        self._later(self._ask("PUT", f"/seats/{seat}/bot", {"level": level}))

    def send_bot_away(self, seat: Seat) -> None:
        self._later(self._ask("DELETE", f"/seats/{seat}/bot"))

    def mute(self, seat: Seat, *, muted: bool) -> None:
        self._later(self._ask("PUT", f"/seats/{seat}/muted", {"muted": muted}))

    def make_host(self, seat: Seat) -> None:
        self._later(self._ask("PUT", "/host", {"seat": seat}))

    def replace(self, seat: Seat, level: str) -> None:
        """A bot can sit only where nobody does."""

        async def both() -> None:
            await self._ask("DELETE", f"/seats/{seat}")
            await self._ask("PUT", f"/seats/{seat}/bot", {"level": level})

        self._later(both())

    async def _ask(self, method: str, path: str, body: Any = None) -> Any:
        """About the table. What comes of it is told by the socket, too."""
        return await ask(method, self.link.server, self.link.path + path, self.token, body)

    def _later(self, asking: Coroutine[Any, Any, Any]) -> None:
        async def tell_refusal() -> None:
            try:
                await asking
            except NotDone as no:
                self._tell(Refused(no.reason, no.detail))
            except Unreachable:
                self._tell(Refused("unavailable", {}))

        task = asyncio.create_task(tell_refusal())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
