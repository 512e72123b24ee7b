"""Crowds of spectators are updated in batches, so that players needn't wait."""

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from pytlik.server.live import table_connections
from pytlik.server.live.connection import Connection
from pytlik.server.live.table_connections import (
    BATCH_PAUSE_SECONDS,
    MAX_BATCH_PAUSE_SECONDS,
    UPDATES_PER_BATCH,
    TableConnections,
)
from tests.bus.virtual_time import run_in_virtual_time

CROWD = 200
MESSAGES_PER_SECOND = UPDATES_PER_BATCH / BATCH_PAUSE_SECONDS


@pytest.fixture(autouse=True)
def simple_updates() -> Iterator[None]:
    """Make each update just the match's seq."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_connections, "make_update", lambda match, *_: match.seq)
        yield


class CrowdedTable:
    def __init__(self, crowds: set[TableConnections]) -> None:
        self.match: Any = SimpleNamespace(id="match", seq=0)
        self.connections = TableConnections(lambda: 0, crowds)
        self.received: dict[Connection, list[tuple[float, int]]] = {}
        self.players = [self._add(seat) for seat in (0, 1)]
        self.spectators = [self._add(None) for _ in range(CROWD)]

    def _add(self, seat: int | None) -> Connection:
        connection = Connection(None)
        connection.seat, connection.shown = seat, True
        connection.wake_sender = lambda: self._read(connection)
        self.connections.add(connection)
        self.received[connection] = []
        return connection

    def _read(self, connection: Connection) -> None:
        data = connection.take_message()
        assert data
        self.received[connection].append((asyncio.get_running_loop().time(), int(data)))

    def act(self) -> None:
        self.match.seq += 1
        self.connections.send_updates(self.match)

    def newest_seen(self, connection: Connection) -> int:
        return self.received[connection][-1][1]

    def updates_of_spectators(self) -> int:
        return sum(len(self.received[each]) for each in self.spectators)


def test_every_spectator_is_updated_however_fast_people_play() -> None:
    async def play() -> None:
        table = CrowdedTable(set())
        seconds, actions = 4.0, 1_000
        for number in range(1, actions + 1):
            table.act()
            assert [table.newest_seen(each) for each in table.players] == [number] * 2
            await asyncio.sleep(seconds / actions)
        most = MESSAGES_PER_SECOND * seconds + UPDATES_PER_BATCH
        assert most / 2 < table.updates_of_spectators() <= most
        fewest = min(len(table.received[each]) for each in table.spectators)
        assert fewest >= MESSAGES_PER_SECOND * seconds / CROWD - 2, "nobody is left out"
        await asyncio.sleep(CROWD / MESSAGES_PER_SECOND)
        assert {table.newest_seen(each) for each in table.spectators} == {actions}

    run_in_virtual_time(play())


def test_several_crowds_share_one_update_rate() -> None:
    async def play() -> None:
        crowds: set[TableConnections] = set()
        tables = [CrowdedTable(crowds) for _ in range(5)]
        seconds, actions = 4.0, 100
        for _ in range(actions):
            for table in tables:
                table.act()
            await asyncio.sleep(seconds / actions)
        sent = sum(table.updates_of_spectators() for table in tables)
        # Each table sends its first batch before it knows of the others.
        most = MESSAGES_PER_SECOND * seconds + 2 * len(tables) * UPDATES_PER_BATCH
        assert most / 2 < sent <= most
        longest = CROWD / UPDATES_PER_BATCH * MAX_BATCH_PAUSE_SECONDS
        assert longest <= 2
        await asyncio.sleep(longest)
        for table in tables:
            assert {table.newest_seen(each) for each in table.spectators} == {actions}
        assert not crowds

    run_in_virtual_time(play())


def test_a_few_spectators_are_updated_at_once() -> None:
    async def play() -> None:
        table = CrowdedTable(set())
        for each in table.spectators[UPDATES_PER_BATCH - 2 :]:
            table.connections.remove(each)
        for number in range(1, 10):
            table.act()
            for each in table.connections:
                assert table.newest_seen(each) == number

    run_in_virtual_time(play())
