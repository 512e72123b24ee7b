"""The value of a round's end: whether it's won if it's the only round, otherwise its effect on the
match.

In a match of several rounds every tile left in a hand is a minus point (U17), so it may pay to get
rid of tiles even with little hope of being first.
"""

import math
from statistics import fmean

from pytlik.score_sheet import totals
from pytlik.unikat.view import View


class MatchValue:
    """Values, all from 0 to 1, for the seat whose view this is."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        self.seat = view.seat
        self.only_round = view.options.rounds == 1
        self.rounds_to_come = view.options.rounds - view.round
        self.points = totals(view.sheet, view.players)
        self.counts = view.counts
        self.others = [seat for seat in range(view.players) if seat != view.seat]

    def of_round_end(self, winner_bits: int, tile_counts: list[int]) -> float:
        """The value of an end with these winners (a bit for each seat) and these numbers of tiles
        left in hand."""
        if self.only_round:
            return (winner_bits >> self.seat & 1) / winner_bits.bit_count()
        minus = [points + count for points, count in zip(self.points, tile_counts, strict=True)]
        return self.of_point_lead(min(minus[other] for other in self.others) - minus[self.seat])

    def of_win_chance(self, chance: float, tiles_left: int) -> float:
        """The value of a chance to win the round, with `tiles_left` tiles left over otherwise. In
        that case each of the others is equally likely to win, and the rest keep the tiles they hold
        now.

        Evaluated chances are closer together than real ones. Taken at face value they would make
        the bot lay too much, so they're spread out here.
        """
        if self.only_round:
            return chance
        chance = chance**2 / (chance**2 + (1 - chance) ** 2)
        counts = [*self.counts]
        counts[self.seat] = 0
        first = self.of_round_end(1 << self.seat, counts)
        counts[self.seat] = tiles_left
        second = fmean(
            self.of_round_end(1 << other, [*counts[:other], 0, *counts[other + 1 :]])
            for other in self.others
        )
        return chance * first + (1 - chance) * second

    def of_point_lead(self, lead: float) -> float:
        """The value of leading by this much after this round. The fewer rounds are to come, the
        less the size of the lead matters."""
        return 1 / (1 + math.exp(-lead / (0.5 + 4 * self.rounds_to_come**0.5)))
