"""A turn of Unikat that somebody is thinking about: nothing of it is done before they say so."""

from dataclasses import dataclass, replace

from pytlik.terminal.chain import fits_at, tiles_on
from pytlik.terminal.tiles import Board, Draft
from pytlik.unikat.messages import Action, Draw, Lay, Swap
from pytlik.unikat.model import Cell, Chain, Phase, Placement, Tile
from pytlik.unikat.view import View


@dataclass(frozen=True)
class Turn:
    chain: Chain = ()
    """Put down so far."""
    chosen: Tile | None = None
    """On the rack."""
    marked: Cell | None = None
    """Where the chosen tile is put next."""
    take: str | None = None
    """What a swap or a draw takes: a tile of the display, or "bag"."""

    def places(self, view: View) -> tuple[Cell, ...]:
        """Where the chosen tile may go."""
        if self.chosen is None or self.chosen not in view.hand or self._is_down(self.chosen):
            return ()
        return fits_at(view, self.chain, self.chosen)

    def _is_down(self, tile: Tile) -> bool:
        return any(placed.tile == tile for placed in self.chain)

    def board(self, view: View) -> Board:
        draft = Draft(self.chain, self.chosen, self.places(view), self.marked)
        return Board(tiles_on(view, ()), view.latest, draft)

    def action(self, view: View) -> Action | None:
        """What taking leads to, once all of it is said."""
        if self.take is None:
            return None
        if view.choices.draw:
            return Draw(self.take)
        if view.choices.swap and self.chosen is not None and not self.chain:
            return Swap(self.chosen, self.take)
        return None

    def lay(self) -> Action | None:
        return Lay(self.chain) if self.chain else None

    # ------------------------------------------------------------------------------------ steps

    def choose(self, view: View, tile: Tile) -> "Turn":
        """A tile of the rack: chosen again it is let go, and if it is down it is taken back."""
        if view.phase is Phase.DRAW or view.to_move != view.seat:
            return self
        if self._is_down(tile):
            return self.back_to(tile)
        if tile == self.chosen:
            return replace(self, chosen=None, marked=None)
        turn = replace(self, chosen=tile, marked=None)
        if self.take is None:
            turn = replace(turn, marked=next(iter(turn.places(view)), None))
        return turn

    def put(self, view: View, cell: Cell) -> "Turn":
        """Onto one of the places."""
        if self.chosen is None or cell not in self.places(view):
            return self
        return Turn((*self.chain, Placement(self.chosen, cell.x, cell.y)))

    def mark(self, cell: Cell) -> "Turn":
        return replace(self, marked=cell)

    def taking(self, view: View, take: str) -> "Turn":
        """Say what is taken; a chain that was begun is no swap."""
        if take not in view.choices.take or self.chain or take == self.chosen:
            return self
        return replace(self, take=take, marked=None)

    def back(self) -> "Turn":
        """One step: let go of what is chosen, or take back the tile put down last."""
        if self.take is not None or self.chosen is not None:
            return Turn(self.chain)
        return Turn(self.chain[:-1])

    def back_to(self, tile: Tile) -> "Turn":
        """Take back a tile, and those put down after it."""
        at = [placed.tile for placed in self.chain].index(tile)
        return Turn(self.chain[:at])


def towards(places: tuple[Cell, ...], start: Cell, across: int, down: int) -> Cell:
    """The nearest place that way, or where one is."""

    def ahead(cell: Cell) -> int:
        return (cell.x - start.x) * across + (cell.y - start.y) * down

    def aside(cell: Cell) -> int:
        return abs((cell.x - start.x) * down) + abs((cell.y - start.y) * across)

    there = [cell for cell in places if ahead(cell) > 0]
    return min(there, key=lambda cell: (ahead(cell) + 2 * aside(cell), cell), default=start)
