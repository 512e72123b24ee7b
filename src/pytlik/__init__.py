"""Pytlik: Unikat and Ubongo Extreme, to play with anyone and to study.

Start with `Match`:

    from pytlik import Match

    match = Match.new("unikat", players=3, seed="x")

Everything here is imported on first use, so `import pytlik` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytlik.game import Budget, Game, Illegal, Malformed, Outcome, Ready, Refusal
    from pytlik.games import GAMES, UBONGO, UNIKAT, register
    from pytlik.match import Match
    from pytlik.matchfile import Player

__all__ = [
    "GAMES",
    "UBONGO",
    "UNIKAT",
    "Budget",
    "Game",
    "Illegal",
    "Malformed",
    "Match",
    "Outcome",
    "Player",
    "Ready",
    "Refusal",
    "register",
]

LAZY_EXPORTS = {
    "pytlik.game": ("Budget", "Game", "Illegal", "Malformed", "Outcome", "Ready", "Refusal"),
    "pytlik.games": ("GAMES", "UBONGO", "UNIKAT", "register"),
    "pytlik.match": ("Match",),
    "pytlik.matchfile": ("Player",),
}


def __getattr__(name: str) -> Any:
    for module, names in LAZY_EXPORTS.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'pytlik' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
