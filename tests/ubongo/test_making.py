"""What is made in machine words is what the generator makes, compiled and as it is."""

from itertools import combinations
from math import ceil, sqrt
from typing import Any

import pytest

from pytlik import ubongo
from pytlik.chance import Stream, from_text
from pytlik.ubongo import cards, generator, making, solver
from pytlik.ubongo.hexes import Shape
from tests.uncompiled import uncompiled

MAKINGS = {"as it is": uncompiled(ubongo, "kernel", "making")[1], "as installed": making}

every_making = pytest.mark.parametrize("own", MAKINGS.values(), ids=MAKINGS)
compiled = pytest.mark.skipif(not making.COMPILED, reason="nothing is compiled here")


def outline(size: int) -> int:
    return 2 * ceil(sqrt(12 * size - 3)) + generator.ROUGHNESS


def streams(label: str) -> tuple[Stream, Stream]:
    return from_text("making").stream(label), from_text("making").stream(label)


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """The generator does everything itself."""
    monkeypatch.setattr(making, "SEARCHES", False)


@every_making
@pytest.mark.usefixtures("by_hand")
@pytest.mark.parametrize("size", [1, 2, 5, 15, 22, 27, 30])
def test_areas_grow_alike(own: Any, size: int) -> None:
    pleased = 0
    one, other = streams(f"area {size}")
    for _ in range(60):
        expected = generator._area(size, one)
        assert own.grown(size, outline(size), other) == expected
        pleased += expected is not None
    # As many numbers were drawn.
    assert one.below(1 << 64) == other.below(1 << 64)
    assert pleased
    assert size < 15 or pleased < 60


@every_making
@pytest.mark.parametrize("number", [2, 3])
def test_all_sets_that_fill_an_area_once(own: Any, number: int) -> None:
    area = cards.load().cards[9].sides[3].area[:: 1 if number == 3 else -1][: 5 * number]
    shapes, beside = list(generator.BITS), list(generator.BESIDE.values())
    found = own.filling_once(area, shapes, beside, number)
    expected = set()
    for chosen in combinations(range(len(shapes)), number):
        fits = all(beside[a] >> b & 1 for a, b in combinations(chosen, 2))
        if fits and solver.count(area, [shapes[one] for one in chosen], limit=2) == 1:
            expected.add(sum(1 << one for one in chosen))
    assert len(found) == len(expected)
    assert set(found) == expected


@every_making
@pytest.mark.usefixtures("by_hand")
@pytest.mark.parametrize("card", [0, 20, 40])
def test_a_set_for_each_colour_is_chosen_alike(own: Any, card: int) -> None:
    area: Shape = cards.load().cards[card].sides[4].area
    sets = generator._filling_once(area, 4)
    one, other = streams(f"card {card}")
    for most in (1, 5, 1000):
        expected = generator._fours(sets, most, one)
        assert own.fours(sets, list(generator.COLOURS.values()), most, other) == expected
        assert expected
        assert one.below(1 << 64) == other.below(1 << 64)


@every_making
def test_no_set_and_too_many(own: Any) -> None:
    one, other = streams("none")
    colours = list(generator.COLOURS.values())
    assert own.fours([], colours, 5, one) == []
    assert own.fours([1] * 10_000, colours, 5, one) is None
    assert one.below(1 << 64) == other.below(1 << 64)


class Loaded(Stream):
    """Every second word is too large for an even choice between any number that is no power."""

    def _word(self) -> int:
        self._counter += 1
        return (1 << 64) - 1 if self._counter % 2 else 7919 * self._counter

    def words(self, number: int) -> list[int]:
        return [self._word() for _ in range(number)]


@every_making
@pytest.mark.usefixtures("by_hand")
def test_what_would_not_be_even_is_drawn_again(own: Any) -> None:
    one, other = Loaded(b""), Loaded(b"")
    assert own.grown(9, outline(9), one) == generator._area(9, other)
    assert one._counter == other._counter


@compiled
def test_a_deck_is_the_same_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = cards.generate("quick", 1, (3, 4), lambda _done, _all: None)
    monkeypatch.setattr(making, "SEARCHES", False)
    monkeypatch.setattr("pytlik.ubongo.kernel.answers.SEARCHES", False)
    assert cards.generate("quick", 1, (3, 4), lambda _done, _all: None) == quick
