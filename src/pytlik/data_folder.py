"""Where Pytlik keeps its data: the database of a server, and tokens for other servers."""

import os
import sys
from pathlib import Path

from platformdirs import user_data_path

EARLIER_FOLDERS = {
    "darwin": "~/Library/Application Support/pytlik",
    "win32": "%LOCALAPPDATA%/pytlik",
}
"""Where it was before platformdirs decided, which on these systems listens to other variables."""


def data_folder() -> Path:
    """The folder for data on this kind of system; an earlier one, if there is one."""
    earlier = EARLIER_FOLDERS.get(sys.platform)
    if earlier:
        folder = Path(os.path.expandvars(earlier)).expanduser()
        if folder.is_dir():
            return folder
    return user_data_path("pytlik", appauthor=False)
