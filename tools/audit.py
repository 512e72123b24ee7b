"""`make audit`: known vulnerabilities in what we install, and weaknesses of our workflows.

    python -m tools.audit

Each check needs data from elsewhere (but for the workflows, whose rules come with the tool), and
says so if it can't have them. The tools are installed into a folder of their own, build/audit,
and never beside what they look at.

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

from tools.built import ROOT

FOLDER = ROOT / "build" / "audit"
TOOLS = ("pip-audit==2.10.1", "zizmor==1.32.0")
REQUIREMENTS = ("requirements.txt", "requirements-build.txt", "requirements-dev.txt")
SERVICES = ("pypi", "osv")
"""Who knows of vulnerabilities in Python packages: the second is asked if the first can't be."""

TIMEOUT_S = 600


class Unreachable(Exception):
    """What could not be reached, or what was answered in place of data."""


@dataclass(frozen=True)
class Checked:
    """What a source had to say."""

    looked_at: str
    findings: Sequence[str] = ()
    left_out: str = ""
    """What it could say nothing about."""


# ------------------------------------------------------------------------- what the tools answer


def read_pip_audit(output: str) -> Checked:
    packages = read_json(output)["dependencies"]
    skipped = [one["name"] for one in packages if "skip_reason" in one]
    if len(skipped) == len(packages):
        # It takes a registry that has no such data for one that does not know the package.
        raise Unreachable("it knows none of the packages")
    findings = [
        f"{one['name']} {one['version']}: {found['id']}"
        + (f", mended in {', '.join(found['fix_versions'])}" if found["fix_versions"] else "")
        for one in packages
        for found in one.get("vulns", ())
    ]
    left_out = ", ".join(skipped)
    return Checked(f"{len(packages) - len(skipped)} packages", findings, left_out)


def read_npm(output: str) -> Checked:
    answer = read_json(output)
    if "vulnerabilities" not in answer:
        raise Unreachable(str(answer.get("message") or answer.get("error") or "no data"))
    findings = [
        f"{name} {one['range']}: {one['severity']}"
        for name, one in answer["vulnerabilities"].items()
    ]
    total = answer["metadata"]["dependencies"]["total"]
    return Checked(f"{total} packages", findings)


def read_zizmor(output: str) -> Checked:
    findings = []
    for found in read_json(output):
        if found["ignored"]:
            continue
        place = found["locations"][0]
        file = Path(place["symbolic"]["key"]["Local"]["verbatim_path"]).name
        row = place["concrete"]["location"]["start_point"]["row"] + 1
        findings.append(f"{file}:{row}: {found['ident']}, {found['desc']}")
    return Checked("all workflows", findings)


def read_json(output: str) -> Any:
    try:
        return json.loads(output)
    except json.JSONDecodeError:
        raise Unreachable("no data") from None


# -------------------------------------------------------------------------------------- asking


def run(words: Sequence[str], **environment: str) -> str:
    """What a tool writes, whatever it exits with: that says only whether it has found anything."""
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


def installed(tool: str) -> str:
    """Where a tool is, which is installed if need be."""
    name = tool.partition("==")[0]
    mark = FOLDER / f"made-{tool}"
    if not mark.exists():
        python = FOLDER / "bin" / "python"
        if not python.exists():
            command([sys.executable, "-m", "venv", str(FOLDER)])
        command([str(python), "-m", "pip", "--disable-pip-version-check", "install", tool])
        mark.touch()
    return str(FOLDER / "bin" / name)


def command(words: Sequence[str]) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise Unreachable("can't be installed: " + "".join(last)[:200])


def ask_pip_audit(file: str, service: str) -> Checked:
    # The versions are locked, so that nothing has to be resolved.
    locked = ("--disable-pip", "--no-deps", "--requirement", file)
    shown = ("--format", "json", "--progress-spinner", "off", "--timeout", "30")
    tool = installed(TOOLS[0])
    return read_pip_audit(run([tool, "--vulnerability-service", service, *locked, *shown]))


def ask_npm() -> Checked:
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    npm = shutil.which("npm", path=places)
    if npm is None:
        raise Unreachable("there is no npm: `make setup` brings one")
    # npm looks for its Node on the PATH.
    words = [npm, "--prefix", "web", "audit", "--package-lock-only", "--json"]
    return read_npm(run(words, PATH=places))


def ask_zizmor() -> Checked:
    tool = installed(TOOLS[1])
    return read_zizmor(
        run([tool, "--offline", "--no-progress", "--format", "json", ".github/workflows"])
    )


# ------------------------------------------------------------------------------------- telling

Source = tuple[str, Callable[[], Checked]]


def sources() -> Iterable[tuple[str, Sequence[Source]]]:
    """What is checked, and who can be asked about it, one after the other."""

    def asking(file: str, service: str) -> Callable[[], Checked]:
        return lambda: ask_pip_audit(file, service)

    for file in REQUIREMENTS:
        yield file, [(f"pip-audit ({service})", asking(file, service)) for service in SERVICES]
    yield "web/package-lock.json", [("npm audit", ask_npm)]
    yield ".github/workflows", [("zizmor", ask_zizmor)]


def audit(
    wanted: Iterable[tuple[str, Sequence[Source]]], tell: Callable[[str], None] = print
) -> int:
    """Ask all; the exit status."""
    checked: list[str] = []
    unchecked: list[str] = []
    found = 0
    for what, asked in wanted:
        for source, ask in asked:
            try:
                said = ask()
            except Unreachable as error:
                tell(f"{what}: NOT REACHED: {source}: {error}")
                continue
            checked.append(what)
            found += len(said.findings)
            tell(f"{what}: {source} looked at {said.looked_at}, findings: {len(said.findings)}")
            for finding in said.findings:
                tell(f"  {finding}")
            if said.left_out:
                tell(f"  NOT CHECKED, as it does not know them: {said.left_out}")
            break
        else:
            unchecked.append(what)
    if unchecked:
        tell(f"NOT CHECKED, as no source could be reached: {', '.join(unchecked)}")
    if not checked:
        tell("Nothing could be checked: this says nothing about what is installed.")
        return 2
    tell(f"Checked: {', '.join(checked)}. Findings: {found}.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(audit(sources()))
