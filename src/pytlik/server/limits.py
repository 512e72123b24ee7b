"""How often things may be asked for: buckets that fill up with time, one for each asker.

They are each worker's own, in memory, and bounded: whoever has not asked for long is forgotten.
"""

from collections import OrderedDict
from dataclasses import dataclass
from enum import Enum, unique
from math import ceil

from pytlik.game import Illegal, Reason

MOST_ASKERS = 10_000


@dataclass(frozen=True)
class Rate:
    """So many at once, and then so many a second."""

    burst: int
    per_second: float


@unique
class Kind(Enum):
    """What is counted. A whole club may sit behind one address."""

    READ = Rate(300, 20)
    CHANGE = Rate(150, 6)
    CREATE = Rate(40, 0.2)
    """Tables, tokens: what takes room in the store."""
    GUESS = Rate(10, 1 / 30)
    """Codes and passphrases."""
    GUESS_AT_TABLE = Rate(30, 1 / 10)
    """Codes of one table, by anyone."""
    HEAVY = Rate(20, 0.5)
    """Whole matches are read or repeated."""
    TABLE = Rate(100, 5)
    """Changes to one table, by anyone."""
    CONNECT = Rate(120, 2)
    """Sockets."""


class Bucket:
    __slots__ = ("at", "left")

    def __init__(self, left: float, at: int) -> None:
        self.left = left
        self.at = at


class Limits:
    """`scale` multiplies every rate: more for a school or a load test."""

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        self._buckets: OrderedDict[tuple[Kind, str], Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, kind: Kind, asker: str, now: int) -> None:
        """Count one more. Raises Illegal(TOO_FAST) with the seconds to wait."""
        burst = kind.value.burst * self._scale
        rate = kind.value.per_second * self._scale
        key = (kind, asker)
        bucket = self._buckets.pop(key, None) or Bucket(burst, now)
        passed = max(0, now - bucket.at) / 1000
        bucket.left = min(burst, bucket.left + passed * rate)
        bucket.at = now
        self._buckets[key] = bucket
        if len(self._buckets) > MOST_ASKERS:
            self._buckets.popitem(last=False)
        if bucket.left < 1:
            raise Illegal(Reason.TOO_FAST, seconds=ceil((1 - bucket.left) / rate))
        bucket.left -= 1

    def give_back(self, kind: Kind, asker: str) -> None:
        """It does not count after all: the guess was right."""
        bucket = self._buckets.get((kind, asker))
        if bucket:
            bucket.left += 1
