"""Unikat's table at one moment: the board, who holds how many tiles, display, bag, and hands."""

from collections.abc import Sequence
from typing import NamedTuple

from pytlik.drawing.look import (
    ACCENT,
    INK,
    LINE,
    LINEN,
    SOFT,
    SURFACE,
    WOOD,
    WOOD_LINE,
    Look,
    shortened,
)
from pytlik.drawing.marks import Mark, Marks, Path, Placed, Words, box, middle
from pytlik.drawing.picture import Picture
from pytlik.drawing.tiles import BOX, looks, tile
from pytlik.game import Seat
from pytlik.unikat.model import FEATURES, Cell, Chain, Hand, Phase, State, Stone, Tile
from pytlik.unikat.view import View

CELL = 46.0
"""A place on the board, in pixels."""
SMALL = 36.0
"""A tile in a hand or in the display."""
PAD = 14.0
LABEL = 92.0
CHARACTER = 8.4
"""What a character may take at most, on average."""


class Scene(NamedTuple):
    """What is to be seen of a table."""

    board: tuple[Stone, ...]
    latest: Chain
    display: tuple[Tile, ...]
    bag: int
    counts: tuple[int, ...]
    hands: tuple[tuple[Seat, Hand], ...]
    marked: tuple[Seat, ...]
    """Who is to move, or has won."""


def seen(view: View) -> Scene:
    """A table as a seat sees it."""
    own = () if view.seat is None else ((view.seat, view.hand),)
    return Scene(
        view.board,
        view.latest,
        view.display,
        view.bag,
        view.counts,
        tuple(enumerate(view.hands)) if view.hands else own,
        view.winners if view.phase is Phase.OVER else (view.to_move,),
    )


def truth(state: State) -> Scene:
    """A table with all hands."""
    return Scene(
        state.board.stones,
        state.latest,
        state.display,
        len(state.bag),
        tuple(map(len, state.hands)),
        tuple(enumerate(state.hands)),
        state.winners if state.phase is Phase.OVER else (state.to_move,),
    )


# ---------------------------------------------------------------------------------------- pictures


def tile_picture(one: Tile, look: Look = Look(), size: float = 64) -> Picture:
    marks = tile(one, look.skin, patterns=look.patterns)
    return Picture(size, size, (Placed(marks, scale=size / BOX),), named(one, look))


def hand_picture(tiles: Sequence[Tile], look: Look = Look()) -> Picture:
    """Tiles in rows of ten."""
    across, rows = min(len(tiles), 10), -(-len(tiles) // 10)
    title = "; ".join(named(one, look) for one in tiles)
    return Picture(across * CELL, rows * CELL, row_of(tiles, 0, 0, CELL, look), title)


def board_picture(board: Sequence[Stone], look: Look = Look()) -> Picture:
    width, height = extent(board)
    marks = (Path(box(0, 0, width, height, 12), fill=LINEN), *board_marks(board, (), 0, 0, look))
    return Picture(width, height, marks, look.say("page.unikat.board"))


def table_picture(scene: Scene, look: Look = Look()) -> Picture:
    say = look.say
    board_width, board_height = extent(scene.board)
    rows = 1 + len(scene.hands)
    chips, chips_width = header_marks(scene, look)
    bag = say("unikat.bag", n=scene.bag)
    width = max(
        board_width, 2 * PAD + LABEL + 10 * SMALL, chips_width + CHARACTER * len(bag) + 2 * PAD
    )
    header, strip = 40.0, SMALL + 12
    height = header + board_height + rows * strip + PAD
    below = header + board_height
    shown: list[Mark] = [
        Path(box(0, 0, width, height, 14), fill=LINEN, stroke=LINE, width=1),
        *chips,
        Words(width - PAD, 25, bag, 13, SOFT, anchor="end"),
        *board_marks(scene.board, scene.latest, (width - board_width) / 2, header, look),
        *strip_marks(say("unikat.display"), scene.display, below, width, look, wood=False),
    ]
    for place, (seat, hand) in enumerate(scene.hands, start=1):
        top = below + place * strip
        shown += strip_marks(look.name(seat), hand, top, width, look, wood=True)
    title = ", ".join(
        (
            *(f"{look.name(seat)} {count}" for seat, count in enumerate(scene.counts)),
            bag,
        )
    )
    return Picture(width, height, tuple(shown), title)


def named(one: Tile, look: Look) -> str:
    """A tile in words: "circle, orange, small, on grey"."""
    values = looks()["skins"][look.skin]
    return look.say(
        "page.tile.name",
        **{
            feature: look.say(f"page.tile.{feature}.{values[feature][int(digit)]}")
            for feature, digit in zip(FEATURES, one.value, strict=True)
        },
    )


# ------------------------------------------------------------------------------------------- parts


def extent(board: Sequence[Stone]) -> tuple[float, float]:
    """How much room a board takes, with a rim of half a cell."""
    xs, ys = [stone.x for stone in board] or [0], [stone.y for stone in board] or [0]
    return (max(xs) - min(xs) + 2) * CELL, (max(ys) - min(ys) + 2) * CELL


def board_marks(
    board: Sequence[Stone], latest: Chain, x: float, y: float, look: Look
) -> list[Mark]:
    """The tiles where they lie; those of the latest turn are outlined and numbered."""
    if not board:
        return []
    left, top = min(stone.x for stone in board), min(stone.y for stone in board)

    def corner(cell: Cell) -> tuple[float, float]:
        return x + (cell.x - left + 0.5) * CELL, y + (cell.y - top + 0.5) * CELL

    marks: list[Mark] = []
    size = 0.95 * CELL
    new = [placed.cell for placed in latest]
    for cell in new:
        across, down = corner(cell)
        marks.append(Path(box(across - 1, down - 1, CELL + 2, CELL + 2, 8), fill=INK))
    for stone in board:
        across, down = corner(Cell(stone.x, stone.y))
        by = (CELL - size) / 2
        picture = tile(stone.tile, look.skin, patterns=look.patterns)
        marks.append(Placed(picture, across + by, down + by, size / BOX))
    for number, cell in enumerate(new, start=1):
        across, down = corner(cell)
        right = across + CELL - 2
        marks.append(Path(box(right - 8, down - 6, 16, 16, 8), fill=INK))
        marks.append(middle(right, down + 2, str(number), 10.5, LINEN))
    return marks


def row_of(tiles: Sequence[Tile], x: float, y: float, size: float, look: Look) -> Marks:
    """Tiles in rows of ten."""
    return tuple(
        Placed(
            tile(one, look.skin, patterns=look.patterns),
            x + at % 10 * size + 0.025 * size,
            y + at // 10 * size + 0.025 * size,
            0.95 * size / BOX,
        )
        for at, one in enumerate(tiles)
    )


def strip_marks(
    label: str, tiles: Sequence[Tile], top: float, width: float, look: Look, *, wood: bool
) -> list[Mark]:
    """A line of tiles behind its label. A display that has grown is drawn smaller."""
    room = width - 2 * PAD - LABEL
    size = min(SMALL, room / max(len(tiles), 1))
    ground = Path(
        box(PAD / 2, top + 2, width - PAD, SMALL + 8, 8),
        fill=WOOD if wood else SURFACE,
        stroke=WOOD_LINE if wood else LINE,
        width=1,
    )
    down = top + 6 + (SMALL - size) / 2
    marks: list[Mark] = [ground, Words(PAD + 4, top + 28, shortened(label, 11), 13, SOFT)]
    for at, one in enumerate(tiles):
        marks += row_of((one,), PAD + LABEL + at * size, down, size, look)
    return marks


def header_marks(scene: Scene, look: Look) -> tuple[list[Mark], float]:
    """Who has how many tiles, and who is to move; how wide that is."""
    marks: list[Mark] = []
    x = PAD / 2
    for seat, count in enumerate(scene.counts):
        name, here = shortened(look.name(seat), 11), seat in scene.marked
        wide = 32 + CHARACTER * (len(name) + len(str(count)))
        ink = "#ffffff" if here else INK
        edge = ACCENT if here else LINE
        marks += [
            Path(box(x, 8, wide, 24, 12), fill=ACCENT if here else SURFACE, stroke=edge, width=1),
            Words(x + 11, 25, name, 13, ink, bold=here),
            Words(x + wide - 11, 25, str(count), 13, ink, bold=True, anchor="end"),
        ]
        x += wide + 6
    return marks, x
