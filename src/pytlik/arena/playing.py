"""One match between bots, without people, servers or waiting: time is only a number here."""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import msgspec

from pytlik.arena.guests import guests
from pytlik.chance import Chance, commit, from_text, mix
from pytlik.game import (
    AnyGame,
    Budget,
    Expire,
    Illegal,
    Opening,
    Outcome,
    Ready,
    Reason,
    Seat,
    replay,
)
from pytlik.games import GAMES, UBONGO, UNIKAT
from pytlik.ubongo import bots as ubongo_bots
from pytlik.ubongo import model as ubongo
from pytlik.unikat import bots as unikat_bots
from pytlik.unikat import model as unikat

BOTS: dict[str, dict[str, Any]] = {
    UNIKAT.name: {**unikat_bots.BOTS, **unikat_bots.LEVELS},
    UBONGO.name: {**ubongo_bots.LEVELS},
}
"""All of ours that can sit down at a game."""


def bots(game: str, name: str) -> Mapping[str, Any]:
    """All that can sit down, with the guests that a name asks for."""
    return {**BOTS[game], **guests(game, name)}


Asked = tuple[Seat | None, Any, int]
"""Who asks for what, and at which moment."""


class Thought(msgspec.Struct, frozen=True):
    """How long a bot thought in a match: the decisions that it made, and their seconds."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def and_then(self, other: "Thought") -> "Thought":
        return Thought(
            self.decisions + other.decisions,
            self.seconds + other.seconds,
            max(self.longest, other.longest),
        )


class Played(msgspec.Struct, frozen=True):
    """A match that is over."""

    outcome: Outcome
    thought: dict[str, Thought]
    """By the name of the bot."""


class Driver(Protocol):
    """Asks the bots of a match, whoever's turn it is."""

    def next(self, state: Any, now: int) -> Asked: ...


def play(
    name: str, lineup: Sequence[str], seed: str, options: Any = None, budget: Budget | None = None
) -> Played:
    """A whole match. The same seed gives the same deals whoever plays, and with a budget of
    simulations the same match."""
    game: AnyGame = GAMES[name]
    shares = tuple(f"seat {seat}" for seat in range(len(lineup)))
    secret = seed.encode()
    opening = Opening(players=len(lineup), commitment=commit(secret), shares=shares)
    chance = mix(secret, shares)
    state = replay(game.apply, game.open(opening, options or game.options(), chance, 0))
    watch = Watch(lineup)
    driver = DRIVERS[name](watch, from_text(f"bots: {seed}"), budget or Budget())
    now = 0
    while not (outcome := game.outcome(state)):
        seat, action, now = driver.next(state, now)
        who = "the clock" if seat is None else lineup[seat]
        if not isinstance(action, game.action | Expire):
            raise TypeError(f"{who} is to return an action, not {action!r}")
        try:
            events = game.decide(state, seat, action, chance, now)
        except Illegal as wrong:
            # Whoever writes a bot wants to know which it was, and what it asked for.
            asked = msgspec.json.encode(action).decode()
            raise Illegal(wrong.reason, **wrong.detail, bot=who, asked=asked) from None
        state = replay(game.apply, events, state)
    return Played(outcome, dict(watch.thought))


@dataclass
class Watch:
    """Who sits where, and how long each has thought."""

    lineup: Sequence[str]
    thought: defaultdict[str, Thought] = field(default_factory=lambda: defaultdict(Thought))

    def time(self, seat: Seat, think: Callable[[], Any]) -> Any:
        began = time.perf_counter()
        answer = think()
        took = time.perf_counter() - began
        name = self.lineup[seat]
        self.thought[name] = self.thought[name].and_then(Thought(1, took, took))
        return answer


@dataclass
class UnikatDriver:
    watch: Watch
    chance: Chance
    budget: Budget
    asked: int = 0

    def next(self, state: unikat.State, now: int) -> Asked:
        seat, *_ = UNIKAT.awaited(state)
        if state.phase is unikat.Phase.OVER:
            return seat, Ready(), now
        name = self.watch.lineup[seat]
        bot = bots("unikat", name)[name]
        stream = self.chance.stream(f"decision {self.asked}")
        self.asked += 1
        view = UNIKAT.view(state, seat)
        return seat, self.watch.time(seat, partial(bot, view, stream, self.budget)), now


@dataclass
class UbongoDriver:
    """Every bot says at the start of a round what it will do, and when."""

    watch: Watch
    chance: Chance
    budget: Budget
    planned: Any = None
    steps: list[tuple[int, Seat, Any]] = field(default_factory=list)

    def next(self, state: ubongo.State, now: int) -> Asked:
        if state.phase is ubongo.Phase.READY:
            return UBONGO.awaited(state)[0], Ready(), now
        due = UBONGO.deadline(state)
        if state.phase is not ubongo.Phase.COUNTDOWN:
            self._plan(state)
            done = state.solved | state.gave_up
            while self.steps and self.steps[0][1] in done:
                del self.steps[0]
            if self.steps and (due is None or self.steps[0][0] < due):
                moment, seat, action = self.steps.pop(0)
                return seat, action, max(now, moment)
        if due is None:
            raise Illegal(Reason.WRONG_PHASE, phase=state.phase)
        return None, Expire(), max(now, due)

    def _plan(self, state: ubongo.State) -> None:
        if self.planned == (moment := (state.round, state.began)):
            return
        self.planned, self.steps = moment, []
        for seat in state.deals:
            name = self.watch.lineup[seat]
            bot = bots("ubongo", name)[name]
            stream = self.chance.stream(f"seat {seat} in round {state.round}")
            view = UBONGO.view(state, seat)
            plan = self.watch.time(seat, partial(bot, view, stream))
            self.steps += [(moment, seat, action) for moment, action in plan]
        self.steps.sort(key=lambda step: step[:2])


DRIVERS: dict[str, Callable[[Watch, Chance, Budget], Driver]] = {
    UNIKAT.name: UnikatDriver,
    UBONGO.name: UbongoDriver,
}
