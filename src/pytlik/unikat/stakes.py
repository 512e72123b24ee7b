"""What the end of a round is worth: all, where it is the only one; else what it does to the match.

In a match of several rounds every tile left in a hand is a minus point (U17), so who can hardly be
first may still do well to be rid of tiles.
"""

import math
from statistics import fmean

from pytlik.scores import totals
from pytlik.unikat.view import View


class Stakes:
    """Of the round that a seat sees. All worths are from 0 to 1."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        self.seat = view.seat
        self.only_round = view.options.rounds == 1
        self.to_come = view.options.rounds - view.round
        self.points = totals(view.sheet, view.players)
        self.counts = view.counts
        self.others = [seat for seat in range(view.players) if seat != view.seat]

    def of_end(self, winners: int, counts: list[int]) -> float:
        """Of an end with these winners, a bit a seat, and so many tiles in each hand."""
        if self.only_round:
            return (winners >> self.seat & 1) / winners.bit_count()
        minus = [points + count for points, count in zip(self.points, counts, strict=True)]
        return self.of_lead(min(minus[other] for other in self.others) - minus[self.seat])

    def of_chance(self, chance: float, left: int) -> float:
        """Of a chance to be first, if otherwise so many tiles are left: the others keep what they
        hold now, but for the one who is first then, who may be any of them.

        Judged chances lie nearer to each other than real ones, and who believed them as they are
        would lay too much: so here they are moved apart."""
        if self.only_round:
            return chance
        chance = chance**2 / (chance**2 + (1 - chance) ** 2)
        counts = [*self.counts]
        counts[self.seat] = 0
        first = self.of_end(1 << self.seat, counts)
        counts[self.seat] = left
        second = fmean(
            self.of_end(1 << other, [*counts[:other], 0, *counts[other + 1 :]])
            for other in self.others
        )
        return chance * first + (1 - chance) * second

    def of_lead(self, lead: float) -> float:
        """Of so many points ahead after this round: the fewer rounds are to come the more it only
        counts who is ahead."""
        return 1 / (1 + math.exp(-lead / (0.5 + 4 * self.to_come**0.5)))
