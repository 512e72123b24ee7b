"""Unikat's table as a picture: board, display, bag, hands, and how many tiles everyone holds."""

from collections.abc import Sequence
from typing import NamedTuple

from pytlik.drawing.picture import Picture
from pytlik.drawing.primitives import Group, Mark, Marks, Path, Text, centred_text, rectangle_path
from pytlik.drawing.style import (
    ACCENT,
    INK,
    LINE,
    LINEN,
    SOFT_INK,
    SURFACE,
    WOOD,
    WOOD_LINE,
    Style,
    shorten,
)
from pytlik.drawing.tiles import TILE_SIDE, load_looks, tile_marks
from pytlik.game import Seat
from pytlik.unikat.model import FEATURES, Cell, Chain, Hand, Phase, State, Stone, Tile
from pytlik.unikat.view import View

CELL_SIZE_PX = 46.0
"""A cell of the board, in pixels."""
SMALL_TILE_SIZE_PX = 36.0
"""A tile in a hand or in the display."""
PADDING_PX = 14.0
LABEL_WIDTH_PX = 92.0
MAX_CHARACTER_WIDTH_PX = 8.4
"""A generous average."""


class TableContents(NamedTuple):
    """What a picture shows of a table."""

    board: tuple[Stone, ...]
    latest: Chain
    display: tuple[Tile, ...]
    bag: int
    counts: tuple[int, ...]
    hands: tuple[tuple[Seat, Hand], ...]
    marked: tuple[Seat, ...]
    """Whose turn it is, or who has won."""


def contents_from_view(view: View) -> TableContents:
    """A table as one seat sees it."""
    own = () if view.seat is None else ((view.seat, view.hand),)
    return TableContents(
        view.board,
        view.latest,
        view.display,
        view.bag,
        view.counts,
        tuple(enumerate(view.hands)) if view.hands else own,
        view.winners if view.phase is Phase.OVER else (view.to_move,),
    )


def contents_from_state(state: State) -> TableContents:
    """A table with all hands."""
    return TableContents(
        state.board.stones,
        state.latest,
        state.display,
        len(state.bag),
        tuple(map(len, state.hands)),
        tuple(enumerate(state.hands)),
        state.winners if state.phase is Phase.OVER else (state.to_move,),
    )


# ---------------------------------------------------------------------------------------- pictures


def tile_picture(one: Tile, style: Style = Style(), size: float = 64) -> Picture:
    marks = tile_marks(one, style.skin, patterns=style.patterns)
    return Picture(size, size, (Group(marks, scale=size / TILE_SIDE),), describe_tile(one, style))


def hand_picture(tiles: Sequence[Tile], style: Style = Style()) -> Picture:
    """Tiles in rows of ten."""
    across, rows = min(len(tiles), 10), -(-len(tiles) // 10)
    title = "; ".join(describe_tile(one, style) for one in tiles)
    return Picture(
        across * CELL_SIZE_PX,
        rows * CELL_SIZE_PX,
        tile_row_marks(tiles, 0, 0, CELL_SIZE_PX, style),
        title,
    )


def board_picture(board: Sequence[Stone], style: Style = Style()) -> Picture:
    width, height = board_size(board)
    marks = (
        Path(rectangle_path(0, 0, width, height, 12), fill=LINEN),
        *board_marks(board, (), 0, 0, style),
    )
    return Picture(width, height, marks, style.translate("page.unikat.board"))


def table_picture(contents: TableContents, style: Style = Style()) -> Picture:
    translate = style.translate
    board_width, board_height = board_size(contents.board)
    rows = 1 + len(contents.hands)
    chips, chips_width = header_marks(contents, style)
    bag = translate("unikat.bag", n=contents.bag)
    width = max(
        board_width,
        2 * PADDING_PX + LABEL_WIDTH_PX + 10 * SMALL_TILE_SIZE_PX,
        chips_width + MAX_CHARACTER_WIDTH_PX * len(bag) + 2 * PADDING_PX,
    )
    header, strip = 40.0, SMALL_TILE_SIZE_PX + 12
    height = header + board_height + rows * strip + PADDING_PX
    below = header + board_height
    shown: list[Mark] = [
        Path(rectangle_path(0, 0, width, height, 14), fill=LINEN, stroke=LINE, width=1),
        *chips,
        Text(width - PADDING_PX, 25, bag, 13, SOFT_INK, anchor="end"),
        *board_marks(contents.board, contents.latest, (width - board_width) / 2, header, style),
        *labelled_tile_row_marks(
            translate("unikat.display"), contents.display, below, width, style, wood=False
        ),
    ]
    for place, (seat, hand) in enumerate(contents.hands, start=1):
        top = below + place * strip
        shown += labelled_tile_row_marks(
            style.player_name(seat), hand, top, width, style, wood=True
        )
    title = ", ".join(
        (
            *(f"{style.player_name(seat)} {count}" for seat, count in enumerate(contents.counts)),
            bag,
        )
    )
    return Picture(width, height, tuple(shown), title)


def describe_tile(one: Tile, style: Style) -> str:
    """A tile in words: "circle, orange, small, on grey"."""
    translate, values = style.translate, load_looks()["skins"][style.skin]
    shape, colour, size, background = (
        values[feature][int(digit)] for feature, digit in zip(FEATURES, one.value, strict=True)
    )
    # Colour and size agree with the shape in many languages.
    return translate(
        "page.tile.name",
        shape=translate(f"page.tile.shape.{shape}"),
        colour=translate(f"page.tile.colour.{colour}.{shape}"),
        size=translate(f"page.tile.size.{size}.{shape}"),
        background=translate(f"page.tile.background.{background}"),
    )


# ------------------------------------------------------------------------------------------- parts


def board_size(board: Sequence[Stone]) -> tuple[float, float]:
    """The width and height of a board, with a rim of half a cell."""
    xs, ys = [stone.x for stone in board] or [0], [stone.y for stone in board] or [0]
    return (max(xs) - min(xs) + 2) * CELL_SIZE_PX, (max(ys) - min(ys) + 2) * CELL_SIZE_PX


def board_marks(
    board: Sequence[Stone], latest: Chain, x: float, y: float, style: Style
) -> list[Mark]:
    """The tiles on the board; those of the latest turn are outlined and numbered."""
    if not board:
        return []
    left, top = min(stone.x for stone in board), min(stone.y for stone in board)

    def corner(cell: Cell) -> tuple[float, float]:
        return x + (cell.x - left + 0.5) * CELL_SIZE_PX, y + (cell.y - top + 0.5) * CELL_SIZE_PX

    marks: list[Mark] = []
    size = 0.95 * CELL_SIZE_PX
    new = [placed.cell for placed in latest]
    for cell in new:
        across, down = corner(cell)
        marks.append(
            Path(
                rectangle_path(across - 1, down - 1, CELL_SIZE_PX + 2, CELL_SIZE_PX + 2, 8),
                fill=INK,
            )
        )
    for stone in board:
        across, down = corner(Cell(stone.x, stone.y))
        by = (CELL_SIZE_PX - size) / 2
        picture = tile_marks(stone.tile, style.skin, patterns=style.patterns)
        marks.append(Group(picture, across + by, down + by, size / TILE_SIDE))
    for number, cell in enumerate(new, start=1):
        across, down = corner(cell)
        right = across + CELL_SIZE_PX - 2
        marks.append(Path(rectangle_path(right - 8, down - 6, 16, 16, 8), fill=INK))
        marks.append(centred_text(right, down + 2, str(number), 10.5, LINEN))
    return marks


def tile_row_marks(tiles: Sequence[Tile], x: float, y: float, size: float, style: Style) -> Marks:
    """Tiles in rows of ten."""
    return tuple(
        Group(
            tile_marks(one, style.skin, patterns=style.patterns),
            x + at % 10 * size + 0.025 * size,
            y + at // 10 * size + 0.025 * size,
            0.95 * size / TILE_SIDE,
        )
        for at, one in enumerate(tiles)
    )


def labelled_tile_row_marks(
    label: str, tiles: Sequence[Tile], top: float, width: float, style: Style, *, wood: bool
) -> list[Mark]:
    """A label and a row of tiles, which get smaller when there are many."""
    room = width - 2 * PADDING_PX - LABEL_WIDTH_PX
    size = min(SMALL_TILE_SIZE_PX, room / max(len(tiles), 1))
    ground = Path(
        rectangle_path(PADDING_PX / 2, top + 2, width - PADDING_PX, SMALL_TILE_SIZE_PX + 8, 8),
        fill=WOOD if wood else SURFACE,
        stroke=WOOD_LINE if wood else LINE,
        width=1,
    )
    down = top + 6 + (SMALL_TILE_SIZE_PX - size) / 2
    marks: list[Mark] = [ground, Text(PADDING_PX + 4, top + 28, shorten(label, 11), 13, SOFT_INK)]
    for at, one in enumerate(tiles):
        marks += tile_row_marks((one,), PADDING_PX + LABEL_WIDTH_PX + at * size, down, size, style)
    return marks


def header_marks(contents: TableContents, style: Style) -> tuple[list[Mark], float]:
    """How many tiles everyone has, and whose turn it is; also the width that it takes."""
    marks: list[Mark] = []
    x = PADDING_PX / 2
    for seat, count in enumerate(contents.counts):
        name, here = shorten(style.player_name(seat), 11), seat in contents.marked
        wide = 32 + MAX_CHARACTER_WIDTH_PX * (len(name) + len(str(count)))
        ink = "#ffffff" if here else INK
        edge = ACCENT if here else LINE
        marks += [
            Path(
                rectangle_path(x, 8, wide, 24, 12),
                fill=ACCENT if here else SURFACE,
                stroke=edge,
                width=1,
            ),
            Text(x + 11, 25, name, 13, ink, bold=here),
            Text(x + wide - 11, 25, str(count), 13, ink, bold=True, anchor="end"),
        ]
        x += wide + 6
    return marks, x
