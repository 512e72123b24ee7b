"""Puzzles from real positions: lay the most tiles that you can in one turn.

A seed gives the same puzzle forever and on every machine. So the players here aren't the bots,
which get better: the players, the grades and the order of the search never change, and the rest are
facts that every exact search agrees on (the most tiles, and in how many ways). Only which of
several best answers is shown may change.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import count
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from pytlik.chance import Stream, from_text
from pytlik.game import Opening, Seat, replay
from pytlik.unikat import rules
from pytlik.unikat.engine.longest_turn import count_layouts, longest_chain, longest_turn
from pytlik.unikat.legal import can_swap, extensions, first_places, takes
from pytlik.unikat.messages import (
    BAG,
    ChainLaid,
    Decline,
    Draw,
    Event,
    Lay,
    Pass,
    Swap,
    TurnAction,
)
from pytlik.unikat.model import PARTNERS, Chain, Options, Phase, Placement, State, Tile
from pytlik.unikat.view import View, view

SOLVER_SEAT: Seat = 0

UNUSED_CHANCE = from_text("")
"""Required by `decide`, but nothing is drawn within a turn."""

CHAINS_TRIED = 6
"""How many chains a player grows at random; the longest is laid."""


class Grade(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class GradeRules(NamedTuple):
    """What makes a puzzle of this grade."""

    fewest: int
    most: int
    """Tiles of the best answer."""
    double: bool
    """Whether it takes a double turn."""
    ways: int
    """The most ways in which the table may look after it."""


GRADES: Mapping[Grade, GradeRules] = {
    Grade.EASY: GradeRules(fewest=4, most=5, double=False, ways=12),
    Grade.MEDIUM: GradeRules(fewest=6, most=7, double=True, ways=12),
    Grade.HARD: GradeRules(fewest=8, most=10, double=True, ways=6),
}


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    grade: Grade
    state: State
    """Seat 0 is to move. Display and bag are empty, so all it can do is lay."""
    most: int
    """The most tiles that can be laid."""
    answer: tuple[Chain, ...]
    """A turn that lays them."""


def puzzles(seed: str) -> dict[Grade, Puzzle]:
    """The first puzzle of each grade that is found."""
    found: dict[Grade, Puzzle] = {}
    for match in count():
        found |= find_puzzles_in_match(seed, match, frozenset(found))
        if len(found) == len(Grade):
            break
    return found


def find_puzzles_in_match(
    seed: str, match: int, excluded_grades: frozenset[Grade]
) -> dict[Grade, Puzzle]:
    """Find puzzles of the grades not excluded in one of the seed's matches, given by its number."""
    found: dict[Grade, Puzzle] = {}
    for state in play_generated_match(f"{seed} {match}"):
        puzzle = make_puzzle(as_solo_state(state), excluded_grades={*excluded_grades, *found})
        if puzzle:
            found[puzzle.grade] = puzzle
    return found


def as_solo_state(state: State) -> State:
    """The state with the seat to move as seat 0, and nothing to take."""
    hands = (state.hand, *(hand for seat, hand in enumerate(state.hands) if seat != state.to_move))
    return replace(
        state,
        hands=hands,
        known=(frozenset(),) * len(hands),
        display=(),
        bag=(),
        to_move=SOLVER_SEAT,
        starter=SOLVER_SEAT,
        latest=(),
        quiet_turns=0,
    )


def make_puzzle(state: State, excluded_grades: Iterable[Grade]) -> Puzzle | None:
    """The position as a puzzle, if it fits one of the grades that aren't excluded."""
    seen = view(state, SOLVER_SEAT)
    turn = longest_turn(seen)
    for grade, wanted in GRADES.items():
        if (
            grade in excluded_grades
            or not turn.exact
            or not wanted.fewest <= turn.tiles <= wanted.most
        ):
            continue
        double = len(longest_chain(seen)) < turn.tiles
        if (
            double == wanted.double
            and count_layouts(seen, turn.tiles, wanted.ways + 1) <= wanted.ways
        ):
            answer = tuple(filter(None, (turn.first, turn.second)))
            return Puzzle(grade=grade, state=state, most=turn.tiles, answer=answer)
    return None


class PuzzleProgress(NamedTuple):
    """A puzzle after some actions."""

    view: View
    events: tuple[Event, ...]
    """Of the last action."""
    laid: int
    over: bool
    """Whether the turn is over, which makes it an answer."""


def play_puzzle(puzzle: Puzzle, actions: Sequence[TurnAction]) -> PuzzleProgress:
    """Act in a puzzle. Raises Illegal."""
    state, events, laid = puzzle.state, list[Event](), 0
    for action in actions:
        events = rules.decide(state, SOLVER_SEAT, action, UNUSED_CHANCE, now=0)
        laid += sum(len(event.tiles) for event in events if isinstance(event, ChainLaid))
        state = replay(rules.apply, events, state)
    over = state.phase is Phase.OVER or state.to_move != SOLVER_SEAT
    return PuzzleProgress(view(state, SOLVER_SEAT), tuple(events), laid, over)


# ------------------------------------------------------------------------------------ the players


def play_generated_match(seed: str) -> Iterator[State]:
    """Play a match of two players, and yield the state at the beginning of each turn."""
    opening = Opening(players=2, commitment="", shares=("", ""))
    chance = from_text(seed)
    stream = chance.stream("players")
    state = replay(rules.apply, rules.open_match(opening, Options(starter=0), chance, now=0))
    while state.phase is not Phase.OVER:
        if state.phase is Phase.ACTION:
            yield state
        events = rules.decide(state, state.to_move, choose_action(state, stream), chance, now=0)
        state = replay(rules.apply, events, state)


def choose_action(state: State, stream: Stream) -> TurnAction:
    """Half the time swap a tile for one that fits the hand better, otherwise lay a long chain."""
    if state.phase is Phase.DRAW:
        return Draw(choose_take(state, frozenset(state.hand)))
    swaps = can_swap(state)
    if swaps and state.phase is Phase.ACTION and stream.below(2):
        return choose_swap(state)
    places = sorted(first_places(state))
    if places:
        chains = [grow_chain(state, stream.choice(places), stream) for _ in range(CHAINS_TRIED)]
        return Lay(max(chains, key=len))
    if state.phase is Phase.BONUS:
        return Decline()
    return choose_swap(state) if swaps else Pass()


def choose_swap(state: State) -> Swap:
    hand = frozenset(state.hand)
    give = min(sorted(hand), key=lambda tile: len(PARTNERS[tile] & hand))
    return Swap(give, choose_take(state, hand - {give}))


def choose_take(state: State, hand: frozenset[Tile]) -> str:
    """The tile that may touch the most tiles of the hand, or the bag if none fits."""
    shown = [(len(PARTNERS[Tile(tile)] & hand), tile) for tile in takes(state) if tile != BAG]
    links, tile = max(shown, default=(0, BAG))
    return tile if links or not state.bag else BAG


def grow_chain(state: State, first: Placement, stream: Stream) -> Chain:
    """A random chain that can't be extended."""
    chain = [first]
    table = dict(state.board.items())
    hand = set(state.hand)
    while True:
        last = chain[-1]
        table[last.cell] = last.tile
        hand.remove(last.tile)
        longer = extensions(table, last.cell, frozenset(hand))
        if not longer:
            return tuple(chain)
        chain.append(stream.choice(longer))
