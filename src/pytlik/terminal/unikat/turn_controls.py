"""What keys and clicks do to a turn of Unikat that someone is planning."""

from collections.abc import Callable
from typing import Any

from pytlik.game import Ready
from pytlik.terminal.unikat.chain import sort_rack
from pytlik.terminal.unikat.planned_turn import PlannedTurn, nearest_place
from pytlik.unikat.messages import BAG, Decline, Pass
from pytlik.unikat.model import FEATURES, Cell, Tile
from pytlik.unikat.view import View


class TurnPlanner:
    """Changes the planned turn, but doesn't act."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        self.view: View | None = None
        self.turn = PlannedTurn()
        self.sort_feature = 0
        self._on_change = on_change

    def start_turn(self, view: View) -> None:
        """Start planning again. If a tile has to be drawn, the first one is chosen."""
        self.turn = PlannedTurn()
        if view.choices.draw:
            self.turn = self.turn.choose_take(view, view.choices.take[0])

    def set_turn(self, turn: PlannedTurn) -> None:
        self.turn = turn
        self._on_change()

    @property
    def rack(self) -> list[Tile]:
        return sort_rack(self.view, self.sort_feature) if self.view else []

    def sort_by_next_feature(self) -> None:
        self.sort_feature = (self.sort_feature + 1) % len(FEATURES)
        self._on_change()

    def choose_rack_tile(self, number: int) -> bool:
        """Choose a tile by its position on the rack. Returns whether there is one."""
        rack = self.rack
        if self.view is None or number >= len(rack):
            return False
        self.set_turn(self.turn.choose(self.view, rack[number]))
        return True

    def move_mark(self, across: int, down: int) -> bool:
        """Mark the next place or tile in a direction. Returns whether anything is marked."""
        view, turn = self.view, self.turn
        if view is None:
            return False
        if turn.take is not None and view.choices.take:
            self._choose_next_take(view, across or down)
        elif turn.marked is not None:
            self.set_turn(turn.mark(nearest_place(turn.places(view), turn.marked, across, down)))
        else:
            return False
        return True

    def mark_next_place(self, step: int) -> None:
        """Mark the next place or tile in their order."""
        view, turn = self.view, self.turn
        if view is None:
            return
        places = turn.places(view)
        if turn.take is not None:
            self._choose_next_take(view, step)
        elif turn.marked in places:
            self.set_turn(turn.mark(places[(places.index(turn.marked) + step) % len(places)]))

    def _choose_next_take(self, view: View, by: int) -> None:
        takes = [take for take in view.choices.take if take != self.turn.chosen]
        at = takes.index(self.turn.take) if self.turn.take in takes else 0
        self.set_turn(self.turn.choose_take(view, takes[(at + by) % len(takes)]))

    def put(self, cell: Cell) -> bool:
        """Put the chosen tile onto a cell, or take back the one there. Returns whether that
        worked."""
        view, turn = self.view, self.turn
        down = {placed.cell: placed.tile for placed in turn.chain}
        if cell in down:
            self.set_turn(turn.take_back(down[cell]))
        elif view is not None and cell in turn.places(view):
            self.set_turn(turn.put(view, cell))
        else:
            return False
        return True

    def undo(self) -> None:
        if self.view is not None and not self.view.choices.draw:
            self.set_turn(self.turn.undo())


class TurnControls(TurnPlanner):
    """Plans turns, and acts when the person confirms."""

    def __init__(self, act: Callable[[Any], None], on_change: Callable[[], None]) -> None:
        super().__init__(on_change)
        self._act = act

    def handle_number(self, number: int) -> bool:
        """Choose a numbered place, or a tile of the display (0 is the bag). Returns whether there
        is one."""
        view, turn = self.view, self.turn
        if view is None:
            return False
        if turn.take is not None or turn.chosen is None:
            if number > len(view.display):
                return False
            self.take(view.display[number - 1] if number else BAG)
            return True
        places = turn.places(view)
        if not 1 <= number <= len(places):
            return False
        self.set_turn(turn.put(view, places[number - 1]))
        return True

    def confirm(self) -> None:
        view, turn = self.view, self.turn
        if view is None:
            return
        action = turn.swap_or_draw_action(view)
        if action is not None:
            self._act(action)
        elif turn.marked is not None:
            self.set_turn(turn.put(view, turn.marked))
        elif view.choices.ready:
            self._act(Ready())

    def lay(self) -> None:
        action = self.turn.lay_action()
        if action is not None:
            self._act(action)

    def swap(self) -> None:
        view, turn = self.view, self.turn
        if view is None or not view.choices.swap or turn.chain:
            return
        if turn.swap_or_draw_action(view) is not None:
            self.confirm()
        else:
            self.set_turn(turn.choose_take(view, view.choices.take[0]))

    def take(self, take: str) -> None:
        """Draw at once, but swap only when the same tile is chosen a second time."""
        view, turn = self.view, self.turn
        if view is None or take not in view.choices.take:
            return
        after = turn.choose_take(view, take)
        if view.choices.draw or (after == turn and turn.swap_or_draw_action(view) is not None):
            self.turn = after
            self.confirm()
        else:
            self.set_turn(after)

    def decline(self) -> None:
        if self.view is not None and self.view.choices.decline and not self.turn.chain:
            self._act(Decline())

    def pass_turn(self) -> None:
        if self.view is not None and self.view.choices.pass_:
            self._act(Pass())
