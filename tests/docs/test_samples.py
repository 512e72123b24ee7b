"""Every code sample in the documents is run, and wrong ones are found."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from websockets.exceptions import InvalidStatus

from tests.docs.sample_runner import SampleRunner
from tests.docs.samples import PAGES, ROOT, Sample, are_options_known, find_samples, inline_code


@pytest.fixture
def runner(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[SampleRunner]:
    sample_runner = SampleRunner(
        tmp_path, postgres=lambda: request.getfixturevalue("postgres").new_empty_database()
    )
    yield sample_runner
    sample_runner.close()


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_samples(page: Path, runner: SampleRunner) -> None:
    for sample in find_samples(page):
        try:
            runner.run(sample)
        except Exception as error:
            raise AssertionError(f"{sample}: {error}") from error


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_in_sentences_have_known_options(page: Path) -> None:
    for code in inline_code(page):
        first, *words = code.split() or [""]
        if first == "pytlik" and words:
            assert are_options_known(words), code


SYSTEMD_UNIT = """[Service]
ExecStart={folder}/.venv/bin/pytlik serve
Environment=PYTLIK_DATABASE={folder}/pytlik/pytlik.db
StateDirectory=pytlik
TimeoutStopSec=15
"""


@pytest.mark.parametrize(
    ("language", "text", "marks", "problem"),
    [
        ("", "pytlik play", {}, "which language"),
        ("indented", "pytlik play", {}, "nobody can run 'indented'"),
        ("rust", "fn main() {}", {}, "nobody can run 'rust'"),
        ("python", "1 / 0", {}, "ZeroDivisionError"),
        ("sh", "echo so; false", {}, "so"),
        ("sh", "(echo so; false) &\ntrue", {}, "so"),
        ("sh", "pytlik doctor --nothing", {}, "--nothing"),
        ("sh", "pytlik play chess", {}, 'no game "chess"'),
        ("sh", "pytlik serve --workers 3", {}, "ended without an address"),
        ("sh", "pip install 'pytlik[nothing]'", {}, "extra 'nothing'"),
        ("sh", "pip install pytlik-nothing", {}, "pytlik-nothing"),
        ("sh", "make nothing", {}, "nothing"),
        ("sh", ".venv/bin/pytest tests/nothing.py", {}, "no tests in tests/nothing.py"),
        ("sh", ".venv/bin/pytest tests/docs/samples.py", {}, "no tests in tests/docs/samples.py"),
        ("sh", ".venv/bin/pytest tests/page/test_layout.py", {}, "tests/page/test_layout.py"),
        ("sh", ".venv/bin/python tests/soak_matches.py --nothing", {}, "--nothing"),
        ("sh", "true --games 20", {"here": "200 = 2"}, "where is 200"),
        ("console", "$ echo 1\n2\n", {}, "1"),
        ("console", "$ echo so; false\n...\n", {}, "so"),
        ("json", "{}", {}, "which message"),
        ("json", '{"kind": "pong"}', {"decodes as": "pytlik.protocol.messages.Pong"}, "`n`"),
        ("python", "nowhere", {"part of": "examples/bot.py"}, "nowhere"),
        ("text", "whose?", {}, "whose output"),
        ("ini", SYSTEMD_UNIT.replace("serve", "serve --nothing"), {}, "--nothing"),
        ("ini", SYSTEMD_UNIT.replace("=15", "=1"), {}, "1"),
        ("ini", SYSTEMD_UNIT.replace("/pytlik/pytlik.db", "/pytlik.db"), {}, "pytlik.db"),
    ],
)
def test_wrong_sample_is_found(
    language: str, text: str, marks: dict[str, str], problem: str, runner: SampleRunner
) -> None:
    text = text.replace("{folder}", str(runner.folder))
    with pytest.raises((AssertionError, msgspec.ValidationError), match=problem):
        runner.run(Sample(ROOT / "README.md", 1, language, text, marks))


def test_misconfigured_proxy_is_found(runner: SampleRunner) -> None:
    page = list(find_samples(ROOT / "docs" / "hosting.md"))
    (caddy,) = (sample for sample in page if sample.language == "caddy")
    (nginx,) = (sample for sample in page if sample.language == "nginx")
    wrong = {
        "502": replace(caddy, marks={"here": "8000 = 9"}),
        'unknown directive "prox"': replace(nginx, text=nginx.text.replace("proxy_pass", "prox")),
        "rejected WebSocket": without_proxy_header(nginx, "Upgrade"),
        "wrong_origin": without_proxy_header(nginx, "X-Forwarded-Proto"),
        "a visitor is believed": without_proxy_header(nginx, "X-Forwarded-Host"),
    }
    for problem, sample in wrong.items():
        with pytest.raises((AssertionError, InvalidStatus), match=problem):
            runner.run(sample)


def without_proxy_header(sample: Sample, header: str) -> Sample:
    lines = sample.text.splitlines(keepends=True)
    left = [line for line in lines if f"proxy_set_header {header} " not in line]
    assert len(left) == len(lines) - 1
    return replace(sample, text="".join(left))


def test_marks_belong_to_the_sample_right_below(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    fence = "```sh\nfalse\n```\n"
    above = "<!-- given: a -->\n<!-- here: b = c -->\n"
    page.write_text(f"{above}{fence}\n{fence}\n- <!-- given: x -->\n\n{fence}")
    marks = [sample.marks for sample in find_samples(page)]
    assert marks == [{"given": "a", "here": "b = c"}, {}, {}]
