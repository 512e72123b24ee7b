"""Pytlik in a notebook: objects draw themselves.

Once this module is imported, Jupyter draws tiles, boards, positions, states and views of both
games, Ubongo's cards and deals, and matches. Rules and views know nothing about it.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import singledispatch
from pathlib import Path
from typing import Any, overload

from pytlik import matchfile
from pytlik.drawing import ubongo_pictures, unikat_pictures
from pytlik.drawing.picture import Picture, side_by_side
from pytlik.drawing.primitives import Group, Text, rectangle_path
from pytlik.drawing.primitives import Path as Line
from pytlik.drawing.style import INK, LINE, SURFACE, Style
from pytlik.game import Seat
from pytlik.matchfile import MatchRecord
from pytlik.text import find_game_text
from pytlik.ubongo import model as ubongo
from pytlik.ubongo import view as ubongo_view
from pytlik.unikat import model as unikat
from pytlik.unikat import view as unikat_view
from pytlik.unikat.position import Position, to_state

__all__ = ["Picture", "Replay", "draw", "draw_pieces", "load_ipython_extension", "read"]


# ----------------------------------------------------------------------------------------- drawing


def draw(thing: Any, *, solution: bool = False, **style: Any) -> Picture:
    """The picture of anything that can be drawn.

    `style`: `skin` ("huch", "granna"), `patterns` (True, False), `names` of the seats, and `lang`.
    With `solution` a deal is shown solved.
    """
    if solution and isinstance(thing, ubongo.Deal):
        solved = ubongo_pictures.find_solution(thing.area, thing.pieces)
        return ubongo_pictures.deal_picture(thing, solved, Style(**style))
    return _draw(thing, Style(**style))


def draw_pieces(colour: str, *numbers: int, **style: Any) -> Picture:
    """Ubongo's pieces of a colour: all 13, or those with these numbers."""
    return ubongo_pictures.pieces_picture(ubongo.Colour(colour), numbers, style=Style(**style))


@singledispatch
def _draw(thing: Any, style: Style) -> Picture:
    raise TypeError(f"there is no picture of a {type(thing).__name__}")


@_draw.register
def _draw_tile(thing: unikat.Tile, style: Style) -> Picture:
    return unikat_pictures.tile_picture(thing, style)


@_draw.register
def _draw_hand(thing: tuple, style: Style) -> Picture:  # type: ignore[type-arg]
    """A hand, or any other tiles."""
    return unikat_pictures.hand_picture([unikat.Tile(tile) for tile in thing], style)


@_draw.register
def _draw_board(thing: unikat.Board, style: Style) -> Picture:
    return unikat_pictures.board_picture(thing.stones, style)


@_draw.register
def _draw_unikat_view(thing: unikat_view.View, style: Style) -> Picture:
    return unikat_pictures.table_picture(unikat_pictures.contents_from_view(thing), style)


@_draw.register
def _draw_unikat_state(thing: unikat.State, style: Style) -> Picture:
    return unikat_pictures.table_picture(unikat_pictures.contents_from_state(thing), style)


@_draw.register
def _draw_position(thing: Position, style: Style) -> Picture:
    return unikat_pictures.table_picture(
        unikat_pictures.contents_from_state(to_state(thing)), style
    )


@_draw.register
def _draw_ubongo_view(thing: ubongo_view.View, style: Style) -> Picture:
    return ubongo_pictures.view_picture(thing, style)


@_draw.register
def _draw_ubongo_state(thing: ubongo.State, style: Style) -> Picture:
    return ubongo_pictures.view_picture(ubongo_view.open_view(thing, None), style)


@_draw.register
def _draw_card(thing: ubongo.Card, style: Style) -> Picture:
    return ubongo_pictures.card_picture(thing, style=style)


@_draw.register
def _draw_card_side(thing: ubongo.Side, style: Style) -> Picture:
    return ubongo_pictures.side_picture(thing, "", style=style)


@_draw.register
def _draw_deal(thing: ubongo.Deal, style: Style) -> Picture:
    return ubongo_pictures.deal_picture(thing, style=style)


@_draw.register
def _draw_match_strip(thing: MatchRecord, style: Style) -> Picture:
    names = style.names or tuple(player.name for player in thing.seats)
    return Replay(
        thing, skin=style.skin, patterns=style.patterns, names=names, lang=style.lang
    ).strip()


# ----------------------------------------------------------------------------------------- replays


class Replay(Sequence[Picture]):
    """A match as pictures, one for each event that has a description."""

    def __init__(self, match: MatchRecord, seat: Seat | None = None, **style: Any) -> None:
        """As one seat saw it, or with everything open."""
        self.match, self.seat = match, seat
        self.style = Style(**({"names": tuple(player.name for player in match.seats)} | style))
        self._states = list(matchfile.states(match))
        described = [index for index in range(len(self._states)) if self.line(index)]
        # A match that has only been opened has no described event, but it can be drawn.
        self._steps = described or [len(self._states) - 1]

    def line(self, index: int) -> str | None:
        """An event of the match in words, or None if there is nothing to say."""
        event = self.match.events[index]
        if self.seat is not None:
            event = self.match.game.mask(event, self.seat)
        text = find_game_text(self.match.game)
        if text is None:
            return None
        return text.describe_event(event, self.style.names, self.seat, self.style.translate)

    def __len__(self) -> int:
        return len(self._steps)

    @overload
    def __getitem__(self, step: int) -> Picture: ...
    @overload
    def __getitem__(self, step: slice) -> Sequence[Picture]: ...
    def __getitem__(self, step: int | slice) -> Picture | Sequence[Picture]:
        if isinstance(step, slice):
            return [self[at] for at in range(*step.indices(len(self)))]
        index = self._steps[step]
        game = self.match.game
        see = game.open_view if self.seat is None else game.view
        picture = _draw(see(self._states[index], self.seat), self.style)
        number = range(len(self))[step] + 1
        return _add_caption(picture, f"{number}/{len(self)}  {self.line(index) or ''}")

    def __iter__(self) -> Iterator[Picture]:
        return (self[step] for step in range(len(self)))

    def strip(self, pictures: int = 4) -> Picture:
        """Some moments side by side, the first and the last among them."""
        last = len(self) - 1
        count = max(min(pictures, len(self)), 1)
        chosen = sorted({round(last * at / max(count - 1, 1)) for at in range(count)})
        moments = [self[step] for step in chosen] if count > 1 else [self[last]]
        return side_by_side(moments, "; ".join(moment.title for moment in moments))

    def _repr_svg_(self) -> str:
        return self.strip().svg


def read(file: str | Path, seat: Seat | None = None, **style: Any) -> Replay:
    """A match file as pictures."""
    return Replay(matchfile.decode(Path(file).read_bytes()), seat, **style)


def _add_caption(picture: Picture, text: str) -> Picture:
    """Add a text below a picture, broken into lines where the picture ends."""
    max_length = max(int(picture.width / 6.6), 20)
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        lines[-1:] = [longer] if len(longer) <= max_length else [lines[-1], word]
    height = 18 * len(lines) + 10
    background = Line(
        rectangle_path(0, 0, picture.width, height, 8), fill=SURFACE, stroke=LINE, width=1
    )
    words = tuple(Text(10, 20 + 18 * at, line, 13, INK) for at, line in enumerate(lines))
    below = Group((background, *words), y=picture.height + 6)
    marks = (*picture.marks, below)
    return Picture(picture.width, picture.height + 6 + height, marks, f"{text}. {picture.title}")


# ----------------------------------------------------------------------------------------- Jupyter

DRAWABLE: tuple[type[Any], ...] = (
    unikat.Tile,
    unikat.Board,
    unikat.State,
    unikat_view.View,
    Position,
    ubongo.Card,
    ubongo.Side,
    ubongo.Deal,
    ubongo.State,
    ubongo_view.View,
    MatchRecord,
)
"""The types that draw themselves."""


def load_ipython_extension(shell: Any) -> None:
    """Tell IPython how to draw. Called by `%load_ext pytlik.notebook`, and on import."""
    formatter = shell.display_formatter.formatters["image/svg+xml"]
    for kind in DRAWABLE:
        formatter.for_type(kind, _draw_svg)


def _draw_svg(thing: Any) -> str:
    return draw(thing).svg


def running_shell() -> Any:
    """The IPython that runs this, if any. It needn't be installed."""
    get: Callable[[], Any] | None = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return get() if get else None


if (shell := running_shell()) is not None:
    load_ipython_extension(shell)
