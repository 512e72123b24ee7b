"""Where Pytlik keeps its data: the database of a server, and tokens for other servers."""

import os
import sys
from pathlib import Path

from platformdirs import user_data_path

EARLIER_FOLDERS = {
    "darwin": "~/Library/Application Support/pytlik",
    "win32": "%LOCALAPPDATA%/pytlik",
}
"""Where the data was before we used platformdirs, which reads other variables on these systems."""


def data_folder() -> Path:
    """The data folder for this operating system, or an earlier one if it exists."""
    earlier = EARLIER_FOLDERS.get(sys.platform)
    if earlier:
        folder = Path(os.path.expandvars(earlier)).expanduser()
        if folder.is_dir():
            return folder
    return user_data_path("pytlik", appauthor=False)
