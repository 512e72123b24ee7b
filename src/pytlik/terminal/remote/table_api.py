"""Requests about a table on a server, besides playing. Their results arrive over the socket."""

import asyncio
import secrets
from collections.abc import Coroutine
from typing import Any

from pytlik.game import Seat
from pytlik.terminal.remote.http_client import ServerRefused, Unreachable, send_request
from pytlik.terminal.remote.table_url import TableUrl
from pytlik.terminal.session import Notify, Refused, TableUpdate

SHARE_BYTES = 16


class TableRequests:
    """Sends requests about one table in the background, and reports the refused ones."""

    def __init__(self, link: TableUrl, token: str | None) -> None:
        self.link = link
        self.token = token
        """Proves who we are on that server: anyone who has it has our seat."""
        self.notify: Notify = lambda _: None
        self.shared_match: int | None = None
        """The match for which our shares of the seed are already being sent."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def send(self, method: str, path: str, body: Any = None) -> Any:
        return await send_request(
            method, self.link.server, self.link.api_path + path, self.token, body
        )

    async def send_share(self, seat: Seat) -> None:
        share = secrets.token_hex(SHARE_BYTES)
        await self.send("PUT", f"/seats/{seat}/share", {"share": share})

    def send_in_background(self, method: str, path: str, body: Any = None) -> None:
        self.run_in_background(self.send(method, path, body))

    def run_in_background(self, requests: Coroutine[Any, Any, Any]) -> None:
        async def report_refusal() -> None:
            try:
                await requests
            except ServerRefused as refusal:
                self.notify(Refused(refusal.reason, refusal.detail))
            except Unreachable:
                self.notify(Refused("unavailable", {}))

        task = asyncio.create_task(report_refusal())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class PlayerApi:
    """What anyone at the table can ask for."""

    def __init__(self, requests: TableRequests) -> None:
        self._requests = requests

    def sit_down(self, name: str) -> None:
        body = {"name": name, "share": secrets.token_hex(SHARE_BYTES)}
        self._requests.send_in_background("POST", "/seats", body)

    def start_match(self) -> None:
        """Start as the host, or from the first seat if a television is the host."""
        self._requests.send_in_background("POST", "/start", {"without_free": True})

    def pause(self, *, wanted: bool) -> None:
        self._requests.send_in_background("POST", "/pause", {"wanted": wanted})

    def skip_bots(self) -> None:
        """Don't wait for bots, if only they still have something to do."""
        self._requests.send_in_background("POST", "/skip")

    def vote_for_rematch(self) -> None:
        """Ask for another match, which starts when everyone who is here wants it."""
        self._requests.send_in_background("POST", "/again")

    def take_seat_back(self, seat: Seat) -> None:
        """Take over again from the stand-in."""
        self._requests.send_in_background("POST", f"/seats/{seat}/back")

    def rename(self, seat: Seat, name: str) -> None:
        self._requests.send_in_background("PUT", f"/seats/{seat}/name", {"name": name})

    def free_seat(self, seat: Seat) -> None:
        """Leave your own seat or, as the host, free someone else's."""
        self._requests.send_in_background("DELETE", f"/seats/{seat}")


class HostApi:
    """What only the host can ask for."""

    def __init__(self, requests: TableRequests) -> None:
        self._requests = requests

    def play_again(self, table: TableUpdate) -> None:
        self._requests.run_in_background(self._send_play_again(table))

    async def _send_play_again(self, table: TableUpdate) -> None:
        """If nobody else is at the table, start the next match at once; otherwise call the others
        back to the lobby."""
        requests, alone = self._requests, table.is_alone
        if alone:
            requests.shared_match = table.table.match + 1
        await requests.send("POST", "/rematch")
        if alone:
            for seat in table.yours:
                await requests.send_share(seat)
            await requests.send("POST", "/start", {"without_free": True})

    def add_chair(self) -> None:
        self._requests.send_in_background("POST", "/chairs")

    def seat_bot(self, seat: Seat, level: str) -> None:
        """Seat a bot, or change the level of the one that sits there."""
        self._requests.send_in_background("PUT", f"/seats/{seat}/bot", {"level": level})

    def remove_bot(self, seat: Seat) -> None:
        self._requests.send_in_background("DELETE", f"/seats/{seat}/bot")

    def mute(self, seat: Seat, *, muted: bool) -> None:
        self._requests.send_in_background("PUT", f"/seats/{seat}/muted", {"muted": muted})

    def make_host(self, seat: Seat) -> None:
        self._requests.send_in_background("PUT", "/host", {"seat": seat})

    def replace_by_bot(self, seat: Seat, level: str) -> None:
        async def free_and_seat() -> None:
            # A bot can only sit where nobody does.
            await self._requests.send("DELETE", f"/seats/{seat}")
            await self._requests.send("PUT", f"/seats/{seat}/bot", {"level": level})

        self._requests.run_in_background(free_and_seat())
