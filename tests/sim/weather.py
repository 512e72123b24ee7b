"""What the world is like at a moment: how long things take, and what goes wrong."""

from dataclasses import dataclass
from enum import Enum, auto
from random import Random


class Fate(Enum):
    """What becomes of a request to the store."""

    DONE = auto()
    LOST_BEFORE = auto()
    """It never arrived."""
    LOST_AFTER = auto()
    """It was done, and the answer never arrived: whoever asked can't know."""


@dataclass
class Weather:
    random: Random
    store_seconds: float = 0.002
    """What a request to the store takes each way, on average."""
    store_stall: float = 0.0
    """How often one takes hundreds of times as long."""
    lost_before: float = 0.0
    lost_after: float = 0.0
    network_seconds: float = 0.02
    bus_seconds: float = 0.002
    bus_drops: float = 0.0
    bus_repeats: float = 0.0
    bus_stalls: float = 0.0
    """How often a wake-up takes seconds, so that later ones overtake it."""

    crashes: float = 0.0
    """How often whoever writes something dies when it is on disk, before hearing of it."""
    partings: float = 0.0
    """The same, where the way to the store breaks and nobody dies."""

    def clear_up(self) -> None:
        """From now on nothing goes wrong."""
        self.crashes = self.partings = 0.0
        self.store_stall = self.lost_before = self.lost_after = 0.0
        self.bus_drops = self.bus_repeats = self.bus_stalls = 0.0

    @property
    def store_fails(self) -> bool:
        return bool(self.store_stall or self.lost_before or self.lost_after)

    def store_delay(self) -> float:
        random = self.random
        if random.random() < self.store_stall:
            return random.uniform(0.1, 1.5)
        return random.expovariate(1 / self.store_seconds)

    def fate(self) -> Fate:
        drawn = self.random.random()
        if drawn < self.lost_before:
            return Fate.LOST_BEFORE
        return Fate.LOST_AFTER if drawn < self.lost_before + self.lost_after else Fate.DONE

    def network_delay(self) -> float:
        return self.random.expovariate(1 / self.network_seconds)

    def bus_delays(self) -> list[float]:
        """When each copy of a wake-up arrives; none if it is lost."""
        random = self.random
        if random.random() < self.bus_drops:
            return []
        copies = 2 if random.random() < self.bus_repeats else 1
        return [
            random.uniform(0.5, 3) if random.random() < self.bus_stalls else self._bus_delay()
            for _ in range(copies)
        ]

    def _bus_delay(self) -> float:
        return self.random.expovariate(1 / self.bus_seconds) if self.bus_seconds else 0.0
