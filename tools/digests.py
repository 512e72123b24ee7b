"""Records what was built from which sources, as digests beside the built files. Unlike timestamps,
digests are right after a fresh clone, after switching branches, and for a wheel that was built
elsewhere."""

import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"
PACKAGE = SOURCES / "pytlik"
DIST = ROOT / "dist"


def digest(files: Iterable[Path], *more: str) -> str:
    """A digest that changes whenever a file's name or content does."""
    summary = sha256("\n".join(more).encode())
    for file in sorted(files):
        name = file.relative_to(ROOT).as_posix()
        summary.update(f"\n{name} {sha256(file.read_bytes()).hexdigest()}".encode())
    return summary.hexdigest()


def read_digests(record: Path) -> dict[str, str]:
    """Read a record: for each built file, the digest of its sources."""
    try:
        digests: dict[str, str] = json.loads(record.read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return digests


def write_digests(record: Path, digests: dict[str, str]) -> None:
    record.write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n")


def unpack_from_wheel(record: Path, wanted: dict[str, str]) -> bool:
    """Unpack built files from a wheel in dist/, if one was built from the very same sources.

    `wanted` maps a folder or file, as a path within src, to the digest of its sources.
    """
    name = record.relative_to(SOURCES).as_posix()
    for wheel in sorted(DIST.glob("pytlik-*.whl")):
        with ZipFile(wheel) as files:
            if name not in files.namelist() or not wanted:
                continue
            if not wanted.items() <= json.loads(files.read(name)).items():
                continue
            for file in files.namelist():
                if any(file == path or file.startswith(f"{path}/") for path in wanted):
                    files.extract(file, SOURCES)
            write_digests(record, wanted)
            return True
    return False
