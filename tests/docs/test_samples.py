"""Every code sample of the documents is run, or says why it can't be."""

from pathlib import Path

import pytest

from tests.docs.samples import PAGES, ROOT, Runner, Sample, inline, known_options, samples


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_samples(page: Path, tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    try:
        for sample in samples(page):
            try:
                runner.run(sample)
            except Exception as error:
                raise AssertionError(f"{sample}: {error}") from error
    finally:
        runner.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_in_sentences_are_ours(page: Path) -> None:
    for code in inline(page):
        first, *words = code.split() or [""]
        if first == "pytlik" and words:
            assert known_options(words), code


@pytest.mark.parametrize(
    ("language", "text", "marks"),
    [
        ("", "pytlik play", {}),
        ("indented", "pytlik play", {}),
        ("rust", "fn main() {}", {}),
        ("python", "1 / 0", {}),
        ("sh", "false", {}),
        ("sh", "pytlik play --nothing", {"not run": "a test"}),
        ("sh", "make nothing", {}),
        ("sh", ".venv/bin/pytest tests/nothing.py", {"not run": "a test"}),
        ("sh", ".venv/bin/python tests/soak.py --nothing", {"not run": "a test"}),
        ("console", "$ pytlik --version\n7.7.7\n", {}),
        ("console", "$ pytlik verify nothing.json\n...\n", {}),
        ("json", "{}", {}),
        ("json", '{"kind": "pong"}', {"decodes as": "pytlik.server.wire.Pong"}),
        ("python", "nowhere", {"part of": "examples/bot.py"}),
        ("text", "whose?", {}),
    ],
)
def test_a_sample_that_is_wrong_is_found(
    language: str, text: str, marks: dict[str, str], tmp_path: Path
) -> None:
    runner = Runner(tmp_path)
    try:
        with pytest.raises((AssertionError, Exception)):
            runner.run(Sample(ROOT / "README.md", 1, language, text, marks))
    finally:
        runner.close()
