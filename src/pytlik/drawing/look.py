"""How pictures look: skin and language, and the colours of what lies round the games."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pytlik.game import Seat
from pytlik.i18n import Catalogue, catalogue

Skin = Literal["huch", "granna"]
SKINS: tuple[Skin, ...] = get_args(Skin)

LINEN, SURFACE, WOOD, WOOD_LINE = "#e9e3d6", "#f5f0e6", "#dbc9a6", "#b99f6f"
INK, SOFT, LINE, ACCENT = "#1d1a15", "#5a5246", "#d5cbb8", "#1d5c45"
"""As on the page, by day."""


@dataclass(frozen=True, kw_only=True)
class Look:
    skin: Skin = "huch"
    """Of Unikat's tiles."""
    patterns: bool = True
    """Signs beside Unikat's colours; Ubongo's pieces always have theirs."""
    names: Sequence[str] = ()
    """Of the seats; they are numbered where nothing is said."""
    lang: str = "en"

    @property
    def say(self) -> Catalogue:
        return catalogue(self.lang)

    def name(self, seat: Seat) -> str:
        named = self.names[seat] if seat < len(self.names) else ""
        return named or self.say("page.pass.player", n=seat + 1)


def skin_of(language: str) -> Skin:
    """The look that people know where a language is spoken."""
    return "granna" if language in ("pl", "cs", "sk", "uk") else "huch"


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
