"""The coach: what a seat could have done, and how good it was.

Everything here comes from a View: the coach never knows more than the seat did at the time. How
many tiles a turn can lay is found by an exact search; the chance to win is the bots' estimate.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple

import msgspec

from pytlik.game import Ready, Seat
from pytlik.unikat import rules
from pytlik.unikat.bots import alternatives, rate
from pytlik.unikat.engine.longest_turn import Turn, different_turns, longest_turn
from pytlik.unikat.messages import Event, Lay, RoundEnded, TurnAction, TurnEnded
from pytlik.unikat.model import Board, Cell, Chain, Placement, State, Tile
from pytlik.unikat.view import View, view

MAX_SEARCH_NODES = 100_000
"""Limit of the search in one turn. Hardly any turn needs a tenth of it; one that reaches it is
marked as not exact."""

MAX_OTHER_TURNS = 2
MAX_MISSES = 3

Whereabouts = Literal["hand", "display", "table", "known", "unseen"]


class Corner(msgspec.Struct, frozen=True, kw_only=True):
    """An empty cell beside two or more tiles that only one tile fits."""

    cell: Cell
    tile: Tile
    where: Whereabouts
    """Where the tile is, as far as the seat can tell. On the table means that nothing fits the
    corner any more."""
    seat: Seat | None = None
    """The seat that took it in plain sight."""


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    action: TurnAction
    value: float
    """The chance to win, from 0 to 1, as the bots estimate it."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    seq: int
    """The sequence number of the resulting event."""
    done: Judged
    better: Judged | None
    """None if nothing was estimated to be better."""


class CoachedTurn(msgspec.Struct, frozen=True, kw_only=True):
    seq: int
    """The sequence number of the event that resulted from the turn's first action."""
    round: int
    seat: Seat
    laid: tuple[Chain, ...]
    """What was laid: nothing, a chain, or two in a double turn."""
    best: tuple[Chain, ...]
    """The most that could be laid; equal to `laid` if that was the most."""
    exact: bool
    """Whether it is certain that no turn lays more."""
    swing: int
    """How many more tiles the best turn lays."""
    others: tuple[tuple[Chain, ...], ...]
    """The next best turns, which lay other tiles."""
    decisions: tuple[Decision, ...]
    """An estimate for each action of the turn; empty if there was no time for it."""
    lost: float
    """How much of the chance to win the turn gave away."""
    corners: tuple[Corner, ...]
    """The corners on the table before the turn."""


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    turns: tuple[CoachedTurn, ...]
    misses: tuple[int, ...]
    """The `seq` of the turns that missed most, the worst first."""


# ---------------------------------------------------------------------------------- one position


def best_turns(
    view: View, count: int = MAX_OTHER_TURNS + 1, nodes: int = MAX_SEARCH_NODES
) -> tuple[Turn, ...]:
    """The turn that lays the most tiles, and the next best ones; each lays different tiles."""
    best = longest_turn(view, nodes)
    if not best.tiles:
        return ()
    found = {laid_tiles(best): best}
    for turn in different_turns(view, 3 * count):
        found.setdefault(laid_tiles(turn), turn)
    return tuple(islice(found.values(), count))


def laid_tiles(turn: Turn) -> frozenset[Tile]:
    return frozenset(placed.tile for placed in (*turn.first, *turn.second))


def chains_of(turn: Turn) -> tuple[Chain, ...]:
    return tuple(filter(None, (turn.first, turn.second)))


def find_corners(view: View) -> tuple[Corner, ...]:
    board = Board(Placement(stone.tile, stone.x, stone.y) for stone in view.board)
    laid = frozenset(board.values())
    found = []
    for cell, fits in board.edge.items():
        if len(board.touching(cell)) < 2:
            continue
        # Of two tiles that fit, one may be on the table already: then only the other one is left.
        left = fits - laid or fits - set(tiles_diagonally_across(board, cell))
        if len(left) == 1:
            (tile,) = left
            where, seat = find_whereabouts(view, tile, laid)
            found.append(Corner(cell=cell, tile=tile, where=where, seat=seat))
    return tuple(found)


def tiles_diagonally_across(board: Board, cell: Cell) -> Iterator[Tile]:
    """The tiles diagonally across from a cell that touch two of its neighbours."""
    x, y = cell
    for right in (-1, 1):
        for down in (-1, 1):
            beside = Cell(x + right, y) in board and Cell(x, y + down) in board
            across = Cell(x + right, y + down)
            if beside and across in board:
                yield board[across]


def find_whereabouts(
    view: View, tile: Tile, laid: frozenset[Tile]
) -> tuple[Whereabouts, Seat | None]:
    if tile in laid:
        return "table", None
    if tile in view.hand:
        return "hand", None
    if tile in view.display:
        return "display", None
    holder = next((seat for seat, known in enumerate(view.known) if tile in known), None)
    return ("unseen" if holder is None else "known"), holder


# --------------------------------------------------------------------------------- a whole match


class DoneAction(NamedTuple):
    """An action, and the state before it."""

    seq: int
    state: State
    seat: Seat
    action: TurnAction


def split_turns(events: Iterable[Event]) -> Iterator[list[DoneAction]]:
    """The actions of a match, turn by turn."""
    state: State | None = None
    turn: list[DoneAction] = []
    for seq, event in enumerate(events, 1):
        cause = rules.cause(event)
        if cause and not isinstance(cause.action, Ready):
            assert state is not None
            assert cause.seat is not None
            turn.append(DoneAction(seq, state, cause.seat, cause.action))
        state = rules.apply(state, event)
        if turn and isinstance(event, TurnEnded | RoundEnded):
            yield turn
            turn = []


def analyse(
    events: Iterable[Event], first: int = 0, last: int | None = None, *, judge: bool = True
) -> tuple[CoachedTurn, ...]:
    """Analyse the turns of a match from number `first` up to `last`, so that a long match can be
    analysed in parts. Without `judge` only tiles are counted, which is much faster."""
    return tuple(
        analyse_turn(turn, judge=judge) for turn in islice(split_turns(events), first, last)
    )


def analyse_turn(turn: Sequence[DoneAction], *, judge: bool) -> CoachedTurn:
    begun = turn[0]
    known = view(begun.state, begun.seat)
    laid = tuple(done.action.tiles for done in turn if isinstance(done.action, Lay))
    found = best_turns(known)
    swing = (found[0].tiles if found else 0) - sum(map(len, laid))
    decisions = tuple(map(judge_action, turn)) if judge else ()
    return CoachedTurn(
        seq=begun.seq,
        round=known.round,
        seat=begun.seat,
        laid=laid,
        best=chains_of(found[0]) if swing > 0 else laid,
        exact=found[0].exact if found else True,
        swing=max(swing, 0),
        others=tuple(map(chains_of, found[1:])),
        decisions=decisions,
        lost=round(sum(map(chance_lost, decisions)), 4),
        corners=find_corners(known),
    )


def judge_action(done: DoneAction) -> Decision:
    known = view(done.state, done.seat)
    judged = Judged(action=done.action, value=rate(known, done.action)[1])
    others = alternatives(known, done.action, 1)
    better = [
        Judged(action=action, value=value)
        for action, value in others
        if value > judged.value and not isinstance(action, Ready)
    ]
    return Decision(seq=done.seq, done=judged, better=better[0] if better else None)


def chance_lost(decision: Decision) -> float:
    return decision.better.value - decision.done.value if decision.better else 0.0


def make_advice(turns: Iterable[CoachedTurn]) -> Advice:
    """Combine analysed turns, and pick out the worst misses."""
    turns = tuple(turns)
    return Advice(turns=turns, misses=find_worst_misses(turns))


def find_worst_misses(turns: Iterable[CoachedTurn]) -> tuple[int, ...]:
    """The `seq` of the turns that gave away most of the chance to win, or most tiles if that is
    equal. Holding tiles back isn't a miss if it's estimated to be as good."""
    missed = [turn for turn in turns if turn.lost > 0 or (turn.swing and not turn.decisions)]
    missed.sort(key=lambda turn: (-turn.lost, -turn.swing, turn.seq))
    return tuple(turn.seq for turn in missed[:MAX_MISSES])
