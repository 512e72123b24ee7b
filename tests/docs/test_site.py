"""The site is built from the documents without a warning, and loads nothing from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOADS = re.compile(r"""(?:<(?:script|img|iframe|source|link)\b[^>]*\b(?:src|href)=|url\(|@import)
                       \s*["']?(https?:)?//""", re.VERBOSE)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    made = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "docs", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (made.returncode, made.stderr) == (0, "")
    return folder


def test_every_document_is_a_page(site: Path) -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        assert (site / page.relative_to(ROOT / "docs").with_suffix(".html")).exists(), page


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    read = [path for path in site.rglob("*") if path.suffix in (".html", ".css")]
    assert len(read) > 20
    for path in read:
        assert not LOADS.search(path.read_text(encoding="utf-8")), path


def test_downloads_are_there(site: Path) -> None:
    names = {path.name for path in (site / "_downloads").rglob("*") if path.is_file()}
    assert names >= {"bot.py", "bot.ts", "unikat.jsonl", "ubongo.jsonl"}
