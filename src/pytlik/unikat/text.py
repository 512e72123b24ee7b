"""A View as text for a terminal: in colour with glyphs, or plain in ASCII with tile codes.

A tile shows its shape as a glyph, its size as how many of them (1, 2 or 3), its colour also as how
the glyph is filled (solid, ringed, open), and its background. Plain, it is its code (U1).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.text import Text

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.unikat.messages import BAG
from pytlik.unikat.model import FEATURES, Cell, Chain, Phase, Tile
from pytlik.unikat.view import View

GLYPHS = ("●◉○", "■▣□", "✚✛✙")
"""For each shape the glyph of each colour."""
PAPER = (("#ffffff", "#ece9e4"), ("#b6b9bf", "#a4a8af"), ("#26282b", "#17191b"))
"""For each background two shades, which alternate like a chequerboard so that tiles don't merge."""
INK = (
    ("#d96400", "#7d2ba3", "#1459c4"),
    ("#a84300", "#641a86", "#0a3f9c"),
    ("#ff9d33", "#d896f7", "#6cb2ff"),
)
"""For each background the symbols' colours, dark or bright enough to be seen on it."""
FELT, EDGE, GOLD, FADED = "#2c5a4b", "#86a99c", "#ffd24a", "#7a7a7a"

TILE = 5
"""How wide a tile is; one column more is the gap to the next."""
GUTTER = 4


class Look(NamedTuple):
    """What the terminal can show."""

    plain: bool = False
    width: int = 80
    height: int = 24


@dataclass(frozen=True)
class Draft:
    """A chain that is being built, and the places where the chosen tile may go."""

    chain: Chain = ()
    chosen: Tile | None = None
    places: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Window:
    """The part of the table that is drawn."""

    left: int
    top: int
    right: int
    bottom: int
    rows_a_tile: int
    clipped: bool

    def __contains__(self, cell: Cell) -> bool:
        return self.left <= cell.x <= self.right and self.top <= cell.y <= self.bottom


@dataclass
class Page:
    """Lines under construction."""

    lines: list[Text] = field(default_factory=list)

    def add(self, *lines: Text | str) -> None:
        self.lines += [Text(line) if isinstance(line, str) else line for line in lines]

    def text(self) -> Text:
        return Text("\n", no_wrap=True, overflow="ignore").join(self.lines)


# ------------------------------------------------------------------------------------------ tiles


def named(tile: Tile, say: Catalogue) -> str:
    """The tile in words: "circle, orange, small, on white"."""
    return ", ".join(
        say(f"unikat.{feature}.{value}")
        for feature, value in zip(FEATURES, tile.value, strict=True)
    )


def tile_row(tile: Tile, row: int, rows: int, *, dark: bool) -> Text:
    """One row of a tile's picture: a pile of one, two or three glyphs."""
    shape, colour, size, background = map(int, tile.value)
    glyph = GLYPHS[shape][colour]
    if rows == 1:
        shown = " ".join(glyph * (size + 1)).center(TILE)
    else:
        pile = (("", glyph), ("", f"{glyph} {glyph}"), (glyph, f"{glyph} {glyph}"))[size]
        shown = pile[row].center(TILE)
    return Text(shown, style=f"bold {INK[background][colour]} on {PAPER[background][dark]}")


def tile_line(tiles: Sequence[tuple[str, Tile | None]], look: Look) -> list[Text]:
    """Tiles side by side, each under its label; None is a tile that is gone from its place."""
    if look.plain:
        return [Text("  ".join(f"{label} {tile or '----'}" for label, tile in tiles))]
    lines = [Text("".join(label.center(TILE + 1) for label, _ in tiles), style="bold")]
    for row in range(2):
        line = Text()
        for _, tile in tiles:
            line.append(tile_row(tile, row, 2, dark=False) if tile else " " * TILE)
            line.append(" ")
        lines.append(line)
    return lines


# ------------------------------------------------------------------------------------------ board


def window(cells: Iterable[Cell], centre: Cell, look: Look, rows: int) -> Window:
    """What of the table fits into so many rows: all of it if possible, else a part."""
    xs, ys = zip(*cells, strict=True)
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    columns = max((look.width - GUTTER) // (TILE + 1), 3)
    tall = 1 if look.plain or 2 * (bottom - top + 1) > rows else 2
    lines = max(rows // tall, 3)
    clipped = right - left >= columns or bottom - top >= lines
    if right - left >= columns:
        left = min(max(centre.x - columns // 2, left), right - columns + 1)
        right = left + columns - 1
    if bottom - top >= lines:
        top = min(max(centre.y - lines // 2, top), bottom - lines + 1)
        bottom = top + lines - 1
    return Window(left, top, right, bottom, tall, clipped)


def view_window(view: View, look: Look, draft: Draft, rows: int, pan: Cell) -> Window:
    """The window that shows the table with its rim, or what matters now if that is too much."""
    lying = [Cell(stone.x, stone.y) for stone in view.board]
    lying += [placed.cell for placed in draft.chain]
    rim = [*lying, *draft.places]
    around = [*draft.chain[-1:], *view.latest[-1:]]
    centre = draft.places[0] if draft.places else around[0].cell if around else Cell(0, 0)
    return window(rim, Cell(centre.x + pan.x, centre.y + pan.y), look, rows)


def board(view: View, look: Look, draft: Draft, shown: Window) -> list[Text]:
    """The table with coordinates; latest tiles are numbered, and so are the draft's places."""
    tiles = {Cell(stone.x, stone.y): stone.tile for stone in view.board}
    marks = {placed.cell: number for number, placed in enumerate(view.latest, start=1)}
    if draft.chain:
        marks = {placed.cell: number for number, placed in enumerate(draft.chain, start=1)}
    tiles |= {placed.cell: placed.tile for placed in draft.chain}
    places = {cell: number for number, cell in enumerate(draft.places, start=1)}
    columns = range(shown.left, shown.right + 1)
    head = "".join(str(x).center(TILE + 1) for x in columns)
    lines = [Text(" " * GUTTER + head.rstrip(), style="" if look.plain else FADED)]
    for y in range(shown.top, shown.bottom + 1):
        for row in range(shown.rows_a_tile):
            name = f"{y:>{GUTTER - 1}} " if row == shown.rows_a_tile - 1 else " " * GUTTER
            line = Text(name, style="" if look.plain else FADED)
            for cell in (Cell(x, y) for x in columns):
                if look.plain:
                    line.append(plain_cell(tiles.get(cell), marks.get(cell), places.get(cell)))
                else:
                    drafted = bool(draft.chain) and cell in marks
                    line.append(
                        felt_cell(cell, tiles.get(cell), places.get(cell), row, shown.rows_a_tile)
                    )
                    line.append(felt_gap(marks.get(cell), row, drafted=drafted))
            line.rstrip() if look.plain else None
            lines.append(line)
    return lines


def plain_cell(tile: Tile | None, mark: int | None, place: int | None) -> str:
    if tile:
        return f"{tile}*".ljust(TILE + 1) if mark else tile.ljust(TILE + 1)
    return (f"[{place}]" if place else " .").ljust(TILE + 1)


def felt_cell(cell: Cell, tile: Tile | None, place: int | None, row: int, rows: int) -> Text:
    if tile:
        return tile_row(tile, row, rows, dark=(cell.x + cell.y) % 2 == 1)
    if place:
        return Text(
            str(place).center(TILE) if row == rows - 1 else " " * TILE,
            style=f"bold #1c1400 on {GOLD}",
        )
    dot = "·" if row == rows - 1 else " "
    return Text(dot.center(TILE), style=f"{EDGE} on {FELT}")


def felt_gap(mark: int | None, row: int, *, drafted: bool) -> Text:
    """The gap right of a tile, where its number in the latest chain stands."""
    sign = "✓" if mark and mark > 9 else str(mark)
    shown = sign if mark and row == 0 else " "
    return Text(shown, style=f"{'bold ' + GOLD if drafted else EDGE} on {FELT}")


# ---------------------------------------------------------------------------------------- a screen


def header(view: View, names: Sequence[str], say: Catalogue, look: Look) -> Text:
    """Who has how many tiles, who is to move, and what is left in the bag."""
    line = Text()
    if view.options.rounds > 1:
        line.append(say("unikat.round", round=view.round, rounds=view.options.rounds) + "   ")
    for seat, name in enumerate(names):
        to_move = view.phase is not Phase.OVER and seat == view.to_move
        mark = ("> " if look.plain else "▶ ") if to_move else ""
        style = "" if look.plain else f"bold {GOLD}" if to_move else "bold"
        line.append(f"{mark}{name} {view.counts[seat]}", style=style)
        line.append("   ")
    return line.append(say("unikat.bag", n=view.bag))


def display(view: View, say: Catalogue, look: Look) -> list[Text]:
    """The display's tiles under the numbers by which they are taken."""
    labelled = [(str(number), tile) for number, tile in enumerate(view.display, start=1)]
    if not labelled:
        return [Text(say("unikat.display_empty"))]
    if look.plain:
        return [Text(say("unikat.display") + "  ").append(tile_line(labelled, look)[0])]
    fits = max((look.width - 2) // (TILE + 1), 1)
    lines: list[Text] = []
    for start in range(0, len(labelled), fits):
        lines += tile_line(labelled[start : start + fits], look)
    return lines


def rack(order: Sequence[Tile], draft: Draft, say: Catalogue, look: Look) -> list[Text]:
    """The hand under the letters by which its tiles are chosen."""
    used = {placed.tile for placed in draft.chain}
    letters = "abcdefghij"
    labelled = [
        (letter.upper() if tile == draft.chosen else letter, None if tile in used else tile)
        for letter, tile in zip(letters, order, strict=False)
    ]
    if not look.plain:
        return tile_line(labelled, look)
    return [
        Text(f"  {letter} {tile}  {named(tile, say)}") for letter, tile in labelled if tile
    ]


def beside(left: list[Text], right: list[Text], gap: int) -> list[Text]:
    width = max(line.cell_len for line in left) + gap
    rows = max(len(left), len(right))
    blank = Text()
    lines = []
    for row in range(rows):
        line = (left[row] if row < len(left) else blank).copy()
        line.append(" " * (width - line.cell_len))
        lines.append(line.append(right[row] if row < len(right) else blank))
    return lines


def status(view: View, names: Sequence[str], say: Catalogue) -> str:
    """What is happening, in one short line."""
    if view.phase is Phase.OVER:
        return over(view, names, say)
    if view.seat != view.to_move:
        return say("unikat.waiting", name=names[view.to_move])
    if view.phase is Phase.ACTION and view.choices.pass_:
        return say("unikat.turn.pass")
    if view.phase is Phase.ACTION and not view.choices.lay:
        return say("unikat.turn.swap")
    return say(f"unikat.turn.{view.phase}")


def over(view: View, names: Sequence[str], say: Catalogue) -> str:
    winners = " & ".join(names[seat] for seat in view.winners)
    kind = "last_tile" if view.ended == "last tile" else "blocked"
    you = "you" if view.winners == (view.seat,) else "name"
    return say(f"unikat.over.{kind}.{you}", name=winners)


def screen(
    view: View,
    names: Sequence[str],
    say: Catalogue,
    look: Look,
    *,
    draft: Draft | None = None,
    order: Sequence[Tile] | None = None,
    pan: Cell = Cell(0, 0),  # noqa: B008 - a frozen value
) -> Text:
    """Everything that a seat sees at one moment, in as many rows as the terminal has."""
    draft = draft or Draft()
    page = Page()
    page.add(header(view, names, say, look))
    stock = display(view, say, look)
    if look.plain:
        below = [*stock, *rack(order or view.hand, draft, say, look)]
    else:
        hand = rack(order or view.hand, draft, say, look)
        stock[0] = Text(stock[0].plain.rstrip(), style="bold")
        title = Text(say("unikat.display"), style=FADED)
        hand_width = max((line.cell_len for line in hand), default=0)
        if hand_width + 2 + max(line.cell_len for line in stock) <= look.width and view.hand:
            below = [*beside(hand, stock, 2)]
        else:
            below = [*hand, title, *stock] if view.hand else [title, *stock]
    shown = view_window(view, look, draft, look.height - len(below) - 5, pan)
    page.add(*board(view, look, draft, shown))
    if shown.clipped:
        page.add(Text(say("unikat.clipped"), style="" if look.plain else FADED))
    if draft.places and (look.plain or any(cell not in shown for cell in draft.places)):
        page.add(places_listed(draft, say))
    page.add(*below)
    if view.hands:
        page.add(*hands(view.hands, names, look))
    return page.text()


def places_listed(draft: Draft, say: Catalogue) -> Text:
    listed = "  ".join(
        f"[{number}] {cell.x},{cell.y}" for number, cell in enumerate(draft.places, start=1)
    )
    return Text(say("unikat.places", places=listed))


def hands(all_hands: Sequence[Sequence[Tile]], names: Sequence[str], look: Look) -> list[Text]:
    """What everyone holds: open when the round is over (U18)."""
    width = max(map(len, names)) + 2
    lines: list[Text] = []
    for name, hand in zip(names, all_hands, strict=True):
        line = Text(name.ljust(width))
        for tile in hand:
            line.append(Text(str(tile)) if look.plain else tile_row(tile, 0, 1, dark=False))
            line.append(" ")
        lines.append(line)
    return lines


def sheet(view: View, names: Sequence[str], say: Catalogue, look: Look) -> Text:
    """The score sheet: a minus point for each tile left, a star for who won the round (U17)."""
    star = "*" if look.plain else "★"
    width = max(*map(len, names), 6) + 2
    head = say("unikat.sheet.round")
    first = max(len(head), len(say("unikat.sheet.total"))) + 2
    page = Page()
    page.add(Text(head.ljust(first) + "".join(name.rjust(width) for name in names), style="bold"))
    for number, row in enumerate(view.sheet, start=1):
        cells = (
            f"{star if seat in row.winners else ''}{points}".rjust(width)
            for seat, points in enumerate(row.points)
        )
        page.add(str(number).ljust(first) + "".join(cells))
    totals = [sum(row.points[seat] for row in view.sheet) for seat in range(view.players)]
    if len(view.sheet) > 1:
        cells = (str(points).rjust(width) for points in totals)
        page.add(Text(say("unikat.sheet.total").ljust(first) + "".join(cells), style="bold"))
    return page.text()


# ------------------------------------------------------------------------------------------ events


def clash(detail: Mapping[str, object], say: Catalogue) -> str:
    """Which features of two tiles differ, where exactly one should."""
    features = detail["features"]
    assert isinstance(features, list)
    words = " + ".join(say(f"unikat.feature.{feature}") for feature in features)
    return say("unikat.clash", features=words, neighbour=detail["neighbour"])


def whose(seat: Seat, you: Seat | None) -> str:
    return "you" if seat == you else "name"


def taken(take: str, say: Catalogue) -> str:
    return say("unikat.from_bag") if take == BAG else say("unikat.tile", tile=take)
