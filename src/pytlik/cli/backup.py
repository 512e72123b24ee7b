"""`pytlik backup`: all that the database holds in one file, while the server runs."""

import argparse
import asyncio
import json
from pathlib import Path
from typing import IO

from pytlik.cli import database
from pytlik.cli.files import writing
from pytlik.i18n import Catalogue
from pytlik.store import dump


def arguments(parser: argparse.ArgumentParser, say: Catalogue) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help=say("cli.backup.file"))
    database.argument(parser, say)
    parser.add_argument("--json", action="store_true", help=say("cli.json"))


def run(args: argparse.Namespace, say: Catalogue) -> int:
    def work(url: str) -> int:
        with writing(args.file, private=True) as file:  # there are secrets in it
            rows = asyncio.run(save(url, file))
        if args.json:
            print(json.dumps({"file": str(args.file), "rows": rows}))
        else:
            print(say("backup.made", n=rows["events"], tables=rows["tables"], file=args.file))
        return 0

    return database.with_database(args, work)


async def save(url: str, file: IO[bytes]) -> dict[str, int]:
    """How many rows of each table there are."""
    await asyncio.to_thread(dump.check_version, url)
    async with dump.snapshot(url) as rows:
        line = b""
        async for line in dump.lines(rows):
            file.write(line)
    return dump.read_counts(line)
