"""The build: a kernel is compiled where there is a compiler, and runs as it is elsewhere; the page
is built when anything that it is made of has changed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from sysconfig import get_config_var

import pytest

ROOT = Path(__file__).parent.parent
SUFFIX = get_config_var("EXT_SUFFIX")

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
    (package / "kernel.pxd").touch()
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
    assert said.splitlines()[-1].endswith("pytlik.some_game runs uncompiled")
    file, answer = run(project, "-c", USE).split()
    assert (Path(file).suffix, answer) == (".py", "3")


@pytest.mark.slow
@pytest.mark.parametrize("changed", ["kernel.py", "parts/part.pxd"])
def test_a_game_is_compiled_whole_or_not_at_all(project: Path, changed: str) -> None:
    """What was compiled before a change of another file's may not fit together with that."""
    package = project / "src" / "pytlik" / "some_game"
    parts = package / "parts"
    parts.mkdir()
    for name, text in (("__init__.py", ""), ("part.py", KERNEL), ("part.pxd", "")):
        (parts / name).write_text(text)
    modules = [package / f"kernel{SUFFIX}", parts / f"part{SUFFIX}"]
    for module in modules:
        module.touch()
    assert run(project, "hatch_build.py", CC="/bin/false") == ""
    later = modules[0].stat().st_mtime + 1
    os.utime(package / changed, (later, later))
    said = run(project, "hatch_build.py", CC="/bin/false")
    assert said.splitlines()[-1].endswith("pytlik.some_game runs uncompiled")
    assert not any(module.exists() for module in modules)


PAGE = Path("src", "pytlik", "server", "static", "index.html")

# What `npm run build` does here: it needs no package, and so nothing from elsewhere.
SCRIPT = """\
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
mkdirSync('../src/pytlik/server/static', { recursive: true });
const text = readFileSync('words.txt', 'utf-8') + process.version;
writeFileSync('../src/pytlik/server/static/index.html', text);
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A project with nothing but a page."""
    shutil.copy(ROOT / "hatch_build.py", tmp_path)
    (tmp_path / "src" / "pytlik" / "i18n").mkdir(parents=True)
    (tmp_path / "src" / "pytlik" / "i18n" / "en.json").write_text("{}")
    web = tmp_path / "web"
    web.mkdir()
    package = {"name": "page", "version": "1.0.0"}
    scripts = {"build": "node build.js"}
    lock = {**package, "lockfileVersion": 3, "packages": {"": package}}
    (web / "package.json").write_text(json.dumps({**package, "scripts": scripts}))
    (web / "package-lock.json").write_text(json.dumps(lock))
    (web / "build.js").write_text(SCRIPT)
    (web / "words.txt").write_text("built by ")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("changed", ["web/words.txt", "src/pytlik/i18n/en.json"])
def test_the_page_is_built_by_our_node_and_again_when_something_changed(
    page: Path, changed: str
) -> None:
    assert "> node build.js" in run(page, "hatch_build.py")
    assert (page / PAGE).read_text().startswith("built by v24")
    assert run(page, "hatch_build.py") == ""
    later = (page / PAGE).stat().st_mtime + 1
    os.utime(page / changed, (later, later))
    assert "> node build.js" in run(page, "hatch_build.py")
