"""What all rooms of a worker share."""

from dataclasses import dataclass, field

from pytlik.bus import Bus
from pytlik.server.background_tasks import BackgroundTasks
from pytlik.server.clocks.clock import Clock
from pytlik.server.clocks.heartbeat import WorkerHeartbeat
from pytlik.server.clocks.scheduler_alarm import SchedulerAlarm
from pytlik.server.live.table_connections import TableConnections
from pytlik.server.match.bot_pool import BotPool
from pytlik.server.notifications.push_notifications import PushNotifications
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
    """How long after the end of a pause everyone resumes, where clocks run."""
    heartbeat: WorkerHeartbeat
    alarm: SchedulerAlarm
    tasks: BackgroundTasks
    notices: PushNotifications | None
    """None on a server that can't notify people."""
    crowds: set[TableConnections] = field(default_factory=set)
    """The tables where spectators are waiting for updates."""
