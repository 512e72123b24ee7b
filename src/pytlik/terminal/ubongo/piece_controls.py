"""What keys and clicks do to the pieces that someone holds over their card."""

from collections.abc import Callable, Mapping
from typing import Any

from pytlik.game import Ready
from pytlik.terminal.ubongo.held_piece import HeldPiece, hold_first_piece
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.messages import Lift, Place
from pytlik.ubongo.view import View


class PieceControls:
    def __init__(self, act: Callable[[Any], None], on_change: Callable[[], None]) -> None:
        self.view: View | None = None
        self.held: HeldPiece | None = None
        """None if there's nothing to solve."""
        self._act = act
        self._on_change = on_change

    @property
    def placed(self) -> Mapping[int, Shape]:
        """The person's pieces on their card."""
        return placed_pieces(self.view)

    def update(self, view: View) -> None:
        """Take the pieces of a new card, or the next piece once one has been laid."""
        before, self.view = placed_pieces(self.view), view
        if view.seat is None or view.seat not in view.deals or not view.choices.solve:
            self.held = None
            return
        deal, placed = view.deals[view.seat], self.placed
        if self.held is None or self.held.deal != deal:
            self.held, before = hold_first_piece(deal), {}
        if self.held.chosen in placed and self.held.chosen not in before:
            self.held = self.held.next_piece(placed)

    def set_held(self, held: HeldPiece) -> None:
        self.held = held
        self._on_change()

    # ---------------------------------------------------------------------------------- choosing

    def choose_piece(self, piece: int) -> None:
        if self.held is not None:
            self.set_held(self.held.choose(piece))

    def choose_piece_by_key(self, number: int) -> bool:
        """Choose a piece by its key. Returns whether there is one."""
        pieces = list(self.held.shapes) if self.held else []
        if not 1 <= number <= len(pieces):
            return False
        self.choose_piece(pieces[number - 1])
        return True

    def choose_next(self, step: int) -> None:
        if self.held is not None:
            self.set_held(self.held.next_piece(self.placed, step))

    def turn(self, sixths: int) -> None:
        if self.held is not None:
            self.set_held(self.held.turn(sixths))

    def flip(self) -> None:
        if self.held is not None:
            self.set_held(self.held.flip())

    def move_by(self, across: int, down: int) -> None:
        if self.held is not None:
            self.set_held(self.held.move_by(across, down))

    # ------------------------------------------------------------------------------------ acting

    def confirm(self) -> None:
        """Say you're ready, lay the chosen piece, or take it off if it's already on the card."""
        if self.view is None:
            return
        if self.view.choices.ready:
            self._act(Ready())
        elif self.held is not None and self.held.chosen in self.placed:
            self.lift()
        elif self.held is not None:
            self._act(Place(self.held.chosen, self.held.cells()))

    def lift(self) -> None:
        if self.held is not None:
            self._act(Lift(self.held.chosen))

    def click(self, cell: Hex) -> None:
        """Lay the chosen piece on a cell, or take off the one that lies there."""
        if self.held is None:
            return
        piece = next((piece for piece, cells in self.placed.items() if cell in cells), None)
        if piece is not None:
            self.set_held(self.held.move_to(cell).choose(piece))
            self.lift()
        else:
            self.set_held(self.held.move_to(cell))
            self.confirm()


def placed_pieces(view: View | None) -> Mapping[int, Shape]:
    if view is None or view.seat is None:
        return {}
    return view.placed.get(view.seat, {})
