"""`pytlik doctor`: checks that a database is complete and correct. It changes nothing."""

import argparse
import json
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.progress import Progress

from pytlik.argument_parsing import add_database_argument, run_with_database_url
from pytlik.i18n import Catalogue

if TYPE_CHECKING:
    from pytlik.server.database_audit import Check

PROBLEMS_SHOWN = 5
"""How many problems of a check are shown; the others are only counted."""


def add_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    add_database_argument(parser, translate)
    parser.add_argument(
        "--verify", type=non_negative_int, metavar="N", help=translate("cli.doctor.verify")
    )
    parser.add_argument("--json", action="store_true", help=translate("cli.json"))


def non_negative_int(text: str) -> int:
    if (value := int(text)) < 0:
        raise ValueError
    return value


def run(args: argparse.Namespace, translate: Catalogue) -> int:
    # Loads most of the server, which other commands need not wait for.
    from pytlik.server.database_audit import audit_database  # noqa: PLC0415

    def work(url: str) -> int:
        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(translate("doctor.verifying"), total=None)
            checks = audit_database(
                url,
                args.verify,
                lambda done, total: bar.update(task, completed=done, total=total),
            )
        good = not any(check.wrong for check in checks)
        if args.json:
            print(json.dumps({"good": good, "checks": msgspec.to_builtins(checks)}))
        else:
            print_checks(checks, translate)
            print(translate("doctor.good" if good else "doctor.bad"))
        return 0 if good else 1

    return run_with_database_url(args, work)


def print_checks(checks: "list[Check]", translate: Catalogue) -> None:
    """Print a line for each check, with its first problems below."""
    names = [translate(f"doctor.check.{check.check}") for check in checks]
    verdicts = [translate("doctor.wrong" if check.wrong else "doctor.ok") for check in checks]
    name_width, verdict_width = max(map(len, names)), max(map(len, verdicts))
    for check, name, verdict in zip(checks, names, verdicts, strict=True):
        print(f"{name:{name_width}}   {verdict:{verdict_width}}   {check.found}".rstrip())
        for wrong in check.wrong[:PROBLEMS_SHOWN]:
            print(f"  {wrong}")
        if len(check.wrong) > PROBLEMS_SHOWN:
            print("  " + translate("doctor.more", n=len(check.wrong) - PROBLEMS_SHOWN))
