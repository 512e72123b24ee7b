"""From a move to the notification on the next player's device, with a push service of our own."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from pytlik.bus import Bus
from pytlik.protocol.agreement import Agreement
from pytlik.server import tokens, turn_notices
from pytlik.server.clock import Clock
from pytlik.server.deadlines import NOTICE, NOTICE_AFTER_MS
from pytlik.server.leases import LEASE_MS
from pytlik.server.push_client import Outcome, PushClient
from pytlik.server.rooms import Rooms
from pytlik.store import PutSubscription, Store, Subscription, Unavailable
from tests.server import local_worker
from tests.server.client import Client, Refusal, table_for
from tests.server.http_site import Browser, Site, json_of, make_site, reason, site
from tests.server.live_server import (
    PATIENCE,
    LiveServer,
    empty_database,
    live_server,
    same_secrets,
    server_test,
    start_match,
)
from tests.server.local_worker import LocalWorker
from tests.server.people import person_to_move, some_action, wait_for_message
from tests.server.push_service import (
    Device,
    PushService,
    run_push_service,
    verify_authorization,
)
from tests.server.racing_workers import (
    HOLDERS,
    ManualTime,
    check_clocks,
    kill_worker,
    run_workers,
    sit_at,
)
from tests.services import Postgres

__all__ = ["empty_database", "live_server", "make_site", "same_secrets", "site"]

HOUR_MS = 3_600_000


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_notices, "RETRY_AFTER_SECONDS", (0.0, 0.0))


@asynccontextmanager
async def push_service(live_server: LiveServer, folder: Path) -> AsyncIterator[PushService]:
    """A push service that this server may talk to."""
    async with run_push_service(folder) as service:
        notices = live_server.rooms.services.notices
        assert notices
        notices.client = service.client()
        yield service


async def subscribe(person: Client, device: Device, language: str = "en") -> None:
    await person.ask("PUT", "/api/notifications", device.subscription(language))


def holder_of(person: Client) -> str:
    assert person.token
    return tokens.holder_of(person.token)


async def endpoints(live_server: LiveServer, person: Client) -> list[str]:
    return [each.endpoint for each in await live_server.store.subscriptions_of(holder_of(person))]


async def notices_due(live_server: LiveServer) -> list[str]:
    return [each.kind for each in await live_server.store.deadlines() if NOTICE in each.kind]


async def play_turn(people: list[Client]) -> tuple[Client, Client]:
    """Let the player to move play their turn. Returns them and who is to move then."""
    mover = person_to_move(people)
    other = people[1 - people.index(mover)]
    while mover.view["to_move"] == mover.seat:
        assert (await mover.act(some_action(mover.view)))["kind"] == "done"
    return mover, other


async def let_turn_last(live_server: LiveServer, connections: int) -> None:
    """Let time pass until those who are away are notified."""
    await live_server.wait_for_connections(connections)
    assert await notices_due(live_server)
    live_server.pass_time(NOTICE_AFTER_MS)
    while await notices_due(live_server):  # noqa: ASYNC110 - the store
        await asyncio.sleep(0.001)
    await live_server.wait_for_connections(connections)


@server_test
async def test_who_is_away_hears_of_their_turn_once(
    live_server: LiveServer, tmp_path: Path
) -> None:
    async with push_service(live_server, tmp_path) as service:
        _, people = await live_server.match()
        first = person_to_move(people)
        second = people[1 - people.index(first)]
        phone = service.device()
        await subscribe(second, phone, "pl")
        assert second.socket
        await second.socket.close()
        await play_turn([first, second])
        await let_turn_last(live_server, 1)
        delivery = service.delivered.get_nowait()
        name = f"person {first.seat}"
        assert phone.read(delivery.body) == {
            "table": str(first.match).partition(".")[0],
            "title": "Twoja tura · Unikat",
            "body": name,
        }
        claims, by = verify_authorization(delivery.headers["Authorization"])
        assert claims["aud"] == service.address
        assert by == (await second.ask("GET", "/api/notifications"))["key"]
        assert delivery.headers["Content-Encoding"] == "aes128gcm"
        table = phone.read(delivery.body)["table"]
        assert not any(table in value for value in delivery.headers.values())
        assert len(delivery.headers["Topic"]) == 32  # no service takes more
        assert int(delivery.headers["TTL"]) > 0
        assert service.requests == 1


@server_test
async def test_who_is_here_is_left_alone(live_server: LiveServer, tmp_path: Path) -> None:
    async with push_service(live_server, tmp_path) as service:
        _, people = await live_server.match()
        for number, person in enumerate(people):
            await subscribe(person, service.device(f"/{number}"))
        await play_turn(people)
        await let_turn_last(live_server, 2)
        assert service.requests == 0


@server_test
async def test_who_plays_in_time_is_left_alone(live_server: LiveServer, tmp_path: Path) -> None:
    """Their turn is over before anyone would have been notified."""
    async with push_service(live_server, tmp_path) as service:
        _, people = await live_server.match()
        first = person_to_move(people)
        await subscribe(first, service.device())
        await play_turn(people)
        assert await notices_due(live_server) == [f"{NOTICE}{1 - people.index(first)}"]
        assert first.socket
        await first.socket.close()
        await let_turn_last(live_server, 1)
        assert service.requests == 0


@server_test
async def test_the_first_player_of_a_match_hears_of_it(
    live_server: LiveServer, tmp_path: Path
) -> None:
    async with push_service(live_server, tmp_path) as service:
        _, people = await live_server.match()
        first = person_to_move(people)
        phone = service.device()
        await subscribe(first, phone)
        assert first.socket
        await first.socket.close()
        await let_turn_last(live_server, 1)
        assert phone.read(service.delivered.get_nowait().body)["title"] == "Your turn · Unikat"


@server_test
async def test_nobody_is_notified_of_games_with_bots(live_server: LiveServer) -> None:
    await live_server.match(people=1, bots=1)
    assert not await notices_due(live_server)


@server_test
async def test_nobody_is_notified_once_only_bots_wait(
    live_server: LiveServer, tmp_path: Path
) -> None:
    async with push_service(live_server, tmp_path) as service:
        table, people = await live_server.match()
        first = person_to_move(people)
        second = people[1 - people.index(first)]
        await subscribe(first, service.device())
        assert first.socket
        await first.socket.close()
        await second.ask("DELETE", f"/api/tables/{table}/seats/{second.seat}")
        await let_turn_last(live_server, 1)
        assert service.requests == 0


@server_test
async def test_nobody_is_notified_of_a_device_that_is_passed_around(
    live_server: LiveServer,
) -> None:
    person = live_server.person()
    table = await table_for(person, "unikat", chairs=2)
    for name in ("Ola", "Max"):
        await person.ask("POST", f"/api/tables/{table}/seats", {"name": name})
    await start_match(person, table)
    assert await live_server.store.events(f"{table}.1")
    assert not await notices_due(live_server)


@server_test
async def test_nobody_is_notified_while_the_sand_runs(live_server: LiveServer) -> None:
    table, people = await live_server.match("ubongo")
    for person in people:
        await person.act({"kind": "ready"})
    due = await live_server.store.deadlines_of(f"{table}.1")
    assert "rules" in due
    assert not await notices_due(live_server)


async def send_first_turn(
    live_server: LiveServer, service: PushService, statuses: list[int]
) -> Client:
    """Notify the first player, whose push service answers so. Returns them."""
    _, people = await live_server.match()
    first = person_to_move(people)
    await subscribe(first, service.device())
    service.statuses = statuses
    assert first.socket
    await first.socket.close()
    await let_turn_last(live_server, 1)
    return first


@pytest.mark.parametrize("status", [404, 410])
@server_test
async def test_a_device_that_wants_no_more_is_forgotten(
    live_server: LiveServer, tmp_path: Path, status: int
) -> None:
    async with push_service(live_server, tmp_path) as service:
        first = await send_first_turn(live_server, service, [status])
        assert await endpoints(live_server, first) == []
        assert service.requests == 1


@server_test
async def test_a_service_in_trouble_is_tried_again(live_server: LiveServer, tmp_path: Path) -> None:
    async with push_service(live_server, tmp_path) as service:
        await send_first_turn(live_server, service, [503, 429])
        assert (service.requests, service.delivered.qsize()) == (3, 1)


@server_test
async def test_a_service_that_stays_in_trouble_is_given_up(
    live_server: LiveServer, tmp_path: Path
) -> None:
    async with push_service(live_server, tmp_path) as service:
        first = await send_first_turn(live_server, service, [503] * 10)
        assert (service.requests, service.delivered.qsize()) == (3, 0)
        assert len(await endpoints(live_server, first)) == 1
        assert not await notices_due(live_server)


@server_test
async def test_a_service_that_hangs_holds_up_nobody(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, people = await live_server.match(people=3)
    first = person_to_move(people)
    device = Device("https://push.example/ola")
    await subscribe(first, device)
    asked, answer = asyncio.Event(), asyncio.Event()

    async def hang(*_: Any) -> Any:
        asked.set()
        await answer.wait()
        raise AssertionError("its lease was given up")

    monkeypatch.setattr(PushClient, "post", hang)
    others = [person for person in people if person is not first]
    assert first.socket
    await first.socket.close()
    await live_server.wait_for_connections(2)
    live_server.pass_time(NOTICE_AFTER_MS)
    await asked.wait()
    await others[0].send(kind="react", reaction="clap")
    await wait_for_message(others[1], lambda m: m["kind"] == "line")


@server_test
async def test_a_player_is_nudged_once_an_hour(live_server: LiveServer, tmp_path: Path) -> None:
    async with push_service(live_server, tmp_path) as service:
        table, people = await live_server.match(people=3)
        first = person_to_move(people)
        other, third = (person for person in people if person is not first)
        phone = service.device()
        await subscribe(first, phone)

        async def nudge(by: Client, seat: int | None) -> str:
            try:
                await by.ask("POST", f"/api/tables/{table}/nudge", {"seat": seat})
            except Refusal as refusal:
                return str(refusal.args[1])
            await live_server.wait_for_connections(3)
            return "done"

        assert await nudge(other, first.seat) == "done"
        assert phone.read(service.delivered.get_nowait().body) == {
            "table": table,
            "title": f"person {other.seat} is waiting for you",
            "body": "Unikat",
        }
        assert await nudge(other, first.seat) == "already_nudged"
        assert await nudge(third, first.seat) == "already_nudged"
        live_server.pass_time(HOUR_MS - 2000)
        assert await nudge(other, first.seat) == "already_nudged"
        live_server.pass_time(3000)
        assert await nudge(third, first.seat) == "done"
        assert service.requests == 2
        assert await nudge(first, first.seat) == "not_awaited"
        assert await nudge(other, third.seat) == "not_awaited"
        assert await nudge(other, 7) == "no_such_seat"
        assert await nudge(live_server.person(), first.seat) == "not_your_seat"


# ---------------------------------------------------------------------------------- several workers


class RecordingClient:
    """Notes which worker sends. The first message hangs until `answer` is set, if there is one."""

    def __init__(self, worker: int, sent: list[int], answer: asyncio.Event | None) -> None:
        self._worker = worker
        self._sent = sent
        self._answer = answer

    async def post(self, *_: Any) -> Outcome:
        self._sent.append(self._worker)
        if self._answer and len(self._sent) == 1:
            await self._answer.wait()
        return Outcome.ACCEPTED


@asynccontextmanager
async def notifying_workers(
    database: str, time: ManualTime, sent: list[int], answer: asyncio.Event | None = None
) -> AsyncIterator[list[LocalWorker]]:
    """Workers that share a table where it's the turn of somebody who is away."""

    def make_rooms(store: Store, bus: Bus, clock: Clock) -> Rooms:
        return Rooms(store, bus, clock, notices=turn_notices.open_notices(store, clock))

    with patch.object(local_worker, "Rooms", make_rooms):
        async with run_workers(database, time, 3) as workers:
            for number, worker in enumerate(workers):
                notices: Any = worker.rooms.services.notices
                notices.client = RecordingClient(number, sent, answer)
            keys: Any = Device("https://push.example/1").subscription()
            new = Subscription(holder=HOLDERS[0], origin="", at=time(), **keys)
            await workers[0].store.commit(PutSubscription(new, 1))
            lobby = workers[0].lobby
            options = {"starter": 0}
            alone = Agreement(away_seconds=None)
            found = await lobby.create(
                "unikat", HOLDERS[0], chairs=2, options=options, agreement=alone
            )
            for seat, holder in enumerate(HOLDERS):
                await lobby.change(found.table.id, sit_at(holder, seat))
            await lobby.start(found.table.id, HOLDERS[0])
            time.pass_by(NOTICE_AFTER_MS)
            yield workers


async def check_until(workers: list[LocalWorker], done: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await done():
            await check_clocks(workers)


def test_one_of_several_workers_notifies(postgres: Postgres) -> None:
    async def play() -> None:
        time, sent = ManualTime(), list[int]()
        async with notifying_workers(postgres.fresh(), time, sent) as workers:

            async def is_done() -> bool:
                return not await workers[0].store.deadlines()

            await check_until(workers, is_done)
            for _ in range(3):
                time.pass_by(LEASE_MS)
                await check_clocks(workers)
            assert len(sent) == 1

    asyncio.run(play())


def test_another_worker_takes_over_from_one_that_dies(postgres: Postgres) -> None:
    async def play() -> None:
        time, sent = ManualTime(), list[int]()
        async with notifying_workers(postgres.fresh(), time, sent, asyncio.Event()) as workers:

            async def has_begun() -> bool:
                return bool(sent)

            async def is_done() -> bool:
                return not await workers[0].store.deadlines()

            await check_until(workers, has_begun)
            for _ in range(3):  # as long as it lives, nobody else does it
                time.pass_by(LEASE_MS // 2)
                await check_clocks(workers)
            assert len(sent) == 1
            died = workers[sent[0]]
            await kill_worker(died)
            time.pass_by(LEASE_MS)
            await check_until([each for each in workers if each is not died], is_done)
            assert len(sent) == 2
            assert sent[0] != sent[1]

    asyncio.run(play())


# ------------------------------------------------------------------------------------ subscriptions


@pytest.fixture
def ola(site: Site) -> Browser:
    return site.browser("https://pytlik.test")


def device(number: int = 1) -> Device:
    return Device(f"https://push.example/{number}")


def subscribed(site: Site, browser: Browser) -> list[str]:
    (token,) = (value for name, value in browser.cookies.items() if name.endswith("pytlik"))
    found = site.run(site.store.subscriptions_of(tokens.holder_of(token)))
    return [each.endpoint.rpartition("/")[2] for each in found]


def test_a_browser_subscribes_and_ends_it(site: Site, ola: Browser) -> None:
    body = device().subscription("cs-CZ")
    json_of(ola.put("/api/notifications", body))
    json_of(ola.put("/api/notifications", body))
    assert subscribed(site, ola) == ["1"]
    (kept,) = site.run(
        site.store.subscriptions_of(tokens.holder_of(next(iter(ola.cookies.values()))))
    )
    assert (kept.language, kept.origin, kept.at) == ("cs", "https://pytlik.test", site.now)
    json_of(site.browser().post("/api/notifications/end", {"endpoint": body["endpoint"]}))
    assert subscribed(site, ola) == ["1"]
    json_of(ola.post("/api/notifications/end", {"endpoint": body["endpoint"]}))
    assert subscribed(site, ola) == []


def test_a_person_has_eight_devices_at_most(site: Site, ola: Browser) -> None:
    for number in range(10):
        site.now += 1
        json_of(ola.put("/api/notifications", device(number).subscription()))
    assert subscribed(site, ola) == ["9", "8", "7", "6", "5", "4", "3", "2"]


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": "http://push.example/1"},
        {"endpoint": "https://push.example/1\r\nHost: other"},
        {"endpoint": "https://push.example/" + "1" * 1000},
        {"p256dh": "AAAA"},
        {"auth": "AAAA"},
        {"language": "x" * 99},
    ],
)
def test_what_is_no_subscription_is_refused(ola: Browser, change: dict[str, str]) -> None:
    body = device().subscription() | change
    assert reason(ola.put("/api/notifications", body)) == (400, "bad_request")


def test_whoever_is_forgotten_is_not_notified(site: Site, ola: Browser) -> None:
    json_of(ola.put("/api/notifications", device().subscription()))
    json_of(ola.delete("/api/me"))
    assert subscribed(site, ola) == []


def test_ending_other_devices_ends_their_notifications(site: Site) -> None:
    browser = site.browser()
    table = browser.create_table()
    browser.sit_down(table)
    json_of(browser.put("/api/notifications", device().subscription()))
    old = tokens.holder_of(browser.cookies["pytlik"])
    json_of(browser.post("/api/cookie/renewal"))
    json_of(browser.post("/api/adoption", {}))
    assert site.run(site.store.subscriptions_of(old)) == []
    json_of(browser.put("/api/notifications", device().subscription()))
    assert (
        len(site.run(site.store.subscriptions_of(tokens.holder_of(browser.cookies["pytlik"])))) == 1
    )


def test_what_no_browser_confirms_for_a_year_is_swept(site: Site, ola: Browser) -> None:
    json_of(ola.put("/api/notifications", device().subscription()))
    site.now += 364 * 24 * HOUR_MS
    site.run(site.cleanup.forget_guesses_and_tokens())
    assert subscribed(site, ola) == ["1"]
    site.now += 2 * 24 * HOUR_MS
    site.run(site.cleanup.forget_guesses_and_tokens())
    assert subscribed(site, ola) == []


def test_all_workers_and_restarts_have_the_same_key(site: Site, make_site: Any) -> None:
    key = json_of(site.browser().get("/api/notifications"))["key"]
    other = turn_notices.open_notices(site.store, lambda: site.now)
    assert other
    assert site.run(other.public_key()) == key
    assert json_of(make_site().browser().get("/api/notifications"))["key"] != key


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if `cryptography` weren't installed."""
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives", None)
    monkeypatch.delitem(sys.modules, "pytlik.server.web_push")
    monkeypatch.delattr("pytlik.server.web_push")


@pytest.mark.usefixtures("without_extra")
def test_a_server_without_the_extra_offers_nothing(make_site: Any) -> None:
    browser = make_site().browser()
    assert json_of(browser.get("/api/notifications")) == {"key": None}
    refused = browser.put("/api/notifications", device().subscription())
    assert reason(refused) == (404, "not_found")
    table = browser.create_table(chairs=2)
    browser.sit_down(table, "Ola")
    browser.site.browser(address="203.0.113.6").sit_down(table, "Max")
    browser.start_match(table)
    due = browser.site.run(browser.site.store.deadlines())
    assert not any(NOTICE in each.kind for each in due)


def test_the_key_is_not_lost_when_the_store_is_away(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_: str) -> None:
        raise Unavailable("away")

    with monkeypatch.context() as away:
        away.setattr(site.store, "server_key", fail)
        assert reason(site.browser().get("/api/notifications"))[0] == 503
    assert json_of(site.browser().get("/api/notifications"))["key"]
