"""A round at one moment, as requests to the referee, bug reports and tests write it.

It has less than a State: nothing about other rounds, who began, or which tiles everyone has seen
going into a hand.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from pytlik.game import Malformed, Seat
from pytlik.score_sheet import Row, best
from pytlik.unikat.model import (
    HAND_SIZE,
    PARTNERS,
    Board,
    Cell,
    Ended,
    Hand,
    Options,
    Phase,
    Placement,
    State,
    Tile,
)
from pytlik.unikat.reasons import UnikatReason

MAX_EXACT_INTEGER = 2**53
"""Every JSON reader keeps integers up to this exactly. The table itself has no border."""

Coordinate = Annotated[int, msgspec.Meta(ge=-MAX_EXACT_INTEGER, le=MAX_EXACT_INTEGER)]
TurnCount = Annotated[int, msgspec.Meta(ge=1, le=1000)]

DEFAULT_OPTIONS = Options()


class PositionOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options that matter within a round."""

    extra_action: Literal["anywhere", "continue"] = DEFAULT_OPTIONS.extra_action
    blocked: tuple[TurnCount, TurnCount] = DEFAULT_OPTIONS.blocked


class Position(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    game: Literal["unikat"]
    board: tuple[tuple[Coordinate, Coordinate, Tile], ...]
    """In the order of laying: an extra action may have to continue from the last one (U10)."""
    hands: tuple[Hand, ...]
    display: tuple[Tile, ...]
    bag: tuple[Tile, ...]
    """In drawing order."""
    to_move: Seat
    phase: Phase
    laid: bool | UnsetType = UNSET
    """Whether a chain was laid in this turn. The default depends on the phase."""
    options: PositionOptions | UnsetType = UNSET
    quiet_turns: Annotated[int, msgspec.Meta(ge=0, le=MAX_EXACT_INTEGER)] | UnsetType = UNSET
    winners: tuple[Seat, ...] | UnsetType = UNSET
    ended: Ended | UnsetType = UNSET


def to_state(position: Position) -> State:
    """The state that a position describes. Raises Malformed if it is impossible."""
    board = Board(Placement(tile, x, y) for x, y, tile in position.board)
    problem = next(problems(position, board), None)
    if problem is not None:
        raise Malformed(UnikatReason.BAD_POSITION, problem=problem)
    over = position.phase is Phase.OVER
    winners = tuple(sorted(position.winners or ()))
    counts = tuple(len(hand) for hand in position.hands)
    options = position.options or PositionOptions()
    return State(
        options=Options(extra_action=options.extra_action, blocked=options.blocked),
        players=len(position.hands),
        sheet=(Row(points=counts, winners=winners),) if over else (),
        round=1,
        board=board,
        hands=position.hands,
        known=(frozenset(),) * len(position.hands),
        display=position.display,
        bag=position.bag,
        to_move=position.to_move,
        phase=position.phase,
        laid=default_laid(position.phase) if position.laid is UNSET else position.laid,
        quiet_turns=position.quiet_turns or 0,
        winners=winners,
        ended=position.ended or None,
    )


def from_state(state: State) -> Position:
    """The position of a state, without default values."""
    options = PositionOptions(state.options.extra_action, state.options.blocked)
    over = state.phase is Phase.OVER
    mid_turn = state.phase in (Phase.BONUS, Phase.DRAW)
    return Position(
        game="unikat",
        board=tuple((cell.x, cell.y, tile) for cell, tile in state.board.items()),
        hands=state.hands,
        display=state.display,
        bag=state.bag,
        to_move=state.to_move,
        phase=state.phase,
        laid=state.laid if mid_turn and state.laid != default_laid(state.phase) else UNSET,
        options=UNSET if options == PositionOptions() else options,
        quiet_turns=state.quiet_turns or UNSET,
        winners=state.winners if over else UNSET,
        ended=state.ended if over and state.ended else UNSET,
    )


def default_laid(phase: Phase) -> bool:
    """An extra action always follows a lay; a draw may also follow a swap."""
    return phase is Phase.BONUS


def problems(position: Position, board: Board) -> Iterator[str]:
    """What makes a position impossible, as words that complete a sentence."""
    yield from tile_problems(position)
    yield from board_problems(position, board)
    yield from hand_problems(position)
    yield from phase_problems(position)


def tile_problems(position: Position) -> Iterator[str]:
    on_board = [tile for _, _, tile in position.board]
    places = (on_board, *position.hands, position.display, position.bag)
    for tile, times in Counter(tile for place in places for tile in place).items():
        if times > 1:
            yield f"tile {tile} appears {times} times"


def board_problems(position: Position, board: Board) -> Iterator[str]:
    if not board:
        yield "there is no tile on the table"
    if len(board) < len(position.board):
        yield "two tiles lie in one place"
    for cell, tile in board.items():
        for near, neighbour in board.touching(cell).items():
            if neighbour not in PARTNERS[tile]:
                yield (
                    f"tiles {tile} at {list(cell)} and {neighbour} at {list(near)} touch and"
                    " don't differ in exactly one feature"
                )
    if not is_connected(board):
        yield "the tiles on the table are several islands"


def is_connected(board: Board) -> bool:
    edge: list[Cell] = [*board][:1]
    reached = set(edge)
    while edge:
        new = board.touching(edge.pop()).keys() - reached
        reached |= new
        edge += new
    return len(reached) == len(board)


def hand_problems(position: Position) -> Iterator[str]:
    if not 2 <= len(position.hands) <= 4:
        yield "2 to 4 can play"
    if not 0 <= position.to_move < len(position.hands):
        yield "there is no such seat to move"
    if any(len(hand) > HAND_SIZE for hand in position.hands):
        yield f"a hand holds more than {HAND_SIZE} tiles"
    if position.phase is not Phase.OVER and not all(position.hands):
        yield "a hand is empty and the round is not over"
    if position.bag and not position.display:
        yield "the display is empty and the bag is not"


def phase_problems(position: Position) -> Iterator[str]:
    if position.laid is True and position.phase in (Phase.ACTION, Phase.OVER):
        yield "no turn is under way in which something was laid"
    if position.phase is Phase.DRAW:
        if len(position.hands[position.to_move]) >= HAND_SIZE:
            yield "who holds ten tiles does not draw"
        if not position.display and not position.bag:
            yield "there is nothing to draw"
    if position.phase is not Phase.OVER:
        if position.winners is not UNSET or position.ended is not UNSET:
            yield "only a round that is over has winners"
        return
    if position.winners is UNSET or position.ended is UNSET:
        yield "a round that is over has winners, and ended in one way or the other"
    counts = [len(hand) for hand in position.hands]
    expected = best(counts, most=False)
    # U15: the round ends with the first hand that is empty. U16: else fewest tiles win.
    ended_so = min(counts) == 0 if position.ended == "last tile" else min(counts) > 0
    if not ended_so or (position.ended == "last tile" and len(expected) > 1):
        yield "the hands don't show that the round ended so"
    if position.winners is not UNSET and tuple(sorted(position.winners)) != expected:
        yield "the winners are not those with the fewest tiles"
