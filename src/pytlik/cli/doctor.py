"""`pytlik doctor`: looks whether a database is whole and honest. It changes nothing."""

import argparse
import asyncio
import json
import shutil

import msgspec
from rich.console import Console
from rich.progress import Progress

from pytlik.cli import database
from pytlik.cli.contents import Advance, Check, contents
from pytlik.i18n import Catalogue
from pytlik.store import Unavailable
from pytlik.store.connect import HEAD, open_store, sqlite_path, version

ROOM = 200_000_000
"""Bytes that should be free on the disk."""

SHOWN = 5
"""So many things that are wrong are named; the others are only counted."""


def arguments(parser: argparse.ArgumentParser, say: Catalogue) -> None:
    database.argument(parser, say)
    parser.add_argument("--verify", type=number, metavar="N", help=say("cli.doctor.verify"))
    parser.add_argument("--json", action="store_true", help=say("cli.json"))


def number(text: str) -> int:
    if (value := int(text)) < 0:
        raise ValueError
    return value


def run(args: argparse.Namespace, say: Catalogue) -> int:
    def work(url: str) -> int:
        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(say("doctor.verifying"), total=None)
            checks = examined(
                url,
                args.verify,
                lambda done, total: bar.update(task, completed=done, total=total),
            )
        good = not any(check.wrong for check in checks)
        if args.json:
            print(json.dumps({"good": good, "checks": msgspec.to_builtins(checks)}))
        else:
            show(checks, say)
            print(say("doctor.good" if good else "doctor.bad"))
        return 0 if good else 1

    return database.with_database(args, work)


def show(checks: list[Check], say: Catalogue) -> None:
    """A line for each check; what is wrong goes below, where there is room for it."""
    names = [say(f"doctor.check.{check.check}") for check in checks]
    verdicts = [say("doctor.wrong" if check.wrong else "doctor.ok") for check in checks]
    width, wide = max(map(len, names)), max(map(len, verdicts))
    for check, name, verdict in zip(checks, names, verdicts, strict=True):
        print(f"{name:{width}}   {verdict:{wide}}   {check.found}".rstrip())
        for wrong in check.wrong[:SHOWN]:
            print(f"  {wrong}")
        if len(check.wrong) > SHOWN:
            print("  " + say("doctor.more", n=len(check.wrong) - SHOWN))


def examined(url: str, most: int | None, advance: Advance) -> list[Check]:
    try:
        found = version(url)
    except Unavailable as error:
        return [Check("reachable", "", (str(error),))]
    path = sqlite_path(url)
    if path is not None and not path.exists():
        return [Check("reachable", "SQLite", (f"there is no file {path}",)), *disk(url)]
    checks = [Check("reachable", "PostgreSQL" if path is None else "SQLite")]
    wrong = () if found == HEAD else (f"{found} instead of {HEAD}",)
    checks.append(Check("schema", found or "", wrong))
    if not wrong:
        checks.append(asyncio.run(writable(url)))
        checks += asyncio.run(contents(url, most, advance))
    return [*checks, *disk(url)]


async def writable(url: str) -> Check:
    try:
        store = await open_store(url, notify=False)
        await store.check()
        await store.close()
    except Unavailable as error:
        return Check("writable", "", (str(error),))
    return Check("writable", "")


def disk(url: str) -> list[Check]:
    path = sqlite_path(url)
    if path is None or not path.parent.exists():
        return []
    free = shutil.disk_usage(path.parent).free
    said = f"{free // 1_000_000:,} MB"
    return [Check("disk", said, () if free >= ROOM else (said,))]
