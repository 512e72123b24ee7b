"""Getting into a table: who we are on a server, and whether there is such a table."""

import asyncio
from collections.abc import Callable
from typing import Any

from pytlik.terminal.remote.http_client import ServerRefused, Unreachable, send_request
from pytlik.terminal.remote.table_api import TableRequests
from pytlik.terminal.session import PassphraseNeeded, Refused, SessionEnded

NO_SUCH_TABLE_ENDING = SessionEnded("page.missing.table.title", "page.missing.table.text")
TABLE_GONE_ENDING = SessionEnded("page.missing.gone.title", "page.missing.gone.text")


class NothingToJoin(Exception):
    """There is no table to come back to."""

    def __init__(self, ended: SessionEnded) -> None:
        super().__init__(ended.title)
        self.ended = ended


class Admission:
    def __init__(self, requests: TableRequests, save_token: Callable[[str], None]) -> None:
        self._requests = requests
        self._save_token = save_token
        self._code = requests.link.code
        self._passphrases: asyncio.Queue[str] = asyncio.Queue()

    def enter_passphrase(self, passphrase: str) -> None:
        self._passphrases.put_nowait(passphrase)

    async def request_until_admitted(self, *, table_known: bool) -> None:
        """Get a token and look at the table over HTTP: a socket can't say why it's refused.

        Raises NothingToJoin, or Unreachable if it's worth trying again.
        """
        while True:
            try:
                await self._request_once()
            except ServerRefused as refusal:
                await self._handle_refusal(refusal, table_known=table_known)
            else:
                return

    async def _request_once(self) -> None:
        requests, link = self._requests, self._requests.link
        if requests.token is None:
            self._store_token(await send_request("POST", link.server, "/api/tokens"))
        if self._code is not None:
            body = {"table": link.table, "code": self._code}
            code, self._code = self._code, None
            try:
                await send_request("POST", link.server, "/api/codes", requests.token, body)
            except Unreachable:
                self._code = code
                raise
        await requests.send("GET", "")

    async def _handle_refusal(self, refusal: ServerRefused, *, table_known: bool) -> None:
        """Make the next try succeed if possible; otherwise raise an error."""
        match refusal.reason:
            case "no_such_table" | "not_found":
                raise NothingToJoin(
                    TABLE_GONE_ENDING if table_known else NO_SUCH_TABLE_ENDING
                ) from None
            case "passphrase_needed" | "wrong_passphrase":
                await self._send_passphrase()
            case "bad_token" if self._requests.token is not None:
                self._requests.token = None
            case "bad_code":
                # Even without that seat, one can watch or take another one.
                self._requests.notify(Refused(refusal.reason, refusal.detail))
            case _:
                raise Unreachable(refusal.reason)

    async def _send_passphrase(self) -> None:
        wrong = False
        requests = self._requests
        while True:
            requests.notify(PassphraseNeeded(wrong))
            body = {"passphrase": await self._passphrases.get(), "program": True}
            try:
                answer = await send_request(
                    "POST", requests.link.server, "/api/enter", requests.token, body
                )
            except ServerRefused as refusal:
                if refusal.reason != "wrong_passphrase":
                    raise Unreachable(refusal.reason) from None
                wrong = True
            else:
                self._store_token(answer)
                return

    def _store_token(self, answer: dict[str, Any]) -> None:
        self._requests.token = str(answer["token"])
        self._save_token(self._requests.token)
