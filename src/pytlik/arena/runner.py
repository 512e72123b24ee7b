"""One match between bots, without people, servers or waiting: time is only a number here."""

import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from pytlik.arena.bot_loader import find_bots
from pytlik.chance import Stream
from pytlik.game import (
    AnyGame,
    Budget,
    Illegal,
    Outcome,
    PlanKey,
    Schedule,
    Seat,
    TimedAction,
    as_schedule,
)
from pytlik.match import AnyMatch, Match, find_game
from pytlik.matchfile import Player


class ThinkingTime(msgspec.Struct, frozen=True):
    """How many decisions a bot has made, and the seconds that they took."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def plus(self, other: "ThinkingTime") -> "ThinkingTime":
        return ThinkingTime(
            self.decisions + other.decisions,
            self.seconds + other.seconds,
            max(self.longest, other.longest),
        )


@dataclass(frozen=True)
class PlayedMatch:
    """A match that is over."""

    match: AnyMatch
    outcome: Outcome
    thinking: dict[str, ThinkingTime]
    """By bot name."""


class BotError(Exception):
    """A bot failed, or returned something that isn't an action."""

    def __init__(self, bot: str, deal: str, decision: int, problem: str) -> None:
        super().__init__(bot, deal, decision, problem)
        self.bot, self.deal, self.decision, self.problem = bot, deal, decision, problem

    def __str__(self) -> str:
        return f"{self.bot}: {self.problem} (deal {self.deal!r}, decision {self.decision})"


def play(
    game: str | AnyGame,
    lineup: Sequence[str],
    seed: str,
    options: Any = None,
    budget: Budget | None = None,
) -> PlayedMatch:
    """Play a whole match between the bots that a lineup names, seat by seat.

    The same seed gives the same deals whoever plays, and with a budget of simulations the same
    match. Raises Malformed for a game or options that don't exist, Illegal if a bot's action isn't
    allowed (its detail names the bot and the action), and BotError for a bot that fails.
    """
    match = Match.new(
        find_game(game),
        [Player(bot, bot) for bot in lineup],
        seed=seed,
        options=options,
        secret=seed.encode(),
        shares=[f"seat {seat}" for seat in range(len(lineup))],
    )
    runner = Runner(match, lineup, seed, budget or Budget())
    while not (outcome := match.outcome):
        runner.advance()
    return PlayedMatch(match, outcome, dict(runner.thinking))


class Runner:
    """Lets whichever bot is due first act, or the clock if it is due before all of them."""

    def __init__(self, match: AnyMatch, lineup: Sequence[str], deal: str, budget: Budget) -> None:
        self.thinking: defaultdict[str, ThinkingTime] = defaultdict(ThinkingTime)
        self._match = match
        self._lineup = lineup
        self._deal = deal
        self._budget = budget
        self._decisions = 0
        self._plans: dict[Seat, tuple[PlanKey, Schedule[Any]]] = {}

    def advance(self) -> None:
        match = self._match
        step = self._earliest_step()
        due = match.deadline
        if step and (due is None or step[1] < due):
            seat, moment, action = step
            self._act(seat, action, moment)
        elif due is not None:
            match.expire(now=due)
        else:
            bot = self._lineup[match.awaited[0]]
            raise BotError(bot, self._deal, self._decisions, "it should act, but does nothing")

    def _earliest_step(self) -> tuple[Seat, int, Any] | None:
        """What is done next, by whom, and when."""
        first: tuple[Seat, int, Any] | None = None
        for seat in self._match.awaited:
            step = self._next_step(seat)
            if step and (first is None or step[0] < first[1]):
                first = (seat, *step)
                if first[1] <= self._match.now:
                    break  # nobody can act earlier
        return first

    def _next_step(self, seat: Seat) -> TimedAction[Any] | None:
        match = self._match
        game, view = match.game, match.view(seat)
        action = game.automatic_action(view)
        if action is not None:
            return 0, action
        key = game.planning.key(view) if game.planning else None
        if game.planning is None or key is None:
            stream = match.bot_stream(f"decision {self._decisions}")
            return next(iter(self._ask_bot(seat, view, stream)), None)
        known = self._plans.get(seat)
        if known is None or known[0] != key:
            stream = match.bot_stream(f"seat {seat} in round {key.round}")
            known = self._plans[seat] = key, self._ask_bot(seat, view, stream)
        return game.planning.next_step(known[1], view, match.now)

    def _ask_bot(self, seat: Seat, view: Any, stream: Stream) -> Schedule[Any]:
        """A bot's answer, timed and checked."""
        name = self._lineup[seat]
        bot = find_bots(self._match.game, name)[name]
        self._decisions += 1
        answer = self._time_bot(name, partial(bot, view, stream, self._budget))
        schedule = as_schedule(answer)
        if not all(is_timed_action(step, self._match.game.action) for step in schedule):
            problem = f"it should return an action, but returned {answer!r}"
            raise BotError(name, self._deal, self._decisions, problem)
        return schedule

    def _time_bot(self, name: str, think: Callable[[], Any]) -> Any:
        began = time.perf_counter()
        try:
            return think()
        except Exception as error:
            raise BotError(name, self._deal, self._decisions, summarize_error(error)) from error
        finally:
            took = time.perf_counter() - began
            self.thinking[name] = self.thinking[name].plus(ThinkingTime(1, took, took))

    def _act(self, seat: Seat, action: Any, moment: int) -> None:
        try:
            self._match.act(seat, action, now=moment)
        except Illegal as wrong:
            # Bot authors want to know which bot it was, what it wanted, and where.
            raise Illegal(
                wrong.reason,
                **wrong.detail,
                bot=self._lineup[seat],
                asked=msgspec.json.encode(action).decode(),
                deal=self._deal,
                decision=self._decisions,
            ) from None


def is_timed_action(step: Any, action_type: Any) -> bool:
    """Is it a pair of a time and an action of the game?"""
    match step:
        case (int() | float(), action):
            return isinstance(action, action_type)
        case _:
            return False


def summarize_error(error: Exception) -> str:
    """An error in one line, with the place that it comes from."""
    *_, last = traceback.extract_tb(error.__traceback__)
    text = traceback.format_exception_only(error)[-1].strip()
    return f"{text} ({last.filename}:{last.lineno})"
