"""Checks whether an action is allowed, and gives the reason if it isn't."""

from itertools import pairwise
from typing import assert_never

from pytlik.game import Illegal, Ready, Reason, Seat
from pytlik.unikat.legal import can_lay, can_swap, must_touch_last_tile
from pytlik.unikat.messages import BAG, Action, Decline, Draw, Lay, Pass, Swap
from pytlik.unikat.model import PARTNERS, Chain, Phase, State, Tile
from pytlik.unikat.reasons import UnikatReason

ALLOWED_PHASES: dict[type[Action], tuple[Phase, ...]] = {
    Lay: (Phase.ACTION, Phase.BONUS),
    Swap: (Phase.ACTION, Phase.BONUS),
    Decline: (Phase.BONUS,),
    Draw: (Phase.DRAW,),
    Pass: (Phase.ACTION,),
    Ready: (Phase.OVER,),
}


def check(state: State, seat: Seat | None, action: Action) -> None:
    """Raise Illegal if an action isn't allowed. If there are several reasons, the first one checked
    here is given."""
    if seat is None or not 0 <= seat < state.players:
        raise Illegal(Reason.NOT_YOUR_SEAT)
    if isinstance(action, Ready):
        if state.phase is not Phase.OVER or state.finished or not state.round:
            raise Illegal(Reason.WRONG_PHASE, phase=state.phase)
        return
    if state.phase is not Phase.OVER and seat != state.to_move:
        raise Illegal(Reason.NOT_YOUR_TURN, to_move=state.to_move)
    if state.phase not in ALLOWED_PHASES[type(action)]:
        raise Illegal(Reason.WRONG_PHASE, phase=state.phase)
    match action:
        case Lay():
            check_lay(state, action.tiles)
        case Swap():
            if action.give not in state.hand:
                raise Illegal(UnikatReason.NOT_IN_HAND, tile=action.give)
            check_take(state, action.take, given=action.give)
        case Draw():
            check_take(state, action.take)
        case Pass() if can_lay(state) or can_swap(state):
            raise Illegal(UnikatReason.MUST_ACT)
        case Pass() | Decline():
            pass
        case _:
            assert_never(action)


def check_lay(state: State, chain: Chain) -> None:
    tiles = [tile for tile, _, _ in chain]
    for tile in tiles:
        if tile not in state.hand:
            raise Illegal(UnikatReason.NOT_IN_HAND, tile=tile)
    for tile in tiles:
        if tiles.count(tile) > 1:
            raise Illegal(UnikatReason.TILE_TWICE, tile=tile)
    if not chain:
        raise Illegal(UnikatReason.NO_TILES)
    before = [state.board.with_chain(chain[:count]) for count in range(len(chain))]
    for board, placed in zip(before, chain, strict=True):
        if placed.cell in board:
            raise Illegal(Reason.OCCUPIED, tile=placed.tile, x=placed.x, y=placed.y)
    for board, placed in zip(before, chain, strict=True):
        if not board.touching(placed.cell):
            raise Illegal(UnikatReason.TOUCHES_NOTHING, tile=placed.tile, x=placed.x, y=placed.y)
    if must_touch_last_tile(state) and chain[0].cell not in state.board.last.neighbours():
        raise Illegal(UnikatReason.NOT_NEXT_TO_LAST, tile=chain[0].tile, x=chain[0].x, y=chain[0].y)
    for last, placed in pairwise(chain):
        if placed.cell not in last.cell.neighbours():
            raise Illegal(UnikatReason.NOT_NEXT_TO_LAST, tile=placed.tile, x=placed.x, y=placed.y)
    for board, placed in zip(before, chain, strict=True):
        for neighbour in board.touching(placed.cell).values():
            if neighbour not in PARTNERS[placed.tile]:
                features = placed.tile.differing_features(neighbour)
                raise Illegal(
                    UnikatReason.UNLIKE_NEIGHBOUR,
                    tile=placed.tile,
                    x=placed.x,
                    y=placed.y,
                    neighbour=neighbour,
                    features=list(features),
                )


def check_take(state: State, take: str, given: Tile | None = None) -> None:
    """Raise Illegal if there's no such tile to take, or if it's the one that the swap gives
    (U11)."""
    if take == BAG:
        if not state.bag:
            raise Illegal(UnikatReason.BAG_EMPTY)
    elif take == given:
        raise Illegal(UnikatReason.SAME_TILE, tile=given)
    elif take not in state.display:
        raise Illegal(UnikatReason.NOT_IN_DISPLAY, tile=take)
