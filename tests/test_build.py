"""The build: a kernel is compiled where there is a compiler, and runs as it is elsewhere."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

KERNEL = '''\
# cython: annotation_typing=False
"""Counts."""


def count(bits: int) -> int:
    found = 0
    while bits:
        bits &= bits - 1
        found += 1
    return found
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A package with a kernel, and the project's own build beside it."""
    shutil.copy(ROOT / "hatch_build.py", tmp_path)
    package = tmp_path / "src" / "pytlik" / "some_game"
    package.mkdir(parents=True)
    for folder in (package.parent, package):
        (folder / "__init__.py").touch()
    (package / "kernel.py").write_text(KERNEL)
    return tmp_path


def run(project: Path, *words: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=project,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONPATH": "src", **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


USE = "from pytlik.some_game import kernel; print(kernel.__file__, kernel.count(7))"


@pytest.mark.slow
def test_a_kernel_is_compiled_once(project: Path) -> None:
    assert "compiled pytlik.some_game.kernel" in run(project, "hatch_build.py")
    assert run(project, "hatch_build.py") == ""
    file, answer = run(project, "-c", USE).split()
    assert (Path(file).suffix, answer) == (".so", "3")


@pytest.mark.slow
def test_without_a_compiler_it_runs_as_it_is_and_says_so(project: Path) -> None:
    said = run(project, "hatch_build.py", CC="/bin/false")
    assert said.splitlines()[-1].endswith("pytlik.some_game.kernel runs uncompiled")
    file, answer = run(project, "-c", USE).split()
    assert (Path(file).suffix, answer) == (".py", "3")
