"""Exact play when the end is in sight.

With two players and an empty bag nothing is hidden: a tile that can't be seen anywhere is in the
other hand. From then on the round is searched with best play on both sides, one turn deeper at a
time, until its result is certain.
"""

from collections.abc import Iterator
from itertools import count

from pytlik.unikat.engine.kernel import CHAIN, COMPILED, TAKING, Round
from pytlik.unikat.model import TILES
from pytlik.unikat.view import View

MAX_SEARCHED_ACTIONS = 50_000 if COMPILED else 500
"""The search gives up after this many actions, which takes some tenths of a second."""


def knows_every_tile(view: View) -> bool:
    """Does the seat know where every tile is? That takes an empty bag, and all tiles that it hasn't
    seen must be in the only other hand."""
    if view.players > 2 or view.bag or view.seat is None:
        return False
    other = 1 - view.seat
    seen = len(view.board) + len(view.display) + len(view.hand) + len(view.known[other])
    hidden = view.counts[other] - len(view.known[other])
    return hidden in (0, len(TILES) - seen)


def find_proven_action(
    round_: Round, *, for_points: bool, max_actions: int = MAX_SEARCHED_ACTIONS
) -> list[int] | None:
    """The steps of a provably best action, in a round with nothing hidden: one that wins the round,
    or ties it if a win can't be forced. With `for_points` it's one that leaves the fewest tiles
    compared with the opponent. None if nothing can be proven, or if only winning counts and the
    opponent's win can't be prevented."""
    search = ProofSearch(round_.to_move, max_actions, for_points=for_points)
    try:
        return search.find_best_steps(round_)
    except SearchLimitReached:
        return None


def all_actions(round_: Round) -> Iterator[tuple[list[int], Round]]:
    """Every action as steps, and the round after it. Lays come first."""
    for step in sorted(round_.legal()):
        after = round_.copy()
        after.step(step)
        if after.phase in (CHAIN, TAKING):
            for steps, end in all_actions(after):
                yield [step, *steps], end
        else:
            yield [step], after


class SearchLimitReached(Exception):
    """The search has tried as many actions as it's allowed."""


class ProofSearch:
    """Searches for the best result that a seat can force."""

    def __init__(self, seat: int, max_actions: int, *, for_points: bool) -> None:
        self.seat = seat
        self.actions_left = max_actions
        self.for_points = for_points
        self.most = len(TILES) if for_points else 1
        self.open = False
        """Whether some line of play hasn't been searched to its end."""

    def find_best_steps(self, round_: Round) -> list[int] | None:
        for turns in count(1):
            self.open = False
            found, value = list[int](), -self.most - 1
            for steps, after in all_actions(round_):
                value_after = self.value_of_action(
                    round_, after, turns, max(value, -self.most), self.most
                )
                if value_after > value:
                    found, value = steps, value_after
                if value == self.most:
                    return found
            if not self.open and (self.for_points or value == 0):
                return found
            if not self.open or value == -self.most:
                return None
        raise AssertionError

    def value_of_action(self, before: Round, after: Round, turns: int, low: int, high: int) -> int:
        """The value for the seat of an action that leads from `before` to `after`, searching
        `turns` turns ahead."""
        self.actions_left -= 1
        if self.actions_left < 0:
            raise SearchLimitReached
        turn_ended = after.to_move != before.to_move
        return self.value_of_round(after, turns - 1 if turn_ended else turns, low, high)

    def value_of_round(self, round_: Round, turns: int, low: int, high: int) -> int:
        """The value that the seat can force, within the window from low to high (alpha-beta)."""
        if round_.is_over:
            return self.value_at_end(round_)
        if turns == 0:
            self.open = True
            return 0
        mine = round_.to_move == self.seat
        for _, after in all_actions(round_):
            value_after = self.value_of_action(round_, after, turns, low, high)
            if mine:
                low = max(low, value_after)
            else:
                high = min(high, value_after)
            if low >= high:
                break
        return low if mine else high

    def value_at_end(self, round_: Round) -> int:
        if self.for_points:
            mine, other = round_.hands[self.seat], round_.hands[1 - self.seat]
            return len(other) - len(mine)
        if len(round_.winners) > 1:
            return 0
        return 1 if round_.winners == (self.seat,) else -1
