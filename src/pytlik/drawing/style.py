"""How pictures look: skin, language, and the colours of everything that isn't part of a game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pytlik.game import Seat
from pytlik.i18n import Catalogue, catalogue

Skin = Literal["huch", "granna"]
SKINS: tuple[Skin, ...] = get_args(Skin)

LINEN, SURFACE, WOOD, WOOD_LINE = "#e9e3d6", "#f5f0e6", "#dbc9a6", "#b99f6f"
INK, SOFT_INK, LINE, ACCENT = "#1d1a15", "#5a5246", "#d5cbb8", "#1d5c45"
"""As in the page's light theme."""


@dataclass(frozen=True, kw_only=True)
class Style:
    skin: Skin = "huch"
    """For Unikat's tiles."""
    patterns: bool = True
    """Patterns on Unikat's tiles, for people who can't tell the colours apart. Ubongo's pieces
    always have signs."""
    names: Sequence[str] = ()
    """The players' names. Seats without one are numbered."""
    lang: str = "en"

    @property
    def translate(self) -> Catalogue:
        return catalogue(self.lang)

    def player_name(self, seat: Seat) -> str:
        named = self.names[seat] if seat < len(self.names) else ""
        return named or self.translate("page.pass.player", n=seat + 1)


def default_skin(language: str) -> Skin:
    """The edition that people know where this language is spoken."""
    known = catalogue(language)("language.skin")
    return next(skin for skin in SKINS if skin == known)


def shorten(text: str, max_length: int) -> str:
    return text if len(text) <= max_length else f"{text[: max_length - 1]}…"
