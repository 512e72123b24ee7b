"""A table as everyone with its link may know it."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

import msgspec

from pytlik.game import Seat
from pytlik.server.lobby import Found
from pytlik.server.wire import ChairInfo, TableInfo


def describe(
    found: Found, here: AbstractSet[Seat] = frozenset(), lags: Mapping[Seat, int] | None = None
) -> TableInfo:
    """`here` are the seats whose person is connected, and `lags` the delay of their connections."""
    table = found.table
    return TableInfo(
        id=table.id,
        version=found.version,
        game=table.game,
        options=msgspec.json.decode(table.options),
        agreement=msgspec.to_builtins(table.agreement),
        chairs=tuple(
            ChairInfo(
                name=chair.name,
                kind="free" if chair.free else "bot" if chair.bot else "person",
                level=table.automatic(seat),
                here=seat in here,
                stand_in=chair.stand_in,
                muted=chair.muted,
                lag=(lags or {}).get(seat),
            )
            for seat, chair in enumerate(table.chairs)
        ),
        match=table.match,
        phase=table.phase,
        commitment=table.commitment,
        pausing=table.pausing,
        paused=table.paused,
    )
