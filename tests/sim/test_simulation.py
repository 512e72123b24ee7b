"""The simulated world: whatever goes wrong, the server keeps its promises.

pytest tests/sim --seed 1234        one world, again
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
"""How many worlds `make test` looks at, how many in one test, and how many in the first of them:
enough for matches that end, sand that runs out and bots that sit in."""

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
    """And each of them is really looked at."""
    checked: Counter[str] = Counter()
    for seed in seeds:
        checked.update(simulate(seed).promises.checked)
    assert checked["what was acknowledged is on disk"]
    assert checked["whoever stays connected is up to date"]
    if len(seeds) == WORLDS_IN_FIRST_TEST:
        assert set(checked) == EXPECTED_PROMISES


EXPECTED_PROMISES = {
    "no gap and no fork",
    "lists say whose turn it is",
    "everyone acts for themselves",
    "nobody fills a log",
    "only what is on disk is told",
    "nobody sees another's seat",
    "what was acknowledged is on disk",
    "what was done is not refused",
    "whoever stays connected is up to date",
    "what is due happens",
    "deadlines are written down",
    "everyone knows who is here",
    "nobody is replaced early",
    "nobody plays for who is alone",
    "other devices lose their seats",
    "nobody acts in a pause",
    "bots stand still where nobody is",
    "sand lasts while anybody can act",
    "clocks are moved once for each downtime",
    "matches follow from their seed",
    "finished matches follow from their seed",
    "a table is told as it is on disk",
    "records are told as they are on disk",
    "what is said is heard",
    "nobody is sent another's credentials",
    "a deleted table leaves nothing behind",
    "a refused commit leaves nothing behind",
    "whoever asks is answered",
    "nobody sees a second hand",
    "events give nothing away",
    "the log has true times",
    "who asks for it is forgotten",
    "a table has the secret that it is committed to",
    "a match is over when its log says so",
    "a commit concerns one table",
    "no bot plays for who is back",
    "whoever acts is back",
    "whoever comes back plays",
    "whoever joins a circle is in it",
    "a result counts once",
    "a circle's scores are its results",
    "every match counts in its circle",
    "nobody is refused what they may do",
    "nobody has to try again without need",
    "what is due happens once",
    "what is due happens at once",
    "nobody gets more time for a turn",
    "nobody gets more time than was agreed",
    "nobody is credited too much delay",
    "only the time of bots is skipped",
    "only tables that nobody uses are deleted",
    "a table that was left is deleted",
    "seats stay with their people",
    "everyone sees their own seat",
    "everyone wants a pause",
    "everyone finds their tables",
    "whoever comes is let in",
    "whoever looks at a deleted table is told",
    "members stay in their circle",
    "what is taken back is gone from every page",
    "rooms are closed",
    "an agreed match begins",
}


@pytest.mark.parametrize("seed", [1, 10])
def test_a_seed_gives_the_same_course_each_time(seed: int) -> None:
    """In another process, and in whatever order its sets are."""
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
