"""A turn of Unikat in line mode: what someone has typed but not yet committed."""

import re
from dataclasses import dataclass, field

from pytlik.terminal.line_mode import UnclearInput
from pytlik.terminal.unikat.chain import parse_cell, sort_rack
from pytlik.text.unikat.board import Draft
from pytlik.text.unikat.table import RACK_LETTERS
from pytlik.unikat.messages import BAG
from pytlik.unikat.model import FEATURES, Cell, Placement, Tile
from pytlik.unikat.view import View

CENTRE = Cell(0, 0)
PAN_STEPS = {"left": Cell(-4, 0), "right": Cell(4, 0), "up": Cell(0, -3), "down": Cell(0, 3)}
TILE_CODE_PATTERN = re.compile("[0-2]{4}")


@dataclass
class LineModeTurn:
    draft: Draft = field(default_factory=Draft)
    sort_feature: int = 0
    pan: Cell = CENTRE

    def reset(self) -> None:
        """Forget the turn, but keep the rack sorted as it is."""
        self.draft, self.pan = Draft(), CENTRE

    def undo(self) -> None:
        """Take back the tile put down last, or let go of the chosen one."""
        if self.draft.chosen:
            self.draft = Draft(self.draft.chain)
        elif self.draft.chain:
            self.draft = Draft(self.draft.chain[:-1])
        else:
            raise UnclearInput("unikat.unclear.undo")

    def sort(self, words: list[str]) -> None:
        if len(words) != 1 or words[0] not in FEATURES:
            raise UnclearInput("unikat.unclear.sort")
        self.sort_feature = FEATURES.index(words[0])

    def move_window(self, words: list[str]) -> None:
        if words and words[0] not in PAN_STEPS:
            raise UnclearInput("unikat.unclear.pan")
        by = PAN_STEPS[words[0]] if words else Cell(-self.pan.x, -self.pan.y)
        self.pan = Cell(self.pan.x + by.x, self.pan.y + by.y)

    def sorted_rack(self, view: View) -> list[Tile]:
        """The rack, sorted by one feature first."""
        return sort_rack(view, self.sort_feature)

    def parse_tile(self, word: str, view: View) -> Tile:
        """A tile by its letter on the rack or by its code."""
        if TILE_CODE_PATTERN.fullmatch(word):
            return Tile(word)
        order = self.sorted_rack(view)
        if word not in RACK_LETTERS[: len(order)]:
            raise UnclearInput("unikat.unclear.tile")
        return order[RACK_LETTERS.index(word)]

    def parse_placement(self, word: str, where: str, view: View) -> Placement:
        cell = parse_cell(where)
        if cell is None:
            raise UnclearInput("unikat.unclear.lay")
        return Placement(self.parse_tile(word, view), cell.x, cell.y)


def parse_take(word: str, view: View) -> str:
    """What is taken: "bag", or a tile of the display by its number or its code."""
    if word == BAG or TILE_CODE_PATTERN.fullmatch(word):
        return word
    if word.isdecimal() and 1 <= int(word) <= len(view.display):
        return view.display[int(word) - 1]
    raise UnclearInput("unikat.unclear.take")
