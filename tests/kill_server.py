"""Kill the server again and again under load, and compare what it acknowledged with what is left.

    python tests/kill_server.py --cycles 200
    python tests/kill_server.py --cycles 200 --postgres --workers 2

The database is new, and deleted at the end: a SQLite file, or a PostgreSQL server of its own.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.database_servers import Postgres
from tests.server.server_load import ServerLoad
from tests.server.server_process import ServerProcess

TIMEOUT_SECONDS = 600
"""Seconds until a load that makes no progress has failed: the machine may be busy."""


async def kill_repeatedly(server: ServerProcess, cycles: int, tables: int, seed: str) -> ServerLoad:
    random = Random(seed)
    async with ServerLoad(server.address, seed, copies=2, drops=0.005) as load:
        await load.sit_down(unikat=3 * tables // 4, ubongo=tables - 3 * tables // 4)
        for cycle in range(1, cycles + 1):
            await load.play_and_kill_server(server, random.randrange(1, 120), TIMEOUT_SECONDS)
            if cycle % 10 == 0:
                print(f"{cycle} cycles, {len(load.claims.done)} acknowledged", flush=True)
        await load.check(server.database, everything=True)
        return load


@contextmanager
def new_database(*, postgres: bool) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="pytlik-soak-") as folder:
        if not postgres:
            yield str(Path(folder) / "pytlik.db")
            return
        Path(folder).chmod(0o755)  # it runs as another user, if we are root
        server = Postgres(Path(folder) / "postgres")
        server.create()
        yield server.new_empty_database()
        server.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cycles", type=int, default=200)
    parser.add_argument(
        "--tables", type=int, default=8, help="where people play, at a quarter Ubongo"
    )
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--workers", default="1")
    parser.add_argument("--seed", default="soak")
    args = parser.parse_args()
    began = time.monotonic()
    with (
        new_database(postgres=args.postgres) as database,
        ServerProcess(database, "--workers", args.workers) as server,
    ):
        load = asyncio.run(kill_repeatedly(server, args.cycles, args.tables, args.seed))
    claims = load.claims
    print(
        f"nothing acknowledged was lost in {args.cycles} kills of the server"
        f" ({'PostgreSQL' if args.postgres else 'SQLite'}, workers: {args.workers}):"
        f" {len(claims.done)} actions, {len(claims.shown)} views, {len(claims.games)} matches,"
        f" {claims.again} answers again, refused: {dict(claims.refused)};"
        f" {time.monotonic() - began:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
