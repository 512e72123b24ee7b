"""Vectors that check the page's rule about where tiles fit against ours.

    python -m tests.unikat.make_place_vectors

rewrites `tests/positions/unikat-places.json`.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from pytlik.unikat.legal import chains, first_places, fitting_tiles
from pytlik.unikat.model import Cell, Chain, Phase, State, Tile
from pytlik.unikat.rounds import earns_bonus
from tests.unikat.shared_positions import shared_states

VECTORS_FILE = Path(__file__).parents[1] / "positions" / "unikat-places.json"
CHAINS_TRIED = 2000
"""How many chains of a position to try when looking for a long one."""


def place_vectors() -> Iterator[dict[str, Any]]:
    """Vectors from the shared positions, before, halfway through and at the end of a chain."""
    for state in shared_states():
        if state.phase is Phase.ACTION:
            chain = max(islice(chains(state), CHAINS_TRIED), key=len, default=())
            for length in sorted({0, len(chain) // 2, len(chain)}):
                yield place_vector(state, chain[:length])


def place_vector(state: State, chain: Chain) -> dict[str, Any]:
    return {
        "board": [[stone.x, stone.y, stone.tile] for stone in state.board.stones],
        "chain": [[placed.tile, placed.x, placed.y] for placed in chain],
        "places": places_for_next_tile(state, chain),
        "earns": earns_bonus(state, chain),
    }


def places_for_next_tile(state: State, chain: Chain) -> dict[Tile, list[Cell]]:
    """Where each tile left in the hand may go next."""
    laid = {placed.tile for placed in chain}
    found: defaultdict[Tile, list[Cell]] = defaultdict(list)
    if chain:
        table = state.board.with_chain(chain)
        hand = frozenset(state.hand) - laid
        for cell in chain[-1].cell.neighbours():
            if cell not in table:
                for tile in fitting_tiles(table, cell, hand):
                    found[tile].append(cell)
    else:
        for placed in first_places(state):
            found[placed.tile].append(placed.cell)
    return {tile: sorted(found[tile]) for tile in sorted(state.hand) if tile not in laid}


def vectors_as_text() -> str:
    lines = (msgspec.json.encode(each).decode() for each in place_vectors())
    return "[\n" + ",\n".join(lines) + "\n]\n"


if __name__ == "__main__":
    VECTORS_FILE.write_text(vectors_as_text(), encoding="utf-8")
