"""The pieces beside a card of Ubongo."""

from collections.abc import Mapping
from typing import NamedTuple

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from pytlik.terminal.ubongo.card_widget import piece_keys
from pytlik.terminal.ubongo.held_piece import HeldPiece
from pytlik.terminal.widgets.theme import DARK, Palette
from pytlik.text.layout import block_width
from pytlik.text.ubongo.cards import CellMark, draw_honeycomb, piece_style
from pytlik.ubongo.hexes import Shape


class PieceBlock(NamedTuple):
    """A piece's picture, and where it starts."""

    piece: int
    x: int
    y: int
    lines: list[Text]


class Tray(Widget):
    """The pieces beside the card, each under the key that chooses it."""

    class Chosen(Message):
        def __init__(self, piece: int) -> None:
            super().__init__()
            self.piece = piece

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.held: HeldPiece | None = None
        self.placed: Mapping[int, Shape] = {}
        self.palette: Palette = DARK

    def show(self, held: HeldPiece | None, placed: Mapping[int, Shape], palette: Palette) -> None:
        self.held, self.placed, self.palette = held, placed, palette
        self.refresh()

    def blocks(self) -> list[PieceBlock]:
        """The pieces in rows, large if there's room."""
        held = self.held
        if held is None:
            return []
        large = self._arrange_pieces(held, rows=2)
        last = max(y + len(lines) for _, _, y, lines in large)
        return large if last <= self.size.height else self._arrange_pieces(held, rows=1)

    def _arrange_pieces(self, held: HeldPiece, *, rows: int) -> list[PieceBlock]:
        found: list[PieceBlock] = []
        x = y = tall = 0
        for piece, shape in held.shapes.items():
            lines = self._draw_piece_block(held, piece, shape, rows)
            wide = block_width(lines)
            if x and x + wide > self.size.width:
                x, y, tall = 0, y + tall + 1, 0
            found.append(PieceBlock(piece, x, y, lines))
            x, tall = x + wide + 2, max(tall, len(lines))
        return found

    def _draw_piece_block(self, held: HeldPiece, piece: int, shape: Shape, rows: int) -> list[Text]:
        number = piece_keys(held.deal)[piece]
        chosen = piece == held.chosen
        key = f"▸{number}◂" if chosen else f" {number} "
        head = Text(key, style=f"bold {self.palette.accent}" if chosen else self.palette.label)
        style = piece_style(held.deal, piece)
        if piece in self.placed:
            head.append("✓", style=f"bold {self.palette.accent}")
            return [head, Text(f" [{number}] ", style=style)]
        return [head, *draw_honeycomb(dict.fromkeys(shape, CellMark(number, style)), rows=rows)]

    def render(self) -> Text:
        rows: dict[int, Text] = {}
        for _, x, y, lines in self.blocks():
            for at, line in enumerate(lines, y):
                row = rows.setdefault(at, Text(no_wrap=True))
                row.append(" " * (x - row.cell_len)).append(line)
        last = max(rows, default=-1)
        drawn = [rows.get(row, Text()) for row in range(last + 1)]
        return Text("\n", no_wrap=True).join(drawn)

    def on_click(self, event: events.Click) -> None:
        for piece, x, y, lines in self.blocks():
            if x <= event.x < x + block_width(lines) and y <= event.y < y + len(lines):
                event.stop()
                self.post_message(self.Chosen(piece))
                return
