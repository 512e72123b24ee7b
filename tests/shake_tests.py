"""Run the tests again and again on a machine that keeps pausing.

    python tests/shake_tests.py --runs 5                 # all of `make test`, five times
    python tests/shake_tests.py --runs 5 --calm          # the same, undisturbed
    python tests/shake_tests.py --runs 1 tests/server    # only these (pytest arguments)

During a run

- two other processes keep two cores busy;
- every process of the run is stopped now and then (SIGSTOP) and continued: pytest's workers,
  servers, their workers and bots, PostgreSQL, Redis, Node, Chromium;
- the event loops and threads of the tests pause by themselves: tests/random_pauses.py.

A pause lasts 1 ms to 3 s, every order of magnitude equally likely: 0.37 s on average. A process is
stopped every 25 s on average, so it is paused for 1.5 % of the time; a worker of pytest
pauses its loop or a thread every 5 s, for 7 % of the time. All lengths and victims are drawn from a
seed, which is printed; what they hit depends on the machine.

The first failure ends it, with exit status 1 and the run's output in build/shake.
"""

import argparse
import ctypes
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Self

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.process_freezing import is_frozen_by_test, lock_signals
from tests.random_pauses import SHAKE_SEED_VARIABLE, random_pause_seconds

ROOT = Path(__file__).parent.parent
LOG_FOLDER = ROOT / "build" / "shake"
SUITE_COMMAND = [
    "make",
    "--no-print-directory",
    "test-web",
    "test-covering",
    "test-python",
    "test-page",
]
PYTEST_COMMAND = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal"]

SECONDS_BETWEEN_STOPS = 25
"""How often one process is stopped, on average."""
LOOK_EVERY_SECONDS = 0.05
LAST_LINES_SHOWN = 80
PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Become the parent of orphaned processes, so that they stay our descendants: Redis and
    PostgreSQL are started by processes that end."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def read_process_state(pid: int) -> tuple[str, int] | None:
    """Return the state and the parent of a process, if it still exists."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    state, parent = text.rpartition(")")[2].split()[:2]
    return state, int(parent)


def running_descendants(root: int) -> list[int]:
    """All descendants of a process that have neither ended nor been stopped."""
    children: dict[int, list[int]] = {}
    states: dict[int, str] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and (found := read_process_state(int(folder.name))):
            pid = int(folder.name)
            states[pid], parent = found
            children.setdefault(parent, []).append(pid)
    waiting, found_all = [root], list[int]()
    while waiting:
        below = children.get(waiting.pop(), [])
        found_all += below
        waiting += below
    return sorted(pid for pid in found_all if states[pid] not in "ZXTt")


class ProcessStopper:
    """Stops random processes of a run, and continues each after a while."""

    def __init__(self, root: int, random: Random) -> None:
        self.stops = 0
        self._root = root
        self._random = random
        self._stopped: dict[int, float] = {}
        """The time when each is continued."""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        chance = LOOK_EVERY_SECONDS / SECONDS_BETWEEN_STOPS
        last = time.monotonic()
        while not self._over.wait(LOOK_EVERY_SECONDS):
            now = time.monotonic()
            self._continue_due_processes(now)
            # Listing processes takes time on a busy machine, so correct for it to keep the rate.
            chance, last = (now - last) / SECONDS_BETWEEN_STOPS, now
            victims = [
                pid
                for pid in [self._root, *running_descendants(self._root)]
                if pid not in self._stopped and self._random.random() < chance
            ]
            self._stop_processes(victims, now)

    def _stop_processes(self, victims: list[int], now: float) -> None:
        if not victims:
            return
        # No process is stopped while it holds this, so nobody holds it for long.
        with lock_signals():
            for pid in victims:
                if not is_frozen_by_test(pid):
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGSTOP)
                        self._stopped[pid] = now + random_pause_seconds(self._random)
                        self.stops += 1

    def _continue_due_processes(self, now: float) -> None:
        due = [pid for pid, until in self._stopped.items() if until <= now]
        if not due:
            return
        with lock_signals():
            for pid in due:
                del self._stopped[pid]
                if not is_frozen_by_test(pid):
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGCONT)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._continue_due_processes(float("inf"))


@contextmanager
def busy_cores(count: int) -> Iterator[None]:
    # They end even if we are killed.
    program = "import os; parent = os.getppid()\nwhile os.getppid() == parent: pass"
    spin = [sys.executable, "-c", program]
    processes = [subprocess.Popen(spin) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def wait_for_exit(run: int) -> int:
    """Wait for a run, and return its exit status. Orphans are reaped as well, as init would."""
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == run:
            return os.waitstatus_to_exitcode(status)


def run_once(command: list[str], log: Path, seed: str, *, calm: bool) -> tuple[int, int]:
    """Run the command, and return its exit status and how often processes were stopped."""
    environment = dict(os.environ)
    if not calm:
        environment[SHAKE_SEED_VARIABLE] = seed
    # Not with subprocess, which would miss a child that wait_for_exit reaps.
    with log.open("wb") as file:
        output = [(os.POSIX_SPAWN_DUP2, file.fileno(), number) for number in (1, 2)]
        # In a session of its own: when a shell ends, stopped processes in its session would get a
        # hangup signal.
        run = os.posix_spawnp(command[0], command, environment, file_actions=output, setsid=True)
    if calm:
        return wait_for_exit(run), 0
    with ProcessStopper(run, Random(f"{seed} stops")) as stopper:
        status = wait_for_exit(run)
    return status, stopper.stops


def end_leftovers() -> int:
    """Kill what the run has left running, and return how many processes that were."""
    left = running_descendants(os.getpid())
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(left)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--calm", action="store_true", help="no load, no pauses")
    parser.add_argument("--busy", type=int, default=2, help="processes that load the cores")
    parser.add_argument("--seed", default=secrets.token_hex(4))
    args, words = parser.parse_known_args()
    adopt_orphans()
    LOG_FOLDER.mkdir(parents=True, exist_ok=True)
    command = [*PYTEST_COMMAND, *words] if words else SUITE_COMMAND
    print(f"{' '.join(command)}\nseed {args.seed}{', calm' if args.calm else ''}\n", flush=True)
    print("run  outcome  seconds  stops", flush=True)
    for number in range(1, args.runs + 1):
        log = LOG_FOLDER / f"run-{number}.txt"
        began = time.monotonic()
        try:
            with busy_cores(0 if args.calm else args.busy):
                status, stops = run_once(command, log, f"{args.seed} {number}", calm=args.calm)
        except KeyboardInterrupt:
            end_leftovers()
            return 130
        outcome = f"exit {status}" if status else "passed"
        seconds = time.monotonic() - began
        print(f"{number:3}  {outcome:7}  {seconds:7.0f}  {stops:5}", flush=True)
        if left := end_leftovers():
            print(f"     {left} processes were left behind")
            status = status or 1
        if status:
            lines = log.read_text(errors="replace").splitlines()[-LAST_LINES_SHOWN:]
            print(f"\nThe end of {log.relative_to(ROOT)}:\n\n", "\n".join(lines), sep="")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
