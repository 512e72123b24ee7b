"""Adds the compiled kernels and the page to a wheel.

tools/kernel_compiler.py and tools/page_builder.py build them inside src/pytlik, and only when they
are stale. An editable install skips this hook: `make play` and `make setup` run those tools
themselves.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))

from tools import kernel_compiler, page_builder
from tools.digests import SOURCES


class BuildHook(BuildHookInterface[Any]):
    """Called by hatchling when it builds a wheel."""

    def dependencies(self) -> list[str]:
        return [
            *(kernel_compiler.BUILD_REQUIREMENTS if kernel_compiler.find_stale_kernels() else []),
            *page_builder.python_requirements(),
        ]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        with ThreadPoolExecutor() as beside:
            page_built = beside.submit(page_builder.build)
            modules = kernel_compiler.build()
            page_built.result()
        if modules:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
        for built in [
            *modules,
            *(
                record
                for record in (kernel_compiler.DIGESTS_FILE, page_builder.DIGESTS_FILE)
                if record.exists()
            ),
        ]:
            build_data["force_include"][str(built)] = str(built.relative_to(SOURCES))
