"""A Unikat tile, in a box of 100 by 100: with its thickness, or flat and square to be cut out."""

import json
from functools import cache
from importlib import resources
from typing import Any

from pytlik.drawing.look import Skin
from pytlik.drawing.marks import Marks, Path, Pattern, Placed, box
from pytlik.unikat.model import Tile


@cache
def looks() -> dict[str, Any]:
    """The same data that the page draws from."""
    text = resources.files("pytlik.unikat").joinpath("looks.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


BOX = 100


@cache
def tile(tile: Tile, skin: Skin = "huch", *, patterns: bool = True) -> Marks:
    """As on the page: a little thing with a thickness."""
    corner, ground = looks()["corner"], ground_of(tile, skin)
    return (
        Path(box(1, 5, BOX - 2, BOX - 6, corner), fill=ground["edge"]),
        Path(box(1, 1, BOX - 2, BOX - 7, corner), fill=ground["fill"], stroke=ground["edge"],
             width=1),
        *(frame(tile, skin) if patterns else ()),
        symbol(tile, skin, *looks()["centre"], patterns=patterns),
    )  # fmt: skip


SQUARE = 1.05
"""The face of a tile with a thickness is a little wider than tall; one to be cut out is not."""


@cache
def face(tile: Tile, skin: Skin, *, patterns: bool = True) -> Marks:
    """Frame and symbol of a flat tile. Its ground reaches as far as one likes beyond the cut."""
    middle = BOX / 2
    across, down = looks()["centre"]
    framed = frame(tile, skin) if patterns else ()
    return (
        Placed(framed, x=middle - across, y=middle - down * SQUARE, stretch=SQUARE),
        symbol(tile, skin, middle, middle, patterns=patterns),
    )


def ground_of(tile: Tile, skin: Skin) -> dict[str, str]:
    found: dict[str, str] = looks()["skins"][skin]["ground"][int(tile.value[3])]
    return found


def frame(tile: Tile, skin: Skin) -> Marks:
    """What says the background without its colour: nothing, a thin frame, or filled corners."""
    background = int(tile.value[3])
    path, ink = looks()["frames"][background], ground_of(tile, skin)["frame"]
    if not path:
        return ()
    return (Path(path, stroke=ink, width=2.5) if background == 1 else Path(path, fill=ink),)


def symbol(tile: Tile, skin: Skin, x: float, y: float, *, patterns: bool) -> Placed:
    shape, colour, size, _ = map(int, tile.value)
    look = looks()["skins"][skin]
    scale = looks()["sizes"][look["size"][size]]
    paint = look["symbol"][colour]
    pattern = Pattern(paint["pattern"], paint["ink"]) if patterns and "pattern" in paint else None
    outline = Path(
        looks()["shapes"][look["shape"][shape]],
        fill=paint["fill"],
        stroke=ground_of(tile, skin)["outline"],
        width=looks()["outline"] / scale,
        pattern=pattern,
    )
    return Placed((outline,), x, y, scale)
