"""The coach: what a seat could have done, and what it was worth.

Everything here comes from a View: the coach never knows more than the seat could know then. How
many tiles a turn can lay is searched for exactly; what wins is the bots' judgment.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple

import msgspec

from pytlik.game import Ready, Seat
from pytlik.unikat import rules
from pytlik.unikat.bots import alternatives, rate
from pytlik.unikat.longest import Turn, different_turns, longest_turn
from pytlik.unikat.messages import Event, Lay, RoundEnded, TurnAction, TurnEnded
from pytlik.unikat.model import Board, Cell, Chain, Placement, State, Tile
from pytlik.unikat.view import View, view

NODES = 100_000
"""How long the search for the most tiles may take in one turn: about a second. Hardly any turn
needs a tenth of it; one that needs more says that it is not exact."""

OTHERS = 2
MISSES = 3

Whereabouts = Literal["hand", "display", "table", "known", "unseen"]


class Corner(msgspec.Struct, frozen=True, kw_only=True):
    """An empty cell beside two tiles or more that one tile closes, and no other."""

    cell: Cell
    tile: Tile
    where: Whereabouts
    """As far as the seat can tell. On the table: then nothing closes the corner any more."""
    seat: Seat | None = None
    """Who has taken it for everyone to see."""


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    action: TurnAction
    value: float
    """The chance to win, from 0 to 1, as the bots judge it."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    seq: int
    """The number of the event that it led to."""
    done: Judged
    better: Judged | None
    """Nothing, where nothing was judged better."""


class CoachedTurn(msgspec.Struct, frozen=True, kw_only=True):
    seq: int
    """The number of the event with which the turn's first action was done."""
    round: int
    seat: Seat
    laid: tuple[Chain, ...]
    """What was laid: nothing, a chain, or two in a double turn."""
    best: tuple[Chain, ...]
    """The most that could be laid; the same as `laid`, if that was as much."""
    exact: bool
    """Whether it is certain that no turn lays more."""
    swing: int
    """How many tiles more the best lays."""
    others: tuple[tuple[Chain, ...], ...]
    """The next best turns, which lay other tiles."""
    decisions: tuple[Decision, ...]
    """Each action of the turn as it is judged; none, where there was no time to."""
    lost: float
    """How much of the chance to win the turn gave away."""
    corners: tuple[Corner, ...]
    """As the table lay before the turn."""


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    turns: tuple[CoachedTurn, ...]
    misses: tuple[int, ...]
    """The `seq` of the turns that missed most, the worst first."""


# ---------------------------------------------------------------------------------- one position


def best_turns(view: View, count: int = OTHERS + 1, nodes: int = NODES) -> tuple[Turn, ...]:
    """The turn that lays most, and the next best; each lays other tiles than the rest."""
    best = longest_turn(view, nodes)
    if not best.tiles:
        return ()
    found = {laid_by(best): best}
    for turn in different_turns(view, 3 * count):
        found.setdefault(laid_by(turn), turn)
    return tuple(islice(found.values(), count))


def laid_by(turn: Turn) -> frozenset[Tile]:
    return frozenset(placed.tile for placed in (*turn.first, *turn.second))


def chains_of(turn: Turn) -> tuple[Chain, ...]:
    return tuple(filter(None, (turn.first, turn.second)))


def corners(view: View) -> tuple[Corner, ...]:
    board = Board(Placement(stone.tile, stone.x, stone.y) for stone in view.board)
    laid = frozenset(board.values())
    found = []
    for cell, fits in board.edge.items():
        if len(board.touching(cell)) < 2:
            continue
        # Of two tiles that fit, one may be laid already: then only the other closes the corner.
        left = fits - laid or fits - set(nook(board, cell))
        if len(left) == 1:
            (tile,) = left
            where, seat = whereabouts(view, tile, laid)
            found.append(Corner(cell=cell, tile=tile, where=where, seat=seat))
    return tuple(found)


def nook(board: Board, cell: Cell) -> Iterator[Tile]:
    """The tiles across from a cell, which touch two of its neighbours."""
    x, y = cell
    for right in (-1, 1):
        for down in (-1, 1):
            beside = Cell(x + right, y) in board and Cell(x, y + down) in board
            across = Cell(x + right, y + down)
            if beside and across in board:
                yield board[across]


def whereabouts(view: View, tile: Tile, laid: frozenset[Tile]) -> tuple[Whereabouts, Seat | None]:
    if tile in laid:
        return "table", None
    if tile in view.hand:
        return "hand", None
    if tile in view.display:
        return "display", None
    holder = next((seat for seat, known in enumerate(view.known) if tile in known), None)
    return ("unseen" if holder is None else "known"), holder


# --------------------------------------------------------------------------------- a whole match


class Done(NamedTuple):
    """An action, and the state that it was done in."""

    seq: int
    state: State
    seat: Seat
    action: TurnAction


def turns_of(events: Iterable[Event]) -> Iterator[list[Done]]:
    """What was done in a match, turn by turn."""
    state: State | None = None
    turn: list[Done] = []
    for seq, event in enumerate(events, 1):
        cause = rules.cause(event)
        if cause and not isinstance(cause.action, Ready):
            assert state is not None
            assert cause.seat is not None
            turn.append(Done(seq, state, cause.seat, cause.action))
        state = rules.apply(state, event)
        if turn and isinstance(event, TurnEnded | RoundEnded):
            yield turn
            turn = []


def analyse(
    events: Iterable[Event], first: int = 0, last: int | None = None, *, judge: bool = True
) -> tuple[CoachedTurn, ...]:
    """The turns of a match from number `first` to before number `last`, so that a long match can be
    looked at bit by bit. Without `judge` only tiles are counted, which takes a fraction."""
    return tuple(coached(turn, judge=judge) for turn in islice(turns_of(events), first, last))


def coached(turn: Sequence[Done], *, judge: bool) -> CoachedTurn:
    begun = turn[0]
    known = view(begun.state, begun.seat)
    laid = tuple(done.action.tiles for done in turn if isinstance(done.action, Lay))
    found = best_turns(known)
    swing = (found[0].tiles if found else 0) - sum(map(len, laid))
    decisions = tuple(map(decision, turn)) if judge else ()
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
        lost=round(sum(map(given_away, decisions)), 4),
        corners=corners(known),
    )


def decision(done: Done) -> Decision:
    known = view(done.state, done.seat)
    judged = Judged(action=done.action, value=rate(known, done.action)[1])
    others = alternatives(known, done.action, 1)
    better = [
        Judged(action=action, value=value)
        for action, value in others
        if value > judged.value and not isinstance(action, Ready)
    ]
    return Decision(seq=done.seq, done=judged, better=better[0] if better else None)


def given_away(decision: Decision) -> float:
    return decision.better.value - decision.done.value if decision.better else 0.0


def advice(turns: Iterable[CoachedTurn]) -> Advice:
    turns = tuple(turns)
    return Advice(turns=turns, misses=misses(turns))


def misses(turns: Iterable[CoachedTurn]) -> tuple[int, ...]:
    """The turns that gave away most of the chance to win, and of equal ones most tiles. To hold
    tiles back is no miss, if it is judged to be as good."""
    missed = [turn for turn in turns if turn.lost > 0 or (turn.swing and not turn.decisions)]
    missed.sort(key=lambda turn: (-turn.lost, -turn.swing, turn.seq))
    return tuple(turn.seq for turn in missed[:MISSES])
