"""A league: everyone meets everyone, with the same deals and from each seat.

With more than two players, the bot named first has one seat and the other one has all the rest.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import msgspec

from pytlik.arena.bot_loader import find_bots
from pytlik.arena.parallel import run_as_completed
from pytlik.arena.ratings import SeatsAndWins, elo_ratings, win_share_interval
from pytlik.arena.runner import ThinkingTime, play
from pytlik.game import Budget, Malformed, Reason
from pytlik.games import GAMES


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a league: which bots play which game, and how often."""

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
    def deal_count(self) -> int:
        return -(-self.games // self.players)


class PairDeal(msgspec.Struct, frozen=True):
    """One deal for a pair of bots, to be played from every seat: the unit of work for a process."""

    contest: Contest
    pair: int
    number: int


class PairTally(msgspec.Struct, frozen=True):
    """Games, wins and thinking times of a pair, over one or more deals."""

    games: int = 0
    wins: float = 0.0
    """Those of the bot named first; a shared win counts as its part."""
    thinking: dict[str, ThinkingTime] = {}

    def plus(self, other: "PairTally") -> "PairTally":
        thinking = dict(self.thinking)
        for bot, time in other.thinking.items():
            thinking[bot] = thinking.get(bot, ThinkingTime()).plus(time)
        return PairTally(self.games + other.games, self.wins + other.wins, thinking)


class PairResult(msgspec.Struct, frozen=True, kw_only=True):
    """One bot against another."""

    bot: str
    against: str
    games: int
    wins: float
    low: float
    high: float
    """`wins` is the share of games won, and `low` to `high` the 95 % interval around it."""
    fair: float
    """Wins as a multiple of what equally strong bots would have."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    bot: str
    elo: int
    seconds: float
    """Per decision, on average."""
    longest: float


class LeagueTable(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a league."""

    contest: Contest
    lines: tuple[PairResult, ...]
    standings: tuple[Standing, ...]
    """The bots' standings, best first."""


def check_contest(contest: Contest) -> None:
    """Raise Malformed if a contest can't be played."""
    game = GAMES[contest.game]
    for bot in contest.bots:
        known = find_bots(game, bot)
        if bot not in known:
            ours = ", ".join(known)
            problem = f"{bot}: {contest.game} has {ours}, and your own as FILE.py:FUNCTION"
            raise Malformed(Reason.BAD_REQUEST, problem=problem)
    if len(set(contest.bots)) != len(contest.bots) or len(contest.bots) < 2:
        raise Malformed(Reason.BAD_REQUEST, problem="name at least two bots, each once")
    if contest.players not in game.players:
        fewest, most = game.players[0], game.players[-1]
        raise Malformed(Reason.BAD_REQUEST, problem=f"it takes {fewest} to {most} players")
    try:
        chosen = msgspec.convert(contest.options, game.options)
    except msgspec.ValidationError as error:
        options = ", ".join(game.options.__struct_fields__)
        problem = f"{error} ({contest.game} has the options {options})"
        raise Malformed(Reason.BAD_REQUEST, problem=problem) from None
    game.check_options(chosen, contest.players)


def lineups(contest: Contest, pair: int) -> Iterator[tuple[str, ...]]:
    """The lineups with the first bot on each seat in turn, and the other on all the rest."""
    one, other = contest.pairs[pair]
    for place in range(contest.players):
        yield tuple(one if seat == place else other for seat in range(contest.players))


def play_deal(deal: PairDeal) -> PairTally:
    """Play one deal from every seat. Runs in its own process, or on another machine."""
    contest = deal.contest
    one = contest.pairs[deal.pair][0]
    options = msgspec.convert(contest.options, GAMES[contest.game].options)
    tally = PairTally()
    for lineup in lineups(contest, deal.pair):
        seed = f"{contest.seed}, deal {deal.number}"
        played = play(contest.game, lineup, seed, options, contest.budget)
        winners = played.outcome.winners
        share = (lineup.index(one) in winners) / len(winners)
        tally = tally.plus(PairTally(1, share, played.thinking))
    return tally


def ignore_progress(_done: int, _all: int) -> None:
    """The default for `progress`."""


def run(
    contest: Contest,
    *,
    processes: int | None = None,
    ray: str | None = None,
    progress: Callable[[int, int], object] = ignore_progress,
) -> LeagueTable:
    """Play a contest, on a number of processes (None: all cores) or on a Ray cluster. The results
    don't depend on where it's played, as long as the budget isn't in seconds. `progress` is called
    with the number of games played and the total. Raises what `check_contest` and `play` raise."""
    check_contest(contest)
    # Deal by deal over all pairs, so that an unfinished league has treated all alike.
    deals = [
        PairDeal(contest, pair, number)
        for number in range(contest.deal_count)
        for pair in range(len(contest.pairs))
    ]
    tallies: dict[int, PairTally] = {}
    for index, tally in run_as_completed(play_deal, deals, processes=processes, ray=ray):
        tallies[index] = tally
        progress(len(tallies) * contest.players, len(deals) * contest.players)
    totals = [PairTally() for _ in contest.pairs]
    for index, deal in enumerate(deals):  # in order, so that sums of floats are the same each time
        totals[deal.pair] = totals[deal.pair].plus(tallies[index])
    return build_table(contest, totals)


def build_table(contest: Contest, totals: Sequence[PairTally]) -> LeagueTable:
    lines = []
    results: list[SeatsAndWins] = []
    total = PairTally()
    for (one, other), tally in zip(contest.pairs, totals, strict=True):
        low, high = win_share_interval(tally.wins, tally.games)
        lines.append(
            PairResult(
                bot=one,
                against=other,
                games=tally.games,
                wins=tally.wins / tally.games,
                low=low,
                high=high,
                fair=tally.wins / tally.games * contest.players,
            )
        )
        seats = {one: 1, other: contest.players - 1}
        results.append((seats, {one: tally.wins, other: tally.games - tally.wins}))
        total = total.plus(tally)
    numbers = elo_ratings(contest.bots, results)
    standings = []
    for bot in sorted(contest.bots, key=lambda bot: -numbers[bot]):
        spent = total.thinking.get(bot, ThinkingTime())
        standings.append(
            Standing(
                bot=bot,
                elo=numbers[bot],
                seconds=spent.seconds / max(1, spent.decisions),
                longest=spent.longest,
            )
        )
    return LeagueTable(contest=contest, lines=tuple(lines), standings=tuple(standings))
