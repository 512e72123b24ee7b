"""Files that are there as a whole or not at all."""

import os
import tempfile
from pathlib import Path


def write(path: Path, data: bytes) -> None:
    """Write a file so that whoever looks sees the old one or the new one, and never half of it."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            # A temporary file is its owner's alone; this one is as any other.
            umask = os.umask(0)
            os.umask(umask)
            Path(file.name).chmod(0o666 & ~umask)
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
