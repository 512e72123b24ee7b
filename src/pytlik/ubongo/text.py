"""A View as text for a terminal: in colour with blocks, or plain in ASCII.

Cells have names, a letter for the row and a number in it. A piece is drawn with its number, and
with a mark on its first cell: that one is put onto the cell that is named.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rich.text import Text

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.model import POINTS, ROUNDS, Colour, Deal, Gem, Phase, Purse
from pytlik.ubongo.view import View

CARD, INK, FADED, GOLD = "#5b4a30", "#5d5648", "#7a7a7a", "#ffd24a"
WHITE = ("#ffffff", "#efece4", "#dedad0")
"""No two cells that touch have the same of three shades, so that each is seen."""
PAINT = {
    Colour.RED: ("#c8372d", "#e0655a", "#a01f18", "#f08f86", "#7d120d"),
    Colour.BLUE: ("#2b62c4", "#5f92e6", "#173f8c", "#8fb6f5", "#0e2a63"),
    Colour.GREEN: ("#2f8a4a", "#5cb877", "#1b5f30", "#8ad6a0", "#104020"),
    Colour.YELLOW: ("#d9a90f", "#f2cf4e", "#a67c00", "#f9e38e", "#7a5b00"),
}
"""For each colour a shade for each piece, so that pieces that touch don't merge."""
GEMS = {
    Gem.RUBY: "#e0455a",
    Gem.SAPPHIRE: "#4a86ea",
    Gem.EMERALD: "#2fae66",
    Gem.AMBER: "#c9862b",
}
UNDER_WAY = (Phase.SOLVING, Phase.SECOND_CHANCE)


class Look(NamedTuple):
    """What the terminal can show."""

    plain: bool = False
    width: int = 80
    height: int = 24


class Mark(NamedTuple):
    """What a cell shows: a label of up to three signs, in a style."""

    label: str
    style: str = ""


# ----------------------------------------------------------------------------------------- hexagons


def first_cell(cells: Iterable[Hex]) -> Hex:
    """The leftmost cell of the top row: the one by which a piece is put down."""
    return min(cells, key=lambda cell: (cell.r, cell.q))


def cell_names(area: Iterable[Hex]) -> dict[str, Hex]:
    """The area's cells by their names: a1, a2 ... in the top row, then b1 ..."""
    cells = sorted(area, key=lambda cell: (cell.r, cell.q))
    top = cells[0].r
    names: dict[str, Hex] = {}
    for cell in cells:
        in_row = [other for other in cells if other.r == cell.r]
        names[f"{chr(ord('a') + cell.r - top)}{in_row.index(cell) + 1}"] = cell
    return names


def honeycomb(marks: Mapping[Hex, Mark], *, rows: int, ground: str = "") -> list[Text]:
    """Cells four columns wide and so many rows high; every second row stands half a cell aside."""
    left = min(2 * cell.q + cell.r for cell in marks)
    right = max(2 * cell.q + cell.r for cell in marks) + 2
    lines: list[Text] = []
    for r in range(min(cell.r for cell in marks), max(cell.r for cell in marks) + 1):
        row = {2 * cell.q + cell.r: mark for cell, mark in marks.items() if cell.r == r}
        for part in range(rows):
            line, at = Text(), left
            while at < right:
                if at in row:
                    label = row[at].label if part == 0 else ""
                    line.append(f" {label:<3}", style=row[at].style)
                    at += 2
                else:
                    line.append("  ", style=ground)
                    at += 1
            lines.append(line)
    return lines


def framed(lines: list[Text], style: str) -> list[Text]:
    """A margin around, in the colour of the card."""
    width = width_of(lines)
    rim = Text("  ", style=style)
    inner = [Text.assemble(rim, line, rim) for line in lines]
    blank = Text(" " * (width + 4), style=style)
    return [blank, *inner, blank]


def paint(deal: Deal, piece: int) -> str:
    shade = PAINT[deal.colour][list(deal.pieces).index(piece)]
    dark = deal.colour is Colour.YELLOW or shade in PAINT[deal.colour][1::2]
    return f"bold {'#1c1a14' if dark else '#ffffff'} on {shade}"


def card(deal: Deal, placed: Mapping[int, Shape], look: Look, *, rows: int) -> list[Text]:
    """The area: free cells with their names, others with the number of the piece there."""
    marks: dict[Hex, Mark] = {}
    for name, cell in cell_names(deal.area).items():
        shade = WHITE[(cell.q - cell.r) % 3]
        marks[cell] = Mark(name, "" if look.plain else f"{INK} on {shade}")
    for piece, cells in placed.items():
        for cell in cells:
            marks[cell] = Mark(
                f"[{piece}]" if look.plain else str(piece),
                "" if look.plain else paint(deal, piece),
            )
    lines = honeycomb(marks, rows=rows, ground="" if look.plain else f"on {CARD}")
    return lines if look.plain else framed(lines, f"on {CARD}")


def piece_drawn(deal: Deal, piece: int, cells: Shape, look: Look, *, rows: int) -> list[Text]:
    style = "" if look.plain else paint(deal, piece)
    sign = "*" if look.plain else "◆"
    marks = {cell: Mark(str(piece), style) for cell in cells}
    marks[first_cell(cells)] = Mark(f"{piece}{sign}", style)
    return honeycomb(marks, rows=rows)


def side_by_side(blocks: Sequence[list[Text]], gap: int = 4) -> list[Text]:
    lines = [Text() for _ in range(max(map(len, blocks), default=0))]
    start = 0
    for block in blocks:
        for line, part in zip(lines, block, strict=False):
            line.append(" " * (start - line.cell_len)).append(part)
        start += width_of(block) + gap
    return lines


def width_of(lines: Iterable[Text]) -> int:
    return max(line.cell_len for line in lines)


# ----------------------------------------------------------------------------------------- a screen


def left_of(until: int, now: int) -> str:
    """Minutes and seconds, rounded up: 0:00 is when it is over."""
    seconds = max(-(-(until - now) // 1000), 0)
    return f"{seconds // 60}:{seconds % 60:02}"


def hourglass(view: View, now: int, say: Catalogue, look: Look) -> Text:
    """How much sand is left, in words and as a bar."""
    if view.sand is None or not view.options.seconds:
        return Text(say("ubongo.no_timer"))
    left = max(view.sand - now, 0)
    full = min(20 * left // (1000 * view.options.seconds) + bool(left), 20)
    bar = "#" * full + "-" * (20 - full) if look.plain else "▓" * full + "░" * (20 - full)
    style = "" if look.plain else "bold #ff6a50" if left <= 10_000 else f"bold {GOLD}"
    return Text(f"{left_of(view.sand, now)} {bar}", style=style)


def header(view: View, now: int, say: Catalogue, look: Look) -> Text:
    if view.deciding:
        line = Text(say("ubongo.deciding"))
    else:
        line = Text(say("ubongo.round", round=view.round, rounds=ROUNDS))
    if view.phase is Phase.SECOND_CHANCE:
        line.append("   " + say("ubongo.second_chance"))
    if view.phase in UNDER_WAY:
        line.append("   ").append(hourglass(view, now, say, look))
    return line.append("   " + say("ubongo.display") + " ").append(
        purse(view.books.display, say, look)
    )


def purse(gems: Purse, say: Catalogue, look: Look) -> Text:
    """How many of each gem; plain in words, else as coloured stones."""
    there = [(gem, count) for gem, count in gems.items() if count]
    if look.plain:
        parts = (say(f"ubongo.gems.{gem}", n=count) for gem, count in there)
        return Text(", ".join(parts) or "-")
    line = Text()
    for gem, count in there:
        letter = say(f"ubongo.gem_letter.{gem}")
        line.append(f"◆{count}{letter} ", style=f"bold {GEMS[gem]}")
    return line


def doing(view: View, seat: Seat, say: Catalogue) -> str:
    """What a player is about, in a word or two."""
    if view.phase is Phase.COUNTDOWN or seat not in view.deals:
        return ""
    if seat in view.settled:
        return say("ubongo.doing.rank", place=say(f"ubongo.place.{view.settled.index(seat)}"))
    if any(solution.seat == seat for solution in view.solutions):
        return say("ubongo.doing.solved")
    if seat in view.gave_up:
        return say("ubongo.doing.gave_up")
    return say("ubongo.doing.solving") if view.phase in UNDER_WAY else ""


def players(view: View, names: Sequence[str], say: Catalogue, look: Look) -> list[Text]:
    """Everyone's points and gems, and what they are doing."""
    width = max(map(len, names)) + 2
    about = [doing(view, seat, say) for seat in range(len(names))]
    wide = max(14, *(len(words) + 2 for words in about))
    lines = []
    for seat, name in enumerate(names):
        style = "" if look.plain else "bold"
        line = Text(name.ljust(width), style=style)
        line.append(say("ubongo.points", n=view.points[seat]).ljust(11))
        line.append(about[seat].ljust(wide))
        lines.append(line.append(purse(view.books.held[seat], say, look)))
    return lines


def values(say: Catalogue) -> str:
    """What the gems are worth: kept in sight (G3)."""
    parts = (say(f"ubongo.gem.{gem}") + f" {POINTS[gem]}" for gem in Gem)
    return say("ubongo.values", values=", ".join(parts))


def screen(
    view: View,
    names: Sequence[str],
    say: Catalogue,
    look: Look,
    *,
    now: int,
    turned: Mapping[int, Shape] | None = None,
) -> Text:
    """Everything that a player sees at one moment; `turned` has the pieces as they are held."""
    lines = [header(view, now, say, look), *players(view, names, say, look)]
    seat = view.seat
    if seat is not None and seat in view.deals and view.phase in UNDER_WAY:
        lines += own_card(view, seat, say, look, turned or {})
    return Text("\n", no_wrap=True, overflow="ignore").join(lines)


def own_card(
    view: View, seat: Seat, say: Catalogue, look: Look, turned: Mapping[int, Shape]
) -> list[Text]:
    """The card, and beside it the pieces that don't lie on it: large where there is room."""
    deal, placed = view.deals[seat], view.placed.get(seat, {})
    title = say("ubongo.card", card=deal.card, colour=say(f"ubongo.colour.{deal.colour}"))
    held = {n: turned.get(n, cells) for n, cells in deal.pieces.items() if n not in placed}

    def drawn(rows: int) -> list[list[Text]]:
        pieces = (piece_drawn(deal, n, cells, look, rows=rows) for n, cells in held.items())
        return [card(deal, placed, look, rows=rows), *pieces]

    large, small = side_by_side(drawn(2)), side_by_side(drawn(1))
    room = look.height - view.players - 6
    if not look.plain and width_of(large) <= look.width and len(large) <= room:
        lines = large
    elif width_of(small) <= look.width:
        lines = small
    else:
        field, *pieces = drawn(1)
        lines = [*field, Text(), *side_by_side(pieces)]
    return [Text(title, style="" if look.plain else FADED), *lines]


def everyone(view: View, names: Sequence[str], say: Catalogue, look: Look, *, now: int) -> Text:
    """All cards that may be looked at, for those who watch."""
    lines = [header(view, now, say, look), *players(view, names, say, look)]
    shelf: list[list[Text]] = []
    for seat, deal in view.deals.items():
        drawn = [Text(names[seat]), *card(deal, view.placed.get(seat, {}), look, rows=1)]
        if shelf and width_of(side_by_side([*shelf, drawn])) > look.width:
            lines += [Text(), *side_by_side(shelf)]
            shelf = []
        shelf.append(drawn)
    lines += [Text(), *side_by_side(shelf)]
    return Text("\n", no_wrap=True, overflow="ignore").join(lines)
