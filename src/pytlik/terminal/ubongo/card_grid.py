"""Everyone's cards side by side, as large as they all fit."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.text import Text
from textual.geometry import Size

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.terminal.ubongo.card_widget import CellSize, piece_keys
from pytlik.terminal.ubongo.held_piece import area_bounds, column_in_half_cells
from pytlik.terminal.ubongo.solutions import find_solution
from pytlik.text.layout import block_width, flow_blocks
from pytlik.text.ubongo.cards import CARD_COLOUR, LABEL_COLOUR, CellMark, cell_shade, piece_style
from pytlik.text.ubongo.table import describe_gem_values
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.model import SOLVING_PHASES, Deal
from pytlik.ubongo.view import View

CELL_SIZES = (CellSize(4, 2), CellSize(4, 1), CellSize(2, 1))
CARD_GAP_COLUMNS = 3


class WatchedCard(NamedTuple):
    title: str
    deal: Deal
    placed: Mapping[int, Shape]


def draw_watched_cards(view: View, names: Sequence[str], translate: Catalogue, room: Size) -> Text:
    """Every card that may be seen, and the solution of your own card if you didn't find it."""
    if not view.deals:
        return Text(translate("page.ubongo.explain") + "\n\n" + describe_gem_values(translate))
    cards = [make_watched_card(view, seat, names, translate) for seat in view.deals]
    return draw_cards_to_fit(cards, room.width - 2, room.height - view.players - 1)


def make_watched_card(
    view: View, seat: Seat, names: Sequence[str], translate: Catalogue
) -> WatchedCard:
    deal = view.deals[seat]
    solved = any(solution.seat == seat for solution in view.solutions)
    if seat == view.seat and not solved and view.phase not in SOLVING_PHASES:
        solution = find_solution(deal)
        if solution is not None:
            return WatchedCard(translate("ubongo.solution"), deal, solution)
    return WatchedCard(names[seat], deal, view.placed.get(seat, {}))


def draw_cards_to_fit(cards: Sequence[WatchedCard], width: int, height: int) -> Text:
    """All cards; those that don't fit into the first row go into the next."""
    pictures = [
        arrange_in_rows([draw_watched_card(card, size) for card in cards], width)
        for size in CELL_SIZES
    ]
    fitting = (lines for lines in pictures if len(lines) <= height and block_width(lines) <= width)
    return Text("\n", no_wrap=True).join(next(fitting, pictures[-1]))


def arrange_in_rows(blocks: Sequence[list[Text]], width: int) -> list[Text]:
    first, *others = flow_blocks(blocks, width, CARD_GAP_COLUMNS)
    return [*first, *(line for row in others for line in (Text(), *row))]


def draw_watched_card(card: WatchedCard, size: CellSize) -> list[Text]:
    """A card under its title, within a narrow rim."""
    marks = make_cell_marks(card)
    top, bottom, left, right = area_bounds(card.deal.area)
    half, ground = size.width // 2, f"on {CARD_COLOUR}"
    lines = [Text(card.title, style="bold")]
    for r in range(top, bottom + 1):
        row = {column_in_half_cells(cell): mark for cell, mark in marks.items() if cell.r == r}
        for part in range(size.rows):
            line = Text()
            at = left - 1
            while at <= right + 2:
                label, style = row.get(at, CellMark("", ground))
                width = size.width if at in row else half
                line.append((label if part == 0 else "").center(width), style=style)
                at += width // half
            lines.append(line)
    return lines


def make_cell_marks(card: WatchedCard) -> dict[Hex, CellMark]:
    deal, keys = card.deal, piece_keys(card.deal)
    marks = {cell: CellMark("·", f"{LABEL_COLOUR} on {cell_shade(cell)}") for cell in deal.area}
    for piece, cells in card.placed.items():
        marks |= dict.fromkeys(cells, CellMark(keys[piece], piece_style(deal, piece)))
    return marks
