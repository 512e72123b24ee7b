"""G1 to G3: what is in the box."""

from pytlik.ubongo import deck_files
from pytlik.ubongo.gem_ledger import new_ledger, points, purse
from pytlik.ubongo.hexes import free_form
from pytlik.ubongo.model import POINTS, Colour, Gem
from pytlik.ubongo.pieces import PIECES


def test_g01_54_cards_with_two_sides_and_a_set_per_colour() -> None:
    shipped = deck_files.load()
    puzzles = [
        (name, card.sides[name], colour)
        for card in shipped.cards
        for name in (3, 4)
        for colour in Colour
    ]
    assert len(shipped.cards) == 54
    assert len(puzzles) == 432
    for name, shown, colour in puzzles:
        numbers = shown.sets[colour]
        assert len(set(numbers)) == name
        assert sum(len(shipped.pieces[colour][n]) for n in numbers) == len(shown.area)


def test_g01_no_two_areas_are_alike() -> None:
    areas = [shown.area for card in deck_files.load().cards for shown in card.sides.values()]
    assert len({free_form(area) for area in areas}) == len(areas) == 108


def test_g02_13_pieces_per_colour_of_four_to_six_cells() -> None:
    for colour in Colour:
        sizes = [len(PIECES[colour][number]) for number in range(1, 14)]
        assert sizes == [4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6]
    assert sum(map(len, PIECES.values())) == 52


def test_g02_pieces_1_to_8_are_shared_and_9_to_13_are_not() -> None:
    shapes = {c: [free_form(PIECES[c][n]) for n in range(1, 14)] for c in Colour}
    assert len({tuple(each[:8]) for each in shapes.values()}) == 1
    everything = {shape for each in shapes.values() for shape in each}
    assert len(everything) == 8 + 4 * 5


def test_g03_54_gems_and_their_points() -> None:
    books = new_ledger(4)
    gems = {gem: books.display[gem] + books.bag[gem] for gem in Gem}
    assert gems == purse(ruby=9, sapphire=18, emerald=9, amber=18)
    assert POINTS == {Gem.RUBY: 4, Gem.SAPPHIRE: 3, Gem.EMERALD: 2, Gem.AMBER: 1}
    assert points(gems) == 4 * 9 + 3 * 18 + 2 * 9 + 1 * 18


def test_g03_four_colour_tokens() -> None:
    assert list(Colour) == ["red", "blue", "green", "yellow"]
