"""Leagues: everyone plays each deal from every seat, on any number of processes."""

import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from pytlik.arena import league, parallel
from pytlik.arena.league import (
    Contest,
    LeagueTable,
    PairDeal,
    PairTally,
    build_table,
    lineups,
    play_deal,
)
from pytlik.arena.plot import draw_png
from pytlik.arena.runner import ThinkingTime, play
from pytlik.extras import Missing
from pytlik.game import Budget, Malformed
from pytlik.games import GAMES, UNIKAT
from pytlik.i18n import catalogue

SHORT_MATCH_OPTIONS = {"blocked": [1, 2]}


def make_contest(**more: Any) -> Contest:
    facts = {
        "game": "unikat",
        "bots": ("longest", "random"),
        "games": 4,
        "options": SHORT_MATCH_OPTIONS,
    }
    return Contest(**{**facts, **more})


def register_bot(monkeypatch: pytest.MonkeyPatch, name: str, bot: Any) -> None:
    """Add a bot to Unikat."""
    monkeypatch.setitem(GAMES, "unikat", replace(UNIKAT, bots={**UNIKAT.bots, name: bot}))


def results_without_times(table: LeagueTable) -> list[tuple[str, str, int, float]]:
    """Everything except the times."""
    return [(line.bot, line.against, line.games, line.wins) for line in table.lines]


def test_first_bot_plays_every_seat() -> None:
    assert list(lineups(make_contest(players=3), 0)) == [
        ("longest", "random", "random"),
        ("random", "longest", "random"),
        ("random", "random", "longest"),
    ]


def test_everyone_meets_everyone() -> None:
    assert make_contest(bots=("a", "b", "c")).pairs == (("a", "b"), ("a", "c"), ("b", "c"))


def test_games_are_rounded_up_to_whole_deals() -> None:
    assert [make_contest(games=n, players=3).deal_count for n in (1, 3, 4, 6)] == [1, 1, 2, 2]


def test_a_bot_against_its_twin_wins_half(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has the better seat of a deal wins, and each sits there once."""
    register_bot(monkeypatch, "twin", UNIKAT.bots["longest"])
    table = league.run(make_contest(bots=("longest", "twin"), games=8, options={}), processes=1)
    assert table.lines[0].wins == 0.5


def test_tally_counts_the_wins_of_the_first_bot() -> None:
    met = play_deal(PairDeal(make_contest(options={}), 0, 0))
    assert met.games == 2
    assert met.wins == 2  # the longest chain beats random play
    assert set(met.thinking) == {"longest", "random"}
    assert all(thought.decisions > 3 for thought in met.thinking.values())


def test_shared_win_counts_as_a_fraction(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = SimpleNamespace(outcome=SimpleNamespace(winners=(0, 1)), thinking={})
    monkeypatch.setattr(league, "play", lambda *_: outcome)
    assert play_deal(PairDeal(make_contest(), 0, 0)) == PairTally(2, 1.0, {})


def test_each_deal_of_a_league_has_its_own_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[str] = []

    def play_nothing(_game: str, _lineup: Any, seed: str, *_: object) -> Any:
        seeds.append(seed)
        return SimpleNamespace(outcome=SimpleNamespace(winners=(0,)), thinking={})

    monkeypatch.setattr(league, "play", play_nothing)
    for contest in (make_contest(seed="1"), make_contest(seed="2")):
        for number in (0, 1):
            play_deal(PairDeal(contest, 0, number))
    # Both games of a deal have the same seed.
    assert seeds[::2] == seeds[1::2]
    assert len(set(seeds)) == 4


def test_options_apply_to_every_match() -> None:
    """A round that is blocked after one turn each ends early."""
    short = play_deal(PairDeal(make_contest(options={"blocked": [1, 1]}), 0, 0))
    full = play_deal(PairDeal(make_contest(options={}), 0, 0))
    assert short.thinking["random"].decisions < full.thinking["random"].decisions


def test_win_rates_take_the_number_of_seats_into_account() -> None:
    """In games for four, two wins out of eight are average."""
    contest = make_contest(bots=("one", "three"), players=4)
    thinking = {"one": ThinkingTime(4, 2.0, 1.5)}
    table = build_table(contest, [PairTally(8, 2.0, thinking)])
    (line,) = table.lines
    assert (line.wins, line.fair) == (0.25, 1.0)
    assert line.low < 0.25 < line.high
    assert {standing.bot: standing.elo for standing in table.standings} == {
        "one": pytest.approx(1500, abs=20),
        "three": pytest.approx(1500, abs=20),
    }
    (one,) = [standing for standing in table.standings if standing.bot == "one"]
    assert (one.seconds, one.longest) == (0.5, 1.5)


def test_best_bot_is_listed_first() -> None:
    contest = make_contest(bots=("weak", "strong", "fair"))
    tallies = [PairTally(10, wins) for wins in (1.0, 3.0, 8.0)]
    table = build_table(contest, tallies)
    assert [standing.bot for standing in table.standings] == ["strong", "fair", "weak"]
    elos = [standing.elo for standing in table.standings]
    assert elos == sorted(elos, reverse=True)


def test_tallies_add_up() -> None:
    one = PairTally(2, 1.5, {"a": ThinkingTime(3, 0.5, 0.25)})
    other = PairTally(2, 0.5, {"a": ThinkingTime(1, 0.5, 0.5), "b": ThinkingTime(1, 0.0, 0.0)})
    both = PairTally(4, 2.0, {"a": ThinkingTime(4, 1.0, 0.5), "b": ThinkingTime(1, 0.0, 0.0)})
    assert one.plus(other) == other.plus(one) == both


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_table_on_any_number_of_processes(game: str) -> None:
    bots = {"unikat": ("longest", "random"), "ubongo": ("hard", "easy")}[game]
    options = {"unikat": SHORT_MATCH_OPTIONS, "ubongo": {}}[game]
    small = make_contest(game=game, bots=bots, options=options, games=3, players=3)
    progress: list[tuple[int, int]] = []
    alone = league.run(small, processes=1, progress=lambda *step: progress.append(step))
    assert progress == [(3, 3)]
    assert results_without_times(alone) == results_without_times(league.run(small, processes=2))


def test_another_seed_gives_other_deals() -> None:
    """Otherwise all leagues would be the same."""
    games = {play("unikat", ("random", "random"), f"{n}").outcome.points for n in range(4)}
    assert len(games) > 1


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"bots": ("longest", "nobody")}, "nobody: unikat has random, hasty, longest"),
        ({"bots": ("longest",)}, "at least two bots"),
        ({"bots": ("longest", "longest")}, "each once"),
        ({"players": 5}, "2 to 4 players"),
        ({"options": {"rounds": 0}}, "rounds"),
    ],
)
def test_impossible_contest_is_refused(wrong: dict[str, Any], problem: str) -> None:
    with pytest.raises(Malformed) as refused:
        league.run(make_contest(**wrong))
    assert problem in refused.value.detail["problem"]


# --------------------------------------------------------------------------- clusters and extras


class FakeRay:
    """The part of Ray that we use. Tasks run when their results are requested."""

    def __init__(self) -> None:
        self.up = False
        self.most = 0
        self.waiting = 0

    def init(self, address: str, **_: Any) -> None:
        assert address == "somewhere"
        self.up = True

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 1.0}

    def remote(self, work: Any) -> Any:
        def start(task: Any) -> Any:
            assert self.up
            self.waiting += 1
            self.most = max(self.most, self.waiting)
            return work, task

        return SimpleNamespace(remote=start)

    def wait(self, tasks: list[Any]) -> tuple[list[Any], list[Any]]:
        return tasks[-1:], tasks[:-1]  # the last first

    def get(self, tasks: list[Any]) -> list[Any]:
        self.waiting -= len(tasks)
        return [work(task) for work, task in tasks]

    def shutdown(self) -> None:
        self.up = False


def test_a_cluster_gives_the_same_table(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", cluster)
    many = make_contest(games=14)
    assert results_without_times(league.run(many, ray="somewhere")) == results_without_times(
        league.run(many, processes=1)
    )
    assert cluster.most == parallel.QUEUED_TASKS_PER_CPU
    assert not cluster.up


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("ray", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(Missing, match=r"ray .* pip install 'pytlik\[ray\]'"):
        league.run(make_contest(), ray="auto")
    table = league.run(make_contest(games=1), processes=1)
    with pytest.raises(Missing, match=r"matplotlib .* pip install 'pytlik\[plot\]'"):
        draw_png(table, catalogue("en"))


def test_a_league_is_drawn() -> None:
    table = league.run(make_contest(games=1), processes=1)
    assert draw_png(table, catalogue("uk")).startswith(b"\x89PNG\r\n")


def test_budget_is_passed_to_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets: list[Budget] = []

    def thinker(view: Any, stream: Any, budget: Budget) -> Any:
        budgets.append(budget)
        return UNIKAT.bots["random"](view, stream, budget)

    register_bot(monkeypatch, "thinker", thinker)
    budget = Budget(0.1, 7)
    league.run(make_contest(bots=("thinker", "random"), games=1, budget=budget), processes=1)
    assert set(budgets) == {budget}
