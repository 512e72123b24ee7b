"""The machine of someone who tries a sample: a folder that looks like a clone of the project, with
its programs in .venv/bin. They're the real ones, except for

    pytlik serve, pytlik play, pytlik   run by background_programs.py, which checks and stops them
    .venv/bin/pytest, make test         check only that `make test` includes these tests
    make                                takes everything as installed; `make play` runs pytlik
    pip                                 may download and install nothing
    browser                             notes what it's asked to open

What a reader has of their own is named in braces by a sample's `here`, and made when needed.
"""

import asyncio
import os
import re
import shlex
import shutil
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from pytlik.store.connect import migrate
from tests.docs import background_programs
from tests.docs.proxies import free_port, make_certificate
from tests.server.client import Client, create_table
from tests.server.server_process import ServerProcess

ROOT = Path(__file__).parents[2]
PYTHON_PATH, SUITE_PATH, COMPANY_PATH = (
    shlex.quote(str(path))
    for path in (
        sys.executable,
        Path(__file__).with_name("selected_tests.py"),
        Path(background_programs.__file__),
    )
)

PROGRAM_SCRIPTS = {
    "python": f'exec {PYTHON_PATH} "$@"',
    "pytest": f'exec {PYTHON_PATH} {SUITE_PATH} "$@"',
    "pytlik": f"""
case "${{1-}}" in
    "" | -* | serve | play) exec {PYTHON_PATH} {COMPANY_PATH} "$@" ;;
    *) exec {PYTHON_PATH} -m pytlik "$@" ;;
esac""",
    "make": f"""
case "$*" in
    test) exec {PYTHON_PATH} {SUITE_PATH} ;;
    play) exec {PYTHON_PATH} {COMPANY_PATH} ;;
    *) exec {shutil.which("make")} --assume-old=setup "$@" ;;
esac""",
    "browser": f'echo "$1" > ~/{background_programs.OPENED_FILE}',
}


class SampleMachine:
    def __init__(self, folder: Path, postgres: Callable[[], str]) -> None:
        self.folder = folder
        self.programs = folder / ".venv" / "bin"
        self.programs.mkdir(parents=True)
        (folder / ".venv" / "made-dev").touch()
        for name in ("docs", "tests", "benchmarks", "Makefile"):
            (folder / name).symlink_to(ROOT / name)
        for name, script in PROGRAM_SCRIPTS.items():
            (self.programs / name).write_text(f"#!/bin/sh\n{script}\n")
            (self.programs / name).chmod(0o755)
        self.env = {
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
            "LANG": "C.UTF-8",
            "COLUMNS": "120",
            "BROWSER": "browser",
            "PYTHONPATH": str(ROOT / "src"),
            "PYTLIK_PORT": "0",
            "PIP_NO_INDEX": "1",
            "PIP_DRY_RUN": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_ROOT_USER_ACTION": "ignore",
            "PATH": os.pathsep.join(
                [str(self.programs), str(Path(sys.executable).parent), os.environ["PATH"]]
            ),
        }
        self._postgres = postgres
        self._made: dict[str, str] = {}
        self._open = ExitStack()

    def close(self) -> None:
        self._open.close()

    def fill_in(self, text: str) -> str:
        """Replace names in braces with what they stand for here."""
        return re.sub(r"\{(\w+)\}", lambda found: self._value_of(found[1]), text)

    def _value_of(self, name: str) -> str:
        if name not in self._made:
            make = {
                "folder": lambda: str(self.folder),
                "postgres": self._postgres,
                "port": lambda: str(free_port()),
                "certificate": lambda: str(make_certificate(self.folder)),
                "server": self._start_server,
                "table": self._create_table,
            }[name]
            self._made[name] = make()
        return self._made[name]

    def _start_server(self) -> str:
        database = str(self.folder / "server.db")
        migrate(database)
        server = self._open.enter_context(ServerProcess(database, trusted_proxies="127.0.0.1"))
        return f"127.0.0.1:{server.port}"

    def _create_table(self) -> str:
        """Create a table with two chairs, whose host starts the match when both are taken."""
        host = TableHost(f"http://{self._value_of('server')}")
        self._open.callback(host.close)
        return host.table


class TableHost:
    """The host of a table, in a thread of their own while the sample runs."""

    def __init__(self, address: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._host = Client(address)
        self.table = self._loop.run_until_complete(
            create_table(self._host, "unikat", chairs=2, options={"rounds": 1})
        )
        self._task = self._loop.create_task(start_when_full(self._host, self.table))
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        with suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._task)
        self._loop.run_until_complete(self._host.close())
        self._loop.close()

    def close(self) -> None:
        with suppress(RuntimeError):  # the loop is closed already
            self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join()


async def start_when_full(host: Client, table: str) -> None:
    """Start the match as soon as everyone is there."""
    await host.join(table)
    changed = await host.wait_for("hello")
    while not all(chair["here"] for chair in changed["table"]["chairs"]):
        changed = await host.wait_for("table_changed")
    await host.ask("POST", f"/api/tables/{table}/start")
