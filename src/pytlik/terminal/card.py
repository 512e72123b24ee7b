"""A card of Ubongo on the screen, with its pieces and the one that is held over it."""

from collections.abc import Mapping
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from pytlik.terminal.hold import Hold, bounds, column
from pytlik.terminal.look import DARK, Shades
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.model import Deal
from pytlik.ubongo.text import INK, WHITE, Look, Mark, honeycomb, paint, width_of

LOOK = Look()
RIM = 2
"""So many half cells and rows of the card are around its area."""


class Size(NamedTuple):
    """Of a cell."""

    width: int
    rows: int


SIZES = (Size(6, 3), Size(4, 2), Size(4, 1))


def numbers(deal: Deal) -> dict[int, str]:
    """What each piece is called on the screen: by the key that chooses it."""
    return {piece: str(number) for number, piece in enumerate(deal.pieces, 1)}


class CardField(Widget):
    class Pointed(Message):
        """The mouse is over a cell."""

        def __init__(self, cell: Hex) -> None:
            super().__init__()
            self.cell = cell

    class Chosen(Message):
        def __init__(self, cell: Hex, button: int) -> None:
            super().__init__()
            self.cell = cell
            self.button = button

    class Turned(Message):
        """By the wheel."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.deal: Deal | None = None
        self.placed: Mapping[int, Shape] = {}
        self.hold: Hold | None = None
        self.shades: Shades = DARK
        self._marks: dict[Hex, tuple[str, Style]] = {}

    def show(
        self, deal: Deal | None, placed: Mapping[int, Shape], hold: Hold | None, shades: Shades
    ) -> None:
        self.deal, self.placed, self.hold, self.shades = deal, placed, hold, shades
        self._marks = self._drawn() if deal else {}
        self.refresh()

    def _drawn(self) -> dict[Hex, tuple[str, Style]]:
        """What each cell shows. A piece that is only held has its mark beside its number, or a
        cross where it may not lie."""
        assert self.deal is not None
        marks = {
            cell: ("·", Style.parse(f"{INK} on {WHITE[(cell.q - cell.r) % 3]}"))
            for cell in self.deal.area
        }
        called = numbers(self.deal)
        for piece, cells in self.placed.items():
            style = Style.parse(paint(self.deal, piece))
            marks |= dict.fromkeys(cells, (called[piece], style))
        hold = self.hold
        if hold is None or hold.chosen in self.placed:
            return marks
        fits = hold.fits(self.placed)
        style = Style.parse(paint(self.deal, hold.chosen))
        for cell in hold.cells():
            free = marks.get(cell, ("", None))[0] == "·"
            sign = "◆" if fits else "◇" if free else "✕"
            wrong = Style.parse(f"bold #ffffff on {self.shades.warning}")
            marks[cell] = (f"{sign}{called[hold.chosen]}", style if free else wrong)
        return marks

    @property
    def scale(self) -> Size:
        assert self.deal is not None
        top, bottom, left, right = bounds(self.deal.area)
        halves, rows = right - left + 2 + 2 * RIM, bottom - top + 1 + RIM
        for size in SIZES:
            if halves * size.width // 2 <= self.size.width and rows * size.rows <= self.size.height:
                return size
        return SIZES[-1]

    @property
    def origin(self) -> tuple[int, int]:
        """Where the cell 0,0 begins: so that the area is in the middle."""
        assert self.deal is not None
        top, bottom, left, right = bounds(self.deal.area)
        size = self.scale
        half = size.width // 2
        wide, high = (right - left + 2) * half, (bottom - top + 1) * size.rows
        return (
            (self.size.width - wide) // 2 - left * half,
            (self.size.height - high) // 2 - top * size.rows,
        )

    def cell_at(self, x: int, y: int) -> Hex:
        size, (across, down) = self.scale, self.origin
        r = (y - down) // size.rows
        return Hex(((x - across) // (size.width // 2) - r) // 2, r)

    def middle_of(self, cell: Hex) -> tuple[int, int]:
        """A column and a row inside a cell."""
        size, (across, down) = self.scale, self.origin
        return (
            across + column(cell) * (size.width // 2) + size.width // 2 - 1,
            down + cell.r * size.rows + (size.rows - 1) // 2,
        )

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if self.deal is None:
            return Strip.blank(width, self.rich_style)
        size, (across, down) = self.scale, self.origin
        r, part = divmod(y - down, size.rows)
        top, bottom, left, right = bounds(self.deal.area)
        inside = top - 1 <= r <= bottom + 1
        ground = Style.parse(f"on {self.shades.card}") if inside else self.rich_style
        first = across + (left - RIM) * (size.width // 2)
        last = across + (right + 2 + RIM) * (size.width // 2)
        row = {column(cell): mark for cell, mark in self._marks.items() if cell.r == r}
        line = [Segment(" " * max(first, 0), self.rich_style)]
        at = max(first, 0)
        for half in sorted(row):
            start = across + half * (size.width // 2)
            label, style = row[half]
            shown = label if part == (size.rows - 1) // 2 else ""
            line.append(Segment(" " * (start - at), ground))
            line.append(Segment(shown.center(size.width), style))
            at = start + size.width
        line.append(Segment(" " * max(last - at, 0), ground))
        return Strip(line).adjust_cell_length(width, self.rich_style)

    # ---------------------------------------------------------------------------- the mouse

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self.deal is not None:
            self.post_message(self.Pointed(self.cell_at(event.x, event.y)))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        if self.deal is not None:
            self.post_message(self.Chosen(self.cell_at(event.x, event.y), event.button))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.post_message(self.Turned(-1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.post_message(self.Turned(1))


class Tray(Widget):
    """The pieces beside the card, each under the key that chooses it."""

    class Chosen(Message):
        def __init__(self, piece: int) -> None:
            super().__init__()
            self.piece = piece

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.hold: Hold | None = None
        self.placed: Mapping[int, Shape] = {}
        self.shades: Shades = DARK

    def show(self, hold: Hold | None, placed: Mapping[int, Shape], shades: Shades) -> None:
        self.hold, self.placed, self.shades = hold, placed, shades
        self.refresh()

    def blocks(self) -> list[tuple[int, int, int, list[Text]]]:
        """Each piece, where its block begins, and the block: side by side, then below."""
        hold = self.hold
        if hold is None:
            return []
        large = self._flowing(hold, rows=2)
        last = max(y + len(lines) for _, _, y, lines in large)
        return large if last <= self.size.height else self._flowing(hold, rows=1)

    def _flowing(self, hold: Hold, *, rows: int) -> list[tuple[int, int, int, list[Text]]]:
        found: list[tuple[int, int, int, list[Text]]] = []
        x = y = tall = 0
        for piece, form in hold.forms.items():
            lines = self._block(hold, piece, form, rows)
            wide = width_of(lines)
            if x and x + wide > self.size.width:
                x, y, tall = 0, y + tall + 1, 0
            found.append((piece, x, y, lines))
            x, tall = x + wide + 2, max(tall, len(lines))
        return found

    def _block(self, hold: Hold, piece: int, form: Shape, rows: int) -> list[Text]:
        number = numbers(hold.deal)[piece]
        chosen = piece == hold.chosen
        key = f"▸{number}◂" if chosen else f" {number} "
        head = Text(key, style=f"bold {self.shades.accent}" if chosen else self.shades.label)
        style = paint(hold.deal, piece)
        if piece in self.placed:
            head.append("✓", style=f"bold {self.shades.accent}")
            return [head, Text(f" [{number}] ", style=style)]
        return [head, *honeycomb(dict.fromkeys(form, Mark(number, style)), rows=rows)]

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
            if x <= event.x < x + width_of(lines) and y <= event.y < y + len(lines):
                event.stop()
                self.post_message(self.Chosen(piece))
                return
