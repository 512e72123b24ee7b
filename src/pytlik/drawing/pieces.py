"""Ubongo's pieces, tokens, gems and areas. The unit is the radius of a cell."""

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

from pytlik.drawing.hexes import centre, middle_cell, outline_path
from pytlik.drawing.primitives import Group, Marks, Path, Text
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.model import Colour, Gem

CARD_COLOUR, CARD_LINE_COLOUR, CARD_INK_COLOUR = "#efe3c6", "#d9c79b", "#6b562b"
RIM_COLOUR, CELL_GAP_COLOUR, CELL_COLOUR = "#6b5433", "#b9a479", "#fffdf8"
"""On a puzzle card: the rim round the area, the lines between its cells, and the cells."""


@cache
def load_looks() -> dict[str, Any]:
    """The same data that the page draws from."""
    text = resources.files("pytlik.ubongo").joinpath("looks.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


CELL_MARKS = (Path(outline_path([Hex(0, 0)], inset=0.03, rounding=0.18), fill=CELL_COLOUR),)


def area_marks(cells: Iterable[Hex]) -> Marks:
    """The white cells of a card, with a rim."""
    there = tuple(cells)
    rim = outline_path(there, rounding=0.1)
    return (
        Path(rim, fill=RIM_COLOUR, stroke=RIM_COLOUR, width=0.44),
        Path(rim, fill=CELL_GAP_COLOUR),
        *(Group(CELL_MARKS, *centre(at)) for at in there),
    )


def piece_marks(cells: Iterable[Hex], colour: Colour, number: int) -> Marks:
    """A piece as on the page: with thickness, its number, and a sign on every other cell."""
    there = tuple(cells)
    look = load_looks()["colours"][colour]
    path = outline_path(there, inset=0.09, rounding=0.2)
    return (
        Group((Path(path, fill=look["edge"]),), y=0.13),
        # Wide enough to tell neighbours of one colour apart on a solved card.
        Path(path, fill=look["fill"], stroke=look["edge"], width=0.16),
        *number_and_sign_marks(there, colour, number),
    )


@cache
def small_piece_marks(cells: Shape, colour: Colour, number: int) -> Marks:
    """A piece drawn where there's only room for its shape and its number."""
    look = load_looks()["colours"][colour]
    x, y = centre(middle_cell(cells))
    return (
        Path(outline_path(cells, rounding=0.2), fill=look["fill"], stroke=look["edge"], width=0.12),
        Text(x, y + 0.53, str(number), 1.5, look["ink"], bold=True, anchor="middle"),
    )


def number_and_sign_marks(cells: Iterable[Hex], colour: Colour, number: int) -> Marks:
    """What identifies a piece without its colour: a number on the middle cell, signs elsewhere."""
    there = tuple(cells)
    look, middle = load_looks()["colours"][colour], middle_cell(there)
    x, y = centre(middle)
    return (
        *(
            Group((Path(look["sign"], fill=look["mark"]),), *centre(cell))
            for cell in there
            if cell != middle
        ),
        Text(x, y + 0.37, str(number), 1.02, look["ink"], bold=True, anchor="middle"),
    )


def token_marks(colour: Colour) -> Marks:
    """A token of a colour, with radius 1."""
    look = load_looks()["colours"][colour]
    return (
        Path(
            outline_path([Hex(0, 0)], rounding=0.18),
            fill=look["fill"],
            stroke=look["edge"],
            width=0.1,
        ),
        Group((Path(look["sign"], fill=look["mark"]),), scale=1.3),
    )


@cache
def gem_marks(kind: Gem) -> Marks:
    """A gem, 24 by 24, centred."""
    look = load_looks()["gems"][kind]
    return (
        Path(look["outline"], fill=look["fill"], stroke=look["edge"], width=1.6),
        Path(look["light"], fill=_mix(look["fill"], 255, 0.38)),
        Path(look["dark"], fill=_mix(look["fill"], 0, 0.2)),
    )


def _mix(colour: str, other: int, part: float) -> str:
    """Mix a colour with white or black. The page uses transparency, which prints badly."""
    channels = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one + (other - one) * part):02x}" for one in channels)
