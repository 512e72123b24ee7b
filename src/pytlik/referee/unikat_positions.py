"""Unikat's positions for the referee, and how good the best action is in them."""

from pytlik.referee.position_requests import Positions
from pytlik.referee.request_base import Answer
from pytlik.unikat.bots import alternatives, rate
from pytlik.unikat.engine.longest_turn import longest_turn
from pytlik.unikat.game import UNIKAT
from pytlik.unikat.legal import legal
from pytlik.unikat.messages import TurnAction
from pytlik.unikat.model import Options
from pytlik.unikat.position import Position, from_state, to_state
from pytlik.unikat.view import View

MAX_ALTERNATIVES = 5


def analyse(view: View, action: TurnAction) -> Answer:
    return {
        "most_tiles": longest_turn(view).tiles,
        "value": rate(view, action)[1],
        "alternatives": alternatives(view, action, MAX_ALTERNATIVES),
    }


POSITIONS = Positions(
    game=UNIKAT,
    type=Position,
    players=lambda position: len(position.hands),
    to_state=to_state,
    from_state=from_state,
    action=TurnAction,
    legal=legal,
    options=Options(starter=0),
    analyse=analyse,
)
