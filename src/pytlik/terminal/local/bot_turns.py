"""The bots at a table in this process: when they think, and what they do when.

A bot thinks when its seat is awaited. Where a game's bots plan a whole round ahead, the plan is
kept and followed; elsewhere each decision is a plan of one step.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from pytlik.game import Budget, Illegal, Schedule, Seat, as_schedule
from pytlik.match import AnyMatch
from pytlik.terminal.local import YOU


class PendingDecision(NamedTuple):
    """A decision that a bot has to make. Nothing it depends on changes, so a thread can make it."""

    seat: Seat
    key: object
    """What the decision is about: once that has changed, the decision is stale."""
    think: Callable[[], Schedule[Any]]


class BotStep(NamedTuple):
    """What a bot is going to do, and when (ms)."""

    moment: int
    seat: Seat
    action: Any


@dataclass(frozen=True)
class Plan:
    key: object
    schedule: Schedule[Any]
    not_before: int
    """So that a decision made in an instant can still be followed (ms)."""


class BotTurns:
    def __init__(self, match: AnyMatch) -> None:
        self._match = match
        self._bots = {seat: player.bot for seat, player in enumerate(match.seats) if player.bot}
        self._plans: dict[Seat, Plan] = {}
        self._refused_at: dict[Seat, int] = {}
        """How many events there were when a seat's latest step was refused."""

    # ---------------------------------------------------------------------------------- thinking

    def pending_decisions(self) -> list[PendingDecision]:
        """The decisions that have to be made now."""
        found = []
        for seat in self._awaited_bots():
            view = self._match.view(seat)
            key = self._decision_key(view)
            is_planned = seat in self._plans and self._plans[seat].key == key
            if key is not None and not is_planned:
                found.append(PendingDecision(seat, key, self._make_thinker(seat, view)))
        return found

    def _awaited_bots(self) -> Iterator[Seat]:
        return (seat for seat in self._match.awaited if seat in self._bots)

    def _decision_key(self, view: Any) -> object:
        """What a bot has to decide about now; None if it has nothing to decide."""
        game = self._match.game
        if game.automatic_action(view) is not None:
            return None
        return game.planning.key(view) if game.planning else len(self._match.events)

    def _make_thinker(self, seat: Seat, view: Any) -> Callable[[], Schedule[Any]]:
        bot, stream = self._match.game.bots[self._bots[seat]], self._match.bot_stream()
        return lambda: as_schedule(bot(view, stream, Budget()))

    def set_plan(
        self, decision: PendingDecision, schedule: Schedule[Any], *, not_before: int = 0
    ) -> None:
        self._plans[decision.seat] = Plan(decision.key, schedule, not_before)

    # ------------------------------------------------------------------------------------ acting

    def next_step(self, now: int) -> BotStep | None:
        """What a bot does next; it may be due already."""
        steps = (self._next_step_of(seat, now) for seat in self._awaited_bots())
        return min((step for step in steps if step), key=lambda step: step.moment, default=None)

    def _next_step_of(self, seat: Seat, now: int) -> BotStep | None:
        # A step that was refused is only tried again once something has happened.
        if self._refused_at.get(seat) == len(self._match.events):
            return None
        view, game = self._match.view(seat), self._match.game
        plan = self._plans.get(seat)
        if plan is None or plan.key != self._decision_key(view):
            return None
        if game.planning is None:
            moment, action = plan.schedule[0]
            return BotStep(max(moment, plan.not_before), seat, action)
        step = game.planning.next_step(plan.schedule, view, now)
        return None if step is None else BotStep(step[0], seat, step[1])

    def act(self, step: BotStep, now: int) -> None:
        try:
            self._match.act(step.seat, step.action, now=now)
        except Illegal:
            # For example, between the end of the sand and the next Expire.
            self._refused_at[step.seat] = len(self._match.events)

    def do_automatic_actions(self, now: int) -> None:
        """Do what needs no decision, such as getting ready, once the person has done so."""
        while YOU not in self._match.awaited:
            for seat in self._awaited_bots():
                action = self._match.game.automatic_action(self._match.view(seat))
                if action is not None:
                    self._match.act(seat, action, now=now)
                    break
            else:
                return
