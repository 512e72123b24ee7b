"""All 81 tiles and all 52 pieces can be told apart: without colours, and by those who do not see
some of them. Computed from pictures of the page, with tiles as small as they may be on a phone.

Pictures are compared as an eye sees them that reads on a phone: a little blurred, and by CIE 1976,
where 2.3 is a difference that can just be noticed. What counts are their most different spots, as
many pixels as a fiftieth of a tile has: that is half of the smallest symbol. How much of a
difference means nothing is measured too: everything is drawn a second time, a quarter of a pixel
aside, as it may lie anywhere on a board, and put over the first. Any two things differ by at least
twice as much.
"""

import io
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, expect

from tests.page.conftest import NewPage

Picture = NDArray[np.floating[Any]]

TILES, PIECES = 81, 52

SIDE = 44
"""Of a tile: the least that can be tapped."""

DENSITY = 2
"""Of the pixels of every phone that is still in use, at least."""

BLUR = 1.2
"""In such pixels: about a minute of arc, from 35 cm."""

MARGIN = 8
"""So far a blur does not reach."""

SPOTS = SIDE * SIDE // 50
CLEARLY = 2

# Machado, Oliveira and Fernandes (2009): of light, for those who lack one kind of cones altogether.
EYES: Mapping[str, Any] = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
    # The luminance of sRGB, in all three.
    "greyscale": [[0.2126, 0.7152, 0.0722]] * 3,
}

# From the light of sRGB to CIE XYZ, relative to its white, and from its cube roots to L*a*b*.
XYZ = np.array(
    [
        [0.4339, 0.3762, 0.1899],
        [0.2126, 0.7152, 0.0722],
        [0.0177, 0.1095, 0.8728],
    ]
)
LAB = np.array([[0, 116, 0], [500, -500, 0], [0, 200, -200]])


def light(colours: Any) -> Picture:
    """How much light there is of each primary, from sRGB's values between 0 and 1."""
    dark, other = colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4
    return np.asarray(np.where(colours <= 0.04045, dark, other), dtype=np.float32)


def blurred(picture: Picture) -> Picture:
    reach = 4
    steps = np.arange(-reach, reach + 1)
    weights = np.exp(-0.5 * (steps / BLUR) ** 2).astype(np.float32)
    weights /= weights.sum()
    for axis in (0, 1):
        # One after the other: pictures of a whole page, nine at a time, would fill the memory.
        total = np.zeros_like(picture)
        for step, weight in zip(steps, weights, strict=True):
            total += weight * np.roll(picture, step, axis)
        picture = total
    return picture


def seen_by(eyes: str, picture: Picture) -> Picture:
    """A picture in the colours of CIE L*a*b*."""
    xyz = np.clip(picture @ np.array(EYES[eyes]).T, 0, 1) @ XYZ.T
    roots = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.asarray(roots @ LAB.T, dtype=np.float32)


def differences(picture: Picture, others: Picture) -> Picture:
    """Of a picture and several others."""
    apart = np.linalg.norm(others - picture, axis=-1).reshape(len(others), -1)
    return np.asarray(np.partition(apart, -SPOTS, axis=1)[:, -SPOTS:].mean(axis=1))


class Drawn(NamedTuple):
    names: list[str]
    first: Picture
    again: Picture


BOXES = """(name) => [...document.querySelectorAll(`[${name}]`)].map((each) => {
  // Whole pixels, wherever the page has put it.
  each.style.position = 'relative';
  const { x, y } = each.getBoundingClientRect();
  each.style.left = `${Math.round(x) - x}px`;
  each.style.top = `${Math.round(y) - y}px`;
  const box = each.getBoundingClientRect();
  const [left, top] = [box.x + scrollX, box.y + scrollY];
  return [each.getAttribute(name), ...[left, top, box.width, box.height].map(Math.round)];
})"""

ASIDE = """(name) => {
  for (const each of document.querySelectorAll(`[${name}]`)) {
    each.style.translate = '0.25px 0.25px';
  }
}"""


def drawn(page: Page, name: str, count: int) -> Drawn:
    """Pictures, all of the same size, of everything that has this attribute."""
    expect(page.locator(f"[{name}]")).to_have_count(count)
    names, *sides = zip(*page.evaluate(BOXES, name), strict=True)
    lefts, tops, widths, heights = map(np.array, sides)
    left, top = lefts.min() - MARGIN, tops.min() - MARGIN
    right, bottom = (lefts + widths).max() + MARGIN, (tops + heights).max() + MARGIN
    clip = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    first = shot(page, clip)
    page.evaluate(ASIDE, name)
    again = shot(page, clip)
    # Half a pixel of the screen back.
    again = (again + np.roll(again, -1, 0)) / 2
    again = (again + np.roll(again, -1, 1)) / 2
    boxes = np.stack([lefts - left, tops - top, widths, heights], axis=1)

    def cut(whole: Picture) -> Picture:
        return np.stack([middle(whole, box, widths.max(), heights.max()) for box in boxes])

    return Drawn(list(names), cut(first), cut(again))


def shot(page: Page, clip: Any) -> Picture:
    clip = {side: int(value) for side, value in clip.items()}
    image = Image.open(io.BytesIO(page.screenshot(full_page=True, clip=clip))).convert("RGB")
    return blurred(light(np.asarray(image, dtype=np.float32) / 255))


def middle(whole: Picture, box: Any, width: int, height: int) -> Picture:
    """What is in a box, in the middle of an empty picture of that size. Every second pixel does:
    they are blurred."""
    left, top, wide, high = DENSITY * box
    picture = whole[top : top + high : DENSITY, left : left + wide : DENSITY]
    rows, columns = height - picture.shape[0], width - picture.shape[1]
    sides = ((rows // 2, rows - rows // 2), (columns // 2, columns - columns // 2), (0, 0))
    return np.pad(picture, sides, mode="edge")


def alike(found: Drawn) -> list[str]:
    """What can't be told apart."""
    problems = []
    for eyes in EYES:
        first, again = seen_by(eyes, found.first), seen_by(eyes, found.again)
        pairs = zip(first, again, strict=True)
        nothing = max(differences(one, other[None])[0] for one, other in pairs)
        for index, one in enumerate(found.names[:-1]):
            apart = differences(first[index], first[index + 1 :])
            problems += [
                f"{eyes}: {one} and {other}: {value:.1f}, where {nothing:.1f} is nothing"
                for other, value in zip(found.names[index + 1 :], apart, strict=True)
                if value < CLEARLY * nothing
            ]
    return problems


@pytest.mark.parametrize("skin", ["huch", "granna"])
def test_all_tiles_can_be_told_apart(new_page: NewPage, skin: str) -> None:
    page = new_page("/settings", device_scale_factor=DENSITY)
    page.evaluate(
        "(it) => localStorage.setItem('pytlik.settings', JSON.stringify(it))", {"skin": skin}
    )
    page.goto("/rules/unikat")
    found = drawn(page, "data-tile", TILES)
    assert found.first.shape == (TILES, SIDE, SIDE, 3)
    assert alike(found) == []


def test_all_pieces_can_be_told_apart(new_page: NewPage) -> None:
    page = new_page("/rules/ubongo", device_scale_factor=DENSITY)
    found = drawn(page, "data-piece", PIECES)
    assert len(set(found.names)) == PIECES
    assert alike(found) == []


def test_alike_is_alike(new_page: NewPage) -> None:
    """The measure finds tiles that differ in nothing but their colour, if colours are not seen."""
    page = new_page("/settings", device_scale_factor=DENSITY)
    page.evaluate("localStorage.setItem('pytlik.settings', JSON.stringify({ patterns: false }))")
    page.goto("/rules/unikat")
    assert [each for each in alike(drawn(page, "data-tile", TILES)) if each.startswith("greyscale")]


def luminance(colour: str) -> float:
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return float(light(rgb) @ XYZ[1])


def test_outlines_of_symbols_are_seen_on_every_background() -> None:
    looks = json.loads(files("pytlik.unikat").joinpath("looks.json").read_text(encoding="utf-8"))
    for skin in looks["skins"].values():
        for ground in skin["ground"]:
            low, high = sorted(luminance(ground[part]) for part in ("fill", "outline"))
            assert (high + 0.05) / (low + 0.05) >= 3, ground
