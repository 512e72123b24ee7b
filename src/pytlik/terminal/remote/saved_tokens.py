"""Our tokens on each server, remembered from one game to the next."""

import json
from pathlib import Path

from pytlik.atomic_file import open_atomic


class SavedTokens:
    """A token for each server, in a file that nobody else may read: a token opens our seats."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _load(self) -> dict[str, str]:
        try:
            tokens = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return tokens if isinstance(tokens, dict) else {}

    def get(self, server: str) -> str | None:
        return self._load().get(server)

    def save(self, server: str, token: str) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with open_atomic(self._path, private=True) as file:
            file.write(json.dumps({**self._load(), server: token}).encode())
