"""What `make shake` does to the processes and loops of a run: they pause, and continue."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace

import pytest

from tests import random_pauses, shake_tests
from tests.database_servers import wait_until
from tests.process_freezing import frozen_process


@pytest.fixture
def child_with_child() -> Iterator[int]:
    """A process with one child; both wait."""
    waits = "import sys; sys.stdin.read()"
    starts = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {waits!r}])"
    with subprocess.Popen([sys.executable, "-c", starts], stdin=subprocess.PIPE) as process:
        yield process.pid
        assert process.stdin
        process.stdin.close()


def test_processes_are_stopped_and_continued(
    child_with_child: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shake_tests, "SECONDS_BETWEEN_STOPS", 0.001)
    monkeypatch.setattr(shake_tests, "random_pause_seconds", lambda _: 0.0)
    asyncio.run(wait_until(lambda: len(shake_tests.running_descendants(child_with_child)) == 1))
    both = [child_with_child, *shake_tests.running_descendants(child_with_child)]

    def states() -> list[str]:
        return [found[0] for pid in both if (found := shake_tests.read_process_state(pid))]

    with shake_tests.ProcessStopper(child_with_child, Random("stops")) as stopper:
        asyncio.run(wait_until(lambda: stopper.stops >= 6))
    asyncio.run(wait_until(lambda: "T" not in states()))
    assert len(states()) == 2


def test_process_frozen_by_a_test_stays_frozen(
    child_with_child: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if it was stopped already: it used to be continued, and the test failed."""
    monkeypatch.setattr(shake_tests, "random_pause_seconds", lambda _: 0.0)

    def is_stopped() -> bool:
        found = shake_tests.read_process_state(child_with_child)
        return found is not None and found[0] == "T"

    stopper = shake_tests.ProcessStopper(child_with_child, Random("stops"))
    stopper._stop_processes([child_with_child], now=0)
    asyncio.run(wait_until(is_stopped))
    with frozen_process(child_with_child):
        stopper._continue_due_processes(now=1)
        stopper._stop_processes([child_with_child], now=1)
        stopper._continue_due_processes(now=2)
        assert is_stopped()
    assert stopper.stops == 1
    asyncio.run(wait_until(lambda: not is_stopped()))


def test_pauses_come_in_all_sizes() -> None:
    random = Random("lengths")
    lengths = sorted(random_pauses.random_pause_seconds(random) for _ in range(1_000))
    assert lengths[0] >= random_pauses.MIN_PAUSE_SECONDS
    assert 2 < lengths[-1] <= random_pauses.MAX_PAUSE_SECONDS
    assert 0.03 < lengths[500] < 0.1


def test_pause_is_made_when_it_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = 0.0, list[float]()
    clock = SimpleNamespace(monotonic=lambda: now, sleep=slept.append)
    monkeypatch.setattr(random_pauses, "time", clock)
    pauses = random_pauses.RandomPauses("when")
    pauses.maybe_pause()
    assert slept == []
    paused = random_pauses.add_pauses(pauses, os.getpid)
    for second in range(600):
        now = float(second)
        assert paused() == os.getpid()
    assert 80 < len(slept) < 160
