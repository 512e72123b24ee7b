"""A turn of Unikat that someone is planning. Nothing happens until they confirm it."""

from dataclasses import dataclass, replace

from pytlik.terminal.unikat.board_picture import BoardPicture
from pytlik.terminal.unikat.chain import board_with_chain, fitting_places
from pytlik.text.unikat.board import Draft
from pytlik.unikat.messages import Action, Draw, Lay, Swap
from pytlik.unikat.model import Cell, Chain, Phase, Placement, Tile
from pytlik.unikat.view import View


@dataclass(frozen=True)
class PlannedTurn:
    chain: Chain = ()
    """The tiles put down so far."""
    chosen: Tile | None = None
    """The tile chosen on the rack."""
    marked: Cell | None = None
    """Where the chosen tile goes next."""
    take: str | None = None
    """What a swap or a draw takes: a tile of the display, or "bag"."""

    def places(self, view: View) -> tuple[Cell, ...]:
        """Where the chosen tile may go."""
        if self.chosen is None or self.chosen not in view.hand or self._is_in_chain(self.chosen):
            return ()
        return fitting_places(view, self.chain, self.chosen)

    def _is_in_chain(self, tile: Tile) -> bool:
        return any(placed.tile == tile for placed in self.chain)

    def picture(self, view: View) -> BoardPicture:
        draft = Draft(self.chain, self.chosen, self.places(view), self.marked)
        return BoardPicture(board_with_chain(view, ()), view.latest, draft)

    def swap_or_draw_action(self, view: View) -> Action | None:
        """The swap or draw, once all of it is chosen."""
        if self.take is None:
            return None
        if view.choices.draw:
            return Draw(self.take)
        if view.choices.swap and self.chosen is not None and not self.chain:
            return Swap(self.chosen, self.take)
        return None

    def lay_action(self) -> Action | None:
        return Lay(self.chain) if self.chain else None

    # ------------------------------------------------------------------------------------- steps

    def choose(self, view: View, tile: Tile) -> "PlannedTurn":
        """Choose a tile of the rack; let go of it if it's chosen already, or take it back if it's
        down."""
        if view.phase is Phase.DRAW or view.to_move != view.seat:
            return self
        if self._is_in_chain(tile):
            return self.take_back(tile)
        if tile == self.chosen:
            return replace(self, chosen=None, marked=None)
        turn = replace(self, chosen=tile, marked=None)
        if self.take is None:
            turn = replace(turn, marked=next(iter(turn.places(view)), None))
        return turn

    def put(self, view: View, cell: Cell) -> "PlannedTurn":
        """Put the chosen tile onto one of its places."""
        if self.chosen is None or cell not in self.places(view):
            return self
        return PlannedTurn((*self.chain, Placement(self.chosen, cell.x, cell.y)))

    def mark(self, cell: Cell) -> "PlannedTurn":
        return replace(self, marked=cell)

    def choose_take(self, view: View, take: str) -> "PlannedTurn":
        """Choose what to take. In the middle of a chain nothing can be taken."""
        if take not in view.choices.take or self.chain or take == self.chosen:
            return self
        return replace(self, take=take, marked=None)

    def undo(self) -> "PlannedTurn":
        """Let go of what is chosen, or take back the tile put down last."""
        if self.take is not None or self.chosen is not None:
            return PlannedTurn(self.chain)
        return PlannedTurn(self.chain[:-1])

    def take_back(self, tile: Tile) -> "PlannedTurn":
        """Take back a tile, and those put down after it."""
        at = [placed.tile for placed in self.chain].index(tile)
        return PlannedTurn(self.chain[:at])


def nearest_place(places: tuple[Cell, ...], start: Cell, across: int, down: int) -> Cell:
    """The nearest place in a direction, or the start if there is none."""

    def ahead(cell: Cell) -> int:
        return (cell.x - start.x) * across + (cell.y - start.y) * down

    def aside(cell: Cell) -> int:
        return abs((cell.x - start.x) * down) + abs((cell.y - start.y) * across)

    found = [cell for cell in places if ahead(cell) > 0]
    return min(found, key=lambda cell: (ahead(cell) + 2 * aside(cell), cell), default=start)
