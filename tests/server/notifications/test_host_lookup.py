"""Looking up host names that strangers choose."""

import asyncio
import socket
import subprocess
import sys
import threading
from typing import Any

import pytest

from pytlik.server.notifications import host_lookup
from pytlik.server.notifications.host_lookup import HostLookup


def answer(*addresses: str) -> list[Any]:
    """What `socket.getaddrinfo` returns."""
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 0)) for each in addresses]


class NameServer:
    """Answers at once, except for names that begin with "slow": those wait for `release`."""

    def __init__(self) -> None:
        self.looked_up: list[str] = []
        self.away = False
        self.release = threading.Event()

    def resolve(self, host: str, *_: Any, **__: Any) -> list[Any]:
        self.looked_up.append(host)
        if host.startswith("slow"):
            self.release.wait()
        if host == "nowhere.example" or self.away:
            raise socket.gaierror("no such host")
        return answer("192.0.2.1", "192.0.2.1", "192.0.2.2")


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> NameServer:
    monkeypatch.setattr(host_lookup, "LOOKUP_SECONDS", 0.01)
    return NameServer()


async def find_patiently(lookup: HostLookup, host: str) -> list[str]:
    """Find a host that is known to be quick, however slow this machine is."""
    with pytest.MonkeyPatch.context() as patience:
        patience.setattr(host_lookup, "LOOKUP_SECONDS", 60.0)
        return list(map(str, await lookup.find_addresses(host)))


def test_host_is_looked_up_once(names: NameServer) -> None:
    async def work() -> None:
        lookup = HostLookup(names.resolve)
        for _ in range(3):
            assert await find_patiently(lookup, "push.example") == ["192.0.2.1", "192.0.2.2"]
        for _ in range(2):  # failures aren't remembered, as the host may soon exist
            with pytest.raises(OSError, match="no such host"):
                await find_patiently(lookup, "nowhere.example")

    asyncio.run(work())
    assert names.looked_up == ["push.example", "nowhere.example", "nowhere.example"]


def test_slow_lookups_keep_nobody_waiting(names: NameServer) -> None:
    async def work() -> None:
        lookup = HostLookup(names.resolve)
        for number in range(2 * host_lookup.MAX_LOOKUPS):
            for _ in range(2):
                with pytest.raises(OSError, match=r"in time|takes long|too many"):
                    await lookup.find_addresses(f"slow{number}.example")
        assert len(names.looked_up) == host_lookup.MAX_LOOKUPS
        with pytest.raises(OSError, match="too many"):
            await lookup.find_addresses("push.example")
        names.release.set()
        while True:  # until the first thread has ended
            try:
                assert await find_patiently(lookup, "push.example")
            except OSError:
                await asyncio.sleep(0)
            else:
                break

    asyncio.run(work())


def test_late_answer_is_used_from_then_on(names: NameServer) -> None:
    async def work() -> None:
        lookup = HostLookup(names.resolve)
        for problem in ("in time", "takes long"):
            with pytest.raises(OSError, match=problem):
                await lookup.find_addresses("slow.example")
        names.release.set()
        while lookup._running:  # noqa: ASYNC110 - a thread
            await asyncio.sleep(0)
        assert await lookup.find_addresses("slow.example")

    asyncio.run(work())
    assert names.looked_up == ["slow.example"]


def test_slow_host_is_looked_up_again_later(
    names: NameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_lookup, "REMEMBERED_SECONDS", -1.0)

    async def work() -> None:
        lookup = HostLookup(names.resolve)
        with pytest.raises(OSError, match="in time"):
            await lookup.find_addresses("slow.example")
        names.release.set()
        while lookup._running:  # noqa: ASYNC110 - a thread
            await asyncio.sleep(0)
        await find_patiently(lookup, "slow.example")

    asyncio.run(work())
    assert names.looked_up == ["slow.example"] * 2


def test_number_of_remembered_hosts_is_limited(
    names: NameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_lookup, "MAX_REMEMBERED_HOSTS", 2)

    async def work() -> None:
        lookup = HostLookup(names.resolve)
        for host in ("a.example", "b.example", "c.example", "b.example", "a.example"):
            await find_patiently(lookup, host)

    asyncio.run(work())
    assert names.looked_up == ["a.example", "b.example", "c.example", "a.example"]


def test_known_addresses_are_kept_if_a_new_lookup_fails(
    names: NameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_lookup, "REMEMBERED_SECONDS", -1.0)

    async def work() -> None:
        lookup = HostLookup(names.resolve)
        addresses = await find_patiently(lookup, "push.example")
        names.away = True
        assert await find_patiently(lookup, "push.example") == addresses

    asyncio.run(work())
    assert names.looked_up == ["push.example"] * 2


def test_slow_lookup_does_not_keep_the_program_from_exiting() -> None:
    program = (
        "import asyncio, threading; from pytlik.server.notifications import host_lookup;"
        "host_lookup.LOOKUP_SECONDS = 0.01;"
        "lookup = host_lookup.HostLookup(lambda *_, **__: threading.Event().wait());"
        "asyncio.run(lookup.find_addresses('slow.example'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert "in time" in done.stderr
