"""Tokens are saved for each server, and nobody else may read them."""

import stat
from pathlib import Path

from pytlik.terminal.remote.saved_tokens import SavedTokens


def test_tokens_are_saved_privately_for_each_server(tmp_path: Path) -> None:
    file = tmp_path / "pytlik" / "seats.json"
    tokens = SavedTokens(file)
    assert tokens.get("https://one.example") is None
    tokens.save("https://one.example", "first")
    tokens.save("https://two.example", "second")
    assert SavedTokens(file).get("https://one.example") == "first"
    assert SavedTokens(file).get("https://two.example") == "second"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text("no longer JSON")
    assert tokens.get("https://one.example") is None
