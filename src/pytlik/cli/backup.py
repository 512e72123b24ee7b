"""`pytlik backup`: writes everything in the database to one file, while the server runs."""

import argparse
import asyncio
import json
from pathlib import Path
from typing import IO

from pytlik.argument_parsing import add_database_argument, run_with_database_url
from pytlik.atomic_file import open_atomic
from pytlik.i18n import Catalogue
from pytlik.store import backups


def add_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help=translate("cli.backup.file"))
    add_database_argument(parser, translate)
    parser.add_argument("--json", action="store_true", help=translate("cli.json"))


def run(args: argparse.Namespace, translate: Catalogue) -> int:
    def work(url: str) -> int:
        with open_atomic(args.file, private=True) as file:  # It contains secrets.
            rows = asyncio.run(write_backup(url, file))
        if args.json:
            print(json.dumps({"file": str(args.file), "rows": rows}))
        else:
            print(translate("backup.made", n=rows["events"], tables=rows["tables"], file=args.file))
        return 0

    return run_with_database_url(args, work)


async def write_backup(url: str, file: IO[bytes]) -> dict[str, int]:
    """Write a backup, and return how many rows of each table it has."""
    await asyncio.to_thread(backups.check_schema_version, url)
    async with backups.snapshot(url) as rows:
        line = b""
        async for line in backups.backup_lines(rows):
            file.write(line)
    return backups.parse_row_counts(line)
