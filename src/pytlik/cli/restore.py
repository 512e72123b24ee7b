"""`pytlik restore`: replaces what's in the database by a backup."""

import argparse
import asyncio
import json
import sys
from pathlib import Path

from pytlik.argument_parsing import add_database_argument, run_with_database_url
from pytlik.i18n import Catalogue
from pytlik.store import backups
from pytlik.store.connect import migrate, open_store


def add_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help=translate("cli.restore.file"))
    add_database_argument(parser, translate)
    parser.add_argument("--force", action="store_true", help=translate("cli.restore.force"))
    parser.add_argument("--json", action="store_true", help=translate("cli.json"))


def run(args: argparse.Namespace, translate: Catalogue) -> int:
    from pytlik.server.clocks.heartbeat import DEAD_AFTER_MS  # noqa: PLC0415 - other commands need not wait for it

    def work(url: str) -> int:
        with args.file.open("rb") as file:
            migrate(url)
            if not args.force and not asyncio.run(is_empty(url)):
                print("pytlik:", translate("restore.not_empty"), file=sys.stderr)
                return 1
            since = asyncio.run(database_time(url)) - DEAD_AFTER_MS
            try:
                rows = asyncio.run(backups.restore(url, file, unused_since=since))
            except backups.DatabaseInUse:
                seconds = DEAD_AFTER_MS // 1000
                print("pytlik:", translate("restore.in_use", seconds=seconds), file=sys.stderr)
                return 1
        if args.json:
            print(json.dumps({"file": str(args.file), "rows": rows}))
        else:
            print(translate("restore.done", n=rows["events"], tables=rows["tables"]))
        return 0

    return run_with_database_url(args, work)


async def database_time(url: str) -> int:
    """The database's clock in milliseconds, which servers use too."""
    store = await open_store(url, notify=False)
    try:
        return await store.now()
    finally:
        await store.close()


async def is_empty(url: str) -> bool:
    async with backups.snapshot(url) as rows:
        return await backups.is_empty(rows)
