"""The games as text, for terminals and notebooks.

Each game has a folder: its tables drawn from a View, its events described in one line each, its
options summarized. Nothing here knows how the text is shown.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rich.text import Text

from pytlik.game import AnyGame, Seat
from pytlik.i18n import Catalogue
from pytlik.text.layout import TextFormat


class DescribeEvent(Protocol):
    def __call__(
        self, event: Any, names: Sequence[str], you: Seat | None, translate: Catalogue
    ) -> str | None:
        """The line about an event, as a seat saw it; None if there is nothing to say."""


class DrawView(Protocol):
    def __call__(
        self, view: Any, names: Sequence[str], translate: Catalogue, fmt: TextFormat, *, now: int
    ) -> Text:
        """The table at a moment, as a spectator sees it."""


def plain_line(line: str, fmt: TextFormat) -> Text:
    return Text(line)


@dataclass(frozen=True, kw_only=True)
class GameText:
    """How a game reads as text. A game names one of these in `Game.shows["text"]`."""

    describe_event: DescribeEvent
    draw_view: DrawView
    summarize_options: Callable[[dict[str, Any], Sequence[str], Catalogue], list[str]]
    """A table's options in a few words each. They may be in the form in which a server sends
    them."""
    draw_line: Callable[[str, TextFormat], Text] = plain_line
    """Draws a line from `describe_event`, with pictures in it if there's colour."""


def find_game_text(game: AnyGame) -> GameText | None:
    """A game's text, if it has one."""
    if "text" not in game.shows:
        return None
    text: GameText = game.load("text")
    return text
