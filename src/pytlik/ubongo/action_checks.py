"""Checks whether an action is allowed, and gives the reason if it isn't."""

from typing import assert_never

from pytlik.game import Expire, Illegal, Ready, Reason, Seat, Shift
from pytlik.ubongo.hexes import Hex, normalize, orientations
from pytlik.ubongo.messages import Action, GiveUp, Lift, Place
from pytlik.ubongo.model import SOLVING_PHASES, Phase, State
from pytlik.ubongo.reasons import UbongoReason
from pytlik.ubongo.timing import credited_time, deadline


def check(state: State, seat: Seat | None, action: Action, now: int, lag: int) -> None:
    """Raise Illegal with the first reason why an action isn't allowed."""
    if isinstance(action, Expire):
        _check_expire(state, seat, now)
        return
    if isinstance(action, Shift):
        if seat is not None:
            raise Illegal(Reason.NOT_YOUR_SEAT)
        # Before the cards are shown there is nothing to skip.
        runs = SOLVING_PHASES if action.by < 0 else (Phase.COUNTDOWN, *SOLVING_PHASES)
        if state.phase not in runs or not 0 <= action.countdown <= max(action.by, 0):
            raise Illegal(Reason.WRONG_PHASE, phase=state.phase)
        return
    if seat is None or seat not in state.playing:
        raise Illegal(Reason.NOT_YOUR_SEAT)
    if isinstance(action, Ready):
        if state.phase is not Phase.READY:
            raise Illegal(Reason.WRONG_PHASE, phase=state.phase)
        return
    if state.phase not in SOLVING_PHASES:
        raise Illegal(Reason.WRONG_PHASE, phase=state.phase)
    if seat in state.solved:
        raise Illegal(UbongoReason.ALREADY_SOLVED)
    if seat in state.gave_up:
        raise Illegal(UbongoReason.GAVE_UP)
    if state.resumes is not None and now < state.resumes:
        raise Illegal(Reason.TOO_EARLY, due=state.resumes)
    if state.sand is not None and credited_time(state, now, lag) > state.sand:
        raise Illegal(UbongoReason.TOO_LATE)
    match action:
        case Place(piece, cells):
            check_place(state, seat, piece, cells)
        case Lift(piece) if piece not in state.placed[seat]:
            raise Illegal(UbongoReason.NOT_PLACED, piece=piece)
        case Lift() | GiveUp():
            pass
        case _:
            assert_never(action)


def _check_expire(state: State, seat: Seat | None, now: int) -> None:
    if seat is not None:
        raise Illegal(Reason.NOT_YOUR_SEAT)
    due = deadline(state)
    if due is None:
        raise Illegal(Reason.WRONG_PHASE, phase=state.phase)
    if now < due:
        raise Illegal(Reason.TOO_EARLY, due=due)


def check_place(state: State, seat: Seat, piece: int, cells: tuple[Hex, ...]) -> None:
    """Raise Illegal unless this is the player's own piece, on free white cells. It may be turned
    and flipped (G8)."""
    deal = state.deals[seat]
    if piece not in deal.pieces:
        raise Illegal(UbongoReason.NOT_YOUR_PIECE, piece=piece)
    shape = deal.pieces[piece]
    if len(cells) != len(shape) or normalize(cells) not in orientations(shape):
        raise Illegal(UbongoReason.WRONG_SHAPE, piece=piece)
    if not set(cells) <= set(deal.area):
        raise Illegal(UbongoReason.OUTSIDE_AREA, piece=piece)
    for other, taken in state.placed[seat].items():
        if other != piece and not set(cells).isdisjoint(taken):
            raise Illegal(Reason.OCCUPIED, piece=piece, other=other)
