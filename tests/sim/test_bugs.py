"""A test of the tests: the simulation finds bugs that are planted in the server."""

import pytest

from tests.sim.bugs import BUGS
from tests.sim.course import simulate

FOUND_BY: dict[str, int] = {}
"""A seed that finds each bug: `python -m tests.sim --bugs` looks for the first. If it is another
after a change of the server or of the simulation, look again; it must be below 2,000."""


def test_every_bug_has_its_seed() -> None:
    assert set(FOUND_BY) == set(BUGS)
    assert all(seed < 2_000 for seed in FOUND_BY.values())


@pytest.mark.parametrize("name", sorted(BUGS))
def test_a_planted_bug_is_found(name: str) -> None:
    """Any exception will do: a broken promise, or an error that the server logs."""
    seed = FOUND_BY[name]
    with BUGS[name](), pytest.raises(Exception, match=f"seed {seed}"):
        simulate(seed)
