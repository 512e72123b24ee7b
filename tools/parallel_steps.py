"""Runs steps in parallel, each as soon as the ones it needs are done, and shows their progress.

On a terminal, every running step has a line with a bar; elsewhere, progress appears as new lines.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

BAR_AFTER_S = 1.5
"""Short steps get no bar, which would only flicker."""

LINE_EVERY_S = 5.0
"""How often a running step reports its progress if lines can only be added."""

TITLE_WIDTH, BAR_WIDTH = 36, 24


class StepFailed(Exception):
    """What failed and what to do about it, in one sentence."""


class CommandFailed(Exception):
    """A command failed; with the last lines of its output."""

    def __init__(self, status: int, output: str) -> None:
        super().__init__(status, output)
        self.status = status
        self.output = output


@dataclass(eq=False)
class Step:
    """Work with a title. `work` gets the step, to run commands and to report progress."""

    title: str
    work: Callable[["Step"], None]
    after: Sequence["Step"] = ()
    explain: Callable[[str], str] | None = None
    """Turns the output of a failed command into a sentence: what failed, and what to do."""
    remark: str = ""
    """Shown when it is done, beside the time it took."""
    done: int = 0
    total: int = 0
    started: float | None = None
    ended: float | None = None
    commands: "CommandRunner" = field(default_factory=lambda: CommandRunner(Path(os.devnull)))

    def run(self, words: Sequence[str], **environment: str) -> None:
        """Run a command to its end. A line such as `3 of 24` moves the bar."""
        self.commands.run(words, self._read_progress, environment)

    def _read_progress(self, line: str) -> None:
        if found := re.match(r"(\d+) of (\d+)$", line):
            self.done, self.total = map(int, found.groups())

    @property
    def elapsed(self) -> float:
        assert self.started is not None
        return (self.ended or time.monotonic()) - self.started


class CommandRunner:
    """Runs commands, logs their output, and can stop all of them at once."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self._lock = threading.Lock()
        self._running = set[subprocess.Popen[str]]()
        self._stopped = False

    def run(
        self, words: Sequence[str], read: Callable[[str], None], environment: dict[str, str]
    ) -> None:
        lines: list[str] = []
        with self._start_process(words, environment) as process:
            assert process.stdout
            for line in process.stdout:
                lines.append(line)
                read(line.rstrip())
        with self._lock:
            self._running.discard(process)
            with self.log.open("a", encoding="utf-8") as log:
                log.write(f"$ {' '.join(words)}\n{''.join(lines)}\n")
        if process.returncode:
            raise CommandFailed(process.returncode, "".join(lines[-60:]))

    def _start_process(
        self, words: Sequence[str], environment: dict[str, str]
    ) -> subprocess.Popen[str]:
        with self._lock:
            if self._stopped:
                raise CommandFailed(-signal.SIGTERM, "")
            process = subprocess.Popen(
                words,
                env=os.environ | environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                errors="replace",
                # Its own process group, so that everything it starts can be stopped.
                start_new_session=True,
            )
            self._running.add(process)
            return process

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            for process in self._running:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)


def run_steps(steps: Sequence[Step], log: Path, began: float, out: TextIO = sys.stdout) -> None:
    """Run all steps, or raise StepFailed with the sentence of the first that failed."""
    if not steps:
        return
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("")
    commands = CommandRunner(log)
    show = LiveProgress(out, began) if can_redraw_lines(out) else PlainProgress(out, began)
    waiting = list(steps)
    futures: dict[Future[None], Step] = {}
    finished = set[Step]()
    with ThreadPoolExecutor(len(steps)) as threads:
        try:
            while waiting or futures:
                for step in [
                    one for one in waiting if finished.issuperset(set(one.after) & set(steps))
                ]:
                    waiting.remove(step)
                    step.commands = commands
                    step.started = time.monotonic()
                    futures[threads.submit(step.work, step)] = step
                    show.start(step)
                done, _ = wait(futures, timeout=show.interval, return_when=FIRST_COMPLETED)
                for future in done:
                    step = futures.pop(future)
                    step.ended = time.monotonic()
                    show.finish(step, failed=future.exception() is not None)
                    raise_failure(step, future, log)
                    finished.add(step)
                show.update([*futures.values()])
        except BaseException:
            commands.stop()
            raise
        finally:
            show.close()


def raise_failure(step: Step, future: Future[None], log: Path) -> None:
    """Raise what the step raised; for a command, explain what its failure means."""
    try:
        future.result()
    except CommandFailed as error:
        explanation = (
            step.explain(error.output)
            if step.explain
            else f"{step.title}: this failed, and {log} says why."
        )
        raise StepFailed(explanation) from error


# ---------------------------------------------------------------------------------------- progress


def can_redraw_lines(out: TextIO) -> bool:
    return out.isatty() and os.environ.get("TERM", "dumb") != "dumb"


class PlainProgress:
    """For a file or a pipe: a line when a step starts, every few seconds, and when it ends."""

    interval: float = 0.25

    def __init__(self, out: TextIO, began: float) -> None:
        self.out = out
        self.began = began
        self._last_shown: dict[Step, float] = {}

    def _write(self, text: str) -> None:
        print(f"[{time.monotonic() - self.began:5.1f} s] {text}", file=self.out, flush=True)

    def start(self, step: Step) -> None:
        self._last_shown[step] = time.monotonic()
        self._write(f"{step.title} …")

    def update(self, running: list[Step]) -> None:
        for step in running:
            if time.monotonic() - self._last_shown[step] >= LINE_EVERY_S:
                self._last_shown[step] = time.monotonic()
                far = f", {step.done} of {step.total}" if step.total else ""
                self._write(f"{step.title}: {step.elapsed:.0f} s{far}")

    def finish(self, step: Step, *, failed: bool) -> None:
        remark = f" ({step.remark})" if step.remark else ""
        self._write(
            f"{step.title}: {'failed' if failed else 'done'} in {step.elapsed:.1f} s{remark}"
        )

    def close(self) -> None:
        pass


class LiveProgress:
    """For a terminal: finished steps stay, and running ones are redrawn ten times a second."""

    interval: float = 0.1
    SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

    def __init__(self, out: TextIO, began: float) -> None:
        self.out = out
        self.began = began
        self._drawn = 0
        self._frame = 0
        self._colors = "NO_COLOR" not in os.environ
        unicode = (out.encoding or "").lower().replace("-", "") == "utf8"
        self._good, self._bad, self._full, self._empty = "✓✗━─" if unicode else "+x#."
        self._spinner = self.SPINNER if unicode else "|/-\\"
        out.write("\x1b[?25l")

    def start(self, step: Step) -> None:
        """Shown with the next update."""

    def _paint(self, text: str, code: int) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colors and text else text

    def _erase(self) -> None:
        self.out.write("\x1b[1A\x1b[2K" * self._drawn)
        self._drawn = 0

    def finish(self, step: Step, *, failed: bool) -> None:
        self._erase()
        mark = self._paint(self._bad, 31) if failed else self._paint(self._good, 32)
        remark = f"  {step.remark}" if step.remark else ""
        self.out.write(
            f" {mark} {step.title:<{TITLE_WIDTH}}{step.elapsed:6.1f} s{self._paint(remark, 2)}\n"
        )

    def update(self, running: list[Step]) -> None:
        self._erase()
        self._frame += 1
        width = shutil.get_terminal_size().columns
        spin = self._spinner[self._frame % len(self._spinner)]
        for step in running:
            # A line that wraps couldn't be erased.
            room = max(min(TITLE_WIDTH, width - 12), 1)
            line = f"{step.title[:room]:<{room}}{step.elapsed:6.1f} s"
            bar, count = self._format_bar(step)
            if len(line) + BAR_WIDTH + len(count) + 6 > width:
                bar = count = ""
            self.out.write(f" {self._paint(spin, 36)} {line}{bar and '  '}{bar}{count}\n")
        total = f"   {time.monotonic() - self.began:.0f} s so far"
        self.out.write(self._paint(total[: width - 1], 2) + "\n")
        self._drawn = len(running) + 1
        self.out.flush()

    def _format_bar(self, step: Step) -> tuple[str, str]:
        if not step.total or step.elapsed < BAR_AFTER_S:
            return "", ""
        full = BAR_WIDTH * step.done // step.total
        bar = self._paint(self._full * full, 36)
        return bar + self._paint(self._empty * (BAR_WIDTH - full), 2), f" {step.done}/{step.total}"

    def close(self) -> None:
        self._erase()
        self.out.write("\x1b[?25h")
        self.out.flush()
