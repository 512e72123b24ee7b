"""How long the page waits before it connects again, with the constants of its own source."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

CONNECTION_SOURCE = Path(__file__).parent.parent / "web/src/connection/table-connection.svelte.ts"


@cache
def read_page_constant(name: str) -> float:
    """A constant of the page, in seconds."""
    found = re.search(rf"^const {name} = ([\d_]+);", CONNECTION_SOURCE.read_text(), re.MULTILINE)
    if not found:
        raise LookupError(f"{CONNECTION_SOURCE.name} has no {name}")
    return int(found[1]) / 1000


def retry_delays(random: Random) -> Iterator[float]:
    """Seconds to wait before each attempt, as in `#onClose`."""
    retry, longest = read_page_constant("FIRST_RETRY_MS"), read_page_constant("LONGEST_RETRY_MS")
    while True:
        yield retry * (0.5 + random.random() / 2)
        retry = min(2 * retry, longest)
