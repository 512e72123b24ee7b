"""How strong bots are, from their results: shares of wins with their uncertainty, and Elo."""

from collections.abc import Iterable, Mapping, Sequence
from math import log10, sqrt

AVERAGE_ELO = 1500
"""The Elo rating of an average bot in the league."""

Z_95_PERCENT = 1.959964
"""Standard deviations to either side of the mean that hold 95 % of a normal distribution."""


def win_share_interval(wins: float, games: int) -> tuple[float, float]:
    """Where the true share of wins lies, with a certainty of 95 % (Wilson's score interval).

    A shared win counts as its part. Games of the same deal with the seats changed vary less than
    unrelated games, so this errs on the wide side.
    """
    if not games:
        return 0.0, 1.0
    share, z = wins / games, Z_95_PERCENT
    scale = 1 + z * z / games
    middle = (share + z * z / (2 * games)) / scale
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / scale
    # Rounding may put an end just beside the share itself if every game was won or lost.
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


SeatsAndWins = tuple[Mapping[str, int], Mapping[str, float]]
"""For each bot of a pair: how many seats it had, and how many games it won from them."""


def elo_ratings(bots: Sequence[str], results: Iterable[SeatsAndWins]) -> dict[str, int]:
    """Elo ratings. With two players they predict results as they do in chess; with more, each bot
    wins by its share of all strength at the table (Bradley and Terry, Plackett and Luce)."""
    strength = dict.fromkeys(bots, 1.0)
    # An extra half a win for either side of each pair keeps the rating of an unbeaten bot finite.
    met = [(seats, {bot: wins.get(bot, 0) + 0.5 for bot in seats}) for seats, wins in results]
    for _ in range(10_000):
        before = dict(strength)
        for bot in bots:
            won = sum(wins.get(bot, 0.0) for _, wins in met)
            expected = sum(
                sum(wins.values())
                * seats[bot]
                / sum(strength[each] * seats[each] for each in seats)
                for seats, wins in met
                if bot in seats
            )
            if expected:
                strength[bot] = won / expected
        if all(abs(strength[bot] / before[bot] - 1) < 1e-9 for bot in bots):
            break
    numbers = {bot: 400 * log10(strength[bot]) for bot in bots}
    mean = sum(numbers.values()) / len(numbers)
    return {bot: round(AVERAGE_ELO + number - mean) for bot, number in numbers.items()}
