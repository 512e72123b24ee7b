"""Compile the kernels: every .pyx, and every .py with its C types in a .pxd beside it, becomes an
extension module.

    python -m tools.kernel_compiler
    python -m tools.kernel_compiler --quick      # compiles in half the time, runs a sixth slower

They are written beside their sources, ignored by git, and compiled again only when those change.
Prints its progress as lines such as `3 of 18`.
"""

import argparse
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from itertools import count
from pathlib import Path
from sysconfig import get_config_var, get_path
from tempfile import TemporaryDirectory
from typing import Any

from tools.digests import PACKAGE, SOURCES, digest, read_digests, write_digests

DIGESTS_FILE = PACKAGE / "built-kernels.json"
BUILD_REQUIREMENTS = ["cython>=3.3.1", "setuptools>=84.2.1"]

# Python's own flags ask for debugging symbols as well, which takes gcc a quarter longer.
COMPILER_FLAGS = [] if os.name == "nt" else ["-O3", "-g0"]
QUICK_COMPILER_FLAGS = [] if os.name == "nt" else ["-O1", "-g0"]
"""For people who want to play now (docs/decisions/0013-start.md)."""

EXIT_UNCOMPILED = 3
"""The exit status if nothing could be compiled, so that Python runs instead."""


def kernel_sources() -> list[Path]:
    typed = (types.with_suffix(".py") for types in PACKAGE.glob("**/*.pxd"))
    return sorted([*PACKAGE.glob("**/*.pyx"), *(source for source in typed if source.exists())])


def extension_path(source: Path) -> Path:
    """The extension module beside a kernel, which Python prefers to the source."""
    return source.with_suffix(str(get_config_var("EXT_SUFFIX")))


def module_name(source: Path) -> str:
    return ".".join(source.relative_to(SOURCES).with_suffix("").parts)


def extension_name(source: Path) -> str:
    return extension_path(source).relative_to(SOURCES).as_posix()


@cache
def source_digests(*, quick: bool = False) -> dict[str, str]:
    """For each extension module, the digest of its sources."""
    digests = {}
    for source in kernel_sources():
        game = PACKAGE / source.relative_to(PACKAGE).parts[0]
        # Each kernel may use the types of any other in the same game.
        digests[extension_name(source)] = digest(
            [source, *game.glob("**/*.pxd")], *choose_compiler_flags(quick=quick)
        )
    return digests


def choose_compiler_flags(*, quick: bool) -> list[str]:
    return QUICK_COMPILER_FLAGS if quick else COMPILER_FLAGS


def find_stale_kernels(*, quick: bool = False) -> list[Path]:
    """The kernels that have changed since they were compiled, or never were. Fully optimised ones
    are also good enough for `quick`."""
    known = read_digests(DIGESTS_FILE)
    enough = [source_digests(), *([source_digests(quick=True)] if quick else [])]
    return [
        source
        for source in kernel_sources()
        if not extension_path(source).exists()
        or known.get(extension_name(source))
        not in [digests[extension_name(source)] for digests in enough]
    ]


def find_compile_obstacle() -> str | None:
    """Why nothing can be compiled here, if that is easy to see."""
    if os.name == "nt":
        return None
    compiler = os.environ.get("CC") or str(get_config_var("CC") or "cc")
    if not shutil.which(compiler.split()[0]):
        return f"there is no C compiler ({compiler.split()[0]})"
    if not Path(get_path("include"), "Python.h").exists():
        return "Python's C headers (Python.h) are missing"
    return None


def build(*, quick: bool = False) -> list[Path]:
    """Compile what is stale. Returns all extension modules, or none if no C compiler works:
    compiled and uncompiled modules don't fit together."""
    modules = [extension_path(source) for source in kernel_sources()]
    changed = find_stale_kernels(quick=quick)
    if not changed:
        return modules
    # Python would import an extension module even if it is older than its source.
    for source in changed:
        extension_path(source).unlink(missing_ok=True)
    if find_compile_obstacle() is None and compile_all(changed, choose_compiler_flags(quick=quick)):
        digests = source_digests(quick=quick)
        compiled = {extension_name(source): digests[extension_name(source)] for source in changed}
        write_digests(DIGESTS_FILE, read_digests(DIGESTS_FILE) | compiled)
        return modules
    for module in modules:
        module.unlink(missing_ok=True)
    DIGESTS_FILE.unlink(missing_ok=True)
    return []


def compile_all(sources: list[Path], arguments: list[str]) -> bool:
    """Build the extension modules. Returns False if no C compiler works."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.errors import CompileError, LinkError, PlatformError

    finished = count(1)

    def build_extension(extension: Any) -> None:
        command.build_extension(extension)
        print(f"{next(finished)} of {len(sources)}", flush=True)

    def build_extensions() -> None:
        """Hand each file to the C compiler while Cython translates the next."""
        with ThreadPoolExecutor(os.cpu_count()) as compilers:
            jobs = []
            for extension in command.extensions:
                # An error from Cython is a mistake in the kernel, and fails the build.
                (translated,) = cythonize([extension], build_dir=scratch, quiet=True)
                extension.sources = translated.sources
                jobs.append(compilers.submit(build_extension, extension))
            try:
                for job in as_completed(jobs):
                    job.result()
            except (CompileError, LinkError):
                compilers.shutdown(cancel_futures=True)
                raise

    # The longest first, so that no core is left idle at the end.
    longest_first = sorted(sources, key=lambda source: source.stat().st_size, reverse=True)
    wanted = [
        Extension(module_name(source), [str(source)], extra_compile_args=arguments)
        for source in longest_first
    ]
    # On the same disk, so that moving the files is atomic.
    with TemporaryDirectory(dir=SOURCES.parent, prefix=".kernels-") as scratch:
        command = Distribution({"ext_modules": wanted}).get_command_obj("build_ext")
        command.build_extensions = build_extensions
        command.build_lib = str(Path(scratch, "lib"))
        command.build_temp = scratch
        command.ensure_finalized()
        try:
            command.run()
        except (CompileError, LinkError, PlatformError):
            return False
        # All at once, so that a server that starts meanwhile has all of them, or none.
        for source in sources:
            Path(scratch, "lib", extension_name(source)).replace(extension_path(source))
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description="Compile the kernels.")
    parser.add_argument("--quick", action="store_true")
    if kernel_sources() and not build(quick=parser.parse_args().quick):
        print(f"not compiled: {find_compile_obstacle() or 'the C compiler does not work'}")
        return EXIT_UNCOMPILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
