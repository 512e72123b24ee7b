"""From settings to a bus."""

from pytlik.bus import Bus
from pytlik.bus.inprocess import InProcessBus
from pytlik.extras import explain_missing_extra


def open_bus(database: str, redis: str | None = None) -> Bus:
    """Redis where one is named; else PostgreSQL where the data is there, whose store must be opened
    with `notify`; else within this process. To be called where an event loop runs."""
    if redis:
        with explain_missing_extra("redis"):
            from pytlik.bus.redis import RedisBus  # noqa: PLC0415 - extras: not everybody has them
        return RedisBus(redis)
    if database.startswith(("postgresql://", "postgres://")):
        with explain_missing_extra("postgres"):
            from pytlik.bus.postgres import PostgresBus  # noqa: PLC0415
        return PostgresBus(database)
    return InProcessBus()
