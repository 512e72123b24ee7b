"""Races over lines of all kinds, in virtual time: how fair they are, and what cheats gain.

    python -m tests.server.simulated_races                    the figures of docs/fair.md

A race is one match of nine rounds: the server's own code measures the line and credits its delay,
only the line is simulated. Each message takes half of the round trip and some jitter; a lost packet
is sent again after TCP's timeout, and whatever was sent after it waits, because TCP keeps the
order.
"""

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, product
from random import Random
from statistics import fmean, median, quantiles
from typing import NamedTuple

from pytlik.games import UBONGO
from pytlik.server.match.delay_credit import DelayCredits, DelayMeasurements
from pytlik.server.table_socket import PING_EVERY_SECONDS
from pytlik.ubongo.messages import CardSolved, PiecePlaced
from pytlik.ubongo.timing import MAX_CREDIT_MS

ROUNDS = 9
PLACEMENTS = 4
"""Actions in each round before the one that solves the card."""

RETRANSMISSION_MS = 200.0
"""The minimum time TCP waits for an acknowledgement before it resends, on top of a round trip."""


@dataclass(frozen=True)
class NetworkLine:
    round_trip: float = 0.0
    """The fastest round trip, in milliseconds."""
    jitter_up: float = 0.0
    """By how many milliseconds, on average, a message to the server exceeds its shortest delay."""
    jitter_down: float = 0.0
    loss: float = 0.0
    """The share of packets lost in each direction."""

    def __str__(self) -> str:
        jitter = f"{self.jitter_up:g}"
        if self.jitter_down != self.jitter_up:
            jitter += f" up, {self.jitter_down:g} down"
        return f"{self.round_trip:g} ms, jitter {jitter} ms, loss {self.loss:.0%}"


class OneWayLane:
    """One direction of a connection."""

    def __init__(self, line: NetworkLine, jitter: float, random: Random) -> None:
        self._line = line
        self._jitter = jitter
        self._random = random
        self._last = 0.0

    def arrival(self, sent: float) -> float:
        """When a message that is sent at this moment arrives."""
        at = sent + self._line.round_trip / 2
        if self._jitter:
            at += self._random.expovariate(1 / self._jitter)
        timeout = RETRANSMISSION_MS + self._line.round_trip
        while self._random.random() < self._line.loss:
            at += timeout
            timeout *= 2
        self._last = max(self._last, at)
        return self._last


CHEAT_DELAY_MS = 700.0
"""How many milliseconds cheats wait. More isn't credited."""


class MeasurementRequest(NamedTuple):
    """A request for a measurement."""

    number: int
    playing: bool
    """Whether the match has begun."""


AnswerDelay = Callable[[MeasurementRequest], float]
"""How long a client waits before it answers."""


def no_answer_delay(_: MeasurementRequest) -> float:
    return 0.0


class SimulatedRace:
    """One player in one match."""

    def __init__(
        self, line: NetworkLine, random: Random, wait: AnswerDelay = no_answer_delay
    ) -> None:
        self._random = random
        self._wait = wait
        self._up = OneWayLane(line, line.jitter_up, random)
        self._down = OneWayLane(line, line.jitter_down, random)
        self._measurements = DelayMeasurements()
        self._credits = DelayCredits()
        self._number = 0
        self._pinged_at = self._answer_from = 0.0
        self.errors: list[float] = []
        """How much later than it was made each solution counted."""

    def play(self) -> None:
        """Spend some time in the lobby, then play round after round."""
        now = self._random.uniform(30_000, 60_000)
        self._start_measurement(0)
        self._measure_until(now, playing=False)
        for _ in range(ROUNDS):
            for _ in range(PLACEMENTS):
                now += self._random.uniform(5_000, 15_000)
                self._place_piece(now, solves=False)
            now += self._random.uniform(1_000, 5_000)
            self._place_piece(now, solves=True)
            now += self._random.uniform(5_000, 20_000)

    def _start_measurement(self, now: float) -> None:
        self._number += 1
        self._pinged_at = now
        self._measurements.start(round(now))
        self._answer_from = self._down.arrival(now)

    def _measure_until(self, now: float, *, playing: bool) -> None:
        """Answer all measurements that are due before the client sends something else."""
        while (
            answered := self._answer_from + self._wait(MeasurementRequest(self._number, playing))
        ) < now:
            back_at = self._up.arrival(answered)
            self._measurements.finish(round(self._pinged_at), round(back_at))
            next_at = self._pinged_at + 1000 * PING_EVERY_SECONDS
            self._start_measurement(
                max(back_at, next_at) if self._measurements.has_enough else back_at
            )

    def _place_piece(self, placed_at: float, *, solves: bool) -> None:
        self._measure_until(placed_at, playing=True)
        at = round(self._up.arrival(placed_at))
        lag = self._credits.creditable_delay(0, max(1, self._measurements.delay or 0))
        placed = PiecePlaced(at=at, seat=0, piece=1, cells=(), lag=lag)
        time = at - min(lag, MAX_CREDIT_MS)
        solved = [CardSolved(at=at, seat=0, time=time, lag=lag)] if solves else []
        self._credits = self._credits.with_events(UBONGO, [placed, *solved])
        if solves:
            self.errors.append(time - placed_at)


def race_errors(
    line: NetworkLine, matches: int, wait: AnswerDelay = no_answer_delay
) -> list[list[float]]:
    """The errors of each match over one line."""
    random = Random(f"{line}")
    played = []
    for _ in range(matches):
        one = SimulatedRace(line, random, wait)
        one.play()
        played.append(one.errors)
    return played


ROUND_TRIPS = (0, 50, 100, 200, 300, 400)
JITTERS = (0, 10, 30)
LOSSES = (0.0, 0.01, 0.02)

PROMISED_LINES = [
    NetworkLine(round_trip, jitter, jitter, loss)
    for jitter, loss, round_trip in product(JITTERS, LOSSES, ROUND_TRIPS)
]
"""Lines for which the bias is promised."""

UNPROMISED_LINES = [
    NetworkLine(100, jitter_up=30, jitter_down=10),
    NetworkLine(100, jitter_up=10, jitter_down=30),
    NetworkLine(100, 60, 60),
    NetworkLine(100, loss=0.05),
    NetworkLine(600),
]
"""Lines for which no bias is promised."""


def lateness(line: NetworkLine, matches: int) -> list[float]:
    """How much later than it was made each solution of an honest player counts."""
    return list(chain.from_iterable(race_errors(line, matches)))


def largest_bias(lines: Iterable[NetworkLine], matches: int) -> float:
    """The largest average difference in lateness between two lines."""
    means = [fmean(lateness(line, matches)) for line in lines]
    return max(means) - min(means)


CHEATS: dict[str, AnswerDelay] = {
    "answers everything late": lambda _: CHEAT_DELAY_MS,
    "answers two of three late": lambda asked: CHEAT_DELAY_MS * (asked.number % 3 > 0),
    "answers late once the match has begun": lambda asked: CHEAT_DELAY_MS * asked.playing,
    "answers every second one late": lambda asked: CHEAT_DELAY_MS * (asked.number % 2),
    "is slow for two minutes of every four": lambda asked: (
        CHEAT_DELAY_MS * (asked.number // 12 % 2)
    ),
    "answers one in nine late": lambda asked: CHEAT_DELAY_MS * (asked.number % 9 == 0),
}


def cheat_gains(wait: AnswerDelay, matches: int, line: NetworkLine) -> tuple[float, float]:
    """The most that a cheat gains over an honest player on the same line, in a solution and in a
    match."""
    honestly = fmean(lateness(line, matches))
    cheated = race_errors(line, matches, wait)
    most = max(honestly - error for errors in cheated for error in errors)
    return most, max(sum(honestly - error for error in errors) for errors in cheated)


def print_line(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=400)
    matches = parser.parse_args().matches
    means = {}
    for line in (*PROMISED_LINES, *UNPROMISED_LINES):
        late = lateness(line, matches)
        means[line] = fmean(late)
        print_line(
            f"{line}: on average {means[line]:.1f} ms late, median {median(late):.1f} ms,"
            f" 95th percentile {quantiles(late, n=20)[-1]:.0f} ms"
        )
    promised = [means[line] for line in PROMISED_LINES]
    print_line(f"bias: {max(promised) - min(promised):.1f} ms")
    for name, wait in CHEATS.items():
        most, in_all = cheat_gains(wait, matches, NetworkLine(20))
        print_line(f"{name}: gains {most:.0f} ms in a solution, {in_all:.0f} ms in a match")


if __name__ == "__main__":
    main()
