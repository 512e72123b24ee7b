"""All 81 tiles and all 52 pieces can be told apart: without colours, and by people who don't see
some of them. This is computed from pictures of the page, with tiles as small as on a phone.

Pictures are compared as the eye sees them on a phone: a little blurred, and by CIE 1976, where 2.3
is a just noticeable difference. What counts are their most different spots, as many pixels as a
fiftieth of a tile, which is half of the smallest symbol. The noise is measured too: everything is
drawn a second time, shifted by a quarter of a pixel as it may be on a board, and compared with the
first. Any two things must differ by at least twice as much.
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

TILE_COUNT, PIECE_COUNT = 81, 52

TILE_SIDE_PX = 44
"""The side of a tile: the smallest size that can be tapped."""

PIXEL_DENSITY = 2
"""Device pixels per pixel: at least this many on every phone that's still in use."""

BLUR_PX = 1.2
"""In device pixels: about a minute of arc at 35 cm."""

MARGIN_PX = 8
"""Farther than the blur reaches."""

COMPARED_PIXELS = TILE_SIDE_PX * TILE_SIDE_PX // 50
MIN_DIFFERENCE_FACTOR = 2

# Machado, Oliveira and Fernandes (2009), for linear light and people who lack one type of cone.
COLOUR_VISION: Mapping[str, Any] = {
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
    # The luminance of sRGB, in all three channels.
    "greyscale": [[0.2126, 0.7152, 0.0722]] * 3,
}

# From linear sRGB to CIE XYZ, relative to its white, and from the cube roots of that to L*a*b*.
SRGB_TO_XYZ = np.array(
    [
        [0.4339, 0.3762, 0.1899],
        [0.2126, 0.7152, 0.0722],
        [0.0177, 0.1095, 0.8728],
    ]
)
XYZ_TO_LAB = np.array([[0, 116, 0], [500, -500, 0], [0, 200, -200]])


def linear_light(colours: Any) -> Picture:
    """Return the amount of light of each primary, from sRGB values between 0 and 1."""
    dark, other = colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4
    return np.asarray(np.where(colours <= 0.04045, dark, other), dtype=np.float32)


def blur(picture: Picture) -> Picture:
    reach = 4
    steps = np.arange(-reach, reach + 1)
    weights = np.exp(-0.5 * (steps / BLUR_PX) ** 2).astype(np.float32)
    weights /= weights.sum()
    for axis in (0, 1):
        # One step at a time: nine pictures of a whole page at once would fill the memory.
        total = np.zeros_like(picture)
        for step, weight in zip(steps, weights, strict=True):
            total += weight * np.roll(picture, step, axis)
        picture = total
    return picture


def as_seen_by(eyes: str, picture: Picture) -> Picture:
    """A picture as these eyes see it, in the colours of CIE L*a*b*."""
    xyz = np.clip(picture @ np.array(COLOUR_VISION[eyes]).T, 0, 1) @ SRGB_TO_XYZ.T
    roots = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.asarray(roots @ XYZ_TO_LAB.T, dtype=np.float32)


def measure_differences(picture: Picture, others: Picture) -> Picture:
    """Measure how much a picture differs from each of several others."""
    apart = np.linalg.norm(others - picture, axis=-1).reshape(len(others), -1)
    return np.asarray(
        np.partition(apart, -COMPARED_PIXELS, axis=1)[:, -COMPARED_PIXELS:].mean(axis=1)
    )


class DrawnPictures(NamedTuple):
    names: list[str]
    first: Picture
    again: Picture


FIND_BOXES_JS = """(name) => [...document.querySelectorAll(`[${name}]`)].map((each) => {
  // Whole pixels, wherever the page has put it.
  each.style.position = 'relative';
  const { x, y } = each.getBoundingClientRect();
  each.style.left = `${Math.round(x) - x}px`;
  each.style.top = `${Math.round(y) - y}px`;
  const box = each.getBoundingClientRect();
  const [left, top] = [box.x + scrollX, box.y + scrollY];
  return [each.getAttribute(name), ...[left, top, box.width, box.height].map(Math.round)];
})"""

MOVE_ASIDE_JS = """(name) => {
  for (const each of document.querySelectorAll(`[${name}]`)) {
    each.style.translate = '0.25px 0.25px';
  }
}"""


def take_pictures(page: Page, name: str, count: int) -> DrawnPictures:
    """Take pictures, all of the same size, of everything that has this attribute."""
    expect(page.locator(f"[{name}]")).to_have_count(count)
    names, *sides = zip(*page.evaluate(FIND_BOXES_JS, name), strict=True)
    lefts, tops, widths, heights = map(np.array, sides)
    left, top = lefts.min() - MARGIN_PX, tops.min() - MARGIN_PX
    right, bottom = (lefts + widths).max() + MARGIN_PX, (tops + heights).max() + MARGIN_PX
    clip = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    first = take_screenshot(page, clip)
    page.evaluate(MOVE_ASIDE_JS, name)
    again = take_screenshot(page, clip)
    # Shift it back by half a device pixel.
    again = (again + np.roll(again, -1, 0)) / 2
    again = (again + np.roll(again, -1, 1)) / 2
    boxes = np.stack([lefts - left, tops - top, widths, heights], axis=1)

    def cut(whole: Picture) -> Picture:
        return np.stack(
            [centre_in_picture(whole, box, widths.max(), heights.max()) for box in boxes]
        )

    return DrawnPictures(list(names), cut(first), cut(again))


def take_screenshot(page: Page, clip: Any) -> Picture:
    clip = {side: int(value) for side, value in clip.items()}
    image = Image.open(io.BytesIO(page.screenshot(full_page=True, clip=clip))).convert("RGB")
    return blur(linear_light(np.asarray(image, dtype=np.float32) / 255))


def centre_in_picture(whole: Picture, box: Any, width: int, height: int) -> Picture:
    """Cut out a box, and centre it in a picture of this size. Every second pixel is enough, since
    they're blurred."""
    left, top, wide, high = PIXEL_DENSITY * box
    picture = whole[top : top + high : PIXEL_DENSITY, left : left + wide : PIXEL_DENSITY]
    rows, columns = height - picture.shape[0], width - picture.shape[1]
    sides = ((rows // 2, rows - rows // 2), (columns // 2, columns - columns // 2), (0, 0))
    return np.pad(picture, sides, mode="edge")


def find_indistinguishable(found: DrawnPictures) -> list[str]:
    """Return the pairs that can't be told apart."""
    problems = []
    for eyes in COLOUR_VISION:
        first, again = as_seen_by(eyes, found.first), as_seen_by(eyes, found.again)
        pairs = zip(first, again, strict=True)
        nothing = max(measure_differences(one, other[None])[0] for one, other in pairs)
        for index, one in enumerate(found.names[:-1]):
            apart = measure_differences(first[index], first[index + 1 :])
            problems += [
                f"{eyes}: {one} and {other}: {value:.1f}, where {nothing:.1f} is nothing"
                for other, value in zip(found.names[index + 1 :], apart, strict=True)
                if value < MIN_DIFFERENCE_FACTOR * nothing
            ]
    return problems


@pytest.mark.parametrize("skin", ["huch", "granna"])
def test_all_tiles_can_be_told_apart(new_page: NewPage, skin: str) -> None:
    page = new_page("/settings", device_scale_factor=PIXEL_DENSITY)
    page.evaluate(
        "(it) => localStorage.setItem('pytlik.settings', JSON.stringify(it))", {"skin": skin}
    )
    page.goto("/rules/unikat")
    found = take_pictures(page, "data-tile", TILE_COUNT)
    assert found.first.shape == (TILE_COUNT, TILE_SIDE_PX, TILE_SIDE_PX, 3)
    assert find_indistinguishable(found) == []


def test_all_pieces_can_be_told_apart(new_page: NewPage) -> None:
    page = new_page("/rules/ubongo", device_scale_factor=PIXEL_DENSITY)
    found = take_pictures(page, "data-piece", PIECE_COUNT)
    assert len(set(found.names)) == PIECE_COUNT
    assert find_indistinguishable(found) == []


def test_tiles_without_patterns_look_alike_in_greyscale(new_page: NewPage) -> None:
    """The measure finds tiles that differ in nothing but colour, if colours aren't seen."""
    page = new_page("/settings", device_scale_factor=PIXEL_DENSITY)
    page.evaluate("localStorage.setItem('pytlik.settings', JSON.stringify({ patterns: false }))")
    page.goto("/rules/unikat")
    assert [
        each
        for each in find_indistinguishable(take_pictures(page, "data-tile", TILE_COUNT))
        if each.startswith("greyscale")
    ]


def luminance(colour: str) -> float:
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return float(linear_light(rgb) @ SRGB_TO_XYZ[1])


def test_symbol_outlines_contrast_with_every_background() -> None:
    looks = json.loads(files("pytlik.unikat").joinpath("looks.json").read_text(encoding="utf-8"))
    for skin in looks["skins"].values():
        for ground in skin["ground"]:
            low, high = sorted(luminance(ground[part]) for part in ("fill", "outline"))
            assert (high + 0.05) / (low + 0.05) >= 3, ground
