"""How the server is, as a page for people. It names nobody, no table and no address."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from importlib.metadata import version

from pytlik.i18n import Catalogue
from pytlik.i18n.formats import format_number

PAGE = """<!doctype html>
<html lang="{lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Pytlik: {verdict}</title>
<h1>Pytlik: {verdict}</h1>
<dl>
{rows}
</dl>
</html>
"""

ROW = "<dt>{name}<dd>{value}"


@dataclass(frozen=True)
class Condition:
    began: int
    """When this worker started."""
    store_ms: float | None
    """How long the store took to write something; None if it can't."""
    bus: bool
    workers: int
    numbers: Mapping[str, float] | None
    """The metrics of all workers; None for visitors who may not see them."""

    @property
    def is_healthy(self) -> bool:
        """Whether the server works: without the bus, updates are late, but without the store
        nothing works."""
        return self.store_ms is not None


def render_page(condition: Condition, say: Catalogue) -> str:
    rows = {**public_rows(condition, say), **number_rows(condition, say)}
    return PAGE.format(
        lang=say.lang,
        verdict=escape(say("health.well" if condition.is_healthy else "health.ill")),
        rows="\n".join(ROW.format(name=escape(n), value=escape(v)) for n, v in rows.items()),
    )


def public_rows(condition: Condition, say: Catalogue) -> dict[str, str]:
    """What everyone may know."""
    began = datetime.fromtimestamp(condition.began / 1000, UTC)
    ms = condition.store_ms
    return {
        say("health.since"): f"{began:%Y-%m-%d %H:%M} UTC",
        say("health.store"): say("health.store.bad")
        if ms is None
        else say("health.store.good", ms=format_number(ms, 1, say)),
        say("health.bus"): say("health.bus.good" if condition.bus else "health.bus.bad"),
    }


def number_rows(condition: Condition, say: Catalogue) -> dict[str, str]:
    numbers = condition.numbers
    if numbers is None:
        return {}
    commits = numbers.get("pytlik_commit_seconds_count", 0)
    took = 1000 * numbers.get("pytlik_commit_seconds_sum", 0) / max(commits, 1)
    return {
        say("health.version"): version("pytlik"),
        say("health.workers"): format_number(condition.workers, 0, say),
        say("health.connections"): format_number(numbers.get("pytlik_connections", 0), 0, say),
        say("health.matches"): format_number(numbers.get("pytlik_matches_total", 0), 0, say),
        say("health.actions"): format_number(numbers.get("pytlik_actions_total", 0), 0, say),
        say("health.commit"): say("health.commit.ms", ms=format_number(took, 1, say))
        if commits
        else "–",
        say("health.bots"): format_number(numbers.get("pytlik_bots_thinking", 0), 0, say),
    }
