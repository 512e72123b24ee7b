"""The library's front door: matches of both games, from the start into a file and back."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pytlik
from pytlik import matchfile
from pytlik.chance import commit
from pytlik.game import Budget, Illegal, Malformed, Ready, Reason
from pytlik.games import UNIKAT
from pytlik.match import AnyMatch, Match, secret_from_seed
from pytlik.matchfile import Flaw, Player
from pytlik.ubongo.messages import GiveUp, PiecePlaced, Place, RoundBegan
from pytlik.unikat.messages import MatchOpened, RoundDealt
from pytlik.unikat.model import Options

ROOT = Path(__file__).parent.parent


def play_to_end(match: AnyMatch, most: int = 10_000) -> None:
    while not match.outcome and len(match.events) < most:
        if match.awaited:
            seat = match.awaited[0]
            match.act(seat, match.game.bots["easy"](match.view(seat), match.bot_stream(), Budget()))
        else:
            match.expire()


def test_a_few_lines_play_and_save_a_match(tmp_path: Path) -> None:
    match = Match.new("unikat", players=3, seed="x")
    while not match.outcome:
        seat = match.awaited[0]
        match.act(seat, next(match.legal(seat)))
    match.save(tmp_path / "match.json")
    again = Match.load(tmp_path / "match.json")
    assert again.outcome == match.outcome
    assert again.state == match.state
    assert again.verify() is None
    assert [player.name for player in again.seats] == ["Player 1", "Player 2", "Player 3"]


def test_the_same_seed_gives_the_same_match() -> None:
    one, same, other = (Match.new("unikat", seed=seed) for seed in ("a", "a", "b"))
    assert one.events == same.events
    assert one.events != other.events
    assert Match.new("unikat").events != Match.new("unikat").events


def test_ubongo_match_is_told_the_time() -> None:
    match = Match.new("ubongo", ["Ada", "Max"], seed="x", now=1_000)
    assert (match.now, match.deadline, match.awaited) == (1_000, None, (0, 1))
    for seat in match.awaited:
        match.act(seat, Ready(), now=2_000)
    assert match.deadline == 5_000
    with pytest.raises(Illegal) as refused:
        match.expire(now=4_999)
    assert refused.value.reason is Reason.TOO_EARLY
    events = match.expire()
    assert isinstance(events[-1], RoundBegan)
    assert match.now == 5_000
    # Time never runs backwards, and stays the same if it isn't given.
    assert match.act(0, GiveUp(), now=3)[0].at == 5_000
    assert match.act(1, GiveUp())[0].at == 5_000


def test_legal_actions_of_ubongo_are_allowed() -> None:
    match = Match.new("ubongo", seed="x")
    assert list(match.legal(0)) == [Ready()]
    match.act(0, Ready())
    assert list(match.legal(0)) == []
    match.act(1, Ready())
    match.expire()
    actions = list(match.legal(0))
    assert GiveUp() in actions
    for action in actions:
        match.check(0, action)
    first = next(action for action in actions if isinstance(action, Place))
    match.act(0, first)
    for action in (after := list(match.legal(0))):
        match.check(0, action)
    # The piece on the card can be moved or lifted; others have fewer places left.
    assert first in after
    assert set(after) - set(actions) == {action for action in after if "Lift" in repr(action)}


def test_legal_actions_from_a_unikat_view_are_allowed() -> None:
    match = Match.new("unikat", players=2, seed="x", options={"rounds": 2})
    while len(match.events) < 30:
        seat = match.awaited[0]
        listed = list(match.legal(seat))
        for action in listed[:20]:
            match.check(seat, action)
        assert list(match.legal(1 - seat)) == []
        match.act(seat, match.game.bots["easy"](match.view(seat), match.bot_stream(), Budget()))  # type: ignore[arg-type]


def test_a_seat_between_rounds_can_only_be_ready() -> None:
    match = Match.new("unikat", seed="x", options=Options(rounds=2))
    while match.state.round == 1 and len(match.awaited) == 1:
        seat = match.awaited[0]
        match.act(seat, next(match.legal(seat)))
    assert [list(match.legal(seat)) for seat in (0, 1)] == [[Ready()], [Ready()]]


def test_a_refused_action_changes_nothing() -> None:
    match = Match.new("unikat", seed="x")
    before, count = match.state, len(match.events)
    for attempt in (match.act, match.check):
        with pytest.raises(Illegal):
            attempt(match.awaited[0], Ready())
    assert (match.state, len(match.events)) == (before, count)


def test_a_view_shows_only_what_its_seat_may_know() -> None:
    match = Match.new("unikat", seed="x")
    for seat in (0, 1, None):
        assert match.view(seat) == UNIKAT.view(match.state, seat)
        assert match.view(seat) != UNIKAT.open_view(match.state, seat)


def test_events_are_masked_for_a_seat() -> None:
    match = Match.new("unikat", seed="x")
    dealt = match.masked_events(0, since=1)[0]
    assert isinstance(dealt, RoundDealt)
    assert dealt == UNIKAT.mask(match.events[1], 0) != match.events[1]
    assert len(match.masked_events(None)) == len(match.events)


def test_options_are_the_games_type_or_a_mapping() -> None:
    chosen = Options(rounds=3)
    assert Match.new("unikat", seed="x", options=chosen).state.options == chosen
    assert Match.new("unikat", seed="x", options={"rounds": 3}).state.options == chosen


@pytest.mark.parametrize(
    ("game", "players", "options", "problem"),
    [
        ("chess", 2, None, "there is no game 'chess', only unikat, ubongo"),
        ("unikat", 5, None, "it takes 2 to 4 players, and a share of each"),
        ("unikat", 2, {"round": 3}, "options: Object contains unknown field `round`"),
        ("unikat", 2, 7, "options: 'int' object is not iterable"),
        ("unikat", 2, {"starter": 2}, "options: there's no such seat to start"),
        ("ubongo", 3, {"handicap": [3, 4]}, "options: one handicap for each seat"),
    ],
)
def test_match_with_bad_arguments_is_refused(
    game: str, players: int, options: Any, problem: str
) -> None:
    with pytest.raises(Malformed) as refused:
        Match.new(game, players, options=options)
    assert refused.value.detail == {"problem": problem}


def test_bots_are_named_and_have_no_share() -> None:
    match = Match.new(UNIKAT, ["Ada", Player("Bo", "easy")], seed="x")
    opened: Any = match.events[0]
    assert match.seats == (Player("Ada"), Player("Bo", "easy"))
    assert opened.shares == ("x", "")


def test_secret_and_shares_can_be_given() -> None:
    match = Match.new("unikat", secret=b"ours", shares=["mine", "yours"], seed="bots")
    assert match.events == Match.new("unikat", secret=b"ours", shares=["mine", "yours"]).events
    play_to_end(match)
    assert match.record.seed == matchfile.Seed(b"ours".hex(), ("mine", "yours"))
    assert match.verify() is None


def test_bot_streams_follow_from_seed_and_label() -> None:
    one, same, other = (Match.new("unikat", seed=seed) for seed in ("x", "x", "y"))
    first = one.bot_stream().words(4)
    assert first == same.bot_stream().words(4)
    assert first != other.bot_stream().words(4)
    assert first != one.bot_stream("another").words(4)
    seat = one.awaited[0]
    one.act(seat, next(one.legal(seat)))
    assert first != one.bot_stream().words(4)


def test_lag_is_passed_to_the_rules() -> None:
    match = Match.new("ubongo", seed="x")
    for seat in match.awaited:
        match.act(seat, Ready())
    match.expire()
    place = next(action for action in match.legal(0) if isinstance(action, Place))
    (placed,) = match.act(0, place, lag=40)
    assert isinstance(placed, PiecePlaced)
    assert placed.lag == 40


def test_unfinished_match_keeps_its_secret() -> None:
    match = Match.new("unikat", seed="x")
    assert json.loads(match.file())["seed"] is None
    finding = match.verify()
    assert finding
    assert finding.flaw is Flaw.NO_SEED
    loaded = Match.load(match.file())
    assert loaded.view(0) == match.view(0)
    with pytest.raises(ValueError, match="without its seed"):
        loaded.act(0, Ready())


def test_broken_events_are_refused_but_a_wrong_secret_is_not() -> None:
    match = Match.new("unikat", seed="x")
    play_to_end(match)
    file = json.loads(match.file())
    broken = {**file, "events": [file["events"][0], *file["events"][2:]]}
    with pytest.raises(Malformed) as refused:
        Match.load(json.dumps(broken).encode())
    assert refused.value.reason is Reason.BAD_FILE
    other_secret = {**file, "seed": {**file["seed"], "secret": "no digits"}}
    loaded = Match.load(json.dumps(other_secret).encode())
    assert loaded.outcome == match.outcome


def test_game_that_cannot_list_its_actions_says_so() -> None:
    from dataclasses import replace  # noqa: PLC0415 - only here

    match = Match.new(replace(UNIKAT, legal=None), seed="x")
    with pytest.raises(LookupError, match="unikat can't list its actions"):
        match.legal(0)


def test_match_without_a_clock_never_expires() -> None:
    match = Match.new("unikat", seed="x")
    assert match.deadline is None
    with pytest.raises(Illegal):
        match.expire()


def test_match_can_start_from_a_state() -> None:
    whole = Match.new("unikat", seed="x")
    match = Match.from_state(UNIKAT, whole.state, now=7)
    seat = match.awaited[0]
    events = match.act(seat, next(match.legal(seat)))
    assert events == match.events
    assert match.now == events[0].at == 7
    with pytest.raises(ValueError, match="can't be saved"):
        match.file()


# ------------------------------------------------------------------------------ what it is typed as

REVEAL_TYPES_CODE = """
from pytlik import UBONGO, Match

reveal_type(Match.new("unikat", players=3, seed="x").view(0))
reveal_type(Match.new("ubongo").state)
reveal_type(Match.new(UBONGO).view(0))
for action in Match.new("unikat").legal(0):
    reveal_type(action)
Match.new("unikat").state.nonsense
"""


@pytest.mark.slow
def test_an_editor_knows_what_a_match_returns(tmp_path: Path) -> None:
    file = tmp_path / "snippet.py"
    file.write_text(REVEAL_TYPES_CODE)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(file)]
    out = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False).stdout
    revealed = [line.partition("Revealed type is ")[2] for line in out.splitlines()]
    assert [line.strip('"') for line in revealed[:3]] == [
        "pytlik.unikat.view.View",
        "pytlik.ubongo.model.State",
        "pytlik.ubongo.view.View",
    ]
    assert "Lay" in revealed[3]
    assert '"State" has no attribute "nonsense"' in out


def test_importing_pytlik_imports_nothing_else() -> None:
    code = "import sys, pytlik; print(sorted(m for m in sys.modules if m.startswith('pytlik')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "['pytlik']"


def test_pytlik_exports_what_it_names() -> None:
    assert all(getattr(pytlik, name) for name in pytlik.__all__)
    assert set(pytlik.__all__) <= set(dir(pytlik))
    assert pytlik.Match is Match
    with pytest.raises(AttributeError, match="no attribute 'Mtch'"):
        pytlik.Mtch  # noqa: B018 - that it fails is the point


def test_public_data_does_not_lead_to_an_unseeded_secret() -> None:
    match = Match.new("unikat", players=2)
    opened = match.events[0]
    assert isinstance(opened, MatchOpened)
    for share in opened.shares:
        for secret in (secret_from_seed(share), share.encode(), bytes.fromhex(share)):
            assert opened.commitment != commit(secret)
