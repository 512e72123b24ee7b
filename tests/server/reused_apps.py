"""Applications that tests reuse, because registering all routes takes longer than most tests. The
server's state is new each time."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pytlik.server import app as server_app
from pytlik.server.app import Pytlik, create_app
from pytlik.server.settings import Settings

NO_PAGE = Path("/nonexistent")
"""Stands in for the page, whose hundreds of files would have to be read for every server."""

Key = tuple[Any, ...]

_free: dict[Key, list[Pytlik]] = {}
_keys: dict[int, Key] = {}


def take_app(settings: Settings, *, folder: Path = NO_PAGE, **given: Any) -> Pytlik:
    """An application as `create_app` makes it. `give_back` lets other tests use it again."""
    if folder is not NO_PAGE:
        return create_app(settings, folder=folder, **given)
    names = ("handlers", "lifespan")
    key = (settings.base_path, *(tuple(map(id, given.get(name, ()))) for name in names))
    with patch.object(server_app, "Pytlik", _reuse(key)):
        return create_app(settings, folder=folder, **given)


def give_back(app: Pytlik) -> None:
    if id(app) in _keys:
        _free[_keys[id(app)]].append(app)


def _reuse(key: Key) -> Callable[..., Pytlik]:
    def make(*args: Any, state: Any, **more: Any) -> Pytlik:
        waiting = _free.setdefault(key, [])
        app = waiting.pop() if waiting else Pytlik(*args, state=state, **more)
        app.state = state
        _keys[id(app)] = key
        return app

    return make
