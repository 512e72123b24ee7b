"""Pytlik in a notebook: what it holds draws itself.

Once this module is imported there, Jupyter draws tiles, boards, positions, states and views of both
games, Ubongo's cards and deals, and matches. Rules and views know nothing of it.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import singledispatch
from pathlib import Path
from typing import Any, overload

from pytlik import matchfile
from pytlik.drawing import puzzles, tables
from pytlik.drawing.look import INK, LINE, SURFACE, Look
from pytlik.drawing.marks import Path as Line
from pytlik.drawing.marks import Placed, Words, box
from pytlik.drawing.picture import Picture, beside
from pytlik.game import Seat
from pytlik.matchfile import MatchRecord
from pytlik.terminal.story import told
from pytlik.ubongo import model as ubongo
from pytlik.ubongo import view as ubongo_view
from pytlik.unikat import model as unikat
from pytlik.unikat import view as unikat_view
from pytlik.unikat.position import Position, to_state

__all__ = ["Picture", "Replay", "draw", "draw_pieces", "load_ipython_extension", "read"]


# ------------------------------------------------------------------------------------------ things


def draw(thing: Any, *, solution: bool = False, **look: Any) -> Picture:
    """The picture of anything that can be drawn.

    `look`: `skin` ("huch", "granna"), `patterns` (True, False), `names` of the seats, and `lang`.
    With `solution` a deal is shown solved.
    """
    if solution and isinstance(thing, ubongo.Deal):
        return puzzles.deal_picture(thing, puzzles.solved(thing.area, thing.pieces), Look(**look))
    return drawn(thing, Look(**look))


def draw_pieces(colour: str, *numbers: int, **look: Any) -> Picture:
    """Ubongo's pieces of a colour: all 13, or those with these numbers."""
    return puzzles.pieces_picture(ubongo.Colour(colour), numbers, look=Look(**look))


@singledispatch
def drawn(thing: Any, look: Look) -> Picture:
    raise TypeError(f"there is no picture of a {type(thing).__name__}")


@drawn.register
def _(thing: unikat.Tile, look: Look) -> Picture:
    return tables.tile_picture(thing, look)


@drawn.register
def _(thing: tuple, look: Look) -> Picture:  # type: ignore[type-arg]
    """A hand, or any other tiles."""
    return tables.hand_picture([unikat.Tile(tile) for tile in thing], look)


@drawn.register
def _(thing: unikat.Board, look: Look) -> Picture:
    return tables.board_picture(thing.stones, look)


@drawn.register
def _(thing: unikat_view.View, look: Look) -> Picture:
    return tables.table_picture(tables.seen(thing), look)


@drawn.register
def _(thing: unikat.State, look: Look) -> Picture:
    return tables.table_picture(tables.truth(thing), look)


@drawn.register
def _(thing: Position, look: Look) -> Picture:
    return tables.table_picture(tables.truth(to_state(thing)), look)


@drawn.register
def _(thing: ubongo_view.View, look: Look) -> Picture:
    return puzzles.view_picture(thing, look)


@drawn.register
def _(thing: ubongo.State, look: Look) -> Picture:
    return puzzles.view_picture(ubongo_view.open_view(thing, None), look)


@drawn.register
def _(thing: ubongo.Card, look: Look) -> Picture:
    return puzzles.card_picture(thing, look=look)


@drawn.register
def _(thing: ubongo.Side, look: Look) -> Picture:
    return puzzles.side_picture(thing, "", look=look)


@drawn.register
def _(thing: ubongo.Deal, look: Look) -> Picture:
    return puzzles.deal_picture(thing, look=look)


@drawn.register
def _(thing: MatchRecord, look: Look) -> Picture:
    names = look.names or tuple(player.name for player in thing.seats)
    return Replay(
        thing, skin=look.skin, patterns=look.patterns, names=names, lang=look.lang
    ).strip()


# ----------------------------------------------------------------------------------------- replays


class Replay(Sequence[Picture]):
    """A match as pictures, one for each event that there is something to say about."""

    def __init__(self, match: MatchRecord, seat: Seat | None = None, **look: Any) -> None:
        """As a seat saw it, or with everything open."""
        self.match, self.seat = match, seat
        self.look = Look(**({"names": tuple(player.name for player in match.seats)} | look))
        self._states = list(matchfile.states(match))
        spoken = [index for index in range(len(self._states)) if self.line(index)]
        # Of a match that has only been opened there is nothing to say, but something to see.
        self._steps = spoken or [len(self._states) - 1]

    def line(self, index: int) -> str | None:
        """What an event of the match brought, in words."""
        event = self.match.events[index]
        if self.seat is not None:
            event = self.match.game.mask(event, self.seat)
        return told(event, self.look.names, self.seat, self.look.say)

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
        picture = drawn(see(self._states[index], self.seat), self.look)
        number = range(len(self))[step] + 1
        return captioned(picture, f"{number}/{len(self)}  {self.line(index) or ''}")

    def __iter__(self) -> Iterator[Picture]:
        return (self[step] for step in range(len(self)))

    def strip(self, pictures: int = 4) -> Picture:
        """Some moments beside each other, the first and the last among them."""
        last = len(self) - 1
        count = max(min(pictures, len(self)), 1)
        chosen = sorted({round(last * at / max(count - 1, 1)) for at in range(count)})
        moments = [self[step] for step in chosen] if count > 1 else [self[last]]
        return beside(moments, "; ".join(moment.title for moment in moments), widest=340)

    def _repr_svg_(self) -> str:
        return self.strip().svg


def read(file: str | Path, seat: Seat | None = None, **look: Any) -> Replay:
    """A match file as pictures."""
    return Replay(matchfile.decode(Path(file).read_bytes()), seat, **look)


def captioned(picture: Picture, text: str) -> Picture:
    """A picture with a line beneath, broken where the picture ends."""
    most = max(int(picture.width / 6.6), 20)
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        lines[-1:] = [longer] if len(longer) <= most else [lines[-1], word]
    height = 18 * len(lines) + 10
    ground = Line(box(0, 0, picture.width, height, 8), fill=SURFACE, stroke=LINE, width=1)
    said = tuple(Words(10, 20 + 18 * at, line, 13, INK) for at, line in enumerate(lines))
    below = Placed((ground, *said), y=picture.height + 6)
    marks = (*picture.marks, below)
    return Picture(picture.width, picture.height + 6 + height, marks, f"{text}. {picture.title}")


# ----------------------------------------------------------------------------------------- Jupyter

DRAWN: tuple[type[Any], ...] = (
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
"""What draws itself."""


def load_ipython_extension(shell: Any) -> None:
    """Tell IPython how to draw. `%load_ext pytlik.notebook` calls this; so does importing us."""
    formatter = shell.display_formatter.formatters["image/svg+xml"]
    for kind in DRAWN:
        formatter.for_type(kind, svg)


def svg(thing: Any) -> str:
    return draw(thing).svg


def running_shell() -> Any:
    """The IPython that runs us, if any does. Nobody else has to install it."""
    ask: Callable[[], Any] | None = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return ask() if ask else None


if (shell := running_shell()) is not None:
    load_ipython_extension(shell)
