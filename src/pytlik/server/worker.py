"""One worker: its rooms, and the scheduler that does what is due in any of them."""

from contextlib import suppress

from pytlik.server.cleanup import Cleanup
from pytlik.server.live.rooms import Rooms
from pytlik.server.scheduling.scheduler import Scheduler
from pytlik.store import Conflict, Unavailable


class Worker:
    def __init__(self, rooms: Rooms, cleanup: Cleanup, *, keep_days: int = 90) -> None:
        self.rooms = rooms
        self.scheduler = Scheduler(rooms, cleanup, keep_days=keep_days)
        rooms.services.heartbeat.is_running = True

    async def start(self) -> None:
        services = self.rooms.services
        await services.bus.start(
            self.rooms.handle_bus_message, self.rooms.handle_missed_bus_messages
        )
        services.tasks.start_unattended(self.scheduler.run())

    async def stop(self) -> None:
        services = self.rooms.services
        await services.tasks.cancel_all()
        self.rooms.close()
        services.bots.close()
        with suppress(Unavailable, Conflict):  # then the others will notice
            last_beat = await services.heartbeat.write_last_beat()
            await self.rooms.remove_dead_worker(services.heartbeat.worker, last_beat)
