"""Requests to push services: only to public addresses, and what their answers mean."""

import asyncio
import socket
from collections.abc import Callable, Coroutine
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from pytlik.server.notifications.host_lookup import HostLookup
from pytlik.server.notifications.push_client import (
    DeliveryOutcome,
    PushClient,
    is_public_address,
    origin_of,
    parse_endpoint,
)
from tests.server.push_service import PushService, run_push_service


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example/1",
        "https:///1",
        "https://ola:secret@push.example/1",
        "https://push.example:0/1",
        "https://push.example:99999/1",
        "https://push.example/a b",
        "https://push.example/\r\nHost: other",
        "https://push.example/ž",
        "https://[::1/1",
        "ftp://push.example/1",
        "https://push.example/" + "x" * 1000,
        "",
    ],
)
def test_malformed_endpoints_are_refused(endpoint: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_endpoint(endpoint)


def test_a_service_is_named_by_its_origin() -> None:
    assert origin_of("https://Push.example/send/1?x=2") == "https://push.example"
    assert origin_of("https://push.example:444/1") == "https://push.example:444"


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("142.250.1.1", True),
        ("2a00:1450:4001:80b::200a", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:142.250.1.1", True),
        ("64:ff9b::a01:203", False),
        ("64:ff9b::8efa:101", True),
        ("2002:a01:203::1", False),
        ("64:ff9b:1::a00:1", False),
        ("fec0::1", False),
        ("::10.0.0.1", False),
        ("::ffff:0:7f00:1", False),
        ("5f00::1", False),
        ("3fff::1", False),
        ("192.0.0.8", False),
    ],
)
def test_only_public_addresses_are_allowed(address: str, allowed: bool) -> None:
    assert is_public_address(ip_address(address), 443) is allowed
    assert not is_public_address(ip_address(address), 22)


def run_with_push_service(
    folder: Path, work: Callable[[PushService], Coroutine[Any, Any, None]]
) -> None:
    async def run() -> None:
        async with run_push_service(folder) as service:
            await work(service)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (201, DeliveryOutcome.ACCEPTED),
        (200, DeliveryOutcome.ACCEPTED),
        (404, DeliveryOutcome.GONE),
        (410, DeliveryOutcome.GONE),
        (429, DeliveryOutcome.TRY_LATER),
        (500, DeliveryOutcome.TRY_LATER),
        (503, DeliveryOutcome.TRY_LATER),
        (302, DeliveryOutcome.REFUSED),
        (400, DeliveryOutcome.REFUSED),
        (403, DeliveryOutcome.REFUSED),
        (413, DeliveryOutcome.REFUSED),
    ],
)
def test_status_decides_the_outcome(tmp_path: Path, status: int, outcome: DeliveryOutcome) -> None:
    async def work(service: PushService) -> None:
        service.statuses = [status]
        endpoint = service.address + "/send/1?x=2"
        assert await service.new_client().post(endpoint, {"TTL": "60"}, b"body") is outcome
        if outcome is DeliveryOutcome.ACCEPTED:
            delivery = service.delivered.get_nowait()
            assert (delivery.path, delivery.headers["TTL"]) == ("/send/1?x=2", "60")
            assert f"https://{delivery.headers['Host']}" == service.address
            assert delivery.body == b"body"

    run_with_push_service(tmp_path, work)


def test_nothing_is_sent_into_our_own_network(tmp_path: Path) -> None:
    """No connection is even opened."""

    async def work(service: PushService) -> None:
        client = PushClient(tls=service.tls)
        assert await client.post(service.address + "/1", {}, b"") is DeliveryOutcome.REFUSED
        assert service.requests == 0

    run_with_push_service(tmp_path, work)


def test_a_name_with_a_public_and_a_private_address_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The owner of a name can give it any addresses, and change them at any time."""
    looked_up: list[str] = []

    def resolve(host: str, *_: Any, **__: Any) -> list[Any]:
        looked_up.append(host)
        kinds = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        return [(*kinds, (each, 0)) for each in ("142.250.1.1", "127.0.0.1")]

    async def connect(*_: Any, **__: Any) -> Any:
        raise AssertionError("nobody may be connected to")

    async def work() -> None:
        monkeypatch.setattr(asyncio, "open_connection", connect)
        client = PushClient(lookup=HostLookup(resolve))
        assert await client.post("https://push.example/1", {}, b"") is DeliveryOutcome.REFUSED

    asyncio.run(work())
    assert looked_up == ["push.example"]


def test_checked_addresses_are_tried_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no others: a second lookup might return an address in our own network."""
    tried: list[tuple[str, int, str]] = []

    def resolve(*_: Any, **__: Any) -> list[Any]:
        kinds = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        return [(*kinds, (address, 0)) for address in ("142.250.1.1", "142.250.1.2")]

    async def connect(address: str, port: int, *, server_hostname: str, **_: Any) -> Any:
        tried.append((address, port, server_hostname))
        raise OSError

    async def work() -> None:
        monkeypatch.setattr(asyncio, "open_connection", connect)
        client = PushClient(lookup=HostLookup(resolve))
        assert await client.post("https://push.example/1", {}, b"") is DeliveryOutcome.TRY_LATER

    asyncio.run(work())
    assert tried == [("142.250.1.1", 443, "push.example"), ("142.250.1.2", 443, "push.example")]


def test_a_service_with_another_hosts_certificate_is_refused(tmp_path: Path) -> None:
    async def work(service: PushService) -> None:
        client = PushClient(is_allowed=lambda *_: True)  # with the system's certificate authorities
        assert await client.post(service.address + "/1", {}, b"") is DeliveryOutcome.TRY_LATER
        assert service.requests == 0

    run_with_push_service(tmp_path, work)


def test_unreachable_service_is_tried_later(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        endpoint = f"https://localhost:{unused.getsockname()[1]}/1"
        client = PushClient(is_allowed=lambda *_: True)
        assert asyncio.run(client.post(endpoint, {}, b"")) is DeliveryOutcome.TRY_LATER


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0\r\n", b"HTTP/1.1 two\r\n", b"\xff" * 70_000])
def test_garbage_answers_are_failed_deliveries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: bytes
) -> None:
    async def work(service: PushService) -> None:
        async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
            writer.close()

        monkeypatch.setattr(service, "handle_request", reply)
        outcome = await service.new_client().post(service.address + "/1", {}, b"")
        assert outcome in {DeliveryOutcome.TRY_LATER, DeliveryOutcome.REFUSED}

    run_with_push_service(tmp_path, work)
