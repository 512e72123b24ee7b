"""Imports compiled modules from their Python sources."""

import importlib
import sys
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import NamedTuple


class SourceFinder(NamedTuple):
    """An import hook that finds the sources of parts of a game, where Python would prefer the
    extension modules beside them."""

    game: ModuleType
    parts: tuple[str, ...]

    def covers(self, name: str) -> bool:
        path = name.removeprefix(f"{self.game.__name__}.")
        return path != name and path.split(".")[0] in self.parts

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if not self.covers(name):
            return None
        path = name.removeprefix(f"{self.game.__name__}.").split(".")
        place = Path(str(self.game.__file__)).parent.joinpath(*path)
        file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        return spec_from_file_location(name, file)


def import_uncompiled(game: ModuleType, *parts: str) -> list[ModuleType]:
    """Import these parts of a game from their sources. They must be all the compiled parts that
    depend on each other."""
    sources = SourceFinder(game, parts)
    before = {name: module for name, module in sys.modules.items() if sources.covers(name)}
    attributes = dict(game.__dict__)
    for name in before:
        del sys.modules[name]
    sys.meta_path.insert(0, sources)
    try:
        return [importlib.import_module(f"{game.__name__}.{part}") for part in parts]
    finally:
        sys.meta_path.remove(sources)
        for name in [name for name in sys.modules if sources.covers(name)]:
            assert str(sys.modules.pop(name).__file__).endswith(".py")
        sys.modules.update(before)
        game.__dict__.update(attributes)
