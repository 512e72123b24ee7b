"""How bugs are planted: each is a patch of the real code, registered under its name."""

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
    """Passes everything on to a store. Subclasses change how it commits."""

    def __init__(self, store: Any) -> None:
        self.store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


def patch_store_of_matches(proxy: type[StoreProxy]) -> AbstractContextManager[object]:
    """Let all matches write to their store through a proxy."""
    make = LiveMatch.__init__

    def init(self: LiveMatch, store: Any, *args: Any, **more: Any) -> None:
        make(self, proxy(store), *args, **more)

    return patch.object(LiveMatch, "__init__", init)


@contextmanager
def apply_all_patches(*patches: AbstractContextManager[object]) -> Iterator[None]:
    for each in patches:
        each.__enter__()
    try:
        yield
    finally:
        for each in reversed(patches):
            each.__exit__(None, None, None)


async def do_nothing(*_: Any, **__: Any) -> None: ...
