"""How tiles are drawn: they can all be told apart without colours."""

import pytest

from pytlik.terminal.unikat.tiles import TILE_SIZES, TileSize, draw_tile
from pytlik.terminal.widgets.theme import is_light_terminal
from pytlik.unikat.model import TILES, Tile


def tile_text(tile: Tile, size: TileSize) -> str:
    rows = (draw_tile(tile, row, size) for row in range(size.rows))
    return "\n".join("".join(segment.text for segment in row) for row in rows)


@pytest.mark.parametrize("size", TILE_SIZES)
def test_tile_fills_its_size(size: TileSize) -> None:
    for tile in TILES:
        for line in tile_text(tile, size).split("\n"):
            assert len(line) == size.width


@pytest.mark.parametrize("size", TILE_SIZES[1:])
def test_no_two_tiles_have_the_same_signs(size: TileSize) -> None:
    assert len({tile_text(tile, size) for tile in TILES}) == len(TILES)


def test_the_smallest_tiles_differ_by_signs_and_background() -> None:
    looks = {(tile_text(tile, TILE_SIZES[0]), tile[3]) for tile in TILES}
    assert len(looks) == len(TILES)


@pytest.mark.parametrize(
    ("hint", "light"), [(None, False), ("15;0", False), ("0;15", True), ("0;default;7", True)]
)
def test_light_terminals_are_detected(hint: str | None, light: bool) -> None:
    assert is_light_terminal(hint) is light
