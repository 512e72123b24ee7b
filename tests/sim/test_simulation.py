"""The simulated world: whatever goes wrong, the server keeps its promises.

pytest tests/sim --seed 1234        repeat one world
python -m tests.sim --seeds 5000    many more, on all cores
"""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.sim.simulation import simulate

WORLDS, WORLDS_PER_TEST, WORLDS_IN_FIRST_TEST = 100, 10, 30
"""How many worlds `make test` simulates, how many in one test, and how many in the first test:
enough for matches that end, sand that runs out, and stand-ins."""

ROOT = Path(__file__).parent.parent.parent


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seeds" in metafunc.fixturenames:
        seed = metafunc.config.getoption("--seed")
        one = [range(seed, seed + 1)] if seed is not None else None
        rest = (
            range(first, first + WORLDS_PER_TEST)
            for first in range(WORLDS_IN_FIRST_TEST, WORLDS, WORLDS_PER_TEST)
        )
        all_ = [range(WORLDS_IN_FIRST_TEST), *rest]
        metafunc.parametrize("seeds", one or all_, ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}")


def test_promises_are_kept(seeds: range) -> None:
    """Each promise is also really checked."""
    checked: Counter[str] = Counter()
    for seed in seeds:
        checked.update(simulate(seed).promises.checked)
    assert checked["acknowledged actions are on disk"]
    assert checked["everyone connected is up to date"]
    if len(seeds) == WORLDS_IN_FIRST_TEST:
        assert set(checked) == EXPECTED_PROMISES


EXPECTED_PROMISES = {
    "logs have no gap and no fork",
    "lists show whose turn it is",
    "every event has the right actor",
    "action limits are enforced",
    "only stored events are sent",
    "nobody sees another seat's view",
    "acknowledged actions are on disk",
    "completed commands are not refused",
    "everyone connected is up to date",
    "nothing is overdue",
    "deadlines are stored",
    "presence is recorded correctly",
    "no stand-in begins too early",
    "lone players get no stand-in",
    "old tokens lose their seats",
    "nobody acts during a pause",
    "bots don't move at empty tables",
    "sand runs for its full time",
    "clocks are moved once for each downtime",
    "matches follow from their seed",
    "finished matches follow from their seed",
    "tables are sent as stored",
    "match records are sent as stored",
    "chat lines are sent as said",
    "nobody is sent someone else's credentials",
    "a deleted table leaves nothing behind",
    "a refused commit leaves nothing behind",
    "everyone connected gets an answer",
    "nobody sees a second player's hand",
    "events reveal no secrets",
    "logs have true times",
    "people are forgotten when they ask",
    "tables have the secrets they're committed to",
    "a match is over when its log says so",
    "a commit changes only one table",
    "stand-ins stop when people return",
    "people who act have no stand-in",
    "returning players play for themselves",
    "people who join a circle are members",
    "a result counts once",
    "a circle's scores match its results",
    "every match counts in its circle",
    "allowed actions are not refused",
    "nobody has to try again needlessly",
    "deadlines are dealt with once",
    "the clock and the bots are on time",
    "turn clocks are not extended",
    "nobody gets more time than agreed",
    "nobody gets too much delay credit",
    "time is skipped only for bots",
    "only unused tables are deleted",
    "abandoned tables are deleted",
    "people keep their seats",
    "everyone sees their own seat's view",
    "pauses need everyone's vote",
    "everyone can list their tables",
    "everyone who comes is let in",
    "people are told that a table is deleted",
    "members stay in their circle",
    "retracted lines vanish from every page",
    "unused rooms are closed",
    "agreed matches begin",
}


@pytest.mark.parametrize("seed", [1, 10])
def test_same_seed_gives_same_course(seed: int) -> None:
    """Even in another process, with another order of sets."""
    script = (
        "import sys; from tests.sim.simulation import simulate;"
        f"sys.stdout.write('\\n'.join(simulate({seed}).journal))"
    )

    def journal(hash_seed: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    first = journal("1")
    assert len(first) > 10_000
    assert journal("2") == first
