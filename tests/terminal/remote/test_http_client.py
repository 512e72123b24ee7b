"""Servers' answers, and what the client makes of them."""

import asyncio
import json
from functools import partial
from typing import Any

import httpx
import pytest

from pytlik.terminal.remote.http_client import ServerRefused, Unreachable, send_request

SERVER_URL = "https://play.example/games"


def ask_server(
    monkeypatch: pytest.MonkeyPatch, answer: httpx.Response | Exception, method: str = "GET"
) -> tuple[httpx.Request, Any]:
    """Send a request to a server with this answer, and return the request and the result."""
    sent = []

    def handle(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        if isinstance(answer, Exception):
            raise answer
        return answer

    client = partial(httpx.AsyncClient, transport=httpx.MockTransport(handle))
    monkeypatch.setattr(httpx, "AsyncClient", client)
    result = asyncio.run(
        send_request(method, SERVER_URL, "/api/tables/t1", "token", {"name": "Ola"})
    )
    return sent[0], result


def test_answer_is_parsed_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    request, answer = ask_server(monkeypatch, httpx.Response(200, json={"phase": "lobby"}))
    assert answer == {"phase": "lobby"}
    assert str(request.url) == "https://play.example/games/api/tables/t1"
    assert request.headers["Authorization"] == "Bearer token"
    assert request.content == b""


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_every_method_but_get_sends_a_body(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    request, _ = ask_server(monkeypatch, httpx.Response(201, json={}), method)
    assert json.loads(request.content) == {"name": "Ola"}


def test_refusal_has_a_reason_and_details(monkeypatch: pytest.MonkeyPatch) -> None:
    error = {"reason": "too_fast", "detail": {"seconds": 3}}
    with pytest.raises(ServerRefused) as refused:
        ask_server(monkeypatch, httpx.Response(429, json={"error": error}))
    assert (refused.value.reason, refused.value.detail) == ("too_fast", {"seconds": 3})


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, text="<html>a page of somebody else</html>"),
        httpx.Response(502, text="<html>bad gateway</html>"),
        httpx.Response(500, json={"error": None}),
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("silence"),
    ],
)
def test_unexpected_answer_counts_as_unreachable(
    answer: httpx.Response | Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Unreachable):
        ask_server(monkeypatch, answer)
