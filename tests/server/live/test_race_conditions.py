"""Race conditions that were bugs once, each provoked on purpose."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from pytlik.chance import Chance, from_text
from pytlik.game import Illegal, PlanKey, Ready, Reason
from pytlik.games import UBONGO, UNIKAT
from pytlik.server import socket_requests
from pytlik.server.access.guess_limits import FORGET_AFTER_MS
from pytlik.server.clocks.leases import LEASE_MS
from pytlik.server.live.table_connections import TableConnections
from pytlik.server.match import bot_pool
from pytlik.server.match.bot_pool import BotPool
from pytlik.server.match.deadlines import RECHECK_DEADLINE, RULES_DEADLINE
from pytlik.server.match.live_match import ActionRequest, LiveMatch
from pytlik.server.scheduling.scheduler import POLL_MS, SWEEP_EVERY_MS
from pytlik.server.table import seats
from pytlik.server.table.tables import Table
from pytlik.store import Actor, CheckStillDue, Conflict, SetDeadlines, TakeGuess, Unavailable, Write
from pytlik.store.connect import migrate
from pytlik.ubongo.timing import COUNTDOWN_MS, MAX_CREDIT_MS
from tests.server.failing_store import FailingStore, fail_calls_to, failing_store_of
from tests.server.live_server import TIMEOUT_SECONDS, LiveServer, open_live_server, server_test
from tests.server.local_worker import LocalConnection, LocalVisits, LocalWorker
from tests.server.people_at_table import (
    is_table_with_chairs,
    message_kinds_until_answer,
    person_to_move,
    wait_for_message,
)
from tests.server.racing_workers import (
    HOLDERS,
    ManualClock,
    begin_match,
    connect_person,
    create_table_for_two,
    run_workers,
)


@pytest.fixture
def database(tmp_path: Path) -> str:
    path = str(tmp_path / "pytlik.db")
    migrate(path)
    return path


@pytest.fixture
def live_server(tmp_path: Path, empty_database: Path, same_secrets: None) -> Iterator[Any]:
    yield from open_live_server(tmp_path, empty_database, around=FailingStore)


# ---------------------------------------------------------------- a table in use stays in memory


async def deadlines_of(worker: LocalWorker, match: str) -> dict[str, int]:
    return {d.kind: d.due for d in await worker.store.deadlines() if d.match == match}


async def watch_and_leave(worker: LocalVisits, table: str, holder: str | None = None) -> None:
    connection = LocalConnection(table, holder)
    await worker.join(connection)
    await worker.send_match(connection)
    worker.leave(connection)


def test_leaving_during_an_action_deletes_no_deadline(database: str) -> None:
    """An action's deadlines are computed from the table, which must stay in memory even if the last
    person leaves at that moment."""

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time) as (worker,):
            table = await begin_match(worker, time, running=False, ready=False)
            with worker.rooms.open(table.id) as room:
                await watch_and_leave(worker, table.id)
                with worker.rooms.open(table.id):
                    await watch_and_leave(worker, table.id)
                await watch_and_leave(worker, table.id)
                for seat in (0, 1):
                    await room.act(seat, Ready(), actor=Actor.PERSON)
                assert [*worker.rooms] == [room]
            assert (await deadlines_of(worker, table.match_id))[
                RULES_DEADLINE
            ] == time() + COUNTDOWN_MS
            while [*worker.rooms]:  # noqa: ASYNC110 - until pending work has finished
                await asyncio.sleep(0)
            assert room.match is None, "now it is forgotten"

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


@server_test
async def test_no_deadline_is_lost_when_everyone_leaves_before_the_scheduler_acts(
    live_server: LiveServer,
) -> None:
    """Everyone leaves after the scheduler has read the table, and before it acts."""
    table, people = await live_server.create_match("ubongo", agreement={"away_seconds": None})
    for person in people:
        assert (await person.act({"kind": "ready"}))["kind"] == "done"
    for person in people:
        await person.disconnect()
    await live_server.wait_until_quiet()

    async def come_and_go(name: str) -> None:
        if name == "secret_and_state":  # the match is read again for the scheduler
            failing_store_of(live_server).before = later
            await watch_and_leave(LocalVisits(live_server.rooms), table)

    later = failing_store_of(live_server).before
    failing_store_of(live_server).before = come_and_go
    live_server.pass_time(COUNTDOWN_MS)
    while not any(b'"round_began"' in e for e in await live_server.store.events(f"{table}.1")):  # noqa: ASYNC110
        await asyncio.sleep(0)
    assert failing_store_of(live_server).before is later
    deadlines = await live_server.store.deadlines()
    assert [(d.kind, d.due) for d in deadlines] == [
        (RULES_DEADLINE, live_server.now + 60_000 + MAX_CREDIT_MS)
    ]


# ----------------------------------------------------------------- repeated actions aren't refused


def test_resent_action_succeeds_on_a_worker_that_still_sees_the_lobby(database: str) -> None:
    """The match has begun on another worker, where the action was done, and the bus message is
    late."""

    async def play() -> None:
        async with run_workers(database, ManualClock()) as (worker,):
            table = await create_table_for_two(worker)
            lobby = await worker.lobby.get(table)
            await worker.lobby.start(table, HOLDERS[0])
            connection = await connect_person(worker, table, HOLDERS[0])
            ready = msgspec.json.encode({"kind": "ready"})
            seq = await worker.act(connection, 0, ready, "once")
            (room,) = worker.rooms
            room.stored = lobby
            assert await worker.act(connection, 0, ready, "once") == seq
            room.stored = lobby
            with pytest.raises(Illegal) as refused:
                await worker.act(connection, 0, ready, "another")
            assert refused.value.reason is Reason.WRONG_PHASE

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


# ----------------------------------------------------------------------- a lost seat stays hidden


def test_failed_switch_to_spectator_does_not_restore_a_lost_seat(database: str) -> None:
    """Someone switches to spectator, the store fails, and meanwhile they lose their seat: the
    connection must not return to it."""

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time) as (worker,):
            table = await begin_match(worker, time, running=False, ready=False)
            connection = LocalConnection(table.id, HOLDERS[0])
            await worker.join(connection)
            await worker.send_match(connection)
            assert connection.seat == 0

            async def lose_the_seat(*_: Any) -> None:
                await worker.lobby.change(table.id, give_away)
                raise Unavailable("a test's")

            def give_away(old: Table) -> Table:
                return seats.move_seat(old, 0, "another device", "code", "next code")

            with (
                patch.object(socket_requests, "send_match", lose_the_seat),
                pytest.raises(Unavailable),
            ):
                await socket_requests.watch_from(worker.enter(connection), connection, None)
            assert connection.seat is None

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


# ------------------------------------------------------------ deadlines that have fired are over


def test_deadline_ends_even_if_its_lease_is_renewed_concurrently(database: str) -> None:
    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time) as (worker,):
            table = await begin_match(worker, time, running=False, ready=False)
            store, leases = worker.store, worker.scheduler.leases
            await store.commit(SetDeadlines(table.match_id, {RECHECK_DEADLINE: time() - 1}))
            (lease,) = await leases.take_due()
            leases.start_renewing(lease)
            time.advance(LEASE_MS // 2)
            await asyncio.gather(leases.renew_all(), leases.end_deadline(lease))
            leases.stop_renewing(lease)
            assert RECHECK_DEADLINE not in await deadlines_of(worker, table.match_id)

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


# ------------------------------------------------------- connections never receive an older state


def test_match_that_is_behind_sends_no_updates(database: str) -> None:
    """A match may briefly be in memory twice, if it was dropped while being read."""

    async def play() -> None:
        time = ManualClock()
        async with run_workers(database, time) as (worker,):
            table = await begin_match(worker, time, running=False, ready=False)
            old, new = (open_match(worker, table.match_id) for _ in range(2))
            await old.catch_up()
            await new.catch_up()
            before = old.seq
            await new.decide_and_store(ready_request(0), table)
            connections = TableConnections(time)
            seated, viewer = LocalConnection(table.id, HOLDERS[0]), LocalConnection(table.id, None)
            seated.seat = 0
            for connection in (seated, viewer):
                connection.shown = True
                connections.add(connection)
            for match in (new, old, new, old):
                connections.send_updates(match)
            await old.catch_up()
            connections.send_updates(old)
            await old.decide_and_store(ready_request(1), table)
            connections.send_updates(new)
            connections.send_updates(old)
            for connection in (seated, viewer):
                seqs = [update["seq"] for update in sent_messages(connection)]
                assert seqs == [before + 1, old.seq]
            assert old.seq > before + 1

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


def open_match(worker: LocalWorker, match: str) -> LiveMatch:
    return LiveMatch(worker.store, UBONGO, match, from_text(""), worker.clock)


def ready_request(seat: int) -> ActionRequest:
    return ActionRequest(seat=seat, action=Ready(), command=None, actor=Actor.PERSON)


def sent_messages(connection: LocalConnection) -> list[Any]:
    """Close a connection and return everything it was sent."""
    connection.close()

    async def read_all() -> list[Any]:
        return [msgspec.json.decode(data) async for data in read_each()]

    async def read_each() -> Any:
        while (data := await connection.next_message()) is not None:
            yield data

    coroutine = read_all()
    try:
        coroutine.send(None)  # never waits, as the connection is closed
    except StopIteration as end:
        found: list[Any] = end.value
        return found
    raise AssertionError


# ----------------------------------------------------------------- the scheduler survives errors


@server_test
@pytest.mark.parametrize("name", ["commit Heartbeat", "take_due", "next_due"])
async def test_scheduler_survives_any_error(
    live_server: LiveServer, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    _, people = await live_server.create_match("ubongo")
    for person in people:
        assert (await person.act({"kind": "ready"}))["kind"] == "done"
    failing_store_of(live_server).before = fail_calls_to(
        lambda: RuntimeError(f"planted in {name}"), name, times=3
    )
    for times in range(1, 4):
        live_server.pass_time(SWEEP_EVERY_MS + POLL_MS)
        while count_missed_heartbeats(caplog) < times:  # noqa: ASYNC110 - no event to await
            await asyncio.sleep(0)
    live_server.pass_time(POLL_MS)
    for person in people:
        await wait_for_message(
            person, lambda m: m["kind"] == "update" and m["view"]["phase"] == "solving"
        )
    assert count_missed_heartbeats(caplog) == 3


@server_test
async def test_next_sweep_runs_after_a_failed_one(live_server: LiveServer) -> None:
    await live_server.store.commit(TakeGuess("thief", 10, 1, live_server.now - FORGET_AFTER_MS))
    failed = asyncio.Event()

    def fail() -> Exception:
        failed.set()
        return RuntimeError("planted in a sweep")

    failing_store_of(live_server).before = fail_calls_to(fail, "untouched_table_ids", times=1)
    live_server.pass_time(SWEEP_EVERY_MS + POLL_MS)
    await failed.wait()
    assert await live_server.store.remaining_guesses("thief")
    live_server.pass_time(SWEEP_EVERY_MS + POLL_MS)
    while await live_server.store.remaining_guesses("thief"):  # noqa: ASYNC110 - no event to await
        await asyncio.sleep(0)


@server_test
async def test_scheduler_sweeps_tokens_and_guesses(live_server: LiveServer) -> None:
    table, _ = await live_server.create_match("ubongo")
    found = await live_server.lobby.get(table)
    await live_server.store.commit(TakeGuess("thief", 10, 1, live_server.now - FORGET_AFTER_MS))
    live_server.pass_time(SWEEP_EVERY_MS + POLL_MS)
    while await live_server.store.remaining_guesses("thief"):  # noqa: ASYNC110 - no event to await
        await asyncio.sleep(0)
    while not await live_server.store.last_seen([found.table.host]):  # noqa: ASYNC110
        await asyncio.sleep(0)


@server_test
async def test_turn_limit_applies_even_if_the_table_changes_just_then(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Someone's presence is stored, for example. No time passes here, so a deadline that was given
    up wouldn't be retried."""
    store = live_server.store
    commit, conflicts = store.commit, 2

    async def commit_late(*writes: Write) -> None:
        nonlocal conflicts
        if conflicts and any(isinstance(write, CheckStillDue) for write in writes):
            conflicts -= 1
            raise Conflict
        await commit(*writes)

    monkeypatch.setattr(live_server.app.state.store, "commit", commit_late, raising=False)
    _, people = await live_server.create_match(agreement={"turn_seconds": 30, "bot_level": "easy"})
    one = person_to_move(people)
    seat = people.index(one)
    await message_kinds_until_answer(one)
    live_server.pass_time(31_000)
    await wait_for_message(one, is_table_with_chairs(lambda chairs: chairs[seat]["stand_in"]))
    assert not conflicts


def count_missed_heartbeats(caplog: pytest.LogCaptureFixture) -> int:
    return sum(record.message == "the clock missed a beat" for record in caplog.records)


@server_test
async def test_failed_deadline_is_retried_when_its_lease_expires(
    live_server: LiveServer, caplog: pytest.LogCaptureFixture
) -> None:
    """A deadline is only leased, so it outlives a task that fails."""
    _, people = await live_server.create_match("ubongo")
    for person in people:
        assert (await person.act({"kind": "ready"}))["kind"] == "done"
    for person in people:
        await message_kinds_until_answer(person)
    failing_store_of(live_server).before = fail_calls_to(
        lambda: RuntimeError("planted"), "commit Append", times=1
    )
    live_server.pass_time(COUNTDOWN_MS)
    while not any(r.message == "a task failed" for r in caplog.records):  # noqa: ASYNC110
        await asyncio.sleep(0)
    live_server.pass_time(LEASE_MS - 1)
    for person in people:
        assert "update" not in await message_kinds_until_answer(person)
    live_server.pass_time(1)
    for person in people:
        await wait_for_message(
            person, lambda m: m["kind"] == "update" and m["view"]["phase"] == "solving"
        )


# --------------------------------------------------------------------------- a broken pool of bots


class ManualPool:
    """A pool that answers when the test says so."""

    made: list["ManualPool"]

    def __init__(self, *_: Any, **__: Any) -> None:
        self.waiting: list[Future[Any]] = []
        self.broken = self.closed = False
        self._processes: dict[int, Any] = {}
        ManualPool.made.append(self)

    def submit(self, *_: Any) -> Future[Any]:
        if self.broken:
            raise BrokenProcessPool("planted")
        self.waiting.append(Future())
        return self.waiting[-1]

    def shutdown(self, **_: Any) -> None:
        self.closed = True


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[ManualPool]:
    ManualPool.made = []
    monkeypatch.setattr(bot_pool, "ProcessPoolExecutor", ManualPool)
    return ManualPool.made


async def run_pending_tasks() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def start_thinking(bots: BotPool, number: int) -> "asyncio.Task[Any]":
    stream = Chance(b"").stream(str(number))
    return asyncio.create_task(bots._think(f"table{number}", UNIKAT, None, "master", stream))


def test_two_tasks_replace_a_broken_pool_only_once(
    pools: list[ManualPool],
) -> None:
    """The second one must not drop the pool that the first has just made."""

    async def play() -> None:
        bots = BotPool(3)
        first, second = start_thinking(bots, 1), start_thinking(bots, 2)
        await run_pending_tasks()
        (broken,) = pools
        one, two = broken.waiting
        broken.broken = True
        one.set_exception(BrokenProcessPool("planted"))
        await run_pending_tasks()
        assert len(pools) == 2
        two.set_exception(BrokenProcessPool("planted"))
        await run_pending_tasks()
        _, new = pools
        third = start_thinking(bots, 3)
        await run_pending_tasks()
        assert len(pools) == 2
        for number, future in enumerate(new.waiting, 1):
            future.set_result(((0, number),))
        assert [await task for task in (first, second, third)] == [((0, n),) for n in (1, 2, 3)]
        bots.close()
        assert new.closed, "no process is left behind"

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


def test_task_gives_up_after_two_broken_pools(pools: list[ManualPool]) -> None:
    async def play() -> None:
        bots = BotPool(1)
        task = start_thinking(bots, 1)
        for _ in range(2):
            await run_pending_tasks()
            pools[-1].broken = True
            pools[-1].waiting[0].set_exception(BrokenProcessPool("planted"))
        with pytest.raises(BrokenProcessPool):
            await task
        again = start_thinking(bots, 2)
        await run_pending_tasks()
        assert len(pools) == 3
        pools[-1].waiting[0].set_result(((0, "at last"),))
        assert await again == ((0, "at last"),)

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


# ------------------------------------------------------------------ a plan that two tasks ask for


def test_plan_that_two_tasks_ask_for_is_made_once(pools: list[ManualPool]) -> None:
    """Each event of a round makes the bots look again, while their first plan is being made."""

    async def play() -> None:
        bots = BotPool(1)
        match = LiveMatch(None, UBONGO, "table.1", Chance(b""), lambda: 0)  # type: ignore[arg-type]
        key, next_round = PlanKey(round=1, began=5), PlanKey(round=2, began=9)

        def planning(seat: int, key: PlanKey) -> "asyncio.Task[Any]":
            return asyncio.create_task(bots._get_plan(match, seat, "easy", None, key))

        def ready(count: int) -> list[Any]:
            (pool,) = pools
            assert len(pool.waiting) == count
            pool.waiting[-1].set_result(((0, f"plan {count}"),))
            return [(0, f"plan {count}")]

        stopped, first, second = (planning(0, key) for _ in range(3))
        await run_pending_tasks()
        assert len(pools[0].waiting) == 1
        stopped.cancel()
        await run_pending_tasks()
        plan = ready(2)  # if the first task is cancelled, the second makes it anew
        assert [list(await first), list(await second)] == [plan, plan]
        assert list(await planning(0, key)) == plan
        later = planning(0, next_round)
        await run_pending_tasks()
        assert ready(3) == list(await later)
        bots.close()

    asyncio.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))
