"""What is compiled where that can be, run by Python itself."""

import importlib
import re
import sys
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Any

from pytlik import ubongo

FOLDER = Path(ubongo.__file__).parent


def as_it_is(name: str) -> Any:
    """The kernel, or what is made beside it, from sources alone; they answer then, and do not leave
    that to the reference."""
    before = {name: module for name, module in sys.modules.items() if is_ours(name)}
    attributes = dict(ubongo.__dict__)
    for module in before:
        del sys.modules[module]
    sys.meta_path.insert(0, Sources)
    try:
        found: Any = importlib.import_module(f"{ubongo.__name__}.{name}")
        kernel: Any = importlib.import_module(f"{ubongo.__name__}.kernel")
    finally:
        sys.meta_path.remove(Sources)
        for module in [module for module in sys.modules if is_ours(module)]:
            assert str(sys.modules.pop(module).__file__).endswith(".py")
        sys.modules.update(before)
        ubongo.__dict__.update(attributes)
    assert not kernel.COMPILED
    kernel.answers.SEARCHES = True
    return found


def is_ours(name: str) -> bool:
    """Whether a module is compiled, or made for those that are."""
    return re.match(rf"{ubongo.__name__}\.(kernel|making)\b", name) is not None


class Sources:
    """Finds the source where Python would take the extension module beside it."""

    @staticmethod
    def find_spec(name: str, *_: object) -> ModuleSpec | None:
        if not is_ours(name):
            return None
        place = FOLDER.joinpath(*name.removeprefix(f"{ubongo.__name__}.").split("."))
        file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        return spec_from_file_location(name, file)
