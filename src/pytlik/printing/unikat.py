"""Unikat on paper: the 81 tiles of a skin, racks, and a score sheet."""

from itertools import accumulate, islice
from math import sqrt

from pytlik.drawing.primitives import (
    Group,
    Mark,
    Marks,
    Path,
    Text,
    format_coordinate,
    line_path,
    rectangle_path,
)
from pytlik.drawing.style import Skin
from pytlik.drawing.tiles import (
    TILE_SIDE,
    flat_face_marks,
    load_looks,
    symbol_mark,
    tile_background_colours,
    tile_marks,
)
from pytlik.i18n import Catalogue
from pytlik.printing.page_elements import (
    CUT_LINE_WIDTH_MM,
    FAINT_INK,
    INK,
    MARGIN_MM,
    SOFT_INK,
    Page,
    Paper,
    crop_marks,
    page_heading,
    score_sheet_lines,
)
from pytlik.unikat.model import HAND_SIZE, TILES, Tile

TILE_SIDE_MM = 26.0
"""The side of a tile: ten fit side by side on a rack made from one sheet."""
BLOCK_COLUMNS, BLOCK_ROWS = 7, 4
"""The size of a block with the 27 tiles of one background, so that no cut shows another colour."""
BLEED_MM = 1.5


def tile_pages(skin: Skin, title: str, paper: Paper) -> tuple[Page, ...]:
    """Two pages: two backgrounds on the first, one on the second."""
    blocks = [
        [one for one in TILES if one.value[3] == background] for background in ("0", "1", "2")
    ]
    left = (paper.width - BLOCK_COLUMNS * TILE_SIDE_MM) / 2
    first = 24.0
    second = first + BLOCK_ROWS * TILE_SIDE_MM + 16
    return (
        Page((*page_heading(title, paper), *tile_block(blocks[0], skin, left, first),
              *tile_block(blocks[1], skin, left, second))),
        Page((*page_heading(title, paper), *tile_block(blocks[2], skin, left, first))),
    )  # fmt: skip


def tile_block(tiles: list[Tile], skin: Skin, left: float, top: float) -> list[Mark]:
    """Tiles edge to edge, on a background that bleeds a little over the outer cuts."""
    ground = tile_background_colours(tiles[0], skin)
    marks: list[Mark] = crop_marks(left, top, BLOCK_COLUMNS, BLOCK_ROWS, TILE_SIDE_MM, TILE_SIDE_MM)
    # White backgrounds aren't printed.
    if tiles[0].value[3] != "0":
        for row in range(BLOCK_ROWS):
            across = min(len(tiles) - row * BLOCK_COLUMNS, BLOCK_COLUMNS)
            marks.append(
                Path(
                    rectangle_path(
                        left - BLEED_MM,
                        top + row * TILE_SIDE_MM - BLEED_MM,
                        across * TILE_SIDE_MM + 2 * BLEED_MM,
                        TILE_SIDE_MM + 2 * BLEED_MM,
                    ),
                    fill=ground["fill"],
                )
            )
    for at, one in enumerate(tiles):
        x, y = left + at % BLOCK_COLUMNS * TILE_SIDE_MM, top + at // BLOCK_COLUMNS * TILE_SIDE_MM
        marks.append(Group(flat_face_marks(one, skin), x, y, TILE_SIDE_MM / TILE_SIDE))
        marks.append(
            Path(
                rectangle_path(x, y, TILE_SIDE_MM, TILE_SIDE_MM),
                stroke=ground["outline"],
                width=CUT_LINE_WIDTH_MM,
            )
        )
    return marks


# ------------------------------------------------------------------------------------------- racks

RACK_WIDTH_MM = HAND_SIZE * TILE_SIDE_MM + 2
GLUE_MM, BASE_MM, OUTER_MM, INNER_MM, LEDGE_MM, LIP_MM = 9.0, 36.0, 46.0, 44.0, 9.0, 6.0
"""The strips of a rack, from top to bottom. Base, outer and inner side make a roof. Tiles stand on
the ledge, which is glued onto the strip above the base, and the lip keeps them from sliding off."""
RACK_HEIGHT_MM = GLUE_MM + BASE_MM + OUTER_MM + INNER_MM + LEDGE_MM + LIP_MM


def rack_pages(
    title: str, paper: Paper, skin: Skin, translate: Catalogue, players: int = 4
) -> tuple[Page, ...]:
    """One rack a page, in landscape."""
    wide = paper.rotated
    left, top = (wide.width - RACK_WIDTH_MM) / 2, (wide.height - RACK_HEIGHT_MM) / 2 + 4
    folds = accumulate((GLUE_MM + BASE_MM, OUTER_MM, INNER_MM, LEDGE_MM), initial=top)
    marks: list[Mark] = [
        *page_heading(title, wide),
        *_legend(wide, top + RACK_HEIGHT_MM + 7, translate),
        *_glue_area(left, top, RACK_WIDTH_MM, GLUE_MM),
        *_rack_ornament(left, top + GLUE_MM + BASE_MM, skin),
        *(
            Path(
                line_path(left, y, left + RACK_WIDTH_MM, y),
                stroke=SOFT_INK,
                width=0.2,
                dash=(2, 1.5),
            )
            for y in islice(folds, 1, None)
        ),
        Group(folded_rack(skin), left + RACK_WIDTH_MM / 2 - 14, top + GLUE_MM + 29, 0.6),
        Path(
            rectangle_path(left, top, RACK_WIDTH_MM, RACK_HEIGHT_MM),
            stroke=INK,
            width=CUT_LINE_WIDTH_MM,
        ),
    ]
    return (Page(tuple(marks), landscape=True),) * players


def folded_rack(skin: Skin) -> Marks:
    """The finished rack from the side. It's printed on the base, where nobody sees it later."""
    # The front corner is at 0, 0. The three sides determine where the ridge is.
    across = (INNER_MM**2 + BASE_MM**2 - OUTER_MM**2) / (2 * BASE_MM)
    up = sqrt(INNER_MM**2 - across**2)
    n = format_coordinate
    roof = f"M0 0L{n(across)} {n(-up)}L{n(BASE_MM)} 0H{n(-LEDGE_MM)}V{n(-LIP_MM)}"
    part = TILE_SIDE_MM / INNER_MM
    standing = line_path(-1.2, -1.6, across * part - 1.2, -up * part - 1.6)
    return (
        Path(roof, stroke=INK, width=0.5),
        Path(standing, stroke=load_looks()["skins"][skin]["symbol"][0]["fill"], width=2),
    )


def _legend(paper: Paper, y: float, translate: Catalogue) -> list[Mark]:
    """What the lines mean."""
    marks: list[Mark] = []
    x = paper.width / 2 - 78
    for key, dash, width in (("print.cut", (), CUT_LINE_WIDTH_MM), ("print.fold", (2.0, 1.5), 0.2)):
        marks.append(
            Path(line_path(x, y - 1.1, x + 12, y - 1.1), stroke=INK, width=width, dash=dash)
        )
        marks.append(Text(x + 14, y, translate(key), 3.4, SOFT_INK))
        x += 48
    marks += _glue_area(x, y - 3, 12, 4)
    marks.append(Text(x + 14, y, translate("print.glue"), 3.4, SOFT_INK))
    return marks


def _glue_area(x: float, y: float, width: float, height: float) -> list[Mark]:
    """Where to glue."""
    count = int((width - height) / 3)
    strokes = [line_path(x + 3 * at, y + height, x + 3 * at + height, y) for at in range(count + 1)]
    return [Path("".join(strokes), stroke=FAINT_INK, width=CUT_LINE_WIDTH_MM)]


def _rack_ornament(left: float, top: float, skin: Skin) -> Marks:
    """The side of a rack that others see: a row of symbols. It's upside down on the sheet, because
    the ridge is below it."""
    codes = ("0000", "1110", "2220", "0120", "1210", "2010", "0210", "1000", "2120")
    size, step = 22.0, RACK_WIDTH_MM / len(codes)
    symbols = (symbol_mark(Tile(code), skin, 0, 0, patterns=True) for code in codes)
    return tuple(
        Group((one,), left + (at + 0.5) * step, top + OUTER_MM / 2, -size / TILE_SIDE)
        for at, one in enumerate(symbols)
    )


# ------------------------------------------------------------------------------------------- score

SHEET_ROUNDS = 10


def score_pages(paper: Paper, translate: Catalogue) -> tuple[Page, ...]:
    """Two score sheets on a page, to cut apart."""
    half = paper.height / 2
    cut = Path(
        line_path(MARGIN_MM, half, paper.width - MARGIN_MM, half),
        stroke=FAINT_INK,
        width=CUT_LINE_WIDTH_MM,
        dash=(2, 2),
    )
    sheet = score_sheet(paper, translate)
    return (Page((Group(sheet, y=MARGIN_MM), cut, Group(sheet, y=half + 5))),)


def score_sheet(paper: Paper, translate: Catalogue) -> Marks:
    left, right, top, row = 22.0, paper.width - 22, 18.0, 7.6
    rows = [top + at * row for at in range(SHEET_ROUNDS + 2)]
    bottom = rows[-1] + row + 2
    marks: list[Mark] = [
        Text(left, 8, translate("page.first.unikat.title"), 6.5, INK, bold=True),
        Text(right, 8, translate("page.unikat.sheet"), 4, SOFT_INK, anchor="end"),
        *score_sheet_lines(left, right, 34, [*rows, bottom]),
        Text(left + 3, top + 5.2, translate("unikat.sheet.round"), 3.8, SOFT_INK),
        Text(left + 3, bottom - 3.3, translate("unikat.sheet.total"), 4.4, INK, bold=True),
    ]
    for played, y in enumerate(rows[1:-1], start=1):
        marks.append(Text(left + 3, y + 5.4, str(played), 4, INK))
    return tuple(marks)


# ----------------------------------------------------------------------------------------- emblem

EMBLEM_TILES = (("0020", 0, 0), ("0120", 1, 0), ("0122", 1, 1), ("1122", 2, 1), ("1121", 2, 2))
"""A chain: tile, column and row."""


def emblem(skin: Skin) -> Marks:
    """The game at a glance, 45 by 45."""
    return tuple(
        Group(tile_marks(Tile(code), skin), 15 * x, 15 * y, 14.4 / TILE_SIDE)
        for code, x, y in EMBLEM_TILES
    )
