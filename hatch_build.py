"""Adds the compiled kernels and the page to a wheel.

tools/kernels.py and tools/page.py build them inside src/pytlik, and only when they are stale. An
editable install skips this hook: `make play` and `make setup` run those tools themselves.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))

from tools import kernels, page
from tools.digests import SOURCES


class BuildHook(BuildHookInterface[Any]):
    """Called by hatchling when it builds a wheel."""

    def dependencies(self) -> list[str]:
        return [*(kernels.REQUIREMENTS if kernels.find_stale() else []), *page.requirements()]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        with ThreadPoolExecutor() as beside:
            page_built = beside.submit(page.build)
            modules = kernels.build()
            page_built.result()
        if modules:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
        for built in [
            *modules,
            *(record for record in (kernels.RECORD, page.RECORD) if record.exists()),
        ]:
            build_data["force_include"][str(built)] = str(built.relative_to(SOURCES))
