"""Plugins, and how many examples Hypothesis tries: few by default, more with
HYPOTHESIS_PROFILE=thorough."""

import os

import pytest
from hypothesis import HealthCheck, settings

# PostgreSQL and Redis, started when a test first needs them, and the pauses of `make shake`.
pytest_plugins = ["tests.database_servers", "tests.random_pauses"]

# Playing matches is slow, but it's what is tested. Only the counts limit it.
ALLOWED_SLOWNESS = [HealthCheck.too_slow, HealthCheck.data_too_large]

# The same examples in every run, so that a failure elsewhere can be reproduced here.
settings.register_profile(
    "quick",
    max_examples=30,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=ALLOWED_SLOWNESS,
)
settings.register_profile(
    "thorough",
    max_examples=1000,
    stateful_step_count=150,
    deadline=None,
    suppress_health_check=ALLOWED_SLOWNESS,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One and a half workers per core: many tests wait for other processes."""
    return max(2, (os.cpu_count() or 2) * 3 // 2)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, help="only this world, in tests/sim")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run slow tests first: one that starts last would run alone. With --seed, run only that
    world."""
    if config.getoption("--seed") is not None:
        items[:] = [item for item in items if "seeds" in getattr(item, "fixturenames", ())]
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
