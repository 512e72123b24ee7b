"""Time in a round: when an action counts as done, and when the next thing is due (G7, G10)."""

from typing import Any

from pytlik.game import DelayCredit
from pytlik.ubongo.messages import CardSolved, PieceLifted, PiecePlaced, SeatGaveUp
from pytlik.ubongo.model import SOLVING_PHASES, Phase, Solution, State

COUNTDOWN_MS = 3_000
MAX_CREDIT_MS = 250
"""How much of a connection's delay is credited at most, and how long a solution is provisional
(G10)."""


def credited_time(state: State, now: int, lag: int) -> int:
    """When an action that arrives now counts as done (G10)."""
    assert state.began is not None
    return max(now - min(max(lag, 0), MAX_CREDIT_MS), state.began)


def read_delay_credit(event: Any) -> DelayCredit | None:
    """A seat's delay, and for a solution how much of it was credited (G10)."""
    match event:
        case CardSolved(at=at, seat=seat, time=time, lag=lag):
            return DelayCredit(seat, lag, at - time)
        case PiecePlaced(seat=seat, lag=lag) | PieceLifted(seat=seat, lag=lag):
            return DelayCredit(seat, lag)
        case SeatGaveUp(seat=seat, lag=lag):
            return DelayCredit(seat, lag)
        case _:
            return None


def unsettled_solutions(state: State) -> list[Solution]:
    """Provisional solutions in the order that counts; equal times go by arrival (G10)."""
    pending = (solution for solution in state.solutions if solution.seat not in state.settled)
    return sorted(pending, key=lambda solution: solution.time)


def deadline(state: State) -> int | None:
    """When the next Expire is due; None if nothing is."""
    if state.phase is Phase.COUNTDOWN:
        return state.starts
    if state.phase not in SOLVING_PHASES:
        return None
    due = [solution.arrived + MAX_CREDIT_MS for solution in unsettled_solutions(state)]
    if state.sand is not None:
        due.append(state.sand + MAX_CREDIT_MS)
    if state.patience is not None:
        due.append(state.patience)
    return min(due, default=None)
