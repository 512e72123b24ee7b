"""Colours: a dark table and a light one. No difference is shown by colour alone, so everything can
be told apart without it."""

from dataclasses import dataclass

from textual.theme import Theme


@dataclass(frozen=True)
class Palette:
    """Colours that Textual's themes have no name for."""

    felt: str
    """The board."""
    dots: str
    """Faint signs on the board."""
    strong: str
    """Strong signs on the board."""
    place: tuple[str, str]
    """Where a tile fits, in two shades so that neighbouring places don't merge."""
    on_place: str
    gap: str
    """Between the tiles on the rack."""
    label: str
    accent: str
    warning: str
    card: str
    """Around the white cells of a card."""


DARK = Palette(
    felt="#23483c",
    dots="#5f8a7b",
    strong="#ffd24a",
    place=("#e8bf45", "#d3a92f"),
    on_place="#241a00",
    gap="#1b2320",
    label="#b9c7c0",
    accent="#ffd24a",
    warning="#ff7a5c",
    card="#54452e",
)
LIGHT = Palette(
    felt="#d9d2c0",
    dots="#a2987e",
    strong="#7a3d00",
    place=("#f5c63c", "#e8b524"),
    on_place="#241a00",
    gap="#f4f0e6",
    label="#5d5648",
    accent="#8a4b00",
    warning="#b3261e",
    card="#c9b48a",
)


def make_theme(
    name: str,
    palette: Palette,
    *,
    primary: str,
    secondary: str,
    foreground: str,
    surface: str,
    panel: str,
) -> Theme:
    return Theme(
        name=name,
        dark=palette is DARK,
        primary=primary,
        secondary=secondary,
        accent=palette.accent,
        warning=palette.accent,
        error=palette.warning,
        foreground=foreground,
        background=palette.gap,
        surface=surface,
        panel=panel,
    )


THEMES = (
    make_theme(
        "pytlik-dark",
        DARK,
        primary="#4f9d80",
        secondary="#86a99c",
        foreground="#e9e6dd",
        surface="#24302b",
        panel="#2c3b35",
    ),
    make_theme(
        "pytlik-light",
        LIGHT,
        primary="#2f7d60",
        secondary="#6a8177",
        foreground="#2a2720",
        surface="#ebe5d6",
        panel="#e2dac6",
    ),
)


def is_light_terminal(colorfgbg: str | None) -> bool:
    """Whether a terminal is light. Some say what they look like in COLORFGBG: `0;15` is black on
    white."""
    ground = (colorfgbg or "").rpartition(";")[2]
    return ground in ("7", "15")
