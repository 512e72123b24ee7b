"""The registry, and what every game in it must have."""

from dataclasses import replace
from importlib.metadata import EntryPoint
from typing import Any

import msgspec
import pytest

from pytlik import games
from pytlik.extras import Missing
from pytlik.game import AnyGame, Illegal, Malformed, Ready, as_schedule
from pytlik.games import GAMES, UBONGO, UNIKAT, Registry, register
from pytlik.i18n import catalogue, languages
from pytlik.match import Match
from pytlik.ubongo.messages import GiveUp, Lift, Place
from pytlik.ubongo.model import Options as UbongoOptions
from pytlik.unikat.model import Options as UnikatOptions

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


@every_game
def test_its_levels_are_among_its_bots(game: AnyGame) -> None:
    assert set(game.levels) <= set(game.bots)
    assert game.default_bot in game.levels
    assert game.searching_levels <= set(game.levels)


@every_game
@pytest.mark.parametrize("lang", languages())
def test_its_levels_are_described_in_every_language(game: AnyGame, lang: str) -> None:
    texts = catalogue(lang)
    kinds = ("lobby.level", "bot.name", f"bot.{game.name}")
    keys = [f"page.{kind}.{level}" for kind in kinds for level in game.levels]
    assert [key for key in keys if key not in texts] == []


@every_game
def test_modules_that_show_it_can_be_imported(game: AnyGame) -> None:
    for purpose in game.shows:
        try:
            assert game.load(purpose)
        except Missing:
            assert purpose == "openspiel", "only what needs an extra may be missing"


@every_game
def test_unknown_purpose_is_named(game: AnyGame) -> None:
    with pytest.raises(LookupError, match=f"{game.name} has nothing for 'chess'"):
        game.load("chess")
    nothing = replace(game, shows={})
    with pytest.raises(LookupError, match="it has: nothing"):
        nothing.load("coach")


@every_game
def test_its_view_round_trips_as_the_declared_type(game: AnyGame) -> None:
    match = Match.new(game, seed="x")
    view = match.view(0)
    assert isinstance(view, game.view_type)
    assert msgspec.json.decode(msgspec.json.encode(view), type=game.view_type) == view


def test_bot_returns_an_action_or_a_schedule() -> None:
    assert as_schedule(Ready()) == ((0, Ready()),)
    assert as_schedule([(5, Ready())]) == ((5, Ready()),)
    assert as_schedule(()) == ()


# ---------------------------------------------------------------------------------- the registry


def test_a_game_can_be_registered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "GAMES", Registry(UNIKAT))
    register(UNIKAT)  # registering the same game again is harmless
    register(UBONGO)
    assert games.GAMES["ubongo"] is UBONGO
    with pytest.raises(ValueError, match="there is a game 'ubongo' already"):
        register(replace(UBONGO))


def test_games_of_other_packages_are_found_on_demand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    groups: list[str] = []

    def entry_points(group: str) -> list[EntryPoint]:
        groups.append(group)
        return [EntryPoint("ubongo", "pytlik.games:UBONGO", group)]

    monkeypatch.setattr(games, "entry_points", entry_points)
    registry = Registry(UNIKAT)
    assert registry["unikat"] is UNIKAT
    assert groups == []
    assert registry["ubongo"] is UBONGO
    assert (list(registry), len(registry)) == (["unikat", "ubongo"], 2)
    assert groups == ["pytlik.games"]
    with pytest.raises(KeyError):
        registry["chess"]


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ("no_such_package:GAME", "No module named 'no_such_package'"),
        ("pytlik.games:NOTHING", "NOTHING"),
        ("pytlik.games:ENTRY_POINT_GROUP", "is not a Game"),
        ("tests.test_games:UNIKAT_COPY", "there is a game 'unikat' already"),
    ],
)
def test_unusable_game_does_not_stop_the_others(
    monkeypatch: pytest.MonkeyPatch, place: str, problem: str
) -> None:
    entry = EntryPoint("broken", place, "pytlik.games")
    monkeypatch.setattr(games, "entry_points", lambda **_: [entry])
    registry = Registry(UNIKAT)
    with pytest.warns(UserWarning, match=f"the game 'broken' can't be used: .*{problem}"):
        assert list(registry) == ["unikat"]


UNIKAT_COPY = replace(UNIKAT)


# ----------------------------------------------------------------------- what differs between ours


@pytest.mark.parametrize(
    ("before", "seats", "after"),
    [
        (UnikatOptions(), (0, 1, None), UnikatOptions()),
        (UnikatOptions(starter=2), (0, 2), UnikatOptions(starter=1)),
        (UnikatOptions(starter=1), (0, 2), UnikatOptions()),
        (UnikatOptions(starter=1), (0, 1, None), UnikatOptions(starter=1)),
        (UbongoOptions(), (0, 1, None), UbongoOptions()),
        (UbongoOptions(handicap=(3, 4, 5)), (0, 2), UbongoOptions(handicap=(3, 5))),
        (
            UbongoOptions(pieces=4, handicap=(3, 5)),
            (0, 1, None),
            UbongoOptions(pieces=4, handicap=(3, 5, 4)),
        ),
    ],
)
def test_options_follow_the_seats(before: Any, seats: tuple[int | None, ...], after: Any) -> None:
    game: AnyGame = UNIKAT if isinstance(before, UnikatOptions) else UBONGO
    assert game.reseat_options(before, seats) == after


def test_options_that_do_not_suit_the_players_are_refused() -> None:
    for game, options in ((UNIKAT, {"starter": 2}), (UBONGO, {"handicap": (3, 4, 5)})):
        chosen: Any = msgspec.convert(options, game.options)
        game.check_options(chosen, 3)
        with pytest.raises(Malformed):
            game.check_options(chosen, 2)


def test_ubongo_bot_continues_from_the_placed_pieces() -> None:
    match = Match.new("ubongo", seed="x")
    planning = UBONGO.planning
    assert planning
    assert planning.key(match.view(0)) is None
    for seat in (0, 1):
        match.act(seat, Ready())
    match.expire()
    view = match.view(0)
    key = planning.key(view)
    assert key == (1, view.began)
    place = next(action for action in match.legal(0) if isinstance(action, Place))
    now = match.now
    schedule = ((now + 10, place), (now + 20, Lift(place.piece)), (now + 30, GiveUp()))
    assert planning.next_step(schedule, view, now) == schedule[0]
    assert planning.next_step(schedule, view, now + 10) == (0, place)
    match.act(0, place, now=now + 10)
    assert planning.next_step(schedule, match.view(0), now + 10) == schedule[1]
    assert planning.next_step(schedule, match.view(0), now + 25) == (0, Lift(place.piece))
    assert planning.next_step(schedule, match.view(0), now + 30) == (0, GiveUp())
    match.act(0, GiveUp(), now=now + 30)
    assert planning.key(match.view(0)) is None


def test_automatic_action_is_being_ready() -> None:
    match = Match.new("ubongo", seed="x")
    assert UBONGO.automatic_action(match.view(0)) == Ready()
    assert UBONGO.automatic_action(match.view(None)) is None
    assert UNIKAT.automatic_action(Match.new("unikat", seed="x").view(0)) is None
    with pytest.raises(Illegal):
        match.act(0, GiveUp())
