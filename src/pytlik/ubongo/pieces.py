"""The 52 pieces (G2): 13 a colour, of four cells (1-5), five (6-10) and six (11-13).

The shapes are this project's own choice; docs/decisions/0003 says how they were chosen.
"""

from pytlik.ubongo.hexes import Shape, free_form, parse_shape
from pytlik.ubongo.model import Colour, Pieces

# 1 to 8: the same in every colour.
SHARED_SHAPE_DRAWINGS = """
o o   |  o o o  |  o       |  o o     |  o   o  |  o o o  |  o      |  o o o
 o o  |   o     |   o o o  |     o o  |   o o   |   o o   |   o     |   o   o
      |         |          |          |         |         |  o o o  |
"""

# 9 to 13: every shape is unique. Each colour has the same mixture of compact and open ones.
SHAPE_DRAWINGS_BY_COLOUR = {
    Colour.RED: """
o o     |  o o o  |  o       |     o     |     o o o
 o o o  |   o     |   o o o  |  o o o o  |  o o
        |    o    |    o o   |   o       |   o
""",
    Colour.BLUE: """
   o  |  o o o o  |  o o o   |  o   o  |  o o
o o   |   o       |   o o o  |   o o   |   o   o
 o o  |           |          |    o o  |    o o
""",
    Colour.GREEN: """
o o  |     o o  |  o o o o  |  o o   o  |         o
 o   |  o o     |   o o     |   o o o   |  o o o o
o o  |   o      |           |           |   o
""",
    Colour.YELLOW: """
o o o o  |  o       |   o o  |   o      |  o o o
   o     |   o   o  |  o o   |  o o o   |   o   o o
         |    o o   |   o o  |   o   o  |
""",
}


def _parse_shapes(drawings: str) -> list[Shape]:
    columns = zip(*(line.split("|") for line in drawings.strip("\n").splitlines()), strict=True)
    return [free_form(parse_shape("\n".join(column))) for column in columns]


PIECES: Pieces = {
    colour: dict(enumerate(_parse_shapes(SHARED_SHAPE_DRAWINGS) + _parse_shapes(drawings), start=1))
    for colour, drawings in SHAPE_DRAWINGS_BY_COLOUR.items()
}
