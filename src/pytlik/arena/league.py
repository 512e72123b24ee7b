"""A league: everyone meets everyone, with the same deals and from each seat.

Where more than two sit at a table, one seat of the bot that is named first sits among seats of the
other.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import msgspec

from pytlik.arena.playing import Thought, bots, play
from pytlik.arena.ratings import Result, elo, interval
from pytlik.arena.spreading import spread
from pytlik.game import Budget, Malformed, Reason
from pytlik.games import GAMES


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """What is played in a league."""

    game: str
    bots: tuple[str, ...]
    players: int = 2
    games: int = 200
    """For each pair; rounded up to whole deals, each of which is played from every seat."""
    seed: str = "1"
    options: dict[str, Any] = {}
    budget: Budget = Budget()

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple(combinations(self.bots, 2))

    @property
    def deals(self) -> int:
        return -(-self.games // self.players)


class Deal(msgspec.Struct, frozen=True):
    """All games of one deal for one pair: what a process does at a time."""

    contest: Contest
    pair: int
    number: int


class Meeting(msgspec.Struct, frozen=True):
    """What came of one or many deals of a pair."""

    games: int = 0
    wins: float = 0.0
    """Of the one that is named first; where several win, each has a part."""
    thought: dict[str, Thought] = {}

    def and_then(self, other: "Meeting") -> "Meeting":
        bots = {**self.thought, **other.thought}
        return Meeting(
            self.games + other.games,
            self.wins + other.wins,
            {
                bot: self.thought.get(bot, Thought()).and_then(other.thought.get(bot, Thought()))
                for bot in bots
            },
        )


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One bot against another, as the table shows it."""

    bot: str
    against: str
    games: int
    wins: float
    low: float
    high: float
    """Shares of the games: of wins, and between which the truth lies (95 %)."""
    fair: float
    """How many times the wins that it would have if all were equal."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    bot: str
    elo: int
    seconds: float
    """A decision, in the mean."""
    longest: float


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """How a league ended."""

    contest: Contest
    lines: tuple[Line, ...]
    standings: tuple[Standing, ...]
    """The best first."""


def check(contest: Contest) -> None:
    """Raises Malformed, if it can't be played."""
    game = GAMES[contest.game]
    for bot in contest.bots:
        known = bots(contest.game, bot)
        if bot not in known:
            ours = ", ".join(known)
            problem = f"{bot}: {contest.game} has {ours}, and your own as FILE.py:FUNCTION"
            raise Malformed(Reason.BAD_REQUEST, problem=problem)
    if len(set(contest.bots)) != len(contest.bots) or len(contest.bots) < 2:
        raise Malformed(Reason.BAD_REQUEST, problem="at least two bots, each once")
    if contest.players not in game.players:
        fewest, most = game.players[0], game.players[-1]
        raise Malformed(Reason.BAD_REQUEST, problem=f"{fewest} to {most} players")
    try:
        msgspec.convert(contest.options, game.options)
    except msgspec.ValidationError as error:
        raise Malformed(Reason.BAD_REQUEST, problem=str(error)) from None


def lineups(contest: Contest, pair: int) -> Iterator[tuple[str, ...]]:
    """The one on each seat in turn, and the other on all the rest."""
    one, other = contest.pairs[pair]
    for place in range(contest.players):
        yield tuple(one if seat == place else other for seat in range(contest.players))


def meet(deal: Deal) -> Meeting:
    """Play one deal from every seat. Runs in a process of its own, or on another machine."""
    contest = deal.contest
    one = contest.pairs[deal.pair][0]
    options = msgspec.convert(contest.options, GAMES[contest.game].options)
    met = Meeting()
    for lineup in lineups(contest, deal.pair):
        seed = f"{contest.seed}, deal {deal.number}"
        played = play(contest.game, lineup, seed, options, contest.budget)
        winners = played.outcome.winners
        share = (lineup.index(one) in winners) / len(winners)
        met = met.and_then(Meeting(1, share, played.thought))
    return met


def nobody(_done: int, _all: int) -> None:
    """Hears how far a league has come."""


def run(
    contest: Contest,
    *,
    processes: int | None = None,
    ray: str | None = None,
    progress: Callable[[int, int], object] = nobody,
) -> Table:
    """Play it all on so many processes (all cores, if None), or on a Ray cluster. Who wins does not
    depend on where it is played, as long as the budget is not wall time. `progress` hears how
    many games are done, and of how many."""
    check(contest)
    # Deal by deal over all pairs, so that a table of what is done is fair to all.
    deals = [
        Deal(contest, pair, number)
        for number in range(contest.deals)
        for pair in range(len(contest.pairs))
    ]
    met: dict[int, Meeting] = {}
    for index, meeting in spread(meet, deals, processes=processes, ray=ray):
        met[index] = meeting
        progress(len(met) * contest.players, len(deals) * contest.players)
    totals = [Meeting() for _ in contest.pairs]
    for index, deal in enumerate(deals):  # in order: sums of parts are then the same each time
        totals[deal.pair] = totals[deal.pair].and_then(met[index])
    return table(contest, totals)


def table(contest: Contest, totals: Sequence[Meeting]) -> Table:
    lines = []
    results: list[Result] = []
    thought = Meeting()
    for (one, other), met in zip(contest.pairs, totals, strict=True):
        low, high = interval(met.wins, met.games)
        lines.append(
            Line(
                bot=one,
                against=other,
                games=met.games,
                wins=met.wins / met.games,
                low=low,
                high=high,
                fair=met.wins / met.games * contest.players,
            )
        )
        seats = {one: 1, other: contest.players - 1}
        results.append((seats, {one: met.wins, other: met.games - met.wins}))
        thought = thought.and_then(met)
    numbers = elo(contest.bots, results)
    standings = []
    for bot in sorted(contest.bots, key=lambda bot: -numbers[bot]):
        spent = thought.thought.get(bot, Thought())
        standings.append(
            Standing(
                bot=bot,
                elo=numbers[bot],
                seconds=spent.seconds / max(1, spent.decisions),
                longest=spent.longest,
            )
        )
    return Table(contest=contest, lines=tuple(lines), standings=tuple(standings))
