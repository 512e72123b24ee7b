"""The game on the whole screen, where Textual is installed: started, and what is left of it."""

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from pytlik.cli.files import write, writing
from pytlik.extras import needed
from pytlik.i18n import Catalogue
from pytlik.server.settings import data_dir
from pytlik.terminal.asking import Link, parse
from pytlik.terminal.clock import SystemClock
from pytlik.terminal.table import Table

__all__ = ["COMMAND", "installed", "join", "kept", "parse", "play"]

COMMAND = "pip install 'pytlik[terminal]'"


def installed() -> bool:
    return find_spec("textual") is not None


def play(table: Table, clock: SystemClock, say: Catalogue, out: Path | None) -> int:
    """Against bots, until the person leaves; the match is kept where asked to."""
    from pytlik.terminal.app import PlayApp  # noqa: PLC0415 - an extra: not everybody has it
    from pytlik.terminal.here import SeatedHere  # noqa: PLC0415

    # Before anything is seen of the deal; it can be read again when the screen is as it was.
    print(say("play.commitment", commitment=table.commitment))
    app = PlayApp(SeatedHere(table, clock), say)
    try:
        app.run()
    finally:
        if out:
            write(out, table.file())
    if not table.over:
        print(say("play.left"))
    if out:
        print(kept(table, out, say))
    return app.return_code or 0


def kept(table: Table, out: Path, say: Catalogue) -> str:
    return say("play.saved" if table.over else "play.saved_unfinished", file=out)


def join(link: Link, name: str, say: Catalogue, *, whole_screen: bool) -> int:
    """At a table on a server. Who one is there is remembered, so that the seat can be found again.
    Raises Missing where Textual is not installed."""
    with needed("terminal"):
        from pytlik.terminal.app import PlayApp  # noqa: PLC0415
        from pytlik.terminal.there import SeatedThere  # noqa: PLC0415
    if not whole_screen:
        print(f"pytlik play: {say('terminal.no_screen')}", file=sys.stderr)
        return 2

    memory = Memory(data_dir(sys.platform, os.environ, Path.home()) / "seats.json")
    seated = SeatedThere(
        link,
        SystemClock(),
        say,
        token=memory.token(link.server),
        keep=lambda token: memory.keep(link.server, token),
    )
    app = PlayApp(seated, say, name=name)
    app.run()
    if seated.table and seated.table.yours:
        print(say("terminal.kept", link=link))
    return app.return_code or 0


class Memory:
    """Who we are on each server: a file that nobody else may read, for it opens our seats."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _tokens(self) -> dict[str, str]:
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def token(self, server: str) -> str | None:
        return self._tokens().get(server)

    def keep(self, server: str, token: str) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with writing(self._path, private=True) as file:
            file.write(json.dumps({**self._tokens(), server: token}).encode())
