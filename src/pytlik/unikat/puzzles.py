"""Puzzles from real positions: lay the most tiles that you can in one turn.

A puzzle follows from its seed for ever and on every machine. So who plays here is not one of the
bots, which get better: the players, what is asked of a puzzle and the order in which one is looked
for stay as they are, and the rest are facts that every exact search finds alike (the most tiles,
and in how many ways). Only which of several best answers is shown may change.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import count
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from pytlik.chance import Stream, from_text
from pytlik.game import Opening, Seat, replay
from pytlik.unikat import rules
from pytlik.unikat.legal import can_swap, first_places, fitting, takes
from pytlik.unikat.longest import count_layouts, longest_chain, longest_turn
from pytlik.unikat.messages import BAG, Decline, Draw, Lay, Pass, Swap, TurnAction
from pytlik.unikat.model import PARTNERS, Chain, Options, Phase, Placement, State, Tile
from pytlik.unikat.view import view

SOLVER: Seat = 0

TRIES = 6
"""So many chains come to the mind of who plays here, and the longest is laid."""


class Grade(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Asked(NamedTuple):
    """What a puzzle of a grade is like."""

    fewest: int
    most: int
    """Tiles of the best answer."""
    double: bool
    """Whether it takes a double turn."""
    ways: int
    """In how many ways the table may look then, at most."""


ASKED: Mapping[Grade, Asked] = {
    Grade.EASY: Asked(fewest=4, most=5, double=False, ways=12),
    Grade.MEDIUM: Asked(fewest=6, most=7, double=True, ways=12),
    Grade.HARD: Asked(fewest=8, most=10, double=True, ways=6),
}


class Puzzle(msgspec.Struct, frozen=True, kw_only=True):
    grade: Grade
    state: State
    """Seat 0 is to move. Display and bag are empty: there is nothing to do but to lay."""
    most: int
    """How many tiles can be laid, and certainly no more."""
    answer: tuple[Chain, ...]
    """One that lays them."""


def puzzles(seed: str) -> dict[Grade, Puzzle]:
    """One puzzle of each grade, each the first that is found."""
    found: dict[Grade, Puzzle] = {}
    for match in count():
        found |= of_match(seed, match, frozenset(found))
        if len(found) == len(Grade):
            break
    return found


def of_match(seed: str, match: int, without: frozenset[Grade]) -> dict[Grade, Puzzle]:
    """What one match of the seed's has of the grades that are still wanted."""
    found: dict[Grade, Puzzle] = {}
    for state in positions(f"{seed} {match}"):
        puzzle = graded(alone(state), without={*without, *found})
        if puzzle:
            found[puzzle.grade] = puzzle
    return found


def alone(state: State) -> State:
    """The position with whose turn it is as seat 0, and nothing to take."""
    hands = (state.hand, *(hand for seat, hand in enumerate(state.hands) if seat != state.to_move))
    return replace(
        state,
        hands=hands,
        known=(frozenset(),) * len(hands),
        display=(),
        bag=(),
        to_move=SOLVER,
        starter=SOLVER,
        latest=(),
        quiet_turns=0,
    )


def graded(state: State, without: Iterable[Grade]) -> Puzzle | None:
    """The position as a puzzle, if it is one of a grade that is still wanted."""
    seen = view(state, SOLVER)
    turn = longest_turn(seen)
    for grade, asked in ASKED.items():
        if grade in without or not turn.exact or not asked.fewest <= turn.tiles <= asked.most:
            continue
        double = len(longest_chain(seen)) < turn.tiles
        if double == asked.double and count_layouts(seen, turn.tiles, asked.ways + 1) <= asked.ways:
            answer = tuple(filter(None, (turn.first, turn.second)))
            return Puzzle(grade=grade, state=state, most=turn.tiles, answer=answer)
    return None


# -------------------------------------------------------------------------------- who plays there


def positions(seed: str) -> Iterator[State]:
    """The positions of a match between two, as turns begin."""
    opening = Opening(players=2, commitment="", shares=("", ""))
    chance = from_text(seed)
    stream = chance.stream("players")
    state = replay(rules.apply, rules.open_match(opening, Options(starter=0), chance, now=0))
    while state.phase is not Phase.OVER:
        if state.phase is Phase.ACTION:
            yield state
        events = rules.decide(state, state.to_move, played(state, stream), chance, now=0)
        state = replay(rules.apply, events, state)


def played(state: State, stream: Stream) -> TurnAction:
    """Now and then a tile is swapped for one that fits the hand better; else a long chain is laid,
    if not the longest."""
    if state.phase is Phase.DRAW:
        return Draw(fitting_best(state, frozenset(state.hand)))
    swaps = can_swap(state)
    if swaps and state.phase is Phase.ACTION and stream.below(2):
        return swapped(state)
    places = sorted(first_places(state))
    if places:
        chains = [walked(state, stream.choice(places), stream) for _ in range(TRIES)]
        return Lay(max(chains, key=len))
    if state.phase is Phase.BONUS:
        return Decline()
    return swapped(state) if swaps else Pass()


def swapped(state: State) -> Swap:
    hand = frozenset(state.hand)
    give = min(sorted(hand), key=lambda tile: len(PARTNERS[tile] & hand))
    return Swap(give, fitting_best(state, hand - {give}))


def fitting_best(state: State, hand: frozenset[Tile]) -> str:
    """What can be taken that may touch most tiles of the hand; the bag before what fits nothing."""
    shown = [(len(PARTNERS[Tile(tile)] & hand), tile) for tile in takes(state) if tile != BAG]
    links, tile = max(shown, default=(0, BAG))
    return tile if links or not state.bag else BAG


def walked(state: State, first: Placement, stream: Stream) -> Chain:
    """A chain that goes on as long as it can."""
    chain = [first]
    table = dict(state.board.items())
    hand = set(state.hand)
    while True:
        last = chain[-1]
        table[last.cell] = last.tile
        hand.remove(last.tile)
        longer = [
            Placement(tile, cell.x, cell.y)
            for cell in last.cell.neighbours()
            if cell not in table
            for tile in sorted(fitting(table, cell, frozenset(hand)))
        ]
        if not longer:
            return tuple(chain)
        chain.append(stream.choice(longer))
