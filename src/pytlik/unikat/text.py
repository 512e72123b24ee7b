"""A View as text for a terminal: all that a seat sees at one moment, and the score sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.text import Text

from pytlik.i18n import Catalogue
from pytlik.unikat.drawn import (
    FADED,
    GOLD,
    TILE,
    Draft,
    Look,
    board,
    named,
    tile_line,
    tile_row,
    view_window,
)
from pytlik.unikat.model import Cell, Phase, Tile
from pytlik.unikat.view import View

LETTERS = "abcdefghij"
"""The tiles of the rack are chosen by these."""


@dataclass
class Page:
    """Lines under construction."""

    lines: list[Text] = field(default_factory=list)

    def add(self, *lines: Text | str) -> None:
        self.lines += [Text(line) if isinstance(line, str) else line for line in lines]

    def text(self) -> Text:
        return Text("\n", no_wrap=True, overflow="ignore").join(self.lines)


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
    labelled = [
        (letter.upper() if tile == draft.chosen else letter, None if tile in used else tile)
        for letter, tile in zip(LETTERS, order, strict=False)
    ]
    if not look.plain:
        return tile_line(labelled, look)
    return [Text(f"  {letter} {tile}  {named(tile, say)}") for letter, tile in labelled if tile]


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


def stock_and_rack(
    view: View, order: Sequence[Tile], draft: Draft, say: Catalogue, look: Look
) -> list[Text]:
    """The hand and the display, beside each other where there is room."""
    stock, hand = display(view, say, look), rack(order, draft, say, look)
    if look.plain:
        return [*stock, *hand]
    stock = [Text(say("unikat.display"), style=FADED), *stock]
    if not order:
        return stock
    hand = [Text(say("unikat.rack"), style=FADED), *hand]
    gap = 3
    if max(row.cell_len for row in hand) + gap + max(row.cell_len for row in stock) <= look.width:
        return beside(hand, stock, gap)
    return [*hand, *stock]


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
    below = stock_and_rack(view, order or view.hand, draft, say, look)
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
