"""Descriptions of writes for the journal of a world."""

import msgspec

from pytlik.server.table.stored_tables import table_codec
from pytlik.store import (
    Append,
    PutState,
    PutTable,
    Write,
)


def describe_write(write: Write) -> str:
    """Describe a write in one line."""
    match write:
        case Append(match=match, seq=seq, events=events, command=command):
            kinds = ", ".join(msgspec.json.decode(event)["kind"] for event in events)
            return f"{match} {seq} + {kinds} (command {command})"
        case PutTable():
            table = table_codec.decode(write.doc)
            chairs = "".join(
                "s" if chair.stand_in else "b" if chair.bot else "p" if chair.holder else "."
                for chair in table.chairs
            )
            paused = " paused" if table.paused is not None else ""
            return f"{write.id} version {write.version + 1}: {table.phase} {chairs}{paused}"
        case PutState():
            return f"state of {write.id}.{write.number} at {write.seq}"
        case _:
            return repr(write)
