"""How bugs are planted: patches of the real code, each under its name."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from pytlik.server.match.live_match import LiveMatch

Bug = Callable[[], AbstractContextManager[object]]

BUGS: dict[str, Bug] = {}


def register_bug(plant: Bug) -> Bug:
    BUGS[plant.__name__] = plant
    return plant


class StoreProxy:
    """A store as it is, but for its commits."""

    def __init__(self, store: Any) -> None:
        self.store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


def let_matches_write_through(proxy: type[StoreProxy]) -> AbstractContextManager[object]:
    """Let all matches write through a proxy."""
    make = LiveMatch.__init__

    def init(self: LiveMatch, store: Any, *args: Any, **more: Any) -> None:
        make(self, proxy(store), *args, **more)

    return patch.object(LiveMatch, "__init__", init)


@contextmanager
def apply_all_patches(*plants: AbstractContextManager[object]) -> Iterator[None]:
    for plant in plants:
        plant.__enter__()
    try:
        yield
    finally:
        for plant in reversed(plants):
            plant.__exit__(None, None, None)


async def do_nothing(*_: Any, **__: Any) -> None: ...
