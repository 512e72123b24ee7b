"""Durations in words, and the time left."""

from pytlik.i18n import Catalogue

UNIT_SECONDS = (("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1))


def describe_duration(seconds: int, translate: Catalogue) -> str:
    """ "90 seconds", "2 minutes", "3 days": in the largest unit that divides it."""
    unit, length = next((unit, length) for unit, length in UNIT_SECONDS if seconds % length == 0)
    return translate(f"page.lobby.span.{unit}", n=seconds // length)


def format_time_left(until: int, now: int) -> str:
    """Minutes and seconds, rounded up: 0:00 means that time is up."""
    seconds = max(-(-(until - now) // 1000), 0)
    return f"{seconds // 60}:{seconds % 60:02}"
