"""The metrics for Prometheus. Numbers only: no names, no tables, no tokens."""

import os
from collections import defaultdict

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

ACTIONS = Counter("pytlik_actions", "Actions stored", ["game"])
REFUSALS = Counter("pytlik_refusals", "Refusals", ["reason"])
REQUESTS = Counter("pytlik_requests", "HTTP responses", ["status"])
TABLES_CREATED = Counter("pytlik_tables", "Tables created", ["game"])
MATCHES_STARTED = Counter("pytlik_matches", "Matches started", ["game"])
OPEN_SOCKETS = Gauge("pytlik_connections", "Open sockets", multiprocess_mode="livesum")
BOTS_THINKING = Gauge(
    "pytlik_bots_thinking", "Bot moves being computed or queued", multiprocess_mode="livesum"
)
OPEN_MATCHES = Gauge("pytlik_rooms", "Matches in memory", multiprocess_mode="livesum")
COMMIT_SECONDS = Histogram(
    "pytlik_commit_seconds",
    "Seconds from deciding an action until it is stored",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)


def registry() -> CollectorRegistry:
    """The registry of all metrics, of all workers if they share a folder for it."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    shared = CollectorRegistry()
    multiprocess.MultiProcessCollector(shared)  # type: ignore[no-untyped-call]
    return shared


def render_metrics() -> tuple[bytes, str]:
    """All metrics as text, and their content type."""
    return generate_latest(registry()), CONTENT_TYPE_LATEST.partition("; charset")[0]


def totals_by_metric() -> dict[str, float]:
    """The total of each metric by name, over all labels."""
    found: defaultdict[str, float] = defaultdict(float)
    for metric in registry().collect():
        for sample in metric.samples:
            found[sample.name] += sample.value
    return found


def forget_process(pid: int) -> None:
    """Forget the gauges of a worker that has ended."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        multiprocess.mark_process_dead(pid)  # type: ignore[no-untyped-call]
