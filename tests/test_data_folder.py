"""Data stays where earlier versions put it."""

import sys
from pathlib import Path

import pytest

from pytlik.data_folder import data_folder
from pytlik.server.settings import load_settings

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have other folders")


@pytest.mark.parametrize(
    ("xdg_data_home", "folder"),
    [
        (None, ".local/share/pytlik"),
        ("", ".local/share/pytlik"),
        ("{home}/data", "data/pytlik"),
        # The XDG specification says that relative paths are ignored.
        ("data", ".local/share/pytlik"),
    ],
)
def test_the_folder_on_linux(
    xdg_data_home: str | None, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    if xdg_data_home is not None:
        monkeypatch.setenv("XDG_DATA_HOME", xdg_data_home.format(home=tmp_path))
    assert data_folder() == tmp_path / folder
    assert load_settings({}).database == str(tmp_path / folder / "pytlik.db")


@pytest.mark.parametrize(
    ("platform", "folder"),
    [("darwin", "Library/Application Support/pytlik"), ("win32", "Local/pytlik")],
)
def test_earlier_folder_is_used_on_other_systems(
    platform: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On macOS even if XDG_DATA_HOME is set: it used to be ignored there."""
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "Local"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    # Only Windows expands its variables.
    monkeypatch.setattr(
        "os.path.expandvars", lambda path: path.replace("%LOCALAPPDATA%", str(tmp_path / "Local"))
    )
    assert data_folder() == tmp_path / "data/pytlik"
    (tmp_path / folder).mkdir(parents=True)
    assert data_folder() == tmp_path / folder
