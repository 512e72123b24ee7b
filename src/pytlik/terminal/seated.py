"""A person's place at a table, whether the table is in this process or on a server: what they ask
for goes in, and news come out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.protocol.messages import TableInfo


@dataclass(frozen=True)
class Seen:
    """The match as the person may see it now, and what has happened since they last saw it."""

    view: Any
    events: tuple[Any, ...]
    names: tuple[str, ...]


@dataclass(frozen=True)
class Refused:
    """It was not done, and nothing has changed."""

    reason: str
    detail: dict[str, Any]


@dataclass(frozen=True)
class TableSeen:
    """Who sits at the table on a server, and what is agreed there."""

    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool
    names: tuple[str, ...]


@dataclass(frozen=True)
class Spoken:
    """A line of chat, one of the quick reactions, or what has happened to a seat."""

    seat: Seat
    text: str | None
    reaction: str | None
    change: str | None = None
    name: str | None = None
    fresh: bool = True
    """Whether it was said just now; or earlier, and is told to whoever comes."""
    number: int | None = None
    """Comes again if somebody has taken back what they said: then the text or name is empty."""


def spoken_line(line: Spoken, names: Sequence[str], say: Catalogue) -> str:
    """Who says what."""
    if line.change is not None and f"page.table.change.{line.change}" in say:
        name = line.name or say("page.pass.player", n=line.seat + 1)
        return say(f"page.table.change.{line.change}", name=name)
    what = line.text or ""
    if line.reaction is not None:
        key = f"page.table.reaction.{line.reaction}"
        what = say(key) if key in say else line.reaction
    name = names[line.seat] if line.seat < len(names) else ""
    return say("page.table.says", name=name, what=what)


@dataclass(frozen=True)
class LineCut:
    """The connection is lost, and is being made again."""

    unsaved: int
    """How many actions are not known to be stored; they are sent again."""
    known: bool
    """Whether the table was seen before."""


@dataclass(frozen=True)
class LineBack:
    """There is a connection, for the first time or again."""


@dataclass(frozen=True)
class PassphraseNeeded:
    """The server is private."""

    wrong: bool
    """Whether one was said, and it was not that."""


@dataclass(frozen=True)
class Ended:
    """It is of no use to wait any longer: there is no such table, or it is gone."""

    title: str
    """The key of a text."""
    text: str


News = Seen | Refused | TableSeen | Spoken | LineCut | LineBack | PassphraseNeeded | Ended
Tell = Callable[[News], None]


class Seated(Protocol):
    game: str | None
    """Which is played; None as long as that is not known."""

    def now(self) -> int:
        """Milliseconds on the clock that the match goes by."""

    def act(self, action: Any) -> None:
        """Ask for something. What comes of it is among the news."""

    async def run(self, tell: Tell) -> None:
        """Tell the news, for as long as there are any."""
