"""Match files: written, read and verified; and what is found in those that were tampered with."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pytlik import matchfile
from pytlik.game import Malformed, Reason
from pytlik.games import GAMES, UBONGO, UNIKAT
from pytlik.matchfile import Finding, Flaw
from pytlik.ubongo.model import Options as UbongoOptions
from pytlik.unikat.model import Options as UnikatOptions
from tests.random_matches import play_random_match


@cache
def played_file(name: str) -> bytes:
    """The file of a finished match."""
    options = {
        "unikat": UnikatOptions(rounds=2, next_starter="winner"),
        "ubongo": UbongoOptions(seconds=60),
    }[name]
    return matchfile.encode(play_random_match(GAMES[name], 3, f"a match of {name}", options))


def tampered_file(name: str, change: Callable[[dict[str, Any]], None]) -> bytes:
    file = json.loads(played_file(name))
    change(file)
    return json.dumps(file).encode()


def find_flaw(data: bytes) -> Finding | None:
    return matchfile.verify(matchfile.decode(data))


def index_of_first(file: dict[str, Any], kind: str) -> int:
    return next(i for i, event in enumerate(file["events"]) if event["kind"] == kind)


@pytest.mark.parametrize("name", GAMES)
def test_untampered_match_is_good(name: str) -> None:
    assert find_flaw(played_file(name)) is None


@pytest.mark.parametrize("name", GAMES)
def test_file_has_one_event_per_line_and_round_trips(name: str) -> None:
    match = matchfile.decode(played_file(name))
    assert matchfile.encode(match) == played_file(name)
    assert len(played_file(name).splitlines()) == len(match.events) + 1
    assert list(json.loads(played_file(name))) == [
        "pytlik", "game", "options", "seats", "events", "commitment", "seed",
    ]  # fmt: skip


def test_names_in_a_file_contain_no_escape_sequences() -> None:
    def rename(file: dict[str, Any]) -> None:
        file["seats"][0] = {"name": "Ola\x1b]0;x\x07 \u202e👩\u200d👧", "bot": "easy\x1b[2J"}

    player = matchfile.decode(tampered_file("unikat", rename)).seats[0]
    assert (player.name, player.bot) == ("Ola]0;x 👩\u200d👧", "easy[2J")


@pytest.mark.parametrize("name", GAMES)
def test_states_lead_from_the_opening_to_the_outcome(name: str) -> None:
    match = matchfile.decode(played_file(name))
    *_, last = matchfile.states(match)
    assert match.game.outcome(last)


# A match is just as valid without a piece placed in vain, or without giving up.
DISPENSABLE_EVENTS = {"piece_placed", "piece_lifted", "seat_gave_up"}


@pytest.mark.parametrize("name", GAMES)
def test_missing_event_is_found(name: str) -> None:
    whole = matchfile.decode(played_file(name))
    for index, event in enumerate(whole.events[1:], start=1):
        if index % 4 or event.__struct_config__.tag in DISPENSABLE_EVENTS:
            continue
        events = whole.events[:index] + whole.events[index + 1 :]
        finding = matchfile.verify(replace(whole, events=events))
        assert finding is not None, index
        assert finding.event is not None
        assert finding.event >= index


def test_a_changed_deal_is_named() -> None:
    def exchange(file: dict[str, Any]) -> None:
        bag = file["events"][1]["bag"]
        bag[-1], bag[-2] = bag[-2], bag[-1]

    assert find_flaw(tampered_file("unikat", exchange)) == Finding(Flaw.NOT_FROM_SEED, 1)


def test_tile_that_was_not_next_in_the_bag_is_named() -> None:
    at = None

    def draw_another(file: dict[str, Any]) -> None:
        nonlocal at
        at = next(
            i
            for i, event in enumerate(file["events"])
            if event["kind"] == "tile_drawn" and event["source"] == "bag"
        )
        file["events"][at]["tile"] = file["events"][1]["bag"][-1]

    assert find_flaw(tampered_file("unikat", draw_another)) == Finding(Flaw.NOT_FROM_SEED, at)


def test_a_chain_against_the_rules_is_named() -> None:
    at = None

    def lay_far_away(file: dict[str, Any]) -> None:
        nonlocal at
        at = index_of_first(file, "chain_laid")
        file["events"][at]["tiles"][0][1] += 60

    assert find_flaw(tampered_file("unikat", lay_far_away)) == Finding(Flaw.AGAINST_RULES, at)


def test_changed_cards_tokens_and_gems_are_named() -> None:
    at = None

    def other_order(file: dict[str, Any]) -> None:
        cards = file["events"][1]["cards"]
        cards[0], cards[1] = cards[1], cards[0]

    def other_token(file: dict[str, Any]) -> None:
        nonlocal at
        at = index_of_first(file, "round_began")
        deals = file["events"][at]["deals"]
        deals["0"]["colour"], deals["1"]["colour"] = deals["1"]["colour"], deals["0"]["colour"]

    def other_gem(file: dict[str, Any]) -> None:
        nonlocal at
        at = next(
            i
            for i, event in enumerate(file["events"])
            if event["kind"] == "gem_taken" and event["source"] == "bag" and event["gem"] != "ruby"
        )
        file["events"][at]["gem"] = "ruby"

    assert find_flaw(tampered_file("ubongo", other_order)) == Finding(Flaw.NOT_FROM_SEED, 1)
    assert find_flaw(tampered_file("ubongo", other_token)) == Finding(Flaw.NOT_FROM_SEED, at)
    assert find_flaw(tampered_file("ubongo", other_gem)) == Finding(Flaw.NOT_FROM_SEED, at)


def test_event_that_nobody_caused_is_named() -> None:
    def end_early(file: dict[str, Any]) -> None:
        file["events"].insert(2, file["events"][-1])

    assert find_flaw(tampered_file("unikat", end_early)) == Finding(Flaw.AGAINST_RULES, 2)


def test_an_event_after_the_end_is_named() -> None:
    def append_event(file: dict[str, Any]) -> None:
        ready = file["events"][index_of_first(file, "seat_ready")]
        file["events"].append({**ready, "at": file["events"][-1]["at"]})

    end = len(matchfile.decode(played_file("unikat")).events)
    assert find_flaw(tampered_file("unikat", append_event)) == Finding(Flaw.AGAINST_RULES, end)


def test_time_running_backwards_is_found() -> None:
    start = 0

    def set_clock_back(file: dict[str, Any]) -> None:
        nonlocal start
        events = file["events"]
        start = index_of_first(file, "turn_ended") + 1
        before = events[start - 1]["at"]
        assert before > events[0]["at"]
        for event in events[start:]:
            event["at"] = before - 1

    assert find_flaw(tampered_file("unikat", set_clock_back)) == Finding(Flaw.TIME_RUNS_BACK, start)


def test_secret_must_match_the_commitment() -> None:
    def use_other_secret(file: dict[str, Any]) -> None:
        file["seed"]["secret"] = "00" * 32

    def use_no_digits(file: dict[str, Any]) -> None:
        file["seed"]["secret"] = "a secret"

    assert find_flaw(tampered_file("unikat", use_other_secret)) == Finding(Flaw.BROKEN_COMMITMENT)
    assert find_flaw(tampered_file("unikat", use_no_digits)) == Finding(Flaw.BROKEN_COMMITMENT)


def test_shares_must_match_the_opening() -> None:
    def other_share(file: dict[str, Any]) -> None:
        file["seed"]["shares"][0] = "mine"

    def other_share_everywhere(file: dict[str, Any]) -> None:
        other_share(file)
        file["events"][0]["shares"][0] = "mine"

    assert find_flaw(tampered_file("unikat", other_share)) == Finding(Flaw.OTHER_SHARES)
    assert find_flaw(tampered_file("unikat", other_share_everywhere)) == Finding(
        Flaw.NOT_FROM_SEED, 1
    )


def test_match_without_a_seed_is_unproven() -> None:
    def remove_seed(file: dict[str, Any]) -> None:
        file["seed"] = None

    assert find_flaw(tampered_file("unikat", remove_seed)) == Finding(Flaw.NO_SEED)


@pytest.mark.parametrize("left", [2, 3, 17])
def test_truncated_match_is_not_good(left: int) -> None:
    def cut(file: dict[str, Any]) -> None:
        del file["events"][left:]

    finding = find_flaw(tampered_file("unikat", cut))
    assert finding == Finding(Flaw.CUT_OFF, left)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff\xfe",
        b'{"pytlik": 2}',
        b"[" * 100_000,
    ],
)
def test_file_that_is_not_a_match_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed) as refused:
        matchfile.decode(data)
    assert refused.value.reason is Reason.BAD_FILE


def test_file_truncated_anywhere_is_refused() -> None:
    data = played_file("unikat")
    for length in range(0, len(data) - 2, 997):
        with pytest.raises(Malformed):
            matchfile.decode(data[:length])


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["game"], "chess"),
        (["game"], "ubongo"),
        (["options"], {"rounds": 21}),
        (["options", "rounds"], 1),
        (["seats"], [{"name": "alone"}]),
        (["commitment"], "another"),
        (["events"], []),
        (["events", 0, "v"], 2),
        (["events", 0, "kind"], "table_opened"),
        (["events", 0, "game"], "ubongo"),
        (["events", 1, "bag", 0], "0300"),
        (["events", 2, "colour"], "red"),
        (["more"], 1),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(path: list[Any], value: Any) -> None:
    def change(file: dict[str, Any]) -> None:
        place: Any = file
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    with pytest.raises(Malformed) as refused:
        matchfile.decode(tampered_file("unikat", change))
    assert refused.value.reason is Reason.BAD_FILE


def test_impossible_event_is_refused_when_replaying() -> None:
    def use_missing_seat(file: dict[str, Any]) -> None:
        file["events"][index_of_first(file, "chain_laid")]["seat"] = 7

    match = matchfile.decode(tampered_file("unikat", use_missing_seat))
    with pytest.raises(Malformed) as refused:
        list(matchfile.states(match))
    assert refused.value.reason is Reason.BAD_FILE


def test_games_are_registered_under_their_names() -> None:
    assert GAMES == {"unikat": UNIKAT, "ubongo": UBONGO}


def test_actors_round_trip_and_wrong_ones_are_refused() -> None:
    actors = ("server", *("stand-in" for _ in matchfile.decode(played_file("unikat")).events[1:]))
    marked = tampered_file("unikat", lambda file: file.update(actors=actors))
    assert matchfile.decode(marked).actors == actors
    assert matchfile.decode(matchfile.encode(matchfile.decode(marked))).actors == actors
    assert find_flaw(marked) is None
    for wrong in (actors[1:], ("oracle", *actors[1:])):
        file = json.loads(marked) | {"actors": wrong}
        with pytest.raises(Malformed, match=Reason.BAD_FILE):
            matchfile.decode(json.dumps(file).encode())
