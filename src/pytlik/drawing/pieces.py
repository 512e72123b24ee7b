"""Ubongo's pieces, tokens, gems and areas. The unit is the radius of a cell."""

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

from pytlik.drawing.hexes import centre, held_by, outline
from pytlik.drawing.marks import Marks, Path, Placed, Words
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.model import Colour, Gem

CARD, CARD_LINE, CARD_INK = "#efe3c6", "#d9c79b", "#6b562b"
RIM, GROUND, WHITE = "#6b5433", "#b9a479", "#fffdf8"
"""Of a puzzle card: the rim round the white cells, and what is seen between them."""


@cache
def looks() -> dict[str, Any]:
    """The same data that the page draws from."""
    text = resources.files("pytlik.ubongo").joinpath("looks.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


CELL = (Path(outline([Hex(0, 0)], inset=0.03, soft=0.18), fill=WHITE),)


def area(cells: Iterable[Hex]) -> Marks:
    """The white cells of a card, in their rim."""
    there = tuple(cells)
    rim = outline(there, soft=0.1)
    return (
        Path(rim, fill=RIM, stroke=RIM, width=0.44),
        Path(rim, fill=GROUND),
        *(Placed(CELL, *centre(at)) for at in there),
    )


def piece(cells: Iterable[Hex], colour: Colour, number: int) -> Marks:
    """As on the page: a little thing with a thickness, a sign on every cell, and its number."""
    there = tuple(cells)
    look = looks()["colours"][colour]
    path = outline(there, inset=0.05, soft=0.2)
    return (
        Placed((Path(path, fill=look["edge"]),), y=0.13),
        Path(path, fill=look["fill"], stroke=look["edge"], width=0.07),
        *signs(there, colour, number),
    )


@cache
def small_piece(cells: Shape, colour: Colour, number: int) -> Marks:
    """Where there is room for no more than its shape and its number."""
    look = looks()["colours"][colour]
    x, y = centre(held_by(cells))
    return (
        Path(outline(cells, soft=0.2), fill=look["fill"], stroke=look["edge"], width=0.12),
        Words(x, y + 0.53, str(number), 1.5, look["ink"], bold=True, anchor="middle"),
    )


def signs(cells: Iterable[Hex], colour: Colour, number: int) -> Marks:
    """What says a piece without its colour: the number where it is held, a sign elsewhere."""
    there = tuple(cells)
    look, held = looks()["colours"][colour], held_by(there)
    x, y = centre(held)
    return (
        *(
            Placed((Path(look["sign"], fill=look["mark"]),), *centre(cell))
            for cell in there
            if cell != held
        ),
        Words(x, y + 0.37, str(number), 1.02, look["ink"], bold=True, anchor="middle"),
    )


def token(colour: Colour) -> Marks:
    """A token of a colour, with radius 1."""
    look = looks()["colours"][colour]
    return (
        Path(outline([Hex(0, 0)], soft=0.18), fill=look["fill"], stroke=look["edge"], width=0.1),
        Placed((Path(look["sign"], fill=look["mark"]),), scale=1.3),
    )


@cache
def gem(kind: Gem) -> Marks:
    """A gem, 24 by 24 about its middle."""
    look = looks()["gems"][kind]
    return (
        Path(look["outline"], fill=look["fill"], stroke=look["edge"], width=1.6),
        Path(look["light"], fill=mixed(look["fill"], 255, 0.38)),
        Path(look["dark"], fill=mixed(look["fill"], 0, 0.2)),
    )


def mixed(colour: str, other: int, part: float) -> str:
    """A colour with a part of white or black in it: what the page does by letting it shine through,
    which printers do badly."""
    channels = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one + (other - one) * part):02x}" for one in channels)
