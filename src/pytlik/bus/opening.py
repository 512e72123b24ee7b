"""From settings to a bus."""

from pytlik.bus import Bus
from pytlik.bus.inprocess import InProcessBus


class Missing(Exception):
    """What the bus needs is not installed, and the text says how to install it."""


def open_bus(database: str, redis: str | None = None) -> Bus:
    """Redis where one is named; else PostgreSQL where the data is there, whose store must be opened
    with `notify`; else within this process. To be called where an event loop runs."""
    try:
        if redis:
            from pytlik.bus.redis import RedisBus  # noqa: PLC0415 - extras: not everybody has them

            return RedisBus(redis)
        if database.startswith(("postgresql://", "postgres://")):
            from pytlik.bus.postgres import PostgresBus  # noqa: PLC0415

            return PostgresBus(database)
    except ModuleNotFoundError as missing:
        extra = "redis" if redis else "postgres"
        raise Missing(f"{missing.name} is missing: pip install 'pytlik[{extra}]'") from None
    return InProcessBus()
