"""Durations in words."""

from pytlik.i18n import Catalogue

UNIT_SECONDS = (("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1))


def describe_duration(seconds: int, say: Catalogue) -> str:
    """ "90 seconds", "2 minutes", "3 days": in the largest unit that divides it."""
    unit, length = next((unit, length) for unit, length in UNIT_SECONDS if seconds % length == 0)
    return say(f"page.lobby.span.{unit}", n=seconds // length)
