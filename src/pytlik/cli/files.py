"""Files that are there as a whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def writing(path: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """Write a file so that whoever looks sees the old one or the new one, and never half of it."""
    try:
        there = tempfile.NamedTemporaryFile(dir=path.parent, delete=False)  # noqa: SIM115 - below
    except OSError as error:
        # Who asked for the file has never heard of the temporary one.
        raise OSError(error.errno, error.strerror, str(path)) from None
    with there as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if not private:
                # A temporary file is its owner's alone; this one is as any other.
                umask = os.umask(0)
                os.umask(umask)
                Path(file.name).chmod(0o666 & ~umask)
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def write(path: Path, data: bytes) -> None:
    with writing(path) as file:
        file.write(data)
