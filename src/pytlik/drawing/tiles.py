"""A Unikat tile, 100 by 100: with thickness for the screen, or flat for cutting out."""

import json
from functools import cache
from importlib import resources
from typing import Any

from pytlik.drawing.primitives import Group, Marks, Path, Pattern, rectangle_path
from pytlik.drawing.style import Skin
from pytlik.unikat.model import Tile


@cache
def load_looks() -> dict[str, Any]:
    """The same data that the page draws from."""
    text = resources.files("pytlik.unikat").joinpath("looks.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


TILE_SIDE = 100
"""In the units of the drawing."""


@cache
def tile_marks(tile: Tile, skin: Skin = "huch", *, patterns: bool = True) -> Marks:
    """A tile with thickness, as on the page."""
    corner, ground = load_looks()["corner"], tile_background_colours(tile, skin)
    return (
        Path(rectangle_path(1, 5, TILE_SIDE - 2, TILE_SIDE - 6, corner), fill=ground["edge"]),
        Path(
            rectangle_path(1, 1, TILE_SIDE - 2, TILE_SIDE - 7, corner),
            fill=ground["fill"],
            stroke=ground["edge"],
            width=1,
        ),
        *(frame_marks(tile, skin) if patterns else ()),
        symbol_mark(tile, skin, *load_looks()["centre"], patterns=patterns),
    )


FACE_STRETCH = 1.05
"""How much to stretch the face of a tile with thickness, which is wider than tall."""


@cache
def flat_face_marks(tile: Tile, skin: Skin, *, patterns: bool = True) -> Marks:
    """Frame and symbol of a flat tile. Its background is drawn by the caller, beyond the cut."""
    middle = TILE_SIDE / 2
    across, down = load_looks()["centre"]
    framed = frame_marks(tile, skin) if patterns else ()
    return (
        Group(framed, x=middle - across, y=middle - down * FACE_STRETCH, stretch=FACE_STRETCH),
        symbol_mark(tile, skin, middle, middle, patterns=patterns),
    )


def tile_background_colours(tile: Tile, skin: Skin) -> dict[str, str]:
    found: dict[str, str] = load_looks()["skins"][skin]["ground"][int(tile.value[3])]
    return found


def frame_marks(tile: Tile, skin: Skin) -> Marks:
    """What identifies the background without its colour: nothing, a thin frame, filled corners."""
    background = int(tile.value[3])
    path, ink = load_looks()["frames"][background], tile_background_colours(tile, skin)["frame"]
    if not path:
        return ()
    return (Path(path, stroke=ink, width=2.5) if background == 1 else Path(path, fill=ink),)


def symbol_mark(tile: Tile, skin: Skin, x: float, y: float, *, patterns: bool) -> Group:
    shape, colour, size, _ = map(int, tile.value)
    look = load_looks()["skins"][skin]
    scale = load_looks()["sizes"][look["size"][size]]
    paint = look["symbol"][colour]
    pattern = Pattern(paint["pattern"], paint["ink"]) if patterns and "pattern" in paint else None
    outline = Path(
        load_looks()["shapes"][look["shape"][shape]],
        fill=paint["fill"],
        stroke=tile_background_colours(tile, skin)["outline"],
        width=load_looks()["outline"] / scale,
        pattern=pattern,
    )
    return Group((outline,), x, y, scale)
