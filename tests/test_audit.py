"""`make audit` reports what it found or couldn't reach, and fails only when it should."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tools.audit import Report, Unreachable, audit, parse_npm_audit, parse_pip_audit, parse_zizmor

SAFE_PACKAGE = {"name": "anyio", "version": "4.0", "vulns": []}
VULNERABLE_PACKAGE = {
    "name": "jinja2",
    "version": "3.1.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["3.1.9"]}, {"id": "GHSA-2", "fix_versions": []}],
}
UNKNOWN_PACKAGE = {"name": "pytlik", "skip_reason": "Dependency not found on PyPI"}

NPM_FAILURE_OUTPUT = {
    "message": "405 Method Not Allowed - POST /security",
    "error": {"summary": ""},
}
NPM_VULNERABILITY_OUTPUT = {
    "vulnerabilities": {"vite": {"severity": "high", "range": "<8.0.1"}},
    "metadata": {"dependencies": {"total": 210}},
}
ZIZMOR_FINDING = {
    "ident": "template-injection",
    "desc": "code injection via template expansion",
    "ignored": False,
    "locations": [
        {
            "symbolic": {"key": {"Local": {"verbatim_path": ".github/workflows/test.yml"}}},
            "concrete": {"location": {"start_point": {"row": 6, "column": 8}}},
        }
    ],
}


def as_json(answer: Any) -> str:
    return json.dumps(answer)


def test_vulnerable_and_unknown_packages_are_named() -> None:
    report = parse_pip_audit(
        as_json({"dependencies": [SAFE_PACKAGE, VULNERABLE_PACKAGE, UNKNOWN_PACKAGE]})
    )
    assert report == Report(
        "2 packages", ["jinja2 3.1.0: PYSEC-1, fixed in 3.1.9", "jinja2 3.1.0: GHSA-2"], "pytlik"
    )
    report = parse_npm_audit(as_json(NPM_VULNERABILITY_OUTPUT))
    assert report == Report("210 packages", ["vite <8.0.1: high"])
    report = parse_zizmor(as_json([ZIZMOR_FINDING, {**ZIZMOR_FINDING, "ignored": True}]))
    place = "test.yml:7: template-injection, code injection via template expansion"
    assert report == Report("all workflows", [place])
    assert parse_zizmor("[]") == Report("all workflows", [])


@pytest.mark.parametrize(
    ("read", "output"),
    [
        # A registry without such data knows no package, so none has been checked.
        (parse_pip_audit, as_json({"dependencies": [UNKNOWN_PACKAGE, UNKNOWN_PACKAGE]})),
        (parse_pip_audit, "Traceback"),
        (parse_npm_audit, as_json(NPM_FAILURE_OUTPUT)),
        (parse_npm_audit, ""),
        (parse_zizmor, "fatal: no audit was performed"),
    ],
)
def test_missing_data_is_not_taken_for_no_findings(
    read: Callable[[str], Report], output: str
) -> None:
    with pytest.raises(Unreachable):
        read(output)


def raise_unreachable() -> Report:
    raise Unreachable("no route")


def clean_report() -> Report:
    return Report("3 packages")


def vulnerable_report() -> Report:
    return Report("3 packages", ["jinja2 3.1.0: PYSEC-1"])


@pytest.mark.parametrize(
    ("checks", "status", "lines"),
    [
        ({"a.txt": [clean_report]}, 0, ["a.txt: 0 looked at 3 packages, findings: 0"]),
        ({"a.txt": [vulnerable_report], "b": [clean_report]}, 1, ["  jinja2 3.1.0: PYSEC-1"]),
        ({"a.txt": [vulnerable_report], "b": [raise_unreachable]}, 1, ["  jinja2 3.1.0: PYSEC-1"]),
        ({"a.txt": [raise_unreachable, clean_report]}, 0, ["a.txt: NOT REACHED: 0: no route"]),
        (
            {"a.txt": [raise_unreachable, raise_unreachable], "b": [clean_report]},
            0,
            ["NOT CHECKED, as no source could be reached: a.txt", "Checked: b. Findings: 0."],
        ),
        (
            {"a.txt": [raise_unreachable], "b": [raise_unreachable]},
            2,
            ["Nothing could be checked: this says nothing about what is installed."],
        ),
    ],
)
def test_audit_fails_on_findings_or_if_nothing_could_be_checked(
    checks: dict[str, list[Callable[[], Report]]], status: int, lines: list[str]
) -> None:
    output: list[str] = []
    numbered = [
        (name, [(str(number), ask) for number, ask in enumerate(reports)])
        for name, reports in checks.items()
    ]
    assert audit(numbered, output.append) == status
    assert set(lines) <= set(output)
