"""The server's health, as a page for people. It names no people, tables or addresses."""

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


def render_page(condition: Condition, translate: Catalogue) -> str:
    rows = {**public_rows(condition, translate), **number_rows(condition, translate)}
    return PAGE.format(
        lang=translate.lang,
        verdict=escape(translate("health.well" if condition.is_healthy else "health.ill")),
        rows="\n".join(ROW.format(name=escape(n), value=escape(v)) for n, v in rows.items()),
    )


def public_rows(condition: Condition, translate: Catalogue) -> dict[str, str]:
    """What everyone may know."""
    began = datetime.fromtimestamp(condition.began / 1000, UTC)
    ms = condition.store_ms
    return {
        translate("health.since"): f"{began:%Y-%m-%d %H:%M} UTC",
        translate("health.store"): translate("health.store.bad")
        if ms is None
        else translate("health.store.good", ms=format_number(ms, 1, translate)),
        translate("health.bus"): translate(
            "health.bus.good" if condition.bus else "health.bus.bad"
        ),
    }


def number_rows(condition: Condition, translate: Catalogue) -> dict[str, str]:
    numbers = condition.numbers
    if numbers is None:
        return {}
    commits = numbers.get("pytlik_commit_seconds_count", 0)
    took = 1000 * numbers.get("pytlik_commit_seconds_sum", 0) / max(commits, 1)
    return {
        translate("health.version"): version("pytlik"),
        translate("health.workers"): format_number(condition.workers, 0, translate),
        translate("health.connections"): format_number(
            numbers.get("pytlik_connections", 0), 0, translate
        ),
        translate("health.matches"): format_number(
            numbers.get("pytlik_matches_total", 0), 0, translate
        ),
        translate("health.actions"): format_number(
            numbers.get("pytlik_actions_total", 0), 0, translate
        ),
        translate("health.commit"): translate(
            "health.commit.ms", ms=format_number(took, 1, translate)
        )
        if commits
        else "–",
        translate("health.bots"): format_number(
            numbers.get("pytlik_bots_thinking", 0), 0, translate
        ),
    }
