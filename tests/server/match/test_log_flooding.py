"""Someone who floods a match's log is stopped, and nobody else is."""

from typing import Any

import msgspec
import pytest

from pytlik.chance import mix
from pytlik.game import Expire, Illegal, Ready, replay
from pytlik.games import UBONGO, UNIKAT
from pytlik.protocol.reasons import ServerReason
from pytlik.server.access.rate_limits import Kind, Limits
from pytlik.server.lessons.unikat_scenes import all_scenes
from pytlik.server.match import log_replay, round_action_limits
from pytlik.server.match.live_match import ActionRequest, LiveMatch
from pytlik.server.match.log_replay import LONG_LOG_EVENTS
from pytlik.server.match.round_action_limits import Tally, check_action_limit
from pytlik.server.routes import matches
from pytlik.server.routes.matches import MAX_EVENTS_PER_PAGE, MAX_VIEWS_PER_PAGE, verify_match_file
from pytlik.store import Actor, Append
from pytlik.ubongo import game as ubongo
from pytlik.ubongo.messages import Lift
from pytlik.ubongo.reasons import UbongoReason
from pytlik.unikat import game as unikat
from pytlik.unikat.game import MAX_QUIET_TURNS_PER_PLAYER, MAX_SWAPS_PER_ROUND
from pytlik.unikat.legal import can_lay
from pytlik.unikat.messages import Swap
from pytlik.unikat.reasons import UnikatReason
from tests.longest_matches import solution_moves as solving
from tests.server.http_site import Browser, Site, json_of, status_and_reason
from tests.server.live_server import LiveServer, server_test
from tests.server.people_at_table import (
    any_legal_action,
    person_to_move,
    solving_actions,
    start_ubongo_round,
    wait_for_message,
)
from tests.unikat.drawn_tables import make_swap, table_from_drawing

# ---------------------------------------------------------------------------------------- limits


@server_test
async def test_endless_moves_are_stopped_without_affecting_others(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ubongo, "MAX_MOVES_PER_ROUND", 20)
    table, (flooder, other) = await live_server.create_match("ubongo", options={"seconds": 60})
    await start_ubongo_round(live_server, [flooder, other])
    first, *_ = solving_actions(flooder)
    lift = {"kind": "lift", "piece": first["piece"]}
    answers = [await flooder.act(action, id=f"m{n}") for n, action in enumerate([first, lift] * 10)]
    assert {answer["kind"] for answer in answers} == {"done"}
    for _ in range(30):
        refused = await flooder.act(first)
        assert (refused["reason"], refused["detail"]) == ("too_many_moves", {"most": 20})
    # Earlier commands are still answered, not refused.
    assert await flooder.act(first, id="m0") == answers[0]
    events = await live_server.store.events(f"{table}.1")
    assert sum(b'"seat":0' in event for event in events if b"piece_" in event[:20]) == 20
    # The others go on, the round ends, and in the next one everyone may move again.
    for action in solving_actions(other):
        assert (await other.act(action))["kind"] == "done"
    assert (await flooder.act({"kind": "give_up"}))["kind"] == "done"
    for person in (flooder, other):
        if person.view["phase"] != "ready":
            await wait_for_message(
                person, lambda m: m["kind"] == "update" and m["view"]["phase"] == "ready"
            )
    await start_ubongo_round(live_server, [flooder, other])
    assert (await flooder.act(solving_actions(flooder)[0]))["kind"] == "done"


@server_test
async def test_the_last_piece_of_a_card_may_always_be_placed(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ubongo, "MAX_MOVES_PER_ROUND", 2)
    _, people = await live_server.create_match("ubongo")
    await start_ubongo_round(live_server, people)
    *before, last = solving_actions(people[0])
    assert len(before) == 2
    for action in before:
        assert (await people[0].act(action))["kind"] == "done"
    lift = {"kind": "lift", "piece": last["piece"]}
    assert (await people[0].act(lift))["reason"] == "not_placed"
    assert (await people[0].act(before[0]))["reason"] == "too_many_moves"
    assert (await people[0].act(last))["kind"] == "done"


@server_test
async def test_player_who_only_swaps_has_to_lay_eventually(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unikat, "MAX_SWAPS_PER_ROUND", 2)
    _, people = await live_server.create_match("unikat")
    starter = people.index(person_to_move(people))
    swapped = dict.fromkeys(people, 0)
    refused = laid = 0
    for turn in range(12):
        person = people[(starter + turn) % 2]
        while person.view["to_move"] != person.seat:
            await person.wait_for("update")
        view = person.view
        swap = {"kind": "swap", "give": view["hand"][0], "take": view["choices"]["take"][0]}
        answer = await person.act(swap)
        if answer["kind"] == "refused":
            # Only if they have swapped enough and could lay instead.
            assert (answer["reason"], answer["detail"]) == ("too_many_swaps", {"most": 2})
            assert swapped[person] >= 2
            refused += 1
            assert view["choices"]["lay"]
            while person.view["to_move"] == person.seat and not person.view["outcome"]:
                answer = await person.act(any_legal_action(person.view))
                assert answer["kind"] == "done"
                if person.seq < answer["seq"]:
                    await person.wait_for("update")
            laid += 1
        else:
            assert swapped[person] < 2 or not view["choices"]["lay"]
            swapped[person] += 1
            if person.seq < answer["seq"]:
                await person.wait_for("update")
    assert refused == laid > 0


@pytest.mark.parametrize(("scene_name", "can_lay"), [("swap", False), ("beside", True)])
def test_player_who_cannot_lay_may_always_swap(scene_name: str, can_lay: bool) -> None:
    state = all_scenes()[scene_name].start
    swap = Swap(state.hand[0], state.display[0])
    events = UNIKAT.decide(state, 0, swap, mix(b"any", []), 0)
    for swaps in (MAX_SWAPS_PER_ROUND - 1, MAX_SWAPS_PER_ROUND, 10 * MAX_SWAPS_PER_ROUND):
        refused = False
        try:
            check_action_limit(
                UNIKAT, Tally({0: swaps, 1: 10 * MAX_SWAPS_PER_ROUND}), state, 0, events
            )
        except Illegal as refusal:
            refused = refusal.reason is UnikatReason.TOO_MANY_SWAPS
        assert refused == (can_lay and swaps >= MAX_SWAPS_PER_ROUND)


def test_swap_after_a_lay_is_not_limited() -> None:
    table = table_from_drawing("0000 0001a 0002", hands=["0100 2222", "2221"])
    bonus = table.do(table.lay)
    swapped = bonus.do(make_swap("2222", "2211"))
    assert can_lay(bonus.state)
    tally = Tally({0: MAX_SWAPS_PER_ROUND})
    check_action_limit(UNIKAT, tally, bonus.state, 0, [*swapped.events])


def test_bots_and_clocks_have_no_limit(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """They bring a match to its end, even for a seat whose person has reached the limit."""
    monkeypatch.setattr(ubongo, "MAX_MOVES_PER_ROUND", 0)
    table = begin_match(site.browser(), site.browser(address="203.0.113.6"))
    flood(site, table, 0)
    match = open_match_log(site, table)
    stored = site.run(site.lobby.get(table.rpartition("/")[2])).table

    def act(seat: int | None, action: Any, actor: Actor) -> None:
        request = ActionRequest(seat=seat, action=action, command=None, actor=actor)
        site.run(match.decide_and_store(request, stored))

    place = next(solving(match.state, 0))
    with pytest.raises(Illegal) as refused:
        act(0, place, Actor.PERSON)
    assert refused.value.reason is UbongoReason.TOO_MANY_MOVES
    for actor, action in ((Actor.STAND_IN, place), (Actor.BOT, Lift(place.piece))):
        act(0, action, actor)
    site.now += 3_600_000
    act(None, Expire(), Actor.CLOCK)


def test_the_pauses_in_a_round_are_limited(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_action_limits, "MAX_PAUSES_PER_ROUND", 3)
    ola, max_ = site.browser(), site.browser(address="203.0.113.6")
    table = begin_match(ola, max_)

    def toggle_pause() -> Any:
        json_of(max_.post(f"{table}/pause", {}))
        return json_of(ola.post(f"{table}/pause", {}))["table"]["paused"]

    for _ in range(5):  # no clock runs yet, so nothing is written
        assert toggle_pause() is not None
        assert toggle_pause() is None
    assert log_length(site, table) == 2
    flood(site, table, 0)
    for _ in range(3):
        assert toggle_pause() is not None
        assert toggle_pause() is None
    length = log_length(site, table)
    for person in (ola, max_):
        refused = person.post(f"{table}/pause", {})
        assert status_and_reason(refused) == (409, "too_many_pauses")
        assert refused.json()["error"]["detail"] == {"most": 3}
    assert log_length(site, table) == length
    assert status_and_reason(site.browser().post(f"{table}/pause", {})) == (403, "not_your_seat")
    json_of(ola.post(f"{table}/pause", {"wanted": False}))


def test_a_pause_can_always_be_ended(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    ola, max_ = site.browser(), site.browser(address="203.0.113.6")
    table = begin_match(ola, max_)
    flood(site, table, 0)
    for person in (ola, max_):
        json_of(person.post(f"{table}/pause", {}))
    monkeypatch.setattr(round_action_limits, "MAX_PAUSES_PER_ROUND", 0)
    json_of(ola.post(f"{table}/pause", {}))
    assert json_of(max_.post(f"{table}/pause", {}))["table"]["paused"] is None


def test_options_cannot_keep_rounds_from_ending(site: Site) -> None:
    for number, fits in (
        (MAX_QUIET_TURNS_PER_PLAYER, True),
        (MAX_QUIET_TURNS_PER_PLAYER + 1, False),
    ):
        for blocked in ((2, number), (number, 20)):
            fields = {"game": "unikat", "options": {"blocked": blocked}}
            answer = site.browser().post("/api/tables", fields)
            assert answer.is_success == fits
            if not fits:
                assert status_and_reason(answer) == (400, "bad_request")
    # Options from before this limit existed are still accepted.
    assert UNIKAT.options(blocked=(1000, 1000)).blocked == (1000, 1000)


# -------------------------------------------------------------------------- what a long log costs


def begin_match(ola: Browser, max_: Browser) -> str:
    table = ola.create_table("ubongo", chairs=2)
    ola.sit_down(table, "Ola", share="one")
    max_.sit_down(table, "Max", share="two")
    ola.start_match(table)
    return table


def match_id_of(table: str) -> str:
    return f"{table.rpartition('/')[2]}.1"


def log_length(site: Site, table: str) -> int:
    return site.run(site.store.seqs_and_versions([match_id_of(table)], []))[match_id_of(table)]


def flood(site: Site, table: str, moves: int) -> None:
    """Begin the first round of Ubongo, in which seat 0 moves a piece back and forth."""
    site.run(append_flood_of_moves(site.store, match_id_of(table), moves, site.now))


async def append_flood_of_moves(store: Any, match: str, moves: int, now: int) -> None:
    raw = await store.events(match)
    state = replay(UBONGO.apply, map(UBONGO.event_decoder.decode, raw))
    chance, events = mix(b"any", []), list[Any]()

    def act(seat: int | None, action: Any, at: int) -> None:
        nonlocal state
        more = UBONGO.decide(state, seat, action, chance, at)
        state = replay(UBONGO.apply, more, state)
        events.extend(more)

    for seat in range(2):
        act(seat, Ready(), now)
    act(None, Expire(), now + 3_000)
    place = next(solving(state, 0))
    for number in range(moves):
        act(0, Lift(place.piece) if number % 2 else place, now + 3_000)
    data = tuple(map(msgspec.json.encode, events))
    await store.commit(Append(match=match, seq=len(raw), events=data))


def open_match_log(site: Site, table: str) -> LiveMatch:
    async def open_match() -> LiveMatch:
        chance = mix(b"any", [])
        match = LiveMatch(site.store, UBONGO, match_id_of(table), chance, lambda: site.now)
        await match.catch_up()
        return match

    return site.run(open_match())


@pytest.fixture
def recorded_limit_kinds(monkeypatch: pytest.MonkeyPatch) -> list[Kind]:
    """The kinds of requests that the rate limits count, whoever makes them."""
    kinds: list[Kind] = []
    monkeypatch.setattr(Limits, "take", lambda _, kind, *__: kinds.append(kind))
    return kinds


@pytest.fixture
def read_limits(site: Site, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many events each read asked the store for."""
    limits: list[int] = []
    events = site.store.events

    async def note_and_read(match: str, after: int = 0, limit: int = 10**9) -> list[bytes]:
        limits.append(limit)
        return await events(match, after, limit)

    monkeypatch.setattr(site.store, "events", note_and_read)
    return limits


def test_events_come_in_pages(site: Site, read_limits: list[int]) -> None:
    ola, max_ = site.browser(), site.browser(address="203.0.113.6")
    table = begin_match(ola, max_)
    flood(site, table, LONG_LOG_EVENTS)
    path, number = f"{table}/matches/1/events?seat=0", log_length(site, table)
    whole: list[Any] = []
    read_limits.clear()
    while len(whole) < number:
        page = json_of(ola.get(f"{path}&after={len(whole)}"))
        assert (page["seq"], page["over"]) == (number, False)
        assert len(page["events"]) == min(MAX_EVENTS_PER_PAGE, number - len(whole))
        whole += page["events"]
    assert max(read_limits) <= log_replay.EVENTS_PER_PAGE
    assert [event["kind"] for event in whole[:2]] == ["match_opened", "deck_shuffled"]
    assert json_of(ola.get(f"{path}&after=7&limit=3"))["events"] == whole[7:10]
    for after in (number, number + 1, 10**30):
        page = json_of(ola.get(f"{path}&after={after}"))
        assert (page["seq"], page["events"]) == (number, [])
        page = json_of(ola.get(f"{table}/matches/1/views?after={after}"))
        assert (page["seq"], page["after"], page["views"]) == (number, after, [])
    for limit in (0, MAX_EVENTS_PER_PAGE + 1, -1):
        assert status_and_reason(ola.get(f"{path}&limit={limit}")) == (400, "bad_request")
    views = json_of(ola.get(f"{table}/matches/1/views?after={LONG_LOG_EVENTS}"))["views"]
    assert len(views) == number - LONG_LOG_EVENTS <= MAX_VIEWS_PER_PAGE
    assert max(read_limits) <= log_replay.EVENTS_PER_PAGE


def test_long_matches_are_verified_in_bot_processes(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: list[Any] = []

    async def compute(work: Any, *args: Any) -> Any:
        jobs.append(work)
        return work(*args)

    table = begin_match(site.browser(), site.browser(address="203.0.113.6"))
    site.play_match_to_end(table.rpartition("/")[2])
    monkeypatch.setattr(site.app.state, "compute", compute)
    verdicts = []
    for long in (LONG_LOG_EVENTS, 10):
        monkeypatch.setattr(matches, "LONG_LOG_EVENTS", long)
        verdicts.append(json_of(site.browser().post(f"{table}/matches/1/verify")))
        assert jobs == ([verify_match_file] if long == 10 else [])
    assert verdicts == [{"sound": True, "flaw": None, "event": None, "first_game": False}] * 2


def test_replaying_a_long_log_counts_as_heavy(site: Site, recorded_limit_kinds: list[Kind]) -> None:
    ola, max_ = site.browser(), site.browser(address="203.0.113.6")
    table = begin_match(ola, max_)

    def heavy() -> list[str]:
        found = []
        for method, path, body in (
            ("GET", f"{table}/matches/1/views", None),
            ("GET", f"{table}/matches/1/views?after={LONG_LOG_EVENTS + 1}", None),
            ("GET", f"{table}/matches/1/events", None),
            ("GET", "/api/mine", None),
            ("POST", f"{table}/pause", {}),
        ):
            recorded_limit_kinds.clear()
            json_of(ola.ask(method, path, body))
            if Kind.HEAVY in recorded_limit_kinds:
                found.append(path)
        return found

    assert heavy() == []
    flood(site, table, LONG_LOG_EVENTS)
    path = f"{table}/matches/1/views?after={LONG_LOG_EVENTS + 1}"
    assert heavy() == [path, "/api/mine", f"{table}/pause"]


@server_test
async def test_opening_a_long_match_counts_as_heavy(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds: list[Kind] = []
    table, people = await live_server.create_match("ubongo")
    await append_flood_of_moves(live_server.store, f"{table}.1", LONG_LOG_EVENTS, live_server.now)
    monkeypatch.setattr(Limits, "take", lambda _, kind, *__: kinds.append(kind))
    television = live_server.new_person()
    await television.join(table)
    assert (await television.wait_for("update"))["seq"] > LONG_LOG_EVENTS
    assert Kind.HEAVY not in kinds, "it is open already"
    for person in (*people, television):
        await person.disconnect()
    await live_server.wait_until_quiet()
    await television.join(table)
    assert (await television.wait_for("update"))["seq"] > LONG_LOG_EVENTS
    assert kinds.count(Kind.HEAVY) == 1


@server_test
async def test_opening_long_matches_too_often_is_refused(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take(_: Limits, kind: Kind, *__: Any) -> None:
        if kind is Kind.HEAVY:
            raise Illegal(ServerReason.TOO_FAST, seconds=2)

    table, people = await live_server.create_match("ubongo")
    await append_flood_of_moves(live_server.store, f"{table}.1", LONG_LOG_EVENTS, live_server.now)
    for person in people:
        await person.disconnect()
    await live_server.wait_until_quiet()
    monkeypatch.setattr(Limits, "take", take)
    television = live_server.new_person()
    await television.join(table)
    assert television.socket
    await television.socket.wait_closed()
    assert (television.socket.close_code, television.socket.close_reason) == (1013, "too_fast")
