"""What a round of Unikat is worth to each seat when it is over."""


def round_returns(players: int, winners: tuple[int, ...]) -> list[float]:
    """1 for winning alone, less for a shared win; the others lose the same in total, in equal
    parts."""
    won = (players / len(winners) - 1) / (players - 1)
    lost = -1 / (players - 1)
    return [won if seat in winners else lost for seat in range(players)]
