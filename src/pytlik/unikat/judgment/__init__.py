"""How good a hand is, and what a player who judges by that does.

A turn draws at most one tile, so a tile laid alone is no progress: what counts is how near a hand
is to being laid in one turn. Its heart is the fewest chains that cover the hand.

A judgment is the chance to win the round (or the points to expect) by a sum of weighted features.
The weights were learned from games of this player with itself.

Compiled where the kernel is, and made in the same way. Its modules, each on top of those before it:

    hand        what a seat sees, and the fewest chains for each part of its hand
    worth       the judgment of a hand
    chains      the chains that can be laid, and whether a turn lays all tiles
    options     all that can be done now, by what it leaves
    guesses     hands that others may well hold
    judge       what Python holds: a Judge
"""

from pytlik.unikat.judgment.judge import COMPILED, Judge
from pytlik.unikat.judgment.worth import AFTER, BEFORE, FEATURES, GROWS, WON, chance_of

__all__ = [
    "AFTER",
    "BEFORE",
    "COMPILED",
    "FEATURES",
    "GROWS",
    "WON",
    "Judge",
    "chance_of",
]
