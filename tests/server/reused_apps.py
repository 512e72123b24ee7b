"""Applications that tests reuse, because registering all routes takes longer than most tests. The
server's state is new each time."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pytlik.server import app as server_app
from pytlik.server.app import PytlikApp, create_app
from pytlik.server.settings import Settings

NO_PAGE_FOLDER = Path("/nonexistent")
"""Stands in for the page, whose hundreds of files would have to be read for every server."""

AppKey = tuple[Any, ...]

_free_apps: dict[AppKey, list[PytlikApp]] = {}
_app_keys: dict[int, AppKey] = {}


def take_app(settings: Settings, *, folder: Path = NO_PAGE_FOLDER, **kwargs: Any) -> PytlikApp:
    """An application as `create_app` makes it. `return_app` lets other tests use it again."""
    if folder is not NO_PAGE_FOLDER:
        return create_app(settings, folder=folder, **kwargs)
    names = ("handlers", "lifespan")
    key = (settings.base_path, *(tuple(map(id, kwargs.get(name, ()))) for name in names))
    with patch.object(server_app, "PytlikApp", _reuse_or_create(key)):
        return create_app(settings, folder=folder, **kwargs)


def return_app(app: PytlikApp) -> None:
    if id(app) in _app_keys:
        _free_apps[_app_keys[id(app)]].append(app)


def _reuse_or_create(key: AppKey) -> Callable[..., PytlikApp]:
    def make(*args: Any, state: Any, **more: Any) -> PytlikApp:
        waiting = _free_apps.setdefault(key, [])
        app = waiting.pop() if waiting else PytlikApp(*args, state=state, **more)
        app.state = state
        _app_keys[id(app)] = key
        return app

    return make
