"""Messages between workers: "this match has reached this seq", or "this table has this version".

A bus message for a match carries the events that led there, if they fit, so that a worker that has
the events before them needn't read the store. It's only a shortcut: if a bus message is lost, the
change is just noticed a little later. Anyone who can read bus messages can read everyone's tiles,
so the bus belongs to the same trusted network as the database.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

CHANNEL = "pytlik"
"""The channel that all workers listen to."""

MAX_PAYLOAD_BYTES = 7_900
"""The most that is sent at once, in one or several bus messages: NOTIFY takes less than 8,000
bytes."""


class BusMessage(NamedTuple):
    id: str
    """The id of a match or a table."""
    seq_or_version: int
    """The seq that the match has reached, or the version of the table."""
    events: str = ""
    """The last events of the match, as a JSON array; empty if they have to be read from the
    store."""


def format_bus_message(
    id: str, seq_or_version: int, events: Sequence[bytes] = (), max_bytes: int = MAX_PAYLOAD_BYTES
) -> str:
    """One line, with the events if they fit into `max_bytes` bytes."""
    line = f"{id} {seq_or_version}"
    size = len(line) + len("\n []") + sum(map(len, events)) + len(events)
    if not events or size > max_bytes:
        return line
    return f"{line} [{b','.join(events).decode()}]"


def parse_bus_messages(payload: str) -> Iterator[BusMessage]:
    """Parse one bus message per line. Lines of another version that can't be understood are
    skipped."""
    for line in payload.split("\n"):
        id, number, events = (*line.split(" ", 2), "", "")[:3]
        if id and number.isdecimal():
            yield BusMessage(id, int(number), events if events.startswith("[") else "")
