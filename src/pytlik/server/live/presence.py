"""Who is at a table, whichever worker they are connected to.

Each worker writes into the store which of a table's players are connected to it, and whether
anybody watches a table whose players are all away. It writes this together with the table, so
everyone is notified of it as of any other change, and reads both at once.

When a worker dies, another one removes its connections. If that worker is alive after all, it's
notified of this change too, and writes its connections again.
"""

from collections.abc import Iterable, Mapping

from pytlik.server.clocks.heartbeat import WorkerHeartbeat
from pytlik.server.live.table_connections import TableConnections
from pytlik.server.table.stored_tables import StoredTable, least_delays
from pytlik.server.tokens import Holder
from pytlik.store import Connected, Disconnected, PresenceRow, Write

JITTER_MS = 20
"""A delay is written again only when it has changed by this much. While everyone is connected to
the same worker, it isn't written at all, because nobody else would read it."""

ALL_SPECTATORS_HOLDER = ""
"""Stands for everyone who only watches: nobody's token has this hash."""


class Presence:
    """Who is at one table, as far as this worker knows: its own connections as they are now, and
    those of other workers as the store has them."""

    def __init__(self, connections: TableConnections, heartbeat: WorkerHeartbeat) -> None:
        self._connections = connections
        self._heartbeat = heartbeat
        self.is_in_doubt = False
        """Whether something was written without an answer, so that the store may know more about
        who is connected here than we do."""

    def connected_holders(self, stored: StoredTable) -> dict[Holder, int | None]:
        """Who is connected to any worker, and with which delay."""
        others = ((one.holder, one.lag) for one in self._elsewhere(stored))
        return least_delays((*others, *self._connections.holders))

    def least_delay(self, stored: StoredTable, holder: Holder | None) -> int | None:
        """The least delay of somebody's connections to any worker: the one that everyone sees."""
        others = (one.lag for one in self._elsewhere(stored) if one.holder == holder)
        ours = (lag for who, lag in self._connections.holders if who == holder)
        return min((lag for lag in (*others, *ours) if lag is not None), default=None)

    def is_anyone_here(self, stored: StoredTable) -> bool:
        """Whether anybody at all is connected to any worker."""
        return bool(self._connections) or any(True for _ in self._elsewhere(stored))

    def _elsewhere(self, stored: StoredTable) -> Iterable[PresenceRow]:
        return (one for one in stored.presence if one.worker != self._heartbeat.worker)

    def pending_writes(self, stored: StoredTable) -> tuple[Write, ...]:
        """What has to be written so that everyone knows who is connected here."""
        return presence_writes(stored, self._heartbeat.worker, self._presence_to_write(stored))

    def _presence_to_write(self, stored: StoredTable) -> dict[Holder, int | None]:
        """Who sits at the table and is connected here, with the delay if it's worth writing. If
        none of the players is connected anywhere, all spectators together, as if they were one."""
        if self._heartbeat.has_ended:
            return {}
        worker = self._heartbeat.worker
        written = {one.holder: one.lag for one in stored.presence if one.worker == worker}
        seated = {chair.holder for chair in stored.table.chairs if chair.holder is not None}
        is_alone = not any(True for _ in self._elsewhere(stored))
        here = {
            holder: known if is_alone or is_similar_delay(lag, known) else lag
            for holder, lag in least_delays(self._connections.holders).items()
            if holder in seated
            for known in (written.get(holder),)
        }
        if any(connection.holder not in seated for connection in self._connections):
            # While a player is there nobody needs to know, so it isn't worth a write.
            alone = not here and not any(one.holder in seated for one in stored.presence)
            if alone or ALL_SPECTATORS_HOLDER in written:
                here[ALL_SPECTATORS_HOLDER] = None
        return here


def is_similar_delay(lag: int | None, known: int | None) -> bool:
    return lag is not None and known is not None and abs(lag - known) < JITTER_MS


def presence_writes(
    stored: StoredTable, worker: str, here: Mapping[Holder, int | None]
) -> tuple[Write, ...]:
    """The writes after which exactly these people count as connected to a worker."""
    id = stored.table.id
    known = {each.holder: each.lag for each in stored.presence if each.worker == worker}
    new = {who: lag for who, lag in here.items() if who not in known or known[who] != lag}
    return (
        *(Connected(id, who, worker, lag) for who, lag in new.items()),
        *(Disconnected(id, who, worker) for who in known if who not in here),
    )


def apply_presence(
    before: tuple[PresenceRow, ...], writes: Iterable[Write]
) -> tuple[PresenceRow, ...]:
    """Who is there once these writes are done."""
    there = {(each.holder, each.worker): each for each in before}
    for write in writes:
        match write:
            case Connected(_, holder, worker, lag):
                there[holder, worker] = PresenceRow(holder, worker, lag)
            case Disconnected(_, holder, worker):
                there.pop((holder, worker), None)
            case _:
                pass  # a write about something else
    return tuple(there.values())
