"""`make audit`: known vulnerabilities in what we install, and weaknesses of our workflows.

    python -m tools.audit

Each check needs data from the network (except for the workflows, whose rules come with the tool),
and says so if it can't get them. The tools are installed into a folder of their own, build/audit,
and never beside what they check.

Exits with 1 if anything was found, and with 2 if nothing at all could be checked.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.digests import ROOT

TOOLS_FOLDER = ROOT / "build" / "audit"
TOOLS = ("pip-audit==2.10.1", "zizmor==1.32.0")
REQUIREMENT_FILES = ("requirements.txt", "requirements-build.txt", "requirements-dev.txt")
VULNERABILITY_SERVICES = ("pypi", "osv")
"""Databases of vulnerabilities in Python packages; the second is used if the first fails."""

TIMEOUT_S = 600


class Unreachable(Exception):
    """A source couldn't be reached, or didn't answer with data."""


@dataclass(frozen=True)
class Report:
    """What a source found."""

    checked: str
    findings: Sequence[str] = ()
    unknown: str = ""
    """Packages that the source doesn't know."""


# ---------------------------------------------------------------------- reading the tools' output


def parse_pip_audit(output: str) -> Report:
    packages = parse_json(output)["dependencies"]
    skipped = [one["name"] for one in packages if "skip_reason" in one]
    if len(skipped) == len(packages):
        # A registry without such data looks like one that doesn't know the packages.
        raise Unreachable("it knows none of the packages")
    findings = [
        f"{one['name']} {one['version']}: {found['id']}"
        + (f", fixed in {', '.join(found['fix_versions'])}" if found["fix_versions"] else "")
        for one in packages
        for found in one.get("vulns", ())
    ]
    return Report(f"{len(packages) - len(skipped)} packages", findings, ", ".join(skipped))


def parse_npm_audit(output: str) -> Report:
    answer = parse_json(output)
    if "vulnerabilities" not in answer:
        raise Unreachable(str(answer.get("message") or answer.get("error") or "no data"))
    findings = [
        f"{name} {one['range']}: {one['severity']}"
        for name, one in answer["vulnerabilities"].items()
    ]
    total = answer["metadata"]["dependencies"]["total"]
    return Report(f"{total} packages", findings)


def parse_zizmor(output: str) -> Report:
    findings = []
    for found in parse_json(output):
        if found["ignored"]:
            continue
        place = found["locations"][0]
        file = Path(place["symbolic"]["key"]["Local"]["verbatim_path"]).name
        row = place["concrete"]["location"]["start_point"]["row"] + 1
        findings.append(f"{file}:{row}: {found['ident']}, {found['desc']}")
    return Report("all workflows", findings)


def parse_json(output: str) -> Any:
    try:
        return json.loads(output)
    except json.JSONDecodeError:
        raise Unreachable("no data") from None


# -------------------------------------------------------------------------------- running the tools


def run_tool(words: Sequence[str], **environment: str) -> str:
    """A tool's output. Its exit status is ignored: it only says whether it found anything."""
    try:
        done = subprocess.run(
            words,
            cwd=ROOT,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unreachable(str(error)) from None
    if not done.stdout.strip():
        last = done.stderr.strip().splitlines()[-1:]
        raise Unreachable("".join(last)[:200] or f"it exits with {done.returncode}")
    return done.stdout


def install_tool(tool: str) -> str:
    """The path of a tool, installed if necessary."""
    name = tool.partition("==")[0]
    mark = TOOLS_FOLDER / f"made-{tool}"
    if not mark.exists():
        python = TOOLS_FOLDER / "bin" / "python"
        if not python.exists():
            run_install([sys.executable, "-m", "venv", str(TOOLS_FOLDER)])
        run_install([str(python), "-m", "pip", "--disable-pip-version-check", "install", tool])
        mark.touch()
    return str(TOOLS_FOLDER / "bin" / name)


def run_install(words: Sequence[str]) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise Unreachable("can't be installed: " + "".join(last)[:200])


def run_pip_audit(file: str, service: str) -> Report:
    # The versions are locked: there is nothing to resolve.
    locked = ("--disable-pip", "--no-deps", "--requirement", file)
    shown = ("--format", "json", "--progress-spinner", "off", "--timeout", "30")
    tool = install_tool(TOOLS[0])
    return parse_pip_audit(run_tool([tool, "--vulnerability-service", service, *locked, *shown]))


def run_npm_audit() -> Report:
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    npm = shutil.which("npm", path=places)
    if npm is None:
        raise Unreachable("there is no npm: `make setup` brings one")
    # npm looks for its Node on the PATH.
    words = [npm, "--prefix", "web", "audit", "--package-lock-only", "--json"]
    return parse_npm_audit(run_tool(words, PATH=places))


def run_zizmor() -> Report:
    tool = install_tool(TOOLS[1])
    return parse_zizmor(
        run_tool([tool, "--offline", "--no-progress", "--format", "json", ".github/workflows"])
    )


# --------------------------------------------------------------------------------------- reporting

NamedCheck = tuple[str, Callable[[], Report]]


def audit_subjects() -> Iterable[tuple[str, Sequence[NamedCheck]]]:
    """What is checked, and the checks that are tried until one can get its data."""

    def check_with(file: str, service: str) -> Callable[[], Report]:
        return lambda: run_pip_audit(file, service)

    for file in REQUIREMENT_FILES:
        yield (
            file,
            [
                (f"pip-audit ({service})", check_with(file, service))
                for service in VULNERABILITY_SERVICES
            ],
        )
    yield "web/package-lock.json", [("npm audit", run_npm_audit)]
    yield ".github/workflows", [("zizmor", run_zizmor)]


def audit(
    subjects: Iterable[tuple[str, Sequence[NamedCheck]]], write: Callable[[str], None] = print
) -> int:
    """Run all checks, and return the exit status."""
    checked: list[str] = []
    unchecked: list[str] = []
    found = 0
    for what, candidates in subjects:
        for source, check in candidates:
            try:
                report = check()
            except Unreachable as error:
                write(f"{what}: NOT REACHED: {source}: {error}")
                continue
            checked.append(what)
            found += len(report.findings)
            write(f"{what}: {source} looked at {report.checked}, findings: {len(report.findings)}")
            for finding in report.findings:
                write(f"  {finding}")
            if report.unknown:
                write(f"  NOT CHECKED, as it does not know them: {report.unknown}")
            break
        else:
            unchecked.append(what)
    if unchecked:
        write(f"NOT CHECKED, as no source could be reached: {', '.join(unchecked)}")
    if not checked:
        write("Nothing could be checked: this says nothing about what is installed.")
        return 2
    write(f"Checked: {', '.join(checked)}. Findings: {found}.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(audit(audit_subjects()))
