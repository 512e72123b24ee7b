"""What `make test` runs, according to make itself. Samples that run tests are only checked against
it, so that nothing runs twice.

    python tests/docs/selected_tests.py                        every test is in it or `make browse`
    python tests/docs/selected_tests.py tests/test_chance.py   these files are, and have tests
"""

import argparse
import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class PytestRun(NamedTuple):
    """One run of pytest, with the arguments that select tests."""

    paths: list[Path]
    ignored: list[Path]
    marks: str

    def includes(self, file: Path) -> bool:
        within = not self.paths or any(file.is_relative_to(path) for path in self.paths)
        return within and not any(file.is_relative_to(path) for path in self.ignored)

    def tests_in(self, file: Path) -> list[str]:
        """Return the tests in a file that have none of the marks in the run's -m expression."""
        excluded = set(re.findall(r"\w+", self.marks)) - {"not", "and", "or"}
        return [name for name, marks in marks_by_test(file).items() if not marks & excluded]


def pytest_runs(*targets: str) -> list[PytestRun]:
    output = subprocess.run(
        ["make", "--dry-run", *targets], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    found = []
    for line in output.splitlines():
        _, is_pytest, rest = line.partition(" -m pytest ")
        if is_pytest:
            args, _ = PYTEST_PARSER.parse_known_args(shlex.split(rest))
            found.append(PytestRun(args.paths, args.ignore, args.marks))
    return found


PYTEST_PARSER = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
PYTEST_PARSER.add_argument("paths", nargs="*", type=Path)
PYTEST_PARSER.add_argument("--ignore", action="append", default=[], type=Path)
PYTEST_PARSER.add_argument("-m", dest="marks", default="")
PYTEST_PARSER.add_argument("-n")
PYTEST_PARSER.add_argument("--dist")


MARK_PATTERN = re.compile(r"pytest\.mark\.(\w+)")


def marks_by_test(file: Path) -> dict[str, set[str]]:
    """Return each test's marks, including those of its file."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    for_all = [
        ast.unparse(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
    ]
    return {
        # Only the start of a decorator counts: marks further in belong to single cases.
        node.name: {
            *MARK_PATTERN.findall(" ".join(for_all)),
            *(m[1] for m in map(MARK_PATTERN.match, own) if m),
        }
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        for own in [list(map(ast.unparse, node.decorator_list))]
    }


def files_left_out(files: list[Path], known: list[PytestRun]) -> list[str]:
    return [
        str(file)
        for file in files
        if not file.name.startswith("test_")
        or not (ROOT / file).is_file()
        or not any(run.tests_in(file) for run in known if run.includes(file))
    ]


if __name__ == "__main__":
    if named := [Path(word) for word in sys.argv[1:]]:
        missing = files_left_out(named, pytest_runs("test"))
    else:
        everything = [file.relative_to(ROOT) for file in (ROOT / "tests").rglob("test_*.py")]
        missing = files_left_out(everything, pytest_runs("test", "browse"))
    if missing:
        sys.exit(f"`make test` runs no tests in {', '.join(missing)}")
