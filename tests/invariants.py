"""What must hold in every state of a match."""

from collections import Counter
from collections.abc import Iterable

from pytlik.ubongo.model import Gem
from pytlik.ubongo.model import State as UbongoState
from pytlik.unikat.model import HAND_SIZE, PARTNERS, TILES, Cell, Phase
from pytlik.unikat.model import State as UnikatState


def check_unikat_state(state: UnikatState) -> None:
    everywhere = [
        *state.board.values(),
        *(tile for hand in state.hands for tile in hand),
        *state.display,
        *state.bag,
    ]
    assert Counter(everywhere) == Counter(TILES), "81 tiles, none twice (U1)"
    for cell, tile in state.board.items():
        for neighbour in state.board.touching(cell).values():
            assert neighbour in PARTNERS[tile], "touching tiles differ in one feature (U8)"
    assert count_islands(state.board) == 1, "the table is one piece (U8)"
    assert state.display or not state.bag, "an empty display is filled (U14)"
    assert all(len(hand) <= HAND_SIZE for hand in state.hands), "at most ten tiles (U13)"
    assert state.phase is Phase.OVER or all(state.hands), "the last tile ends the round (U15)"
    for hand, known in zip(state.hands, state.known, strict=True):
        assert known <= set(hand), "what everyone knows of a hand is true (U18)"


def count_islands(cells: Iterable[Cell]) -> int:
    left, count = set(cells), 0
    while left:
        count += 1
        edge = [left.pop()]
        while edge:
            near = left.intersection(edge.pop().neighbours())
            left -= near
            edge.extend(near)
    return count


def check_ubongo_state(state: UbongoState) -> None:
    books = state.books
    rounds = state.options.rounds
    for gem, used in zip(Gem, (9, 9 + rounds, 9, 9 + rounds), strict=True):
        held = sum(purse[gem] for purse in books.held)
        assert books.display[gem] + books.bag[gem] + held == used, "54 gems in nine rounds (G3)"
    assert min(min(purse.values()) for purse in (books.display, books.bag, *books.held)) >= 0
    colours = [deal.colour for deal in state.deals.values()]
    if not state.options.same_puzzle:
        assert len(set(colours)) == len(colours), "each token is there once (G6)"
        cards = [deal.card for deal in state.deals.values()]
        assert len(set(cards)) == len(cards), "each card is there once (G6)"
    for seat, placed in state.placed.items():
        deal = state.deals[seat]
        covered = [cell for cells in placed.values() for cell in cells]
        assert len(set(covered)) == len(covered), "no piece lies over another (G7)"
        assert set(covered) <= set(deal.area), "none lies outside (G7)"
        assert (set(covered) == set(deal.area)) == (seat in state.solved), "solved is covered (G8)"
    assert state.round <= rounds + 1
