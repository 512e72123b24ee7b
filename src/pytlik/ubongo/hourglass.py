"""Time in a round: when something counts as done, and when the next thing is due (G7, G10)."""

from typing import Any

from pytlik.game import DelayCredit
from pytlik.ubongo.messages import CardSolved, PieceLifted, PiecePlaced, SeatGaveUp
from pytlik.ubongo.model import UNDER_WAY, Phase, Solution, State

COUNTDOWN = 3_000
CREDIT = 250
"""How much of a connection's delay is credited, and how long a solution is provisional (G10)."""


def credited(state: State, now: int, lag: int) -> int:
    """When something counts as done that has arrived now (G10)."""
    assert state.began is not None
    return max(now - min(max(lag, 0), CREDIT), state.began)


def delay_credit(event: Any) -> DelayCredit | None:
    """The delay that a seat acted with, and for a solution how much of it was credited (G10)."""
    match event:
        case CardSolved(at=at, seat=seat, time=time, lag=lag):
            return DelayCredit(seat, lag, at - time)
        case PiecePlaced(seat=seat, lag=lag) | PieceLifted(seat=seat, lag=lag):
            return DelayCredit(seat, lag)
        case SeatGaveUp(seat=seat, lag=lag):
            return DelayCredit(seat, lag)
        case _:
            return None


def unsettled(state: State) -> list[Solution]:
    """Provisional solutions in the order that counts; equal times go by arrival (G10)."""
    pending = (solution for solution in state.solutions if solution.seat not in state.settled)
    return sorted(pending, key=lambda solution: solution.time)


def deadline(state: State) -> int | None:
    """When the clock has something to say next."""
    if state.phase is Phase.COUNTDOWN:
        return state.starts
    if state.phase not in UNDER_WAY:
        return None
    due = [solution.arrived + CREDIT for solution in unsettled(state)]
    if state.sand is not None:
        due.append(state.sand + CREDIT)
    if state.patience is not None:
        due.append(state.patience)
    return min(due, default=None)
