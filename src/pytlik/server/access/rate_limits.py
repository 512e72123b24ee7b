"""Rate limits: buckets that refill over time, one for each asker.

Each worker has its own, in memory, and their number is bounded: those who haven't sent anything for
the longest time are forgotten. Only guesses are also counted in the store, for all workers together
(`guess_limits.py`).
"""

from collections import Counter, OrderedDict
from dataclasses import dataclass
from enum import Enum, unique
from math import ceil

from pytlik.game import Illegal
from pytlik.protocol.reasons import ServerReason

MAX_ASKERS = 10_000


@dataclass(frozen=True)
class Rate:
    """How many at once, and how many per second after that."""

    burst: int
    per_second: float


@unique
class Kind(Enum):
    """What is counted. A whole club may sit behind one address, and nobody can use up what is
    counted for somebody else."""

    READ = Rate(300, 20)
    FILE = Rate(4_000, 200)
    """Files of the page, which come from memory: a whole class opens it at once."""
    CHANGE = Rate(150, 6)
    CREATE = Rate(40, 0.2)
    """Creating tables and tokens, which take up space in the store."""
    HEAVY = Rate(20, 0.5)
    """Requests that read or replay whole matches."""

    TABLE = Rate(100, 5)
    """Changes to one table, by one of those who sit there or host it."""
    STRANGER_AT_TABLE = Rate(20, 1)
    """Changes to one table, such as sitting down, by others from one address."""
    STRANGERS_AT_TABLE = Rate(120, 5)
    """Changes to one table, by all others together."""

    GUESS = Rate(10, 1 / 30)
    """Passphrases from one address; codes of one table from one address."""
    GUESS_ANYWHERE = Rate(60, 1 / 6)
    """Codes of all tables, from one address."""
    GUESS_AT_TABLE = Rate(30, 1 / 10)
    """Codes of one table, by all addresses that have guessed wrong there."""
    FIRST_GUESS_AT_TABLE = Rate(600, 1)
    """Codes of one table, by all other addresses, so that wrong guesses can't lock out the
    owner."""

    CONNECT = Rate(120, 2)
    """Sockets from one address."""
    CONNECT_PERSON = Rate(30, 1)
    """Sockets of one person."""
    CONNECT_STRANGER = Rate(60, 1)
    """Sockets at one table, of those who don't belong there, from one address. An address that
    sends too much there gets none for a minute."""
    CONNECT_AT_TABLE = Rate(240, 10)
    """Sockets at one table, of all who don't belong there."""
    MESSAGE = Rate(240, 12)
    """Socket messages of one person at a table."""
    MESSAGE_STRANGER = Rate(300, 15)
    """Socket messages of others at one table, from one address."""
    MESSAGE_STRANGERS = Rate(1000, 50)
    """Socket messages of all others at one table."""
    MESSAGE_ADDRESS = Rate(4000, 400)
    """Socket messages from one address, at any table and by anyone."""
    TALK = Rate(12, 0.5)
    """Reactions and lines of chat of one person at a table."""
    TALK_AT_TABLE = Rate(50, 4)
    """Reactions and lines of chat of everyone who sits at a table."""
    TALK_ADDRESS = Rate(150, 10)
    """Reactions and lines of chat from one address."""


@unique
class SlotLimit(Enum):
    """How many connections may be open at once."""

    REQUESTS = 1_000
    """For requests, from one address: six for each browser."""
    ADDRESS = 400
    """Sockets from one address: ten classes of children."""
    PERSON = 12
    """Sockets of one person at one table."""
    SPECTATORS = 200
    """Sockets of those who only watch one table."""
    SPECTATORS_ADDRESS = 60
    """Sockets of those who watch one table, from one address."""


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

    def burst_and_rate(self, kind: Kind) -> tuple[float, float]:
        """How many at once, and how many per second."""
        return kind.value.burst * self._scale, kind.value.per_second * self._scale

    def take(self, kind: Kind, asker: str, now: int) -> None:
        """Count one more. Raises Illegal(TOO_FAST) with the seconds to wait."""
        burst, rate = self.burst_and_rate(kind)
        key = (kind, asker)
        bucket = self._buckets.pop(key, None) or Bucket(burst, now)
        passed = max(0, now - bucket.at) / 1000
        bucket.left = min(burst, bucket.left + passed * rate)
        bucket.at = now
        self._buckets[key] = bucket
        if len(self._buckets) > MAX_ASKERS:
            self._buckets.popitem(last=False)
        if bucket.left < 1:
            raise Illegal(ServerReason.TOO_FAST, seconds=ceil((1 - bucket.left) / rate))
        bucket.left -= 1

    def penalize(self, kind: Kind, asker: str, now: int) -> None:
        """Allow nothing for as long as it takes a full burst to refill."""
        bucket = self._buckets.get((kind, asker))
        if bucket:
            bucket.left, bucket.at = -self.burst_and_rate(kind)[0], now

    def is_allowance_full(self, kind: Kind, asker: str, now: int) -> bool:
        """Whether everything that was taken has been refilled."""
        bucket = self._buckets.get((kind, asker))
        if bucket is None:
            return True
        burst, rate = self.burst_and_rate(kind)
        return bucket.left + max(0, now - bucket.at) / 1000 * rate >= burst

    def share_used_by_asker(self, kind: Kind, now: int) -> dict[str, float]:
        """The share of a limit that each asker has used up at the moment, from 0 to 1."""
        burst = kind.value.burst * self._scale
        rate = kind.value.per_second * self._scale
        used = {
            asker: 1 - (bucket.left + max(0, now - bucket.at) / 1000 * rate) / burst
            for (each, asker), bucket in self._buckets.items()
            if each is kind
        }
        return {asker: share for asker, share in used.items() if share > 0}

    def give_back(self, kind: Kind, asker: str) -> None:
        """Take back one that was counted, because the guess was right."""
        bucket = self._buckets.get((kind, asker))
        if bucket:
            bucket.left += 1


class Throttle:
    """Gives each asker turns at a limited rate: those who come too fast have to wait."""

    def __init__(self, rate: Rate, scale: float = 1.0) -> None:
        self._interval = 1 / (rate.per_second * scale)
        self._burst_seconds = rate.burst / rate.per_second
        self._booked: OrderedDict[str, float] = OrderedDict()
        """Until when each asker's turns are booked."""

    def book_turn(self, asker: str, now: float, longest: float) -> float | None:
        """Take the next turn, and return the seconds to wait for it; None if that would take too
        long, and then no turn is taken."""
        booked = max(now, self._booked.pop(asker, now))
        seconds = max(0.0, booked - self._burst_seconds - now)
        self._booked[asker] = booked if seconds > longest else booked + self._interval
        if len(self._booked) > MAX_ASKERS:
            self._booked.popitem(last=False)
        return None if seconds > longest else seconds


class ConnectionSlots:
    """Slots that are taken while connections are open."""

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        self._counts: Counter[tuple[SlotLimit, str]] = Counter()

    def __len__(self) -> int:
        return len(self._counts)

    def take(self, *wanted: tuple[SlotLimit, str]) -> bool:
        """Take all of these slots, or none if one of them isn't free."""
        if any(self._counts[each] >= each[0].value * self._scale for each in wanted):
            return False
        self._counts.update(wanted)
        return True

    def count_by_asker(self, limit: SlotLimit) -> dict[str, int]:
        """How many slots of a kind each asker has taken."""
        return {asker: n for (each, asker), n in self._counts.items() if each is limit}

    def give_back(self, *taken: tuple[SlotLimit, str]) -> None:
        for each in taken:
            self._counts[each] -= 1
            if not self._counts[each]:
                del self._counts[each]
