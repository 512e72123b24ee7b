"""What all rooms of a worker share."""

from dataclasses import dataclass

from pytlik.bus import Bus
from pytlik.server.alarm import Alarm
from pytlik.server.bot_pool import BotPool
from pytlik.server.clock import Clock
from pytlik.server.heartbeat import WorkerHeartbeat
from pytlik.server.tasks import Tasks
from pytlik.server.turn_notices import TurnNotices
from pytlik.store import Store


@dataclass(frozen=True)
class RoomServices:
    store: Store
    bus: Bus
    clock: Clock
    bots: BotPool
    bot_pause_ms: int
    """How long a bot seems to think, so that people can follow."""
    resume_countdown_ms: int
    """How long after the end of a pause everyone goes on, where clocks run."""
    heartbeat: WorkerHeartbeat
    alarm: Alarm
    tasks: Tasks
    notices: TurnNotices | None
    """None on a server that can't notify people."""
