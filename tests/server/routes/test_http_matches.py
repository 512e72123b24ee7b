"""Matches over HTTP: who sees what, their files, and their verification."""

import asyncio
from typing import Any

import msgspec
import pytest

from pytlik import matchfile
from pytlik.game import Illegal
from pytlik.games import GAMES, UNIKAT
from pytlik.protocol.reasons import ServerReason
from pytlik.server.fair_queue import MAX_WAITING_EACH, RETRY_AFTER_SECONDS, FairQueue
from pytlik.server.match.coaching import TURNS_PER_JOB
from pytlik.server.routes.matches import MATCH_ENDED_KIND
from tests.random_matches import play_random_match
from tests.server.http_site import Browser, Site, json_of, status_and_reason


@pytest.fixture
def ola(site: Site) -> Browser:
    return site.browser()


@pytest.fixture
def max_(site: Site) -> Browser:
    return site.browser(address="203.0.113.6")


def begin_match(game: str, ola: Browser, max_: Browser) -> str:
    table = ola.create_table(game, chairs=3)
    ola.sit_down(table, "Ola", share="one")
    max_.sit_down(table, "Max", share="two")
    json_of(ola.put(f"{table}/seats/2/bot", {"level": "easy"}))
    ola.start_match(table)
    return table


def test_events_of_a_running_match_are_masked_for_each_seat(
    site: Site, ola: Browser, max_: Browser
) -> None:
    table = begin_match("unikat", ola, max_)
    mine = json_of(ola.get(f"{table}/matches/1/events?seat=0"))
    assert (mine["seq"], mine["over"], mine["seat"]) == (2, False, 0)
    hands = mine["events"][1]["hands"]
    hidden = {"hidden": True}
    assert hidden not in hands[0]
    assert hands[1] == hands[2] == [hidden] * 10
    assert set(map(str, mine["events"][1]["bag"])) == {str(hidden)}
    seen = json_of(site.browser().get(f"{table}/matches/1/events"))["events"][1]["hands"]
    assert seen == [[hidden] * 10] * 3
    assert len(json_of(ola.get(f"{table}/matches/1/events?after=1"))["events"]) == 1
    for query in ("seat=1", "seat=2", "seat=-1", "seat=99"):
        refused = ola.get(f"{table}/matches/1/events?{query}")
        assert status_and_reason(refused) == (403, "not_your_seat")
    assert status_and_reason(ola.get(f"{table}/matches/1/events?after=-1")) == (400, "bad_request")
    secret = site.run(site.store.secret(f"{table.rpartition('/')[2]}.1"))
    assert secret
    assert secret.hex() not in ola.get(f"{table}/matches/1/events").text


def test_unknown_match_is_not_found(ola: Browser, max_: Browser) -> None:
    table = begin_match("unikat", ola, max_)
    for number in ("0", "2", "-1", "9" * 30):
        for what in ("events", "file"):
            refused = ola.get(f"{table}/matches/{number}/{what}")
            assert status_and_reason(refused) == (404, "no_such_match")
    lobby = ola.create_table()
    assert status_and_reason(ola.get(f"{lobby}/matches/1/events")) == (404, "no_such_match")


@pytest.mark.parametrize("game", ["unikat", "ubongo"])
def test_match_is_over_with_its_last_event_even_if_the_table_lags(
    site: Site, ola: Browser, max_: Browser, game: str
) -> None:
    table = begin_match(game, ola, max_)
    id = table.rpartition("/")[2]
    site.play_match_to_end(id, finish=False)
    assert json_of(ola.get(table))["table"]["phase"] == "playing"
    path = f"{table}/matches/1"
    file = max_.get(f"{path}/file").content
    match = matchfile.decode(file)
    assert [player.name for player in match.seats] == ["Ola", "Max", ""]
    assert json_of(max_.post(f"{path}/verify"))["sound"]
    everything = json_of(site.browser().get(f"{path}/events"))
    assert everything["over"]
    assert "hidden" not in str(everything)
    site.finish_match(id, 1)
    assert max_.get(f"{path}/file").content == file


def test_coach_waits_until_a_match_is_over(site: Site, ola: Browser, max_: Browser) -> None:
    table = begin_match("unikat", ola, max_)
    path = f"{table}/matches/1/coach"
    # Not even for a player's own turns, as it includes the others' turns.
    for visitor in (ola, max_, site.browser()):
        assert status_and_reason(visitor.get(path)) == (409, "match_not_over")
    site.play_match_to_end(table.rpartition("/")[2])
    advice = json_of(max_.get(path))
    events = json_of(max_.get(f"{table}/matches/1/events"))["events"]
    assert advice["turns"]
    for turn in advice["turns"]:
        event = events[turn["seq"] - 1]
        assert event["seat"] == turn["seat"]
        assert event["kind"] in {"chain_laid", "tile_swapped", "turn_passed"}
        if event["kind"] == "chain_laid":
            assert turn["laid"][0] == event["tiles"]
    lost = {turn["seq"]: turn["lost"] for turn in advice["turns"]}
    worst = sorted(lost.values(), reverse=True)[:3]
    assert [lost[seq] for seq in advice["misses"]] == worst
    assert status_and_reason(ola.get(f"{table}/matches/2/coach")) == (404, "no_such_match")


def test_coach_reviews_a_match_once(site: Site, ola: Browser, max_: Browser) -> None:
    table = begin_match("unikat", ola, max_)
    site.play_match_to_end(table.rpartition("/")[2])
    coaching, jobs = site.app.state.coaching, list[Any]()

    async def compute(work: Any, *args: Any) -> Any:
        jobs.append(args)
        return work(*args)

    coaching.compute = compute
    raw = site.run(site.store.events(f"{table.rpartition('/')[2]}.1"))

    async def ask_twice() -> tuple[Any, Any]:
        one, other = (
            coaching.review_finished_match(UNIKAT, "match", raw, "address") for _ in range(2)
        )
        return await asyncio.gather(one, other)

    one, other = site.run(ask_twice())
    assert one is other
    job_count = len(jobs)
    assert job_count > 1, "in several jobs, so that bots get their turn in between"
    assert site.run(coaching.review_finished_match(UNIKAT, "match", raw, "address")) is one
    assert len(jobs) == job_count


def test_requests_to_the_coach_take_turns_and_too_many_are_refused(
    site: Site, ola: Browser, max_: Browser
) -> None:
    table = begin_match("unikat", ola, max_)
    site.play_match_to_end(table.rpartition("/")[2])
    coaching, started, going_on = site.app.state.coaching, list[str](), asyncio.Event()
    raw = site.run(site.store.events(f"{table.rpartition('/')[2]}.1"))

    async def compute(_: Any, __: str, raw_events: Any, *___: Any) -> Any:
        started.append(raw_events[0].decode())
        await going_on.wait()
        return ()

    coaching.compute = compute

    def ask(name: str, address: str) -> "asyncio.Task[Any]":
        return asyncio.create_task(
            coaching.review_finished_match(UNIKAT, name, [name.encode(), *raw], address)
        )

    async def play() -> None:
        greedy = [ask(f"greedy {number}", "greedy") for number in range(40)]
        for _ in range(10):
            await asyncio.sleep(0)
        refused = [task for task in greedy if task.done()]
        assert len(greedy) - len(refused) == 1 + MAX_WAITING_EACH
        for task in refused:
            with pytest.raises(Illegal) as raised:
                await task
            assert raised.value.reason is ServerReason.TOO_FAST
        family = ask("family", "family")
        await asyncio.sleep(0)
        going_on.set()
        await family
        await asyncio.gather(*greedy, return_exceptions=True)
        assert started[:3] == ["greedy 0", "greedy 1", "family"]

    site.run(play())


def test_too_many_verifications_at_once_are_refused(
    site: Site, ola: Browser, max_: Browser
) -> None:
    """The refusal says when to ask again."""
    table = begin_match("unikat", ola, max_)
    site.play_match_to_end(table.rpartition("/")[2])
    heavy: FairQueue = site.app.state.heavy

    async def fill_queue() -> list["asyncio.Task[None]"]:
        async def work() -> None:
            async with heavy.turn("203.0.113.6"):  # Max's seat
                await asyncio.Event().wait()

        tasks = [asyncio.create_task(work()) for _ in range(1 + MAX_WAITING_EACH)]
        await asyncio.sleep(0)
        return tasks

    tasks = site.run(fill_queue())
    for answer in (
        max_.post(f"{table}/matches/1/verify", {}),
        max_.get(f"{table}/matches/1/file"),
    ):
        assert status_and_reason(answer) == (429, "too_fast")
        assert answer.headers["retry-after"] == str(RETRY_AFTER_SECONDS)

    async def empty_queue() -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    site.run(empty_queue())
    assert json_of(max_.post(f"{table}/matches/1/verify", {}))["sound"]


def test_coach_only_counts_the_rest_of_a_match_that_takes_too_long(
    site: Site, ola: Browser, max_: Browser
) -> None:
    table = begin_match("unikat", ola, max_)
    site.play_match_to_end(table.rpartition("/")[2])

    async def slow_compute(work: Any, *args: Any) -> Any:
        site.now += 15_000
        return work(*args)

    site.app.state.coaching.compute = slow_compute
    turns = json_of(ola.get(f"{table}/matches/1/coach"))["turns"]
    assert len(turns) > 2 * TURNS_PER_JOB
    judged = [bool(turn["decisions"]) for turn in turns]
    assert judged == sorted(judged, reverse=True)
    assert judged[0]
    assert not judged[-1]


def test_there_is_no_coach_for_ubongo(site: Site, ola: Browser, max_: Browser) -> None:
    table = begin_match("ubongo", ola, max_)
    site.play_match_to_end(table.rpartition("/")[2])
    assert status_and_reason(ola.get(f"{table}/matches/1/coach")) == (404, "not_found")


@pytest.mark.parametrize("game", ["unikat", "ubongo"])
def test_last_event_of_every_game_is_the_end_of_the_match(game: str) -> None:
    events = play_random_match(GAMES[game], 2, "seed").events
    assert [event for event in events if event.__struct_config__.tag == MATCH_ENDED_KIND] == [
        events[-1]
    ]


@pytest.mark.parametrize("game", ["unikat", "ubongo"])
def test_file_of_a_finished_match_verifies(
    site: Site, ola: Browser, max_: Browser, game: str
) -> None:
    table = begin_match(game, ola, max_)
    path = f"{table}/matches/1"
    assert status_and_reason(ola.get(f"{path}/file")) == (409, "match_not_over")
    assert status_and_reason(ola.post(f"{path}/verify")) == (409, "match_not_over")
    site.play_match_to_end(table.rpartition("/")[2])
    # Names are as they were when it ended, whatever happens to the table.
    json_of(max_.delete(f"{table}/seats/1"))
    json_of(ola.post(f"{table}/rematch"))
    answer = site.browser().get(f"{path}/file")
    assert answer.headers["content-type"] == "application/json"
    name = f"pytlik-{table.rpartition('/')[2]}-1.json"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    match = matchfile.decode(answer.content)
    assert matchfile.verify(match) is None
    assert [player.name for player in match.seats] == ["Ola", "Max", ""]
    assert [player.bot for player in match.seats] == [None, None, "easy"]
    verdict = {"sound": True, "flaw": None, "event": None, "first_game": False}
    assert json_of(site.browser().post(f"{path}/verify")) == verdict
    everything = json_of(site.browser().get(f"{path}/events"))
    assert everything["over"]
    assert "hidden" not in str(everything)


def test_replay_of_a_running_match_shows_only_your_own_view(
    site: Site, ola: Browser, max_: Browser
) -> None:
    table = begin_match("unikat", ola, max_)
    path = f"{table}/matches/1/views"
    mine = json_of(ola.get(f"{path}?seat=0"))
    assert (mine["seq"], mine["over"], mine["seat"], mine["after"]) == (2, False, 0, 0)
    assert mine["sitters"] == [
        {"name": "Ola", "level": None},
        {"name": "Max", "level": None},
        {"name": "", "level": "easy"},
    ]
    _, dealt = mine["views"]
    assert len(dealt["hand"]) == 10
    assert dealt["hands"] == []
    _, seen = json_of(site.browser().get(path))["views"]
    assert seen["hand"] == seen["hands"] == []
    assert not seen["choices"]["lay"]
    for query in ("seat=1", "seat=2", "seat=-1", "seat=99"):
        assert status_and_reason(ola.get(f"{path}?{query}")) == (403, "not_your_seat")
    for query in ("after=-1", "limit=0", "limit=51"):
        assert status_and_reason(ola.get(f"{path}?{query}")) == (400, "bad_request")
    assert json_of(ola.get(f"{path}?after=2"))["views"] == []
    refused = ola.get(f"{table}/matches/2/views")
    assert status_and_reason(refused) == (404, "no_such_match")


@pytest.mark.parametrize("game", ["unikat", "ubongo"])
def test_replay_of_a_finished_match_hides_nothing(
    site: Site, ola: Browser, max_: Browser, game: str
) -> None:
    table = begin_match(game, ola, max_)
    site.play_match_to_end(table.rpartition("/")[2])
    path = f"{table}/matches/1"
    events = json_of(site.browser().get(f"{path}/events"))["events"]
    views: list[Any] = []
    while len(views) < len(events):
        page = json_of(site.browser().get(f"{path}/views?after={len(views)}&limit=40"))
        assert page["views"]
        views += page["views"]
    rules = GAMES[game]
    state = None
    for event, seen in zip(events, views, strict=True):
        state = rules.apply(state, msgspec.convert(event, rules.event, str_keys=True))
        expected = msgspec.json.decode(msgspec.json.encode(rules.open_view(state, None)))
        assert seen == expected
    assert views[-1]["outcome"]
    assert json_of(max_.get(f"{path}/views?seat=2&limit=1"))["seat"] == 2
    assert status_and_reason(max_.get(f"{path}/views?seat=3")) == (403, "not_your_seat")


def test_actions_of_a_stand_in_are_marked(site: Site, ola: Browser, max_: Browser) -> None:
    table = begin_match("unikat", ola, max_)
    site.play_match_to_end(table.rpartition("/")[2], stand_ins=(1,))
    path = f"{table}/matches/1"
    answer = json_of(ola.get(f"{path}/events"))
    actors = answer["actors"]
    assert len(actors) == len(answer["events"])
    for event, actor in zip(answer["events"], actors, strict=True):
        if event["kind"] in {"chain_laid", "tile_swapped", "tile_drawn"}:
            assert actor == ("stand-in" if event["seat"] == 1 else "person")
    assert {"server", "person", "stand-in"} == set(actors)
    assert json_of(ola.get(f"{path}/events?after=7"))["actors"] == actors[7:]
    assert json_of(ola.get(f"{path}/views?after=5&limit=10"))["actors"] == actors[5:15]
    match = matchfile.decode(ola.get(f"{path}/file").content)
    assert list(match.actors) == actors
    assert matchfile.verify(match) is None


def test_file_without_stand_ins_has_no_actors(site: Site, ola: Browser, max_: Browser) -> None:
    table = begin_match("unikat", ola, max_)
    site.play_match_to_end(table.rpartition("/")[2])
    assert "actors" not in ola.get(f"{table}/matches/1/file").json()


def test_actor_of_an_event_may_be_unknown(site: Site, ola: Browser, max_: Browser) -> None:
    """Older versions of Pytlik didn't store it, and newer ones may know other actors."""
    table = begin_match("unikat", ola, max_)

    async def actors(match: str, after: int = 0, limit: int = 3) -> list[str | None]:
        return [None, "oracle", "person"][after : after + limit]

    site.store.actors = actors  # type: ignore[method-assign]
    assert json_of(ola.get(f"{table}/matches/1/events"))["actors"] == [None, None]
