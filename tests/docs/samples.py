"""The code samples of our documents: found, run, and held to what the documents say comes out.

A sample is a fenced block. What it is follows from its language; what can't be followed from that
is said in a comment right above it, which readers of the page don't see:

    not run: why            it is not run; what can be checked of its form, is
    part of: examples/bot.py    it stands in that file, word for word, which other tests run
    decodes as: pytlik.server.wire.Act      of JSON, which message it is
    without: matplotlib     it is run as if that were not installed
    given: match.json       the page's folder has such a file from here on
"""

import configparser
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pytlik.cli import COMMANDS, parser
from pytlik.games import UNIKAT
from pytlik.i18n import catalogue
from pytlik.matchfile import encode
from pytlik.referee import answer
from pytlik.store.opening import migrate
from tests.playing import play

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PATIENCE = 60
COMMENT = re.compile(r"<!-- (not run|part of|decodes as|without|given): (.+?) -->")


@dataclass(frozen=True)
class Sample:
    page: Path
    line: int
    language: str
    text: str
    marks: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def samples(page: Path) -> Iterator[Sample]:
    marks: dict[str, str] = {}
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        if token.type in ("fence", "code_block"):
            yield Sample(page, (token.map or [0])[0] + 1, language(token), token.content, marks)
        found = COMMENT.findall(token.content) if token.type == "html_block" else []
        marks = dict(found)


def language(token: Token) -> str:
    return token.info.strip() if token.type == "fence" else "indented"


def inline(page: Path) -> Iterator[str]:
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")):
        for child in token.children or ():
            if child.type == "code_inline":
                yield child.content


# ---------------------------------------------------------------------------------------- running


class Runner:
    """Runs the samples of a page one after the other, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "docs").symlink_to(ROOT / "docs")
        # Ours, however Python was installed.
        command = folder / "bin" / "pytlik"
        command.parent.mkdir()
        command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m pytlik "$@"\n')
        command.chmod(0o755)
        self.env = {
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
            "LANG": "C.UTF-8",
            "COLUMNS": "120",
            "PYTHONPATH": str(ROOT / "src"),
            "PATH": os.pathsep.join(
                [str(command.parent), str(Path(sys.executable).parent), os.environ["PATH"]]
            ),
        }
        self.python: subprocess.Popen[str] | None = None
        self.said: str | None = None

    def run(self, sample: Sample) -> None:
        if "given" in sample.marks:
            self.give(sample.marks["given"].split(", "))
        before, self.said = self.said, None
        match sample.language:
            case _ if "not run" in sample.marks:
                check_form(sample)
            case _ if "part of" in sample.marks:
                whole = (ROOT / "docs" / sample.marks["part of"]).read_text(encoding="utf-8")
                assert sample.text in whole, sample.text
            case "python":
                self.said = self.run_python(sample.text)
            case "text":
                assert before is not None, "whose output is this?"
                compare(before, sample.text)
            case "sh" if all(line.startswith("make ") for line in sample.text.splitlines()):
                check_form(sample)  # the tests are among what they would do
            case "sh":
                done = self.bash(f"set -euo pipefail\n{sample.text}", sample)
                assert done.returncode == 0, done.stdout
                self.said = done.stdout
            case "console":
                for command, expected in exchanges(sample.text):
                    done = self.bash(command, sample)
                    compare(done.stdout, expected)
                    unspecific = set(expected.split("\n")) <= {"...", ""}
                    assert done.returncode == 0 or not unspecific, done.stdout
            case "json":
                check_json(sample)
            case "":
                for asked, said in referee_exchanges(sample.text):
                    told = json.dumps(json.loads(answer(asked)))
                    compare(told if said.startswith("{") else answer(asked).decode(), said)
            case kind if kind.startswith("{"):
                pass  # for the site, which is built strictly
            case other:
                raise AssertionError(f"nobody can run {other!r}: say why it is not run")

    def give(self, names: list[str]) -> None:
        for name in names:
            path = self.folder / name
            if name == "match.json":
                path.write_bytes(encode(play(UNIKAT, 2, "a sample")))
            else:
                migrate(str(path))
                self.env["PYTLIK_DATABASE"] = str(path)

    def bash(self, script: str, sample: Sample) -> "subprocess.CompletedProcess[str]":
        env = dict(self.env)
        if missing := sample.marks.get("without"):
            hidden = self.folder / f"without-{missing}"
            hidden.mkdir(exist_ok=True)
            code = f"raise ModuleNotFoundError('No module named {missing}', name={missing!r})"
            (hidden / f"{missing}.py").write_text(code)
            env["PYTHONPATH"] = f"{hidden}{os.pathsep}{env['PYTHONPATH']}"
        return subprocess.run(
            ["bash", "-c", script],
            cwd=self.folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def run_python(self, code: str) -> str:
        """In one process for the page, where later samples know what earlier ones have defined."""
        if self.python is None:
            self.python = subprocess.Popen(
                [sys.executable, "-W", "error", "-c", LOOP],
                cwd=self.folder,
                env=self.env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self.python.stdin
        assert self.python.stdout
        print(json.dumps(code), file=self.python.stdin, flush=True)
        said, problem = json.loads(self.python.stdout.readline())
        assert not problem, problem
        return str(said)

    def close(self) -> None:
        if self.python:
            self.python.communicate(timeout=PATIENCE)


LOOP = """
import contextlib, io, json, sys, traceback
space = {"__name__": "__main__"}
for line in sys.stdin:
    said, problem = io.StringIO(), ""
    with contextlib.redirect_stdout(said):
        try:
            exec(compile(json.loads(line), "the sample", "exec"), space)
        except BaseException:
            problem = traceback.format_exc()
    print(json.dumps([said.getvalue(), problem]), flush=True)
"""


def compare(said: str, expected: str) -> None:
    """`...` stands for anything."""
    parts = map(re.escape, re.split(r" ?\.\.\.", expected.strip("\n")))
    assert re.fullmatch(".*".join(parts), said.strip("\n"), re.DOTALL), said


def exchanges(text: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield command, expected


def referee_exchanges(text: str) -> Iterator[tuple[str, str]]:
    lines = text.splitlines()
    assert [line[:2] for line in lines] == ["> ", "< "] * (len(lines) // 2), "which language?"
    for asked, said in zip(lines[::2], lines[1::2], strict=True):
        yield asked[2:], said[2:]


# --------------------------------------------------------------------------------------- the form


def check_form(sample: Sample) -> None:
    """What can be held of a sample that is not run."""
    match sample.language:
        case "sh" | "console":
            for line in sample.text.splitlines():
                for command in line.partition(" # ")[0].split(" | "):
                    check_command(shlex.split(command))
        case "ini":
            configparser.ConfigParser(strict=False, interpolation=None).read_string(sample.text)
        case "json":
            check_json(sample)
        case "python":
            compile(sample.text, str(sample), "exec")
        case "nginx" | "caddy":
            assert sample.text.count("{") == sample.text.count("}")
        case other:
            raise AssertionError(f"{other!r}: what is its form?")


def check_command(words: list[str]) -> None:
    while words and "=" in words[0]:
        words = words[1:]
    match words:
        case []:
            pass
        case ["pytlik", *rest]:
            assert_parses(rest)
        case ["make", target, *variables]:
            makefile = (ROOT / "Makefile").read_text()
            assert re.search(rf"^{target}:.*##", makefile, re.MULTILINE), target
            for variable in variables:
                assert re.search(rf"^{variable.partition('=')[0]} :=", makefile, re.MULTILINE)
        case [".venv/bin/pytest", *paths]:
            assert all((ROOT / path).exists() for path in paths), paths
        case [".venv/bin/python" | "python" | "node", program, *rest]:
            source = (ROOT / program).read_text()
            flags = (word for word in rest if word.startswith("--"))
            assert all(f'"{flag}"' in source for flag in flags), rest
        case ["pip", "install", *packages]:
            project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
            for extras in re.findall(r"pytlik\[(.+)\]", " ".join(packages)):
                assert set(extras.split(",")) <= set(project["optional-dependencies"]), extras
        case ["curl" | "grep", *_]:
            pass
        case _:
            raise AssertionError(f"is {words[0]} one of ours?")


def assert_parses(words: list[str]) -> None:
    try:
        parser(catalogue("en")).parse_args(words)
    except SystemExit as end:
        raise AssertionError(f"pytlik {shlex.join(words)}: {end}") from None


def known_options(words: list[str]) -> bool:
    """Of a command in a sentence, which may leave out what it is about."""
    command, *rest = words
    if command not in COMMANDS:
        return command.startswith("--")
    top = parser(catalogue("en"))
    commands = next(action for action in top._actions if action.dest == "command")
    assert isinstance(commands.choices, dict)
    options = commands.choices[command]._option_string_actions
    return all(word.partition("=")[0] in options for word in rest if word.startswith("--"))


def check_json(sample: Sample) -> None:
    """One value, or one a line."""
    assert "decodes as" in sample.marks, "which message is it?"
    name = sample.marks["decodes as"]
    module, _, kind = name.rpartition(".")
    wanted: Any = getattr(import_module(module), kind)
    try:
        values = [json.loads(sample.text)]
    except json.JSONDecodeError:
        values = [json.loads(line) for line in sample.text.splitlines()]
    for value in values:
        msgspec.json.decode(json.dumps(value), type=wanted)
