"""The build: kernels are compiled if there is a compiler, and run uncompiled otherwise; the page is
built when any of its sources has changed; a wheel holds both, and is all it takes to play."""

import asyncio
import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from sysconfig import get_config_var
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.server.client import Client, play_against_bot
from tools.kernel_compiler import EXIT_UNCOMPILED, extension_name, kernel_sources
from tools.page_builder import is_node_new_enough

ROOT = Path(__file__).parent.parent
EXTENSION_SUFFIX = get_config_var("EXT_SUFFIX")

KERNEL_SOURCE = '''\
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
def project_with_kernel(tmp_path: Path) -> Path:
    """A package with a kernel, and the project's own build tools beside it."""
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    package = tmp_path / "src" / "pytlik" / "some_game"
    package.mkdir(parents=True)
    for folder in (package.parent, package):
        (folder / "__init__.py").touch()
    (package / "kernel.py").write_text(KERNEL_SOURCE)
    (package / "kernel.pxd").touch()
    return tmp_path


def run_python(project: Path, *words: str, status: int = 0, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=project,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONPATH": "src", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


USE_KERNEL_CODE = "from pytlik.some_game import kernel; print(kernel.__file__, kernel.count(7))"
COMPILE_ARGUMENTS = ("-m", "tools.kernel_compiler")


@pytest.mark.slow
def test_a_kernel_is_compiled_once(project_with_kernel: Path) -> None:
    assert run_python(project_with_kernel, *COMPILE_ARGUMENTS) == "1 of 1\n"
    assert run_python(project_with_kernel, *COMPILE_ARGUMENTS) == ""
    file, answer = run_python(project_with_kernel, "-c", USE_KERNEL_CODE).split()
    assert (Path(file).suffix, answer) == (".so", "3")


@pytest.mark.slow
def test_quick_kernels_are_compiled_again_for_a_wheel(
    project_with_kernel: Path,
) -> None:
    assert run_python(project_with_kernel, *COMPILE_ARGUMENTS, "--quick") == "1 of 1\n"
    assert run_python(project_with_kernel, *COMPILE_ARGUMENTS, "--quick") == ""
    assert run_python(project_with_kernel, *COMPILE_ARGUMENTS) == "1 of 1\n"
    assert run_python(project_with_kernel, *COMPILE_ARGUMENTS, "--quick") == ""


@pytest.mark.parametrize(
    ("compiler", "reason"),
    [
        ("/bin/false", "the C compiler does not work"),
        ("no-such-compiler -pthread", "there is no C compiler (no-such-compiler)"),
    ],
)
def test_without_a_compiler_the_kernel_runs_uncompiled(
    project_with_kernel: Path, compiler: str, reason: str
) -> None:
    out = run_python(project_with_kernel, *COMPILE_ARGUMENTS, CC=compiler, status=EXIT_UNCOMPILED)
    assert out == f"not compiled: {reason}\n"
    file, answer = run_python(project_with_kernel, "-c", USE_KERNEL_CODE).split()
    assert (Path(file).suffix, answer) == (".py", "3")


@pytest.mark.parametrize("changed", ["kernel.py", "parts/part.pxd"])
def test_a_game_is_compiled_whole_or_not_at_all(project_with_kernel: Path, changed: str) -> None:
    """What was compiled before another file changed may not fit that file any longer."""
    package = project_with_kernel / "src" / "pytlik" / "some_game"
    parts = package / "parts"
    parts.mkdir()
    for name, text in (("__init__.py", ""), ("part.py", KERNEL_SOURCE), ("part.pxd", "")):
        (parts / name).write_text(text)
    modules = [package / f"kernel{EXTENSION_SUFFIX}", parts / f"part{EXTENSION_SUFFIX}"]
    for module in modules:
        module.touch()
    note = (
        "from tools import kernel_compiler as k;k.write_digests(k.DIGESTS_FILE, k.source_digests())"
    )
    run_python(project_with_kernel, "-c", note)
    assert run_python(project_with_kernel, *COMPILE_ARGUMENTS, CC="/bin/false") == ""
    with (package / changed).open("a") as file:
        file.write("# changed\n")
    run_python(project_with_kernel, *COMPILE_ARGUMENTS, CC="/bin/false", status=EXIT_UNCOMPILED)
    assert not any(module.exists() for module in modules)


BUILT_PAGE = Path("src", "pytlik", "server", "static", "index.html")

# Stands in for `npm run build`: it needs no packages, so nothing is downloaded.
PAGE_BUILD_SCRIPT = """\
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
mkdirSync('../src/pytlik/server/static', { recursive: true });
const text = readFileSync('words.txt', 'utf-8') + process.version;
writeFileSync('../src/pytlik/server/static/index.html', text);
"""


@pytest.fixture
def project_with_page(tmp_path: Path) -> Path:
    """A project with nothing but a page."""
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    (tmp_path / "src" / "pytlik" / "i18n").mkdir(parents=True)
    (tmp_path / "src" / "pytlik" / "i18n" / "en.json").write_text("{}")
    web = tmp_path / "web"
    web.mkdir()
    package = {"name": "page", "version": "1.0.0"}
    scripts = {"build": "node build.js"}
    lock = {**package, "lockfileVersion": 3, "packages": {"": package}}
    (web / "package.json").write_text(json.dumps({**package, "scripts": scripts}))
    (web / "package-lock.json").write_text(json.dumps(lock))
    (web / "build.js").write_text(PAGE_BUILD_SCRIPT)
    (web / "words.txt").write_text("built by ")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("changed", ["web/words.txt", "src/pytlik/i18n/en.json"])
def test_page_is_built_by_our_node_and_again_after_changes(
    project_with_page: Path, changed: str
) -> None:
    build = ("-m", "tools.page_builder")
    assert "> node build.js" in run_python(project_with_page, *build)
    assert (project_with_page / BUILT_PAGE).read_text().startswith("built by v24")
    assert run_python(project_with_page, *build) == ""
    with (project_with_page / changed).open("a") as file:
        file.write(" ")
    assert "> node build.js" in run_python(project_with_page, *build)


@pytest.mark.parametrize(
    ("version", "enough"),
    [
        ("v18.20.4", False),
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.0.0", True),
        ("", False),
    ],
)
def test_supported_node_versions(version: str, enough: bool) -> None:
    assert is_node_new_enough(version) == enough


# -------------------------------------------------------------------------------------------- wheel


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `make wheel` builds from the page and the kernels that are built already."""
    folder = tmp_path_factory.mktemp("wheel")
    words = ["-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run([sys.executable, *words], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def installed_programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs' folder of an environment with the wheel, its declared dependencies and nothing
    else."""
    environment = tmp_path_factory.mktemp("empty") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    (packages,) = environment.glob("lib/*/site-packages")
    for name in all_dependencies("pytlik"):
        for file in distribution(name).files or ():
            if not {"..", "__pycache__"} & {*file.parts}:
                (packages / file).parent.mkdir(parents=True, exist_ok=True)
                (packages / file).symlink_to(Path(str(file.locate())))
    python = environment / "bin" / "python"
    words = ["--no-deps", "--no-index", "--no-compile", "--quiet", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", *words], check=True)
    return python.parent


def all_dependencies(name: str) -> set[str]:
    """Return all packages that a distribution requires, directly or indirectly."""
    found = set[str]()
    waiting = [name]
    while waiting:
        for text in distribution(waiting.pop()).requires or ():
            requirement = Requirement(text)
            if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
                continue
            name = canonicalize_name(requirement.name)
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def test_a_wheel_has_the_page_and_every_kernel(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    assert "pytlik/server/static/index.html" in names
    assert {extension_name(source) for source in kernel_sources()} <= {*names}
    assert not [name for name in names if name.endswith((".c", ".map"))]


@pytest.mark.slow
def test_a_wheel_is_all_it_takes_to_play(installed_programs: Path, tmp_path: Path) -> None:
    """Neither Node nor a compiler is on the path: nothing else is."""
    environment = {"PATH": str(installed_programs), "HOME": str(tmp_path)}
    compiled = (
        "import pytlik.unikat.engine.kernel.round as r, pytlik; print(r.__file__, pytlik.__file__)"
    )
    done = subprocess.run(
        [installed_programs / "python", "-c", compiled],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split()[0].endswith(EXTENSION_SUFFIX)
    assert all(Path(file).is_relative_to(installed_programs.parent) for file in done.stdout.split())
    with subprocess.Popen(
        [
            installed_programs / "pytlik",
            "serve",
            "--port",
            "0",
            "--database",
            tmp_path / "pytlik.db",
        ],
        env={**environment, "PYTLIK_BOT_PAUSE": "0"},
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout
        address = server.stdout.readline().split()[-1].rstrip("/")
        try:
            asyncio.run(play_a_match(address))
        finally:
            server.terminate()
    assert server.returncode == 0


async def play_a_match(address: str) -> None:
    """Play a match against a bot that searches, to the end."""
    client = Client(address)
    try:
        page = await client.http.get("/")
        assert "<html" in page.text
        script = re.search(r'src="\.?/?([^"]+\.js)"', page.text)
        assert script
        assert (await client.http.get(f"/{script[1]}")).status_code == 200
        await play_against_bot(client, "medium")
        assert client.view["outcome"]
    finally:
        await client.close()
