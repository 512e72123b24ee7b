"""What is compiled where that can be, run by Python itself."""

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

from pytlik import ubongo

FOLDER = Path(ubongo.__file__).parent


def as_it_is(name: str) -> Any:
    """A module's source, with the kernel's own source beneath it; it answers then, and does not
    leave that to the reference."""
    loader = SourceFileLoader(f"{name}_as_it_is", str(FOLDER / f"{name}.py"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module: Any = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        if name != "kernel":
            patch.setitem(sys.modules, "pytlik.ubongo.kernel", as_it_is("kernel"))
        loader.exec_module(module)
    assert not module.SEARCHES
    module.SEARCHES = True
    return module
