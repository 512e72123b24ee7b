"""Write files atomically: readers see all of the new file, or the old one."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def open_atomic(path: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """Write a file so that readers see the old one or the new one, and never half of it."""
    try:
        temporary = tempfile.NamedTemporaryFile(dir=path.parent, delete=False)  # noqa: SIM115
    except OSError as error:
        # Name the file that was asked for, not the temporary one.
        raise OSError(error.errno, error.strerror, str(path)) from None
    with temporary as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if not private:
                # Only its owner may read a temporary file; give this one the usual mode.
                umask = os.umask(0)
                os.umask(umask)
                Path(file.name).chmod(0o666 & ~umask)
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def write_file_atomically(path: Path, data: bytes) -> None:
    with open_atomic(path) as file:
        file.write(data)
