"""What workers tell each other: "this match (or table) has reached that number".

A wake-up for a match carries the events that led there, where they fit, so that whoever has the
events before them needn't read the store. It is only a shortcut: a wake-up that is lost delays, and
never loses anything. Whoever can read wake-ups can read everyone's tiles, so the bus belongs to the
same trusted network as the database.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

CHANNEL = "pytlik"
"""Where workers listen."""

MAX_BYTES = 7_900
"""The longest text of wake-ups that are sent at once: NOTIFY takes less than 8,000 bytes."""


class WakeUp(NamedTuple):
    id: str
    """Of a match or a table."""
    number: int
    """The seq or the version that it has reached."""
    events: str = ""
    """The last events of the match, as a JSON array; empty if they have to be read."""


def format_wake_up(
    id: str, number: int, events: Sequence[bytes] = (), room: int = MAX_BYTES
) -> str:
    """One line, with the events if it has no more than `room` bytes then."""
    line = f"{id} {number}"
    size = len(line) + len("\n []") + sum(map(len, events)) + len(events)
    if not events or size > room:
        return line
    return f"{line} [{b','.join(events).decode()}]"


def parse_wake_ups(payload: str) -> Iterator[WakeUp]:
    """One for each line. Lines of another version that can't be understood are skipped."""
    for line in payload.split("\n"):
        id, number, events = (*line.split(" ", 2), "", "")[:3]
        if id and number.isdecimal():
            yield WakeUp(id, int(number), events if events.startswith("[") else "")
