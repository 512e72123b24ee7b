"""G2: the 52 pieces."""

from pytlik.ubongo.hexes import free_form, has_holes, is_connected
from pytlik.ubongo.model import Colour
from pytlik.ubongo.pieces import PIECES


def test_g02_thirteen_pieces_per_colour_of_four_to_six_cells() -> None:
    assert list(PIECES) == list(Colour)
    for own in PIECES.values():
        assert list(own) == list(range(1, 14))
        assert [len(shape) for shape in own.values()] == [4] * 5 + [5] * 5 + [6] * 3


def test_g02_pieces_1_to_8_are_the_same_in_every_colour() -> None:
    for number in range(1, 9):
        assert len({PIECES[colour][number] for colour in Colour}) == 1


def test_g02_pieces_9_to_13_differ_from_all_others() -> None:
    own = [PIECES[colour][number] for colour in Colour for number in range(9, 14)]
    shared = [PIECES[Colour.RED][number] for number in range(1, 9)]
    assert len(set(own + shared)) == 20 + 8


def test_every_piece_is_connected_and_in_its_free_form() -> None:
    for own in PIECES.values():
        for shape in own.values():
            assert is_connected(shape)
            assert not has_holes(shape)
            assert shape == free_form(shape)
