"""Every legal action, and where a chain can be laid (U7 to U13)."""

from collections.abc import Iterator, Mapping
from typing import assert_never

from pytlik.unikat.messages import BAG, Decline, Draw, Lay, Pass, Swap, TurnAction
from pytlik.unikat.model import PARTNERS, Cell, Chain, Phase, Placement, State, Tile


def fitting_tiles(board: Mapping[Cell, Tile], cell: Cell, hand: frozenset[Tile]) -> frozenset[Tile]:
    """The tiles of a hand that differ in exactly one feature from all tiles next to a cell (U8)."""
    for near in cell.neighbours():
        if near in board:
            hand &= PARTNERS[board[near]]
    return hand


def first_cells(state: State) -> tuple[Cell, ...]:
    """The cells on which a lay may begin, whatever the tile (U9, U10)."""
    edge = state.board.edge
    if must_touch_last_tile(state):
        return tuple(cell for cell in state.board.last.neighbours() if cell in edge)
    return tuple(edge)


def must_touch_last_tile(state: State) -> bool:
    """Must a lay begin next to the last tile (U10)?"""
    return state.phase is Phase.BONUS and state.options.extra_action == "continue"


def first_places(state: State) -> Iterator[Placement]:
    """Every first tile of a lay, and where it can go."""
    hand = frozenset(state.hand)
    for cell in first_cells(state):
        fits = state.board.edge[cell]
        if not fits.isdisjoint(hand):
            yield from (Placement(tile, cell.x, cell.y) for tile in state.hand if tile in fits)


def chains(state: State) -> Iterator[Chain]:
    """Every chain that can be laid. Every beginning of a chain is a chain too (U7, U9)."""
    table = dict(state.board.items())

    def longer_chains(
        chain: Chain, cells: tuple[Cell, ...], hand: frozenset[Tile]
    ) -> Iterator[Chain]:
        for cell in cells:
            if cell in table:
                continue
            fits = fitting_tiles(table, cell, hand)
            for tile in sorted(fits):
                extended = (*chain, Placement(tile, cell.x, cell.y))
                yield extended
                table[cell] = tile
                yield from longer_chains(extended, cell.neighbours(), hand - {tile})
                del table[cell]

    return longer_chains((), first_cells(state), frozenset(state.hand))


def extensions(table: Mapping[Cell, Tile], last: Cell, hand: frozenset[Tile]) -> list[Placement]:
    """The ways to extend a chain that ends on a cell (U9)."""
    return [
        Placement(tile, cell.x, cell.y)
        for cell in last.neighbours()
        if cell not in table
        for tile in sorted(fitting_tiles(table, cell, hand))
    ]


def can_lay(state: State) -> bool:
    return any(first_places(state))


def can_swap(state: State) -> bool:
    """Is there something to take (U12)?"""
    return bool(state.display or state.bag)


def takes(state: State) -> tuple[str, ...]:
    """What can be taken in a swap or a draw (U11, U13)."""
    return (*state.display, BAG) if state.bag else state.display


def legal(state: State) -> Iterator[TurnAction]:
    """Every legal action of the seat to move."""
    match state.phase:
        case Phase.ACTION | Phase.BONUS:
            yield from (Lay(chain) for chain in chains(state))
            yield from (Swap(tile, take) for tile in state.hand for take in takes(state))
            if state.phase is Phase.BONUS:
                yield Decline()
            elif not can_lay(state) and not can_swap(state):
                yield Pass()
        case Phase.DRAW:
            yield from (Draw(take) for take in takes(state))
        case Phase.OVER:
            pass
        case _:
            assert_never(state.phase)
