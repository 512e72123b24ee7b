"""Every code sample of the documents is run, or says why it can't be."""

from pathlib import Path

import msgspec
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


NOT_RUN = {"not run": "a test"}


@pytest.mark.parametrize(
    ("language", "text", "marks", "problem"),
    [
        ("", "pytlik play", {}, "which language"),
        ("indented", "pytlik play", {}, "nobody can run 'indented'"),
        ("rust", "fn main() {}", {}, "nobody can run 'rust'"),
        ("rust", "fn main() {}", NOT_RUN, "what is its form"),
        ("python", "1 / 0", {}, "ZeroDivisionError"),
        ("sh", "echo so; false", {}, "so"),
        ("sh", "pytlik play --nothing", NOT_RUN, "pytlik play --nothing"),
        ("sh", "docker compose up", NOT_RUN, "is docker one of ours"),
        ("sh", "pip install 'pytlik[plot,nothing]'", NOT_RUN, "plot,nothing"),
        ("sh", "make nothing", {}, "nothing"),
        ("sh", ".venv/bin/pytest tests/nothing.py", NOT_RUN, "tests/nothing.py"),
        ("sh", ".venv/bin/python tests/soak.py --nothing", NOT_RUN, "--nothing"),
        ("console", "$ echo 1\n2\n", {}, "1"),
        ("console", "$ echo so; false\n...\n", {}, "so"),
        ("json", "{}", {}, "which message"),
        ("json", '{"kind": "pong"}', {"decodes as": "pytlik.server.wire.Pong"}, "`n`"),
        ("python", "nowhere", {"part of": "examples/bot.py"}, "nowhere"),
        ("text", "whose?", {}, "whose output"),
    ],
)
def test_a_sample_that_is_wrong_is_found(
    language: str, text: str, marks: dict[str, str], problem: str, tmp_path: Path
) -> None:
    runner = Runner(tmp_path)
    try:
        with pytest.raises((AssertionError, msgspec.ValidationError), match=problem):
            runner.run(Sample(ROOT / "README.md", 1, language, text, marks))
    finally:
        runner.close()


def test_marks_stand_right_above_their_sample(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    fence = "```sh\nfalse\n```\n"
    page.write_text(f"<!-- not run: why -->\n{fence}\n{fence}\n- <!-- not run: x -->\n\n{fence}")
    assert [sample.marks for sample in samples(page)] == [{"not run": "why"}, {}, {}]
