"""The site builds from the documents without a warning, and loads nothing from elsewhere."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

import pytlik

ROOT = Path(__file__).parents[2]
EXTERNAL_LOAD = re.compile(
    r"""(?:<(?:script|img|iframe|source|link)\b[^>]*\b(?:src|href)=|url\(|@import)
        \s*["']?(https?:)?//""", re.VERBOSE)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "docs", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (build.returncode, build.stderr) == (0, "")
    return folder


def test_every_document_is_a_page(site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        assert (site / page.relative_to(ROOT / "docs").with_suffix(".html")).exists(), page


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    read = [path for path in site.rglob("*") if path.suffix in (".html", ".css")]
    assert len(read) > 20
    for path in read:
        assert not EXTERNAL_LOAD.search(path.read_text(encoding="utf-8")), path


def test_downloads_are_included(site: Path) -> None:
    names = {path.name for path in (site / "_downloads").rglob("*") if path.is_file()}
    assert names >= {"bot.py", "bot.ts", "unikat.jsonl", "ubongo.jsonl"}


def test_reference_covers_what_programs_import(site: Path) -> None:
    entries = set(re.findall(r'<dt class="sig[^"]*" id="([^"]+)"', read_page(site, "api")))
    offered = [getattr(pytlik, name) for name in pytlik.__all__]
    names = {
        f"{thing.__module__}.{thing.__qualname__}"
        for thing in offered
        if hasattr(thing, "__qualname__")
    }
    assert "pytlik.match.Match" in names
    for game in (pytlik.UNIKAT, pytlik.UBONGO):
        folder = f"pytlik.{game.name}"
        for kind in (*get_args(game.action), *get_args(game.event)):
            names.add(f"{kind.__module__}.{kind.__qualname__}")
        names |= {f"{folder}.view.View.{field}" for field in view_fields(f"{folder}.view")}
    assert names - entries == set()


def view_fields(module: str) -> tuple[str, ...]:
    fields: tuple[str, ...] = import_module(module).View.__struct_fields__
    return fields


def read_page(site: Path, name: str) -> str:
    return (site / f"{name}.html").read_text(encoding="utf-8")
