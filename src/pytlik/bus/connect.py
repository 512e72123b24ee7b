"""Open the bus that the settings ask for."""

from pytlik.bus import Bus
from pytlik.bus.inprocess import InProcessBus
from pytlik.extras import explain_missing_extra


def open_bus(database: str, redis: str | None = None) -> Bus:
    """Redis if its URL is given; else PostgreSQL if that is the database (then open the store with
    `notify`); else a bus within this process. Call it inside an event loop."""
    if redis:
        with explain_missing_extra("redis"):
            from pytlik.bus.redis import RedisBus  # noqa: PLC0415 - extras: not everybody has them
        return RedisBus(redis)
    if database.startswith(("postgresql://", "postgres://")):
        with explain_missing_extra("postgres"):
            from pytlik.bus.postgres import PostgresBus  # noqa: PLC0415
        return PostgresBus(database)
    return InProcessBus()
