"""The scenes of Unikat's lesson: positions in which the learner has something to find."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

from pytlik.server.lessons.scenes import LEARNER, Scene
from pytlik.unikat.game import UNIKAT
from pytlik.unikat.messages import Draw, Lay, Swap
from pytlik.unikat.model import Phase, Placement, Tile
from pytlik.unikat.position import Position, to_state

UnikatScene = Literal["beside", "chain", "double", "swap", "last"]


def begin_scene(name: UnikatScene, _now: int) -> Scene:
    return all_scenes()[name]


@cache
def all_scenes() -> Mapping[str, Scene]:
    pair = ((0, 0, "0000"), (1, 0, "0100"))
    return {
        # One of these tiles fits.
        "beside": make_scene(pair[:1], "1210 0100 2021 1122", lay_action(("0100", 1, 0))),
        # Three of the four fit, in one chain only.
        "chain": make_scene(
            pair,
            "1110 2021 0110 1112",
            lay_action(("0110", 2, 0), ("1110", 3, 0), ("1112", 4, 0)),
        ),
        # One of them fits into the corner, and another one beside it.
        "double": make_scene(
            ((0, 0, "0100"), (1, 0, "0000"), (0, 1, "0110")),
            "1221 0010 1010 2122",
            lay_action(("0010", 1, 1)),
            lay_action(("1010", 2, 1)),
            Draw("bag"),
        ),
        # None of them fits; the hand is full, so that no draw follows the swap.
        "swap": make_scene(
            pair,
            "1110 1021 2212 1221 2122 1012 2010 1211 2221 2102",
            Swap(Tile("2221"), "0200"),
        ),
        "last": make_scene(
            (*pair, (1, 1, "0110")), "1112 0112", lay_action(("0112", 2, 1), ("1112", 3, 1))
        ),
    }


def make_scene(board: Sequence[tuple[int, int, str]], hand: str, *example: Any) -> Scene:
    position = Position(
        game="unikat",
        board=tuple((x, y, Tile(tile)) for x, y, tile in board),
        hands=(parse_tiles(hand), parse_tiles("2000 2001 2002 2020 2022")),
        display=parse_tiles("0200 1200 0022"),
        bag=parse_tiles("1011 0221 1102 2110 0202 2201"),
        to_move=LEARNER,
        phase=Phase.ACTION,
    )
    return Scene(UNIKAT, to_state(position), example)


def parse_tiles(text: str) -> tuple[Tile, ...]:
    return tuple(map(Tile, text.split()))


def lay_action(*placements: tuple[str, int, int]) -> Lay:
    return Lay(tuple(Placement(Tile(tile), x, y) for tile, x, y in placements))
