"""Tables as the store has them: read together with who is there, and written with a version."""

from collections.abc import Iterable

import msgspec

from pytlik.game import Illegal
from pytlik.matchfile import Player
from pytlik.protocol.reasons import ServerReason
from pytlik.protocol.table_agreement import Agreement
from pytlik.server import tokens
from pytlik.server.document_codec import DocumentCodec
from pytlik.server.table import tables
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder
from pytlik.store import PresenceRow, PutTable, Store, TableRow

table_codec = DocumentCodec(Table, strict={"agreement": Agreement, "past": Player})


class StoredTable(msgspec.Struct, frozen=True):
    """A table, its version, and who is there."""

    table: Table
    version: int
    presence: tuple[PresenceRow, ...] = ()

    @property
    def here(self) -> dict[Holder, int | None]:
        """Who is connected to any worker, and with which delay."""
        return least_delays((present.holder, present.lag) for present in self.presence)


def least_delays(lags: Iterable[tuple[Holder, int | None]]) -> dict[Holder, int | None]:
    """The least measured delay of each holder's connections."""
    found: dict[Holder, int | None] = {}
    for holder, lag in lags:
        known = found.get(holder)
        found[holder] = lag if known is None else known if lag is None else min(known, lag)
    return found


def decode_table_row(row: TableRow) -> StoredTable:
    return StoredTable(table_codec.decode(row.doc), row.version, row.presence)


async def fetch_table_row(store: Store, table_id: str) -> TableRow:
    """Raises Illegal(NO_SUCH_TABLE)."""
    if not tokens.TABLE_ID.fullmatch(table_id):
        raise Illegal(ServerReason.NO_SUCH_TABLE)
    row = await store.table(table_id)
    if row is None:
        raise Illegal(ServerReason.NO_SUCH_TABLE)
    return row


async def read_table(store: Store, table_id: str) -> StoredTable:
    """Raises Illegal(NO_SUCH_TABLE)."""
    return decode_table_row(await fetch_table_row(store, table_id))


def make_put_table(table: Table, version: int, now: int, replaced: bytes | None = None) -> PutTable:
    """The write that replaces version `version` of a table, whose document was `replaced`."""
    return PutTable(
        id=table.id,
        version=version,
        doc=table_codec.encode(table, replaced),
        phase=table.phase,
        listed=table.agreement.listed,
        holders=tables.all_holders(table),
        touched=now,
    )
