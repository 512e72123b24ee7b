"""What the board shows, and which part of it."""

import pytest

from pytlik.terminal.unikat.board_picture import (
    BoardPicture,
    Camera,
    camera_centred_on,
    camera_showing_all,
)
from pytlik.terminal.unikat.tiles import TILE_SIZES, TileSize
from pytlik.terminal.widgets.theme import DARK
from pytlik.text.unikat.board import Draft
from pytlik.unikat.model import Cell, Placement, Tile


def draw_lines(board: BoardPicture, camera: Camera, width: int, height: int) -> list[str]:
    rows = (board.draw_row(row, width, camera, DARK) for row in range(height))
    return ["".join(segment.text for segment in row)[:width] for row in rows]


def test_board_shows_tiles_places_and_the_order_of_the_last_turn() -> None:
    board = BoardPicture(
        {Cell(0, 0): Tile("0000"), Cell(1, 0): Tile("0001")},
        (Placement(Tile("0001"), 1, 0),),
        Draft(chosen=Tile("0002"), places=(Cell(2, 0), Cell(0, 1)), marked=Cell(0, 1)),
    )
    assert draw_lines(board, Camera(TILE_SIZES[1], 0, 0), 18, 2) == [
        "  ●   │ ● │1 [1]  ",
        "▸ ● ◂   ·     ·   ",
    ]


def test_view_may_start_in_the_middle_of_a_tile() -> None:
    board = BoardPicture({Cell(0, 0): Tile("1010")})
    assert draw_lines(board, Camera(TILE_SIZES[1], -2, 0), 5, 1) == ["  ■ "[1:] + "  "]


@pytest.mark.parametrize("size", TILE_SIZES)
def test_click_hits_the_cell_drawn_there(size: TileSize) -> None:
    camera = camera_centred_on(Cell(3, -2), size, 80, 24)
    for cell in (Cell(3, -2), Cell(0, 0), Cell(-4, 5)):
        column, row = camera.corner_of(cell)
        assert camera.cell_at(column, row) == cell
        assert camera.cell_at(column + size.width, row + size.rows - 1) == cell


def test_whole_board_is_drawn_as_large_as_fits() -> None:
    few, many = [Cell(0, 0), Cell(1, 0)], [Cell(x, y) for x in (-6, 6) for y in (-6, 6)]
    near, far = camera_showing_all(few, few[0], 80, 24), camera_showing_all(many, many[0], 80, 24)
    assert near.size.width > far.size.width
    for cells, camera in ((few, near), (many, far)):
        assert all(camera.shows(cell, 80, 24) for cell in cells)
    huge = [Cell(-40, 0), Cell(40, 0)]
    assert camera_showing_all(huge, Cell(40, 0), 80, 24).shows(Cell(40, 0), 80, 24)
