"""Runs the code samples of our documents, and compares their output with what's documented."""

import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from pytlik.games import UNIKAT
from pytlik.matchfile import encode
from pytlik.referee import answer
from pytlik.store.connect import migrate
from tests.docs import proxies
from tests.docs.background_programs import STOP_SECONDS
from tests.docs.sample_machine import SampleMachine
from tests.docs.samples import ROOT, Sample
from tests.random_matches import play_random_match

TIMEOUT_SECONDS = 300

STRICT_BASH = "set -euo pipefail\nbeside=()\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n"
BACKGROUND_COMMAND = re.compile(" &$", re.MULTILINE)
RECORD_BACKGROUND_JOB = " & beside+=($!)"
WAIT_FOR_BACKGROUND_JOBS = '\nfor job in ${beside[@]+"${beside[@]}"}; do wait $job; done\n'
"""Fails a sample if a job that it left in the background has failed (bash itself forgets jobs that
have ended). If the sample fails first, the trap kills them."""


class SampleRunner:
    """Runs the samples of a page one after the other, on a machine of its own."""

    def __init__(self, folder: Path, postgres: Callable[[], str]) -> None:
        self.folder = folder
        self.machine = SampleMachine(folder, postgres)
        self.env = self.machine.env
        self.python: subprocess.Popen[str] | None = None
        self.printed: str | None = None

    def run(self, written: Sample) -> None:
        sample = self.adapt_to_machine(written)
        if "given" in sample.marks:
            self.provide_files(sample.marks["given"].split(", "))
        before, self.printed = self.printed, None
        match sample.language:
            case _ if "part of" in sample.marks:
                whole = (ROOT / "docs" / sample.marks["part of"]).read_text(encoding="utf-8")
                assert sample.text in whole, sample.text
            case _ if "file" in sample.marks:
                path = self.folder / sample.marks["file"]
                path.parent.mkdir(exist_ok=True)
                path.write_text(sample.text, encoding="utf-8")
            case "python":
                self.printed = self.run_python(sample.text)
            case "text":
                assert before is not None, "whose output is this?"
                check_output(before, sample.text)
            case "sh":
                done = self.run_bash(
                    STRICT_BASH
                    + BACKGROUND_COMMAND.sub(RECORD_BACKGROUND_JOB, sample.text)
                    + WAIT_FOR_BACKGROUND_JOBS,
                    sample,
                )
                assert done.returncode == 0, done.stdout
                assert "WARNING:" not in done.stdout, done.stdout  # pip's, about an unknown extra
                self.printed = done.stdout
            case "console":
                for command, expected in command_exchanges(sample.text):
                    done = self.run_bash(command, sample)
                    check_output(done.stdout, expected)
                    unspecific = set(expected.split("\n")) <= {"...", ""}
                    assert done.returncode == 0 or not unspecific, done.stdout
            case "json":
                check_json(sample)
            case "ini":
                self.run_service(sample)
            case "caddy" | "nginx":
                self.run_proxy(sample)
            case "":
                for request, reply in referee_exchanges(sample.text):
                    as_json = json.dumps(json.loads(answer(request)))
                    check_output(
                        as_json if reply.startswith("{") else answer(request).decode(), reply
                    )
            case kind if kind.startswith("{"):
                pass  # a directive: building the site checks it
            case other:
                raise AssertionError(f"nobody can run {other!r}")

    def adapt_to_machine(self, sample: Sample) -> Sample:
        """Make the replacements that the sample's `here` names."""
        text = sample.text
        for pair in filter(None, sample.marks.get("here", "").split("; ")):
            old, _, new = pair.partition(" = ")
            assert old in text, f"where is {old}?"
            text = text.replace(old, self.machine.fill_in(new))
        return replace(sample, text=text)

    def provide_files(self, names: list[str]) -> None:
        for name in names:
            path = self.folder / name
            if name == "match.json":
                path.write_bytes(encode(play_random_match(UNIKAT, 2, "a sample")))
            else:
                migrate(str(path))
                self.env["PYTLIK_DATABASE"] = str(path)

    def run_bash(self, script: str, sample: Sample) -> "subprocess.CompletedProcess[str]":
        env = dict(self.env)
        if missing := sample.marks.get("without"):
            hidden = self.folder / f"without-{missing}"
            hidden.mkdir(exist_ok=True)
            code = f"raise ModuleNotFoundError('No module named {missing}', name={missing!r})"
            (hidden / f"{missing}.py").write_text(code)
            env["PYTHONPATH"] = f"{hidden}{os.pathsep}{env['PYTHONPATH']}"
        return self.run_process(["bash", "-c", script], env)

    def run_process(
        self, words: list[str], env: dict[str, str]
    ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            words,
            cwd=self.folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )

    def run_python(self, code: str) -> str:
        """Run it in the page's own process, where later samples know earlier definitions."""
        if self.python is None:
            self.python = subprocess.Popen(
                [sys.executable, "-W", "error", "-c", PYTHON_LOOP],
                cwd=self.folder,
                env=self.env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self.python.stdin
        assert self.python.stdout
        print(json.dumps(code), file=self.python.stdin, flush=True)
        output, problem = json.loads(self.python.stdout.readline())
        assert not problem, problem
        return str(output)

    def run_service(self, sample: Sample) -> None:
        """Run a service as systemd would; where it's installed, systemd checks the file itself."""
        file = self.folder / "pytlik.service"
        file.write_text(sample.text, encoding="utf-8")
        if analyze := shutil.which("systemd-analyze"):
            output = self.run_process([analyze, "verify", str(file)], self.env).stdout
            problems = [line for line in output.splitlines() if file.name in line]
            assert not problems, problems
        settings = re.findall(r"^(\w+)=(.*)$", sample.text, re.MULTILINE)
        one = dict(settings)
        env = dict(value.split("=", 1) for name, value in settings if name == "Environment")
        assert Path(env["PYTLIK_DATABASE"]).parent == self.folder / one["StateDirectory"], env
        assert int(one["TimeoutStopSec"]) >= STOP_SECONDS, one["TimeoutStopSec"]
        done = self.run_process(shlex.split(one["ExecStart"]), self.env | env)
        assert done.returncode == 0, done.stdout
        assert Path(env["PYTLIK_DATABASE"]).exists(), done.stdout

    def run_proxy(self, sample: Sample) -> None:
        """Run a proxy in front of a server, and visit it."""
        port, _ = int(self.machine.fill_in("{port}")), self.machine.fill_in("{certificate}")
        start = {"caddy": proxies.run_caddy, "nginx": proxies.run_nginx}[sample.language]
        with start(self.folder, port, sample.text):
            asyncio.run(proxies.check_visit(self.folder, port))

    def close(self) -> None:
        if self.python:
            self.python.communicate(timeout=TIMEOUT_SECONDS)
        self.machine.close()


PYTHON_LOOP = """
import contextlib, io, json, sys, traceback
space = {"__name__": "__main__"}
for line in sys.stdin:
    output, problem = io.StringIO(), ""
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(json.loads(line), "the sample", "exec"), space)
        except BaseException:
            problem = traceback.format_exc()
    print(json.dumps([output.getvalue(), problem]), flush=True)
"""


def check_output(output: str, expected: str) -> None:
    """Compare output with what's expected, where `...` stands for anything."""
    parts = map(re.escape, re.split(r" ?\.\.\.", expected.strip("\n")))
    assert re.fullmatch(".*".join(parts), output.strip("\n"), re.DOTALL), output


def command_exchanges(text: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield command, expected


def referee_exchanges(text: str) -> Iterator[tuple[str, str]]:
    lines = text.splitlines()
    assert [line[:2] for line in lines] == ["> ", "< "] * (len(lines) // 2), "which language?"
    for request, reply in zip(lines[::2], lines[1::2], strict=True):
        yield request[2:], reply[2:]


def check_json(sample: Sample) -> None:
    """Check one value, or one per line."""
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
