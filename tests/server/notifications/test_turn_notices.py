"""From a move to the notification on the next player's device, with a push service of our own."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from pytlik.server import tokens
from pytlik.server.match.deadlines import NOTICE_AFTER_MS, NOTICE_DEADLINE_PREFIX
from pytlik.server.notifications import push_notifications
from pytlik.server.notifications.push_client import DeliveryOutcome, PushClient
from pytlik.server.tokens import Holder
from tests.server.client import Client, Refusal, create_table
from tests.server.live_server import LiveServer, server_test, start_match
from tests.server.people_at_table import any_legal_action, person_to_move, wait_for_message
from tests.server.push_service import (
    Device,
    PushService,
    run_push_service,
    verify_authorization,
)

HOUR_MS = 3_600_000

NOTICE = push_notifications.Notice(table="", title="", body="")


@pytest.fixture(autouse=True)
def no_retry_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push_notifications, "RETRY_AFTER_SECONDS", (0.0, 0.0))


@asynccontextmanager
async def use_push_service(live_server: LiveServer, folder: Path) -> AsyncIterator[PushService]:
    """Run a push service that this server may contact."""
    async with run_push_service(folder) as service:
        notices = live_server.rooms.services.notices
        assert notices
        notices.client = service.new_client()
        yield service


async def subscribe(person: Client, device: Device, language: str = "en") -> None:
    await person.ask("PUT", "/api/notifications", device.subscription(language))


async def subscribed_endpoints(live_server: LiveServer, person: Client) -> list[str]:
    assert person.token
    found = await live_server.store.subscriptions_of(tokens.holder_of(person.token))
    return [each.endpoint for each in found]


async def notices_due(live_server: LiveServer) -> list[str]:
    return [
        each.kind
        for each in await live_server.store.deadlines()
        if NOTICE_DEADLINE_PREFIX in each.kind
    ]


def split_by_turn(people: list[Client]) -> tuple[Client, Client]:
    """Of two people, the one to move and the other one."""
    first = person_to_move(people)
    return first, people[1 - people.index(first)]


async def play_turn(people: list[Client]) -> None:
    """Let the player to move play their turn."""
    mover = person_to_move(people)
    while mover.view["to_move"] == mover.seat:
        assert (await mover.act(any_legal_action(mover.view)))["kind"] == "done"


async def wait_until_notified(live_server: LiveServer, connections: int) -> None:
    """Let time pass until those who are away are notified."""
    await live_server.wait_for_connections(connections)
    assert await notices_due(live_server)
    live_server.pass_time(NOTICE_AFTER_MS)
    while await notices_due(live_server):  # noqa: ASYNC110 - the store
        await asyncio.sleep(0.001)
    await live_server.wait_for_connections(connections)


@server_test
async def test_a_player_who_is_away_is_notified_of_their_turn_once(
    live_server: LiveServer, tmp_path: Path
) -> None:
    async with use_push_service(live_server, tmp_path) as service:
        _, people = await live_server.create_match()
        first, second = split_by_turn(people)
        phone = service.new_device()
        await subscribe(second, phone, "pl")
        await second.disconnect()
        await play_turn(people)
        await wait_until_notified(live_server, 1)
        delivery = service.delivered.get_nowait()
        assert phone.read(delivery.body) == {
            "table": str(first.match).partition(".")[0],
            "title": "Twoja tura · Unikat",
            "body": f"person {first.seat}",
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
async def test_a_player_who_is_here_is_not_notified(
    live_server: LiveServer, tmp_path: Path
) -> None:
    async with use_push_service(live_server, tmp_path) as service:
        _, people = await live_server.create_match()
        for number, person in enumerate(people):
            await subscribe(person, service.new_device(f"/{number}"))
        await play_turn(people)
        await wait_until_notified(live_server, 2)
        assert service.requests == 0


@server_test
async def test_a_player_who_plays_in_time_is_not_notified(
    live_server: LiveServer, tmp_path: Path
) -> None:
    """Their turn is over before anyone would have been notified."""
    async with use_push_service(live_server, tmp_path) as service:
        _, people = await live_server.create_match()
        first = person_to_move(people)
        await subscribe(first, service.new_device())
        await play_turn(people)
        assert await notices_due(live_server) == [
            f"{NOTICE_DEADLINE_PREFIX}{1 - people.index(first)}"
        ]
        await first.disconnect()
        await wait_until_notified(live_server, 1)
        assert service.requests == 0


@server_test
async def test_first_player_of_a_match_is_notified(live_server: LiveServer, tmp_path: Path) -> None:
    async with use_push_service(live_server, tmp_path) as service:
        _, people = await live_server.create_match()
        first = person_to_move(people)
        phone = service.new_device()
        await subscribe(first, phone)
        await first.disconnect()
        await wait_until_notified(live_server, 1)
        assert phone.read(service.delivered.get_nowait().body)["title"] == "Your turn · Unikat"


@server_test
async def test_nobody_is_notified_of_games_with_bots(live_server: LiveServer) -> None:
    await live_server.create_match(people=1, bots=1)
    assert not await notices_due(live_server)


@server_test
async def test_nobody_is_notified_if_only_bots_wait(
    live_server: LiveServer, tmp_path: Path
) -> None:
    async with use_push_service(live_server, tmp_path) as service:
        table, people = await live_server.create_match()
        first, second = split_by_turn(people)
        await subscribe(first, service.new_device())
        await first.disconnect()
        await second.ask("DELETE", f"/api/tables/{table}/seats/{second.seat}")
        await wait_until_notified(live_server, 1)
        assert service.requests == 0


@server_test
async def test_nobody_is_notified_on_a_shared_device(
    live_server: LiveServer,
) -> None:
    person = live_server.new_person()
    table = await create_table(person, "unikat", chairs=2)
    for name in ("Ola", "Max"):
        await person.ask("POST", f"/api/tables/{table}/seats", {"name": name})
    await start_match(person, table)
    assert await live_server.store.events(f"{table}.1")
    assert not await notices_due(live_server)


@server_test
async def test_nobody_is_notified_while_the_sand_runs(live_server: LiveServer) -> None:
    table, people = await live_server.create_match("ubongo")
    for person in people:
        await person.act({"kind": "ready"})
    due = await live_server.store.deadlines_of(f"{table}.1")
    assert "rules" in due
    assert not await notices_due(live_server)


async def notify_first_player(
    live_server: LiveServer, service: PushService, statuses: list[int]
) -> Client:
    """Let the first player be notified, and return them. Their push service answers with these
    statuses."""
    _, people = await live_server.create_match()
    first = person_to_move(people)
    await subscribe(first, service.new_device())
    service.statuses = statuses
    await first.disconnect()
    await wait_until_notified(live_server, 1)
    return first


@pytest.mark.parametrize("status", [404, 410])
@server_test
async def test_unsubscribed_device_is_forgotten(
    live_server: LiveServer, tmp_path: Path, status: int
) -> None:
    async with use_push_service(live_server, tmp_path) as service:
        first = await notify_first_player(live_server, service, [status])
        assert await subscribed_endpoints(live_server, first) == []
        assert service.requests == 1


@server_test
async def test_failing_service_is_retried(live_server: LiveServer, tmp_path: Path) -> None:
    async with use_push_service(live_server, tmp_path) as service:
        await notify_first_player(live_server, service, [503, 429])
        assert (service.requests, service.delivered.qsize()) == (3, 1)


@server_test
async def test_service_that_keeps_failing_is_given_up(
    live_server: LiveServer, tmp_path: Path
) -> None:
    async with use_push_service(live_server, tmp_path) as service:
        first = await notify_first_player(live_server, service, [503] * 10)
        assert (service.requests, service.delivered.qsize()) == (3, 0)
        assert len(await subscribed_endpoints(live_server, first)) == 1
        assert not await notices_due(live_server)


@server_test
async def test_hanging_service_holds_up_nobody(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, people = await live_server.create_match(people=3)
    first = person_to_move(people)
    device = Device("https://push.example/ola")
    await subscribe(first, device)
    requested, answer = asyncio.Event(), asyncio.Event()

    async def hang(*_: Any) -> Any:
        requested.set()
        await answer.wait()
        raise AssertionError("its lease was given up")

    monkeypatch.setattr(PushClient, "post", hang)
    others = [person for person in people if person is not first]
    await first.disconnect()
    await live_server.wait_for_connections(2)
    live_server.pass_time(NOTICE_AFTER_MS)
    await requested.wait()
    await others[0].send(kind="react", reaction="clap")
    await wait_for_message(others[1], lambda m: m["kind"] == "line")


@server_test
async def test_a_player_is_nudged_once_an_hour(live_server: LiveServer, tmp_path: Path) -> None:
    async with use_push_service(live_server, tmp_path) as service:
        table, people = await live_server.create_match(people=3)
        first = person_to_move(people)
        other, third = (person for person in people if person is not first)
        phone = service.new_device()
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
        assert await nudge(live_server.new_person(), first.seat) == "not_your_seat"


async def subscribe_new_person(live_server: LiveServer, *devices: Device) -> Holder:
    """Turn on notifications on these devices for a new person."""
    person = live_server.new_person()
    for device in devices:
        await subscribe(person, device)
    assert person.token
    return tokens.holder_of(person.token)


@server_test
async def test_outdated_notice_is_not_retried(live_server: LiveServer, tmp_path: Path) -> None:
    async with use_push_service(live_server, tmp_path) as service:
        notices = live_server.rooms.services.notices
        assert notices
        ola = await subscribe_new_person(live_server, service.new_device())
        service.statuses = [503]
        answers = iter([True, False])
        await notices.send(ola, lambda _: NOTICE, topic="", is_current=lambda: next(answers))
        assert (service.requests, service.delivered.qsize()) == (1, 0)


@server_test
async def test_same_topic_gives_the_same_header_on_each_device(
    live_server: LiveServer, tmp_path: Path
) -> None:
    """And the service keeps a notice for the requested time."""
    async with use_push_service(live_server, tmp_path) as service:
        notices = live_server.rooms.services.notices
        assert notices
        devices = [service.new_device(path) for path in ("/phone", "/tablet")]
        ola = await subscribe_new_person(live_server, *devices)
        for topic in ("first", "second", "second"):
            await notices.send(
                ola, lambda _: NOTICE, topic=topic, is_current=lambda: True, seconds=60
            )
        deliveries = [service.delivered.get_nowait() for _ in range(6)]
        assert {delivery.headers["TTL"] for delivery in deliveries} == {"60"}
        assert sorted(Counter(delivery.headers["Topic"] for delivery in deliveries).values()) == [
            1, 1, 2, 2,
        ]  # fmt: skip


@server_test
async def test_log_names_the_service_but_not_the_endpoint(
    live_server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anyone who knows the endpoint can send to it."""
    logged: list[str] = []
    monkeypatch.setattr(
        push_notifications.log, "warning", lambda text, *values: logged.append(text % values)
    )
    async with use_push_service(live_server, tmp_path) as service:
        notices = live_server.rooms.services.notices
        assert notices
        ola = await subscribe_new_person(live_server, service.new_device())
        service.statuses = [403]
        await notices.send(ola, lambda _: NOTICE, topic="", is_current=lambda: True)
        assert logged == [f"{service.address} didn't take a notification: REFUSED"]


class ServiceThatNeverAnswers:
    """Stands in for a `PushClient`: each message waits until the test calls `answer`."""

    def __init__(self) -> None:
        self.requested: list[str] = []
        self.answers: list[asyncio.Future[DeliveryOutcome]] = []

    async def post(self, endpoint: str, *_: Any) -> DeliveryOutcome:
        self.requested.append(endpoint.rpartition("/")[2])
        self.answers.append(asyncio.get_running_loop().create_future())
        return await self.answers[-1]

    def answer(self) -> None:
        self.answers[-1].set_result(DeliveryOutcome.ACCEPTED)


@server_test
async def test_many_slow_devices_do_not_delay_other_people(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People take turns: everyone gets a message before anyone gets a second."""
    monkeypatch.setattr(push_notifications, "MESSAGES_AT_ONCE", 1)
    notices = push_notifications.make_push_notifications(live_server.store, lambda: live_server.now)
    assert notices
    service = ServiceThatNeverAnswers()
    notices.client = service  # type: ignore[assignment]
    ola, max_ = live_server.new_person(), live_server.new_person()
    for device in ("ola1", "ola2", "ola3"):
        await subscribe(ola, Device(f"https://slow.example/{device}"))
    await subscribe(max_, Device("https://push.example/max"))

    async def notify(person: Client) -> None:
        assert person.token
        await notices.send(
            tokens.holder_of(person.token),
            lambda _: push_notifications.Notice(table="", title="", body=""),
            topic="",
            is_current=lambda: True,
        )

    async def wait_until_asked(number: int) -> None:
        while len(service.requested) < number:  # noqa: ASYNC110 - the store
            await asyncio.sleep(0.001)

    async with asyncio.TaskGroup() as group:
        group.create_task(notify(ola))
        await wait_until_asked(1)
        group.create_task(notify(max_))
        while notices._turns.asker_count < 2:  # noqa: ASYNC110 - the store
            await asyncio.sleep(0.001)
        for number in range(1, 5):
            await wait_until_asked(number)
            service.answer()
    assert service.requested.index("max") < 3
    assert sorted(service.requested) == ["max", "ola1", "ola2", "ola3"]
