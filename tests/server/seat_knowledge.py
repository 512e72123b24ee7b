"""What a seat may know of a match (U18, G16), derived from the log alone, not by the code that
hides things. Whatever is sent can be compared with it. Tiles and cells are found wherever they
appear in a message, and each must be one that the seat may know: nobody has to guess where a leak
could be."""

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import msgspec

from pytlik.game import AnyGame, Seat
from pytlik.ubongo import messages as ubongo
from pytlik.ubongo.model import Phase as UbongoPhase
from pytlik.unikat import messages as unikat
from pytlik.unikat.model import Phase as UnikatPhase
from pytlik.unikat.model import Tile

TILE_PATTERN = re.compile(r"(?<![\w.:-])[0-2]{4}(?![\w.:-])")

Cells = frozenset[tuple[int, int]]


def strings_in(node: Any) -> Iterator[str]:
    """All strings in a message, including field names."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for key, value in node.items():
            yield str(key)
            yield from strings_in(value)
    elif isinstance(node, list):
        for value in node:
            yield from strings_in(value)


def tiles_in(node: Any) -> set[str]:
    return {tile for text in strings_in(node) for tile in TILE_PATTERN.findall(text)}


def cell_sets_in(node: Any) -> Iterator[Cells]:
    """All sets of cells in a message, wherever they appear."""
    if isinstance(node, dict):
        for value in node.values():
            yield from cell_sets_in(value)
    elif isinstance(node, list) and node:
        if all(is_cell(value) for value in node):
            yield frozenset((x, y) for x, y in node)
        else:
            for value in node:
                yield from cell_sets_in(value)


def is_cell(node: Any) -> bool:
    return isinstance(node, list) and len(node) == 2 and all(type(n) is int for n in node)


class MatchTruth:
    """The true course of a match: its events, and the state after each."""

    def __init__(self, game: AnyGame, raw: list[bytes]) -> None:
        self.game = game
        self.events = [msgspec.json.decode(event, type=game.event) for event in raw]
        self.states: list[Any] = [None]
        for event in self.events:
            self.states.append(game.apply(self.states[-1], event))
        self._views: dict[tuple[int, Seat | None], bytes] = {}

    def view(self, seq: int, seat: Seat | None) -> bytes:
        """What the game shows. Its own tests check that it isn't too much."""
        key = (seq, seat)
        if key not in self._views:
            self._views[key] = msgspec.json.encode(self.game.view(self.states[seq], seat))
        return self._views[key]

    def masked_event(self, index: int, seat: Seat | None) -> Any:
        return json.loads(msgspec.json.encode(self.game.mask(self.events[index], seat)))

    def find_leaks(self, node: Any, seq: int, seat: Seat | None) -> Iterator[str]:
        """Everything in a message that a seat may not know after this many events."""
        if not seq:
            return
        if self.game.name == "unikat":
            yield from self._leaked_tiles(node, seq, seat)
        else:
            yield from self._leaked_cells(node, seq, seat)

    # ---------------------------------------------------------------------------------- Unikat

    def _leaked_tiles(self, node: Any, seq: int, seat: Seat | None) -> Iterator[str]:
        state = self.states[seq]
        for tile in tiles_in(node) - self._tiles_seen_by_all[seq] - self._hand(seq, seat):
            if state.phase is UnikatPhase.OVER and any(tile in hand for hand in state.hands):
                continue
            yield "the bag" if tile in state.bag else "another's hand"

    def _hand(self, seq: int, seat: Seat | None) -> set[str]:
        state = self.states[seq]
        return set() if seat is None or not state.hands else set(state.hands[seat])

    @cached_property
    def _tiles_seen_by_all(self) -> list[set[str]]:
        """After each event, the tiles of the round that everyone has seen. Anything else that a
        seat has seen, it still holds: a tile leaves the hand only for the table or the display."""
        open_to_all: list[set[Tile]] = [set()]
        for event in self.events:
            seen = set(open_to_all[-1])
            match event:
                case unikat.RoundDealt(display=display, start=start):
                    seen = {*display, start}
                case unikat.ChainLaid(tiles=chain):
                    seen |= {placed.tile for placed in chain}
                case unikat.TileSwapped(give=give):
                    seen |= {give}
                case unikat.DisplayFilled(tiles=tiles):
                    seen |= set(tiles)
                case _:
                    pass
            open_to_all.append(seen)
        return [{str(tile) for tile in seen} for seen in open_to_all]

    # ---------------------------------------------------------------------------------- Ubongo

    def _leaked_cells(self, node: Any, seq: int, seat: Seat | None) -> Iterator[str]:
        state = self.states[seq]
        known = self._shapes_seen_by_all[seq] | self._placed_pieces[seq].get(seat, set())
        if may_watch_others(state, seat):
            known = known.union(*self._placed_pieces[seq].values())
        for cells in cell_sets_in(node):
            if cells in known:
                continue
            if any(
                cells == frozenset(map(tuple, side.area))
                for card in state.cards
                for side in card.sides.values()
            ):
                yield "a card to come"
            elif any(cells in placed for placed in self._placed_pieces[seq].values()):
                yield "another's pieces"
            else:
                yield "cells that nobody knows"

    @cached_property
    def _shapes_seen_by_all(self) -> list[set[Cells]]:
        """After each event, the shapes and areas that everyone may see, and what lay on the cards
        of rounds that were over by then."""
        found: list[set[Cells]] = [set()]
        for seq, event in enumerate(self.events, 1):
            seen = found[-1]
            match event:
                case ubongo.DeckShuffled(pieces=pieces):
                    seen = {shape_of(cells) for some in pieces.values() for cells in some.values()}
                case ubongo.RoundBegan(deals=deals):
                    seen = seen | {shape_of(deal.area) for deal in deals.values()}
                case ubongo.RoundEnded():
                    seen = seen.union(*self._placed_pieces[seq].values())
                case _:
                    pass
            found.append(seen)
        return found

    @cached_property
    def _placed_pieces(self) -> list[dict[Seat | None, set[Cells]]]:
        """After each event, where each seat has placed pieces in the round."""
        found: list[dict[Seat | None, set[Cells]]] = [{}]
        for event in self.events:
            laid = found[-1]
            match event:
                case ubongo.RoundBegan():
                    laid = {}
                case ubongo.PiecePlaced(seat=seat, cells=cells):
                    laid = {**laid, seat: laid.get(seat, set()) | {shape_of(cells)}}
                case _:
                    pass
            found.append(laid)
        return found


def shape_of(cells: Any) -> Cells:
    return frozenset((x, y) for x, y in cells)


def may_watch_others(state: Any, seat: Seat | None) -> bool:
    """G16: players who are done may watch, and so may everyone once the round is over. Players who
    gave up aren't done while a second chance may come (G12)."""
    if state.phase not in (UbongoPhase.SOLVING, UbongoPhase.SECOND_CHANCE):
        return True
    solvers = {solution.seat for solution in state.solutions}
    if seat in solvers:
        return True
    first = state.phase is UbongoPhase.SOLVING
    return seat in state.gave_up and (bool(solvers) or not first or state.sand is None)


def differing_paths(one: Any, other: Any, path: str = "") -> Iterator[str]:
    """The paths at which two messages differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            if key not in one or key not in other:
                yield f"{path}.{key}"
            else:
                yield from differing_paths(one[key], other[key], f"{path}.{key}")
    elif one != other:
        yield path or "."
