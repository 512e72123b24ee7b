"""`make play`: steps that run in parallel and report it, and what it says if one of them fails."""

import io
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from zipfile import ZipFile

import pytest

from tools import bootstrap, parallel_steps
from tools.bootstrap import locked_requirements
from tools.parallel_steps import Step, StepFailed, run_steps

ROOT = Path(__file__).parent.parent

# ------------------------------------------------------------------------------------------- steps


class FakeTerminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_steps_run_in_parallel_but_after_those_they_need(tmp_path: Path) -> None:
    together = threading.Barrier(2, timeout=60)
    happened = list[str]()

    def meet(step: Step) -> None:
        together.wait()
        happened.append("first")

    first = [Step("one", meet), Step("other", meet)]
    last = Step("last", lambda _: happened.append("last"), after=first)
    run_steps([last, *first], tmp_path / "log", time.monotonic(), io.StringIO())
    assert happened == ["first", "first", "last"]


def test_progress_without_a_terminal_is_lines_with_seconds(tmp_path: Path) -> None:
    out = io.StringIO()
    work = Step("Work", lambda step: step.run(["echo", "1 of 2"]))
    run_steps([work], tmp_path / "log", time.monotonic(), out)
    start, end = out.getvalue().splitlines()
    assert re.fullmatch(r"\[ +\d\.\d s\] Work …", start)
    assert re.fullmatch(r"\[ +\d\.\d s\] Work: done in \d\.\d s", end)
    assert (tmp_path / "log").read_text() == "$ echo 1 of 2\n1 of 2\n\n"


def test_long_step_reports_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_steps, "LINE_EVERY_S", 0)
    out = io.StringIO()
    show = parallel_steps.PlainProgress(out, time.monotonic())
    step = Step("Work", lambda _: None, started=time.monotonic() - 6, done=3, total=24)
    show.start(step)
    show.update([step])
    assert out.getvalue().splitlines()[-1].endswith("Work: 6 s, 3 of 24")


@pytest.mark.parametrize("colors", [True, False])
def test_running_step_has_a_bar_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, colors: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    if not colors:
        monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    out = FakeTerminal()
    show = parallel_steps.LiveProgress(out, time.monotonic())
    step = Step("Work", lambda _: None, started=time.monotonic() - 6, done=6, total=24)
    show.update([step])
    shown = re.sub(r"\x1b\[\d+m", "", out.getvalue())
    assert ("━" * 6 + "─" * 18 + " 6/24") in shown
    assert (shown != out.getvalue()) == colors
    step.ended = time.monotonic()
    show.finish(step, failed=False)
    show.close()
    assert "✓ Work" in re.sub(r"\x1b\[\d+m", "", out.getvalue())


def test_no_line_wraps_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")
    out = FakeTerminal()
    step = Step("Work", lambda _: None, started=time.monotonic() - 6, done=6, total=24)
    parallel_steps.LiveProgress(out, time.monotonic()).update([step])
    lines = re.sub(r"\x1b\[[?\d]*\w", "", out.getvalue()).splitlines()
    assert max(map(len, lines)) <= 40


@pytest.mark.parametrize(("term", "live"), [("xterm", True), ("dumb", False)])
def test_dumb_terminal_cannot_redraw_lines(
    monkeypatch: pytest.MonkeyPatch, term: str, live: bool
) -> None:
    monkeypatch.setenv("TERM", term)
    assert parallel_steps.can_redraw_lines(FakeTerminal()) == live


def test_failing_step_stops_all_others(tmp_path: Path) -> None:
    runs = threading.Event()

    def linger(step: Step) -> None:
        step.commands.run(["sh", "-c", "echo started; sleep 1000"], lambda _: runs.set(), {})

    def fail(step: Step) -> None:
        assert runs.wait(60)
        step.run(["sh", "-c", "echo the disk is full; exit 1"])

    def explain(output: str) -> str:
        return f"It failed, because {output.strip()}: make room."

    both = [Step("Long", linger), Step("Short", fail, explain=explain)]
    with pytest.raises(StepFailed, match=r"^It failed, because the disk is full: make room\.$"):
        run_steps(both, tmp_path / "log", time.monotonic(), io.StringIO())


# --------------------------------------------------------------------------------------- a project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Everything that a start looks at, and little to install."""
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "src" / "pytlik").mkdir(parents=True)
    (tmp_path / "pyproject.toml").touch()
    for name in ("requirements.txt", "requirements-build.txt"):
        (tmp_path / name).write_text(f"nothing==1.0 \\\n    --hash=sha256:{'0' * 64}\n")
    return tmp_path


def run_start(project: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *(words or ("-m", "tools.bootstrap", "play"))],
        cwd=project,
        env={"PATH": os.environ["PATH"], "PIP_CONFIG_FILE": os.devnull, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def pretend_installed(project: Path) -> None:
    """Make everything look installed; the program that is started only prints that it plays."""
    programs = project / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    (programs / "pytlik").write_text("#!/bin/sh\necho it plays\n")
    (programs / "pytlik").chmod(0o755)
    (project / ".venv" / "made-venv").touch()
    note = (
        "from tools.bootstrap import *;"
        "record_made_from('tools', digest([ROOT / BUILD_LOCK]));"
        "record_made_from('runtime', digest([ROOT / RUNTIME_LOCK]));"
        "record_made_from('package', digest([PYPROJECT]))"
    )
    assert run_start(project, "-c", note).returncode == 0


def add_kernel(project: Path) -> Path:
    game = project / "src" / "pytlik" / "some_game"
    game.mkdir()
    for name in ("__init__.py", "kernel.py", "kernel.pxd"):
        (game / name).touch()
    return game


def test_second_time_it_only_starts(project: Path) -> None:
    pretend_installed(project)
    done = run_start(project)
    assert (done.stdout, done.stderr, done.returncode) == ("it plays\n", "", 0)


@pytest.mark.parametrize(
    "name", ["pyproject.toml", "requirements.txt", "requirements-build.txt", ".venv/bin/python"]
)
def test_changed_parts_are_installed_again(project: Path, name: str) -> None:
    pretend_installed(project)
    if name.startswith(".venv"):
        (project / name).unlink()
    else:
        (project / name).write_text("changed==2.0\n")
    plan = (
        "from tools.bootstrap import plan_steps; print([step.title for step in plan_steps('play')])"
    )
    titles = {
        "pyproject.toml": ["Installing Pytlik"],
        "requirements.txt": ["Installing libraries"],
        "requirements-build.txt": ["Installing build tools"],
        ".venv/bin/python": [
            "Making a Python environment",
            "Installing build tools",
            "Installing libraries",
            "Installing Pytlik",
        ],
    }
    assert run_start(project, "-c", plan).stdout == f"{titles[name]}\n"


def test_missing_network_is_explained(project: Path) -> None:
    """Nothing listens on this port, so the registry can't be reached."""
    done = run_start(project, PIP_INDEX_URL="http://127.0.0.1:9/simple")
    assert done.returncode == 1
    assert done.stderr.strip() == (
        "pytlik: The build tools could not be downloaded: check your network connection, then run"
        " `make play` again (build/start.log has the details)."
    )
    assert "Installing build tools: failed" in done.stdout


@pytest.mark.parametrize(
    ("uv", "runs"),
    [(["true"], "$ true x"), (["false"], "$ echo x"), (["no-such-program"], "$ echo x")],
    ids=["uv works", "uv fails", "no uv"],
)
def test_pip_installs_if_uv_cannot(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, uv: list[str], runs: str
) -> None:
    monkeypatch.setattr(bootstrap, "UV_INSTALL", uv)
    monkeypatch.setattr(bootstrap, "PIP_INSTALL", ["echo"])
    work = Step("Work", lambda step: bootstrap.install(step, ["x"]))
    run_steps([work], tmp_path / "log", time.monotonic(), io.StringIO())
    commands = re.findall(r"^\$ .*$", (tmp_path / "log").read_text(), re.MULTILINE)
    assert commands[-1] == runs


def test_missing_network_for_the_page_is_explained(project: Path, tmp_path: Path) -> None:
    pretend_installed(project)
    web = project / "web"
    web.mkdir()
    (web / "package.json").write_text("{}")
    (web / "package-lock.json").write_text('{"packages": {}}')
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, script in (
        ("node", "echo v24.0.0"),
        ("npm", "echo npm error code ENOTFOUND; exit 1"),
    ):
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    # Outside our environment, which has a Node of its own.
    done = subprocess.run(
        [sys._base_executable, "-m", "tools.bootstrap", "play"],  # type: ignore[attr-defined]
        cwd=project,
        env={"PATH": f"{programs}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.strip().startswith("pytlik: The page's packages could not be downloaded:")


def test_missing_compiler_is_explained_and_it_plays(project: Path) -> None:
    pretend_installed(project)
    add_kernel(project)
    done = run_start(project, CC="no-such-compiler")
    message, played = done.stdout.splitlines()
    assert message == (
        "Bots think more slowly, because there is no C compiler (no-such-compiler): install one"
        " with Python's headers (on Debian and Ubuntu: apt install gcc python3-dev) and run"
        " `make play` again."
    )
    assert played == "it plays"


def test_wheel_needs_a_compiler(project: Path) -> None:
    pretend_installed(project)
    add_kernel(project)
    done = run_start(project, "-m", "tools.bootstrap", "wheel", CC="no-such-compiler")
    assert done.returncode == 1
    assert "A wheel needs compiled kernels" in done.stderr


def test_missing_venv_is_explained(project: Path) -> None:
    start = (
        "import sys, tools.bootstrap as bootstrap; bootstrap.bundled_pip = lambda: None;"
        "sys.argv = ['bootstrap', 'play']; sys.exit(bootstrap.main())"
    )
    done = run_start(project, "-c", start)
    assert done.returncode == 1
    assert done.stderr.strip() == (
        "pytlik: This Python has no venv module: install it (on Debian and Ubuntu: apt install"
        " python3-venv) and run `make play` again."
    )


def test_outdated_python_is_explained(project: Path, tmp_path: Path) -> None:
    make = shutil.which("make")
    assert make
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python3").write_text("#!/bin/sh\nexit 1\n")
    (programs / "python3").chmod(0o755)
    done = subprocess.run(
        [make, "play"],
        cwd=project,
        env={"PATH": str(programs)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "pytlik: Python 3.11 or newer is needed, and none was found" in done.stderr


@pytest.mark.parametrize("same", [True, False])
def test_wheel_in_dist_is_used_if_built_from_the_same_sources(project: Path, same: bool) -> None:
    pretend_installed(project)
    game = add_kernel(project)
    digests = run_start(
        project,
        "-c",
        "import json; from tools import kernel_compiler as k;print(json.dumps(k.source_digests()))",
    ).stdout
    (module,) = re.findall(r"pytlik/some_game/kernel\.[^\"]+", digests)
    (project / "dist").mkdir()
    with ZipFile(project / "dist" / "pytlik-1.0-any.whl", "w") as wheel:
        wheel.writestr("pytlik/built-kernels.json", digests)
        wheel.writestr(module, "compiled")
    if not same:
        (game / "kernel.py").write_text("changed = 1\n")
    done = run_start(project, CC="no-such-compiler")
    assert (project / "src" / module).exists() == same
    assert done.stdout.splitlines()[-1] == "it plays"
    assert ("more slowly" in done.stdout) != same


# -------------------------------------------------------------------------------------------- locks


def test_locks_agree_on_versions_and_have_hashes_but_no_addresses() -> None:
    dev = {entry.split()[0] for entry in locked_requirements(ROOT / "requirements-dev.txt")}
    for name in ("requirements.txt", "requirements-build.txt"):
        lock = locked_requirements(ROOT / name)
        assert lock
        assert {entry.split()[0] for entry in lock} <= dev, f"run `make lock`: {name}"
        assert all("--hash=sha256:" in entry for entry in lock)
        assert "://" not in (ROOT / name).read_text()
