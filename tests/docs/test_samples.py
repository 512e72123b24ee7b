"""Every code sample of the documents is run, and one that is wrong is found."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.docs.running import Runner
from tests.docs.samples import PAGES, ROOT, Sample, inline, known_options, samples


@pytest.fixture
def runner(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Runner]:
    made = Runner(tmp_path, postgres=lambda: request.getfixturevalue("postgres").empty())
    yield made
    made.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_samples(page: Path, runner: Runner) -> None:
    for sample in samples(page):
        try:
            runner.run(sample)
        except Exception as error:
            raise AssertionError(f"{sample}: {error}") from error


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_in_sentences_are_ours(page: Path) -> None:
    for code in inline(page):
        first, *words = code.split() or [""]
        if first == "pytlik" and words:
            assert known_options(words), code


