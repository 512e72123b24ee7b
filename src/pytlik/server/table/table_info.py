"""A table as everyone with its link may know it."""

from collections.abc import Collection, Mapping

import msgspec

from pytlik.game import Seat
from pytlik.protocol.messages import ChairInfo, TableInfo
from pytlik.server.table.stored_tables import StoredTable
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder


def make_table_info(
    stored: StoredTable, here: Mapping[Holder, int | None] | None = None
) -> TableInfo:
    """`here` says who is connected, with their delay; by default, that's taken from the store."""
    table = stored.table
    here = stored.here if here is None else here
    return TableInfo(
        id=table.id,
        version=stored.version,
        game=table.game,
        # An older server may have written fewer options than there are now.
        options=msgspec.to_builtins(table.rules.options()) | msgspec.json.decode(table.options),
        agreement=msgspec.to_builtins(table.agreement),
        fewest_players=table.rules.players[0],
        most_players=table.rules.players[-1],
        chairs=tuple(
            ChairInfo(
                name=chair.name,
                kind="free" if chair.is_free else "bot" if chair.bot else "person",
                level=table.acting_bot_level(seat),
                here=chair.holder in here,
                wins=chair.wins,
                stand_in=chair.stand_in,
                stand_in_at=None if chair.holder in here else chair.stand_in_at,
                muted=chair.muted,
                against=seats_of(table, chair.against),
                for_bot=seats_of(table, chair.for_bot),
                lag=None if chair.holder is None else here.get(chair.holder),
            )
            for seat, chair in enumerate(table.chairs)
        ),
        host_seat=next(iter(table.held_by(table.host)), None),
        match=table.match,
        phase=table.phase,
        commitment=table.commitment,
        first_game=table.has_known_deal,
        again=table.again,
        pausing=table.pausing,
        paused=table.paused,
        locked=table.locked,
        circle=table.circle,
    )


def seats_of(table: Table, people: Collection[Holder]) -> tuple[Seat, ...]:
    return tuple(seat for seat, chair in enumerate(table.chairs) if chair.holder in people)
