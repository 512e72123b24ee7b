"""`pytlik admin`: looks after what is on a server, in its database; the server may run meanwhile.

It never shows a name. People are told apart by the beginning of the hash of their token.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from pytlik.cli import database
from pytlik.game import Illegal
from pytlik.games import GAMES
from pytlik.i18n import Catalogue
from pytlik.protocol.reasons import ServerReason
from pytlik.store import BoardKey, DropResults, Store, TableSize, dump
from pytlik.store.connect import open_store

if TYPE_CHECKING:
    from pytlik.server.lobby import Lobby

ORDERS: dict[str, Callable[[TableSize], Any]] = {
    "touched": lambda size: -size.touched,
    "events": lambda size: -size.events,
    "bytes": lambda size: -size.bytes,
}

HASH_SHOWN = 12
"""So many digits of a hash tell people apart."""

EVERYONE = 1_000_000
"""More results than a board ever has."""

Rows = list[dict[str, Any]]
Work = Callable[[argparse.Namespace, Store, Catalogue], Awaitable[tuple[str, Any]]]
"""Does something, and says what came of it: in words, and as JSON."""


def arguments(parser: argparse.ArgumentParser, say: Catalogue) -> None:
    tasks = parser.add_subparsers(dest="task", required=True, metavar=say("cli.command"))

    def task(name: str, work: Work) -> argparse.ArgumentParser:
        key = name.replace("-", "_")
        text = say(f"cli.admin.{key}")
        made = tasks.add_parser(name, help=text, description=text, allow_abbrev=False)
        made.set_defaults(work=work)
        database.argument(made, say)
        made.add_argument("--json", action="store_true", help=say("cli.json"))
        return made

    listed = task("tables", list_tables)
    listed.add_argument("--by", choices=ORDERS, default="touched", help=say("cli.admin.by"))
    for each in (listed, task("people", list_people)):
        each.add_argument(
            "--limit", type=number, default=20, metavar="N", help=say("cli.admin.limit")
        )
    task("delete-table", delete_table).add_argument("table", metavar="TABLE")
    result = task("delete-result", delete_result)
    result.add_argument("game", choices=GAMES)
    result.add_argument("day", type=date.fromisoformat, metavar="DAY", help="2026-11-15")
    result.add_argument("board", metavar="BOARD", help="3, 4, 5; easy, medium, hard")
    result.add_argument("name", metavar="NAME")
    task("remove-name", remove_name).add_argument("name", metavar="NAME")


def number(text: str) -> int:
    if (value := int(text)) < 1:
        raise ValueError
    return value


def run(args: argparse.Namespace, say: Catalogue) -> int:
    def work(url: str) -> int:
        dump.check_version(url)
        words, data = asyncio.run(with_store(url, args, say))
        print(json.dumps(data) if args.json else words)
        return 0

    return database.with_database(args, work)


async def with_store(url: str, args: argparse.Namespace, say: Catalogue) -> tuple[str, Any]:
    # Workers that listen hear of each change; the others look for changes every second.
    store = await open_store(url, notify=True)
    try:
        work: Work = args.work
        return await work(args, store, say)
    finally:
        await store.close()


def lobby_of(store: Store) -> "Lobby":
    from pytlik.bus.inprocess import InProcessBus  # noqa: PLC0415 - other commands need not wait
    from pytlik.server.lobby import Lobby  # noqa: PLC0415
    from pytlik.server.rooms import Rooms  # noqa: PLC0415

    return Lobby(Rooms(store, InProcessBus(), lambda: round(1000 * time.time())))


# ----------------------------------------------------------------------------------------- lists


async def list_tables(args: argparse.Namespace, store: Store, say: Catalogue) -> tuple[str, Rows]:
    sizes = sorted(await store.table_sizes(), key=ORDERS[args.by])
    lobby = lobby_of(store)
    all_rows = [await described(lobby, size) for size in sizes[: args.limit]]
    rows = [row for row in all_rows if row]
    return in_columns(rows, say), rows


async def described(lobby: "Lobby", size: TableSize) -> dict[str, Any]:
    """What an administrator may know of a table; nothing, if it is gone meanwhile."""
    try:
        found = await lobby.get(size.id)
    except Illegal:
        return {}
    table = found.table
    touched = datetime.fromtimestamp(size.touched / 1000, UTC)
    return {
        "table": size.id,
        "game": table.game,
        "phase": size.phase,
        "people": len({chair.holder for chair in table.chairs if chair.holder}),
        "here": len(found.here),
        "touched": f"{touched:%Y-%m-%d %H:%M}",
        "events": size.events,
        "bytes": size.bytes,
    }


async def list_people(args: argparse.Namespace, store: Store, say: Catalogue) -> tuple[str, Rows]:
    rows = [
        {
            "person": size.holder[:HASH_SHOWN],
            "tables": size.tables,
            "events": size.events,
            "here": size.here,
            "results": size.results,
        }
        for size in await store.person_sizes(args.limit)
    ]
    return in_columns(rows, say), rows


def in_columns(rows: Rows, say: Catalogue) -> str:
    if not rows:
        return say("admin.nothing")
    head = [say(f"admin.column.{name}") for name in rows[0]]
    cells = [[cell(value) for value in row.values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in (head, *cells)
    )


def cell(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


# -------------------------------------------------------------------------------------- deleting


async def delete_table(args: argparse.Namespace, store: Store, say: Catalogue) -> tuple[str, Any]:
    lobby = lobby_of(store)
    await lobby.get(args.table)
    await lobby.drop(args.table)
    return say("admin.deleted_table", table=args.table), {"deleted": args.table}


async def delete_result(args: argparse.Namespace, store: Store, say: Catalogue) -> tuple[str, Any]:
    key = BoardKey(str(args.day), args.game, args.board)
    found = await store.best_results(key, 0, EVERYONE)
    n = sum(row.name == args.name for row in found)
    if not n:
        raise Illegal(ServerReason.NOT_FOUND)
    await store.commit(DropResults(key, args.name))
    return say("admin.deleted_results", n=n), {"deleted": n}


async def remove_name(args: argparse.Namespace, store: Store, say: Catalogue) -> tuple[str, Any]:
    from pytlik.server.people import forget_name  # noqa: PLC0415

    n = await forget_name(lobby_of(store).rooms, args.name)
    return say("admin.removed_name", n=n), {"tables": n}
