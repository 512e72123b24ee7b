"""A person's place at a table, in this process or on a server: actions go in, news comes out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.protocol.messages import TableInfo


@dataclass(frozen=True)
class MatchUpdate:
    """The match as the person may see it now, and what has happened since the last update."""

    view: Any
    events: tuple[Any, ...]
    names: tuple[str, ...]


@dataclass(frozen=True)
class Refused:
    """An action was refused, and nothing has changed."""

    reason: str
    detail: dict[str, Any]


@dataclass(frozen=True)
class TableUpdate:
    """Who sits at a table on a server, and what has been agreed on."""

    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool
    names: tuple[str, ...]

    @property
    def is_alone(self) -> bool:
        """Whether only bots sit at the table besides the person, so that another match can begin at
        once."""
        return all(
            chair.kind == "bot" or seat in self.yours
            for seat, chair in enumerate(self.table.chairs)
        )

    @property
    def seat_that_may_start(self) -> Seat | None:
        """The seat of whoever may start the match: the host's, or the first that a person has if
        the host is a television."""
        if self.table.host_seat is not None:
            return self.table.host_seat
        people = (seat for seat, chair in enumerate(self.table.chairs) if chair.kind == "person")
        return next(people, None)

    @property
    def decides_start(self) -> bool:
        return self.host or self.seat_that_may_start in self.yours


@dataclass(frozen=True)
class ChatLine:
    """A line of chat, a quick reaction, or a change of seats."""

    seat: Seat
    text: str | None
    reaction: str | None
    change: str | None = None
    name: str | None = None
    fresh: bool = True
    """Whether it's new: false for anything said before we joined."""
    number: int | None = None
    """A number that comes again takes the line back: then its text or its name is empty."""


@dataclass(frozen=True)
class ConnectionLost:
    """The connection is lost, and we're trying to connect again."""

    unsaved: int
    """How many actions may not have been stored yet; they're sent again."""
    table_known: bool
    """Whether we have seen the table before."""


@dataclass(frozen=True)
class Connected:
    """There is a connection, for the first time or again."""


@dataclass(frozen=True)
class PassphraseNeeded:
    """The server is private and asks for its passphrase."""

    wrong: bool
    """Whether the passphrase that was entered is wrong."""


@dataclass(frozen=True)
class SessionEnded:
    """There's nothing to wait for: no such table, or it's gone. Both fields are keys of texts."""

    title: str
    text: str


News = (
    MatchUpdate
    | Refused
    | TableUpdate
    | ChatLine
    | ConnectionLost
    | Connected
    | PassphraseNeeded
    | SessionEnded
)
Notify = Callable[[News], None]


class Session(Protocol):
    game: str | None
    """The name of the game; None until it is known."""

    def now(self) -> int:
        """Milliseconds on the clock of the match."""

    def act(self, action: Any) -> None:
        """Request an action. The result arrives as news."""

    async def run(self, notify: Notify) -> None:
        """Deliver the news for as long as there is any."""


def format_chat_line(line: ChatLine, names: Sequence[str], translate: Catalogue) -> str:
    """The line with the name of whoever said it."""
    if line.change is not None and f"page.table.change.{line.change}" in translate:
        name = line.name or translate("page.pass.player", n=line.seat + 1)
        return translate(f"page.table.change.{line.change}", name=name)
    what = line.text or ""
    if line.reaction is not None:
        key = f"page.table.reaction.{line.reaction}"
        what = translate(key) if key in translate else line.reaction
    name = names[line.seat] if line.seat < len(names) else ""
    return translate("page.table.says", name=name, what=what)
