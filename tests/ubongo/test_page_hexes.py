"""The page's test vectors for its grid agree with our functions."""

import json
from pathlib import Path

from pytlik.ubongo.hexes import Hex, Shape, flip, normalize, orientations, turn

VECTORS_FILE = Path(__file__).parents[2] / "web" / "src" / "games" / "ubongo" / "hexes.vectors.json"


def make_shape(cells: list[list[int]]) -> Shape:
    return tuple(Hex(q, r) for q, r in cells)


def test_page_turns_and_flips_like_the_rules() -> None:
    vectors = json.loads(VECTORS_FILE.read_text())
    assert len(vectors) > 20
    for vector in vectors:
        cells = make_shape(vector["cells"])
        assert turn(cells) == make_shape(vector["turned"])
        assert flip(cells) == make_shape(vector["flipped"])
        assert normalize(cells) == make_shape(vector["normal"])
        assert orientations(cells) == tuple(map(make_shape, vector["orientations"]))
