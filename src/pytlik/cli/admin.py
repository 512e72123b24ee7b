"""`pytlik admin`: manage what a server has in its database, even while it runs.

It never shows a name. The first digits of a token's hash tell people apart.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from pytlik.argument_parsing import add_database_argument, positive_int, run_with_database_url
from pytlik.game import Illegal
from pytlik.games import GAMES
from pytlik.i18n import Catalogue
from pytlik.i18n.formats import format_number
from pytlik.protocol.reasons import ServerReason
from pytlik.store import BoardKey, DeleteResultsUnderName, Store, TableUsage, backups
from pytlik.store.connect import open_store

if TYPE_CHECKING:
    from pytlik.server.lobby import Lobby

SORT_KEYS: dict[str, Callable[[TableUsage], Any]] = {
    "touched": lambda usage: -usage.touched,
    "events": lambda usage: -usage.events,
    "bytes": lambda usage: -usage.bytes,
}

HASH_DIGITS = 12
"""Enough to tell people apart."""

MAX_RESULTS = 1_000_000
"""More than a board ever has."""

Rows = list[dict[str, Any]]
AdminTask = Callable[[argparse.Namespace, Store, Catalogue], Awaitable[tuple[str, Any]]]
"""Does something, and returns the result in words and as JSON."""


def add_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    tasks = parser.add_subparsers(dest="task", required=True, metavar=translate("cli.command"))

    def task(name: str, work: AdminTask) -> argparse.ArgumentParser:
        key = name.replace("-", "_")
        text = translate(f"cli.admin.{key}")
        added = tasks.add_parser(
            name, translate=translate, help=text, description=text, allow_abbrev=False
        )
        added.set_defaults(work=work)
        add_database_argument(added, translate)
        added.add_argument("--json", action="store_true", help=translate("cli.json"))
        return added

    tables = task("tables", list_tables)
    tables.add_argument(
        "--by", choices=SORT_KEYS, default="touched", help=translate("cli.admin.by")
    )
    for each in (tables, task("people", list_people)):
        each.add_argument(
            "--limit", type=positive_int, default=20, metavar="N", help=translate("cli.admin.limit")
        )
    task("delete-table", delete_table).add_argument("table", metavar="TABLE")
    result = task("delete-result", delete_daily_result)
    result.add_argument("game", choices=GAMES)
    result.add_argument("day", type=date.fromisoformat, metavar="DAY", help="2026-11-15")
    result.add_argument("board", metavar="BOARD", help="3, 4, 5; easy, medium, hard")
    result.add_argument("name", metavar="NAME")
    task("remove-name", remove_name).add_argument("name", metavar="NAME")


def run(args: argparse.Namespace, translate: Catalogue) -> int:
    def work(url: str) -> int:
        backups.check_schema_version(url)
        words, data = asyncio.run(run_with_store(url, args, translate))
        print(json.dumps(data) if args.json else words)
        return 0

    return run_with_database_url(args, work)


async def run_with_store(
    url: str, args: argparse.Namespace, translate: Catalogue
) -> tuple[str, Any]:
    # Workers that listen are notified of each change; the others look for changes once a second.
    store = await open_store(url, notify=True)
    try:
        work: AdminTask = args.work
        return await work(args, store, translate)
    finally:
        await store.close()


def make_lobby(store: Store) -> "Lobby":
    from pytlik.bus.inprocess import InProcessBus  # noqa: PLC0415 - other commands need not wait
    from pytlik.server.live.rooms import Rooms  # noqa: PLC0415
    from pytlik.server.lobby import Lobby  # noqa: PLC0415

    return Lobby(Rooms(store, InProcessBus(), lambda: round(1000 * time.time())))


# ----------------------------------------------------------------------------------------- lists


async def list_tables(
    args: argparse.Namespace, store: Store, translate: Catalogue
) -> tuple[str, Rows]:
    usages = sorted(await store.table_usages(), key=SORT_KEYS[args.by])
    lobby = make_lobby(store)
    all_rows = [await build_table_row(lobby, usage) for usage in usages[: args.limit]]
    rows = [row for row in all_rows if row]
    return format_columns(rows, translate), rows


async def build_table_row(lobby: "Lobby", usage: TableUsage) -> dict[str, Any]:
    """What an administrator may know about a table; empty if it has just been deleted."""
    try:
        found = await lobby.get(usage.id)
    except Illegal:
        return {}
    table = found.table
    touched = datetime.fromtimestamp(usage.touched / 1000, UTC)
    return {
        "table": usage.id,
        "game": table.game,
        "phase": usage.phase,
        "people": len({chair.holder for chair in table.chairs if chair.holder}),
        "here": len(found.here),
        "touched": f"{touched:%Y-%m-%d %H:%M}",
        "events": usage.events,
        "bytes": usage.bytes,
    }


async def list_people(
    args: argparse.Namespace, store: Store, translate: Catalogue
) -> tuple[str, Rows]:
    rows = [
        {
            "person": size.holder[:HASH_DIGITS],
            "tables": size.tables,
            "events": size.events,
            "here": size.here,
            "results": size.results,
        }
        for size in await store.person_usages(args.limit)
    ]
    return format_columns(rows, translate), rows


def format_columns(rows: Rows, translate: Catalogue) -> str:
    if not rows:
        return translate("admin.nothing")
    head = [translate(f"admin.column.{name}") for name in rows[0]]
    cells = [[format_cell(value, translate) for value in row.values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in (head, *cells)
    )


def format_cell(value: Any, translate: Catalogue) -> str:
    return format_number(value, 0, translate) if isinstance(value, int) else str(value)


# -------------------------------------------------------------------------------------- deleting


async def delete_table(
    args: argparse.Namespace, store: Store, translate: Catalogue
) -> tuple[str, Any]:
    lobby = make_lobby(store)
    await lobby.get(args.table)
    await lobby.delete_table(args.table)
    return translate("admin.deleted_table", table=args.table), {"deleted": args.table}


async def delete_daily_result(
    args: argparse.Namespace, store: Store, translate: Catalogue
) -> tuple[str, Any]:
    key = BoardKey(str(args.day), args.game, args.board)
    found = await store.best_results(key, 0, MAX_RESULTS)
    n = sum(row.name == args.name for row in found)
    if not n:
        raise Illegal(ServerReason.NOT_FOUND)
    await store.commit(DeleteResultsUnderName(key, args.name))
    return translate("admin.deleted_results", n=n), {"deleted": n}


async def remove_name(
    args: argparse.Namespace, store: Store, translate: Catalogue
) -> tuple[str, Any]:
    from pytlik.server.name_removal_and_takeover import remove_name_everywhere  # noqa: PLC0415

    n = await remove_name_everywhere(make_lobby(store).rooms, args.name)
    return translate("admin.removed_name", n=n), {"tables": n}
