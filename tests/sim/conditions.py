"""The conditions in a world at a certain moment: how long things take, and what goes wrong."""

from dataclasses import dataclass
from enum import Enum, auto
from random import Random


class RequestFate(Enum):
    """What happens to a request to the store."""

    DONE = auto()
    LOST_BEFORE = auto()
    """The request never arrived."""
    LOST_AFTER = auto()
    """The request was carried out, but the answer was lost, so the sender can't know."""


@dataclass
class Conditions:
    random: Random
    store_seconds: float = 0.002
    """The average time of a request to the store, each way."""
    store_stall_chance: float = 0.0
    """How often a request takes hundreds of times as long."""
    request_loss_chance: float = 0.0
    answer_loss_chance: float = 0.0
    network_seconds: float = 0.02
    bus_seconds: float = 0.002
    bus_loss_chance: float = 0.0
    bus_repeat_chance: float = 0.0
    bus_stall_chance: float = 0.0
    """How often a bus message takes seconds, so that later ones overtake it."""

    crash_chance: float = 0.0
    """How often a worker dies when its write is on disk, before it's told."""
    disconnect_chance: float = 0.0
    """How often a worker loses the store at that moment instead of dying."""

    def stop_faults(self) -> None:
        """End everything that goes wrong."""
        self.crash_chance = self.disconnect_chance = 0.0
        self.store_stall_chance = self.request_loss_chance = self.answer_loss_chance = 0.0
        self.bus_loss_chance = self.bus_repeat_chance = self.bus_stall_chance = 0.0

    @property
    def store_may_fail(self) -> bool:
        return bool(self.store_stall_chance or self.request_loss_chance or self.answer_loss_chance)

    def store_delay(self) -> float:
        random = self.random
        if random.random() < self.store_stall_chance:
            return random.uniform(0.1, 1.5)
        return random.expovariate(1 / self.store_seconds)

    def draw_request_fate(self) -> RequestFate:
        drawn = self.random.random()
        if drawn < self.request_loss_chance:
            return RequestFate.LOST_BEFORE
        return (
            RequestFate.LOST_AFTER
            if drawn < self.request_loss_chance + self.answer_loss_chance
            else RequestFate.DONE
        )

    def network_delay(self) -> float:
        return self.random.expovariate(1 / self.network_seconds)

    def bus_delays(self) -> list[float]:
        """The delays after which copies of a bus message arrive; none if it's lost."""
        random = self.random
        if random.random() < self.bus_loss_chance:
            return []
        copies = 2 if random.random() < self.bus_repeat_chance else 1
        return [
            random.uniform(0.5, 3) if random.random() < self.bus_stall_chance else self._bus_delay()
            for _ in range(copies)
        ]

    def _bus_delay(self) -> float:
        return self.random.expovariate(1 / self.bus_seconds) if self.bus_seconds else 0.0
