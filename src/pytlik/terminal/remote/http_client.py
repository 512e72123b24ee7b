"""HTTP requests to a server."""

import ssl
from functools import cache
from typing import Any

import httpx

TIMEOUT_SECONDS = 15
"""A server that doesn't answer for this long counts as unreachable."""


class Unreachable(Exception):
    """The server doesn't answer, or not in the way that Pytlik's servers do."""


class ServerRefused(Exception):
    """The server refuses a request, with a code and the values for its text."""

    def __init__(self, reason: str, detail: dict[str, Any]) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


@cache
def tls_context() -> ssl.SSLContext:
    """The system's certificates. Loading them takes a while, so it's done once."""
    return ssl.create_default_context()


async def send_request(
    method: str, server: str, path: str, token: str | None = None, body: Any = None
) -> Any:
    """Send a request and return the response's JSON. Raises Unreachable or ServerRefused."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    json = None if method == "GET" else body or {}
    try:
        # Requests are rare, so each opens its own connection, and none has to be kept alive.
        async with httpx.AsyncClient(
            verify=tls_context(), timeout=TIMEOUT_SECONDS, follow_redirects=True
        ) as client:
            response = await client.request(method, server + path, headers=headers, json=json)
        if response.is_success:
            return response.json()
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        raise Unreachable(str(error)) from None
    raise refusal_from_response(response)


def refusal_from_response(response: httpx.Response) -> Exception:
    try:
        problem = response.json()["error"]
        return ServerRefused(str(problem["reason"]), dict(problem.get("detail", {})))
    except (ValueError, KeyError, TypeError):
        return Unreachable(f"HTTP {response.status_code}")
