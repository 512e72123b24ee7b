"""What is asked of a server over HTTP: who one is there, and what one wants of a table."""

import asyncio
import json
import re
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

PATIENCE = 15
"""Seconds until a server that says nothing counts as out of reach."""

LINK = re.compile(
    r"(?P<server>https?://[^/?#\s]+(?:/[^?#\s]+?)?)/t/(?P<table>[a-z0-9]+)/?(?:#code=(?P<code>\w+))?"
)


@dataclass(frozen=True)
class Link:
    """The address of a table, as people send it to each other."""

    server: str
    table: str
    code: str | None = None
    """Moves a seat here from another device."""

    @property
    def socket(self) -> str:
        return "ws" + self.server.removeprefix("http") + f"/api/tables/{self.table}/socket"

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table}"

    def __str__(self) -> str:
        return f"{self.server}/t/{self.table}"


def parse(text: str) -> Link | None:
    """The link, if it is one."""
    found = LINK.fullmatch(text.strip())
    return Link(found["server"], found["table"], found["code"]) if found else None


class Unreachable(Exception):
    """The server does not answer, or not as one of ours."""


class NotDone(Exception):
    """The server says no, by a code and what a sentence about it needs."""

    def __init__(self, reason: str, detail: dict[str, Any]) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


def asked(method: str, address: str, token: str | None, body: Any) -> Any:
    """The answer, which may take a while: for a thread."""
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    data = None if method == "GET" else json.dumps(body or {}).encode()
    try:
        # The scheme is http or https: LINK lets no other pass.
        with urlopen(Request(address, data, headers, method=method), timeout=PATIENCE) as answer:
            return json.loads(answer.read())
    except HTTPError as error:
        with error:
            raise refused(error) from None
    except (URLError, OSError, ValueError) as error:
        raise Unreachable(str(error)) from None


def refused(error: HTTPError) -> Exception:
    try:
        problem = json.loads(error.read())["error"]
        return NotDone(str(problem["reason"]), dict(problem.get("detail", {})))
    except (ValueError, KeyError, TypeError, OSError):
        return Unreachable(f"HTTP {error.code}")


async def ask(
    method: str, server: str, path: str, token: str | None = None, body: Any = None
) -> Any:
    return await asyncio.to_thread(asked, method, server + path, token, body)
