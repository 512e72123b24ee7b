"""The writes of a commit, sorted by what they're about."""

from typing import Any, assert_never

from pytlik.store.daily_writes import DailyWrite
from pytlik.store.notification_writes import NotificationWrite
from pytlik.store.writes import (
    Append,
    Connected,
    Disconnected,
    DropTable,
    DropWorker,
    GiveBackGuess,
    Heartbeat,
    MoveDeadline,
    PutSecret,
    PutTable,
    SetDeadlines,
    StillDue,
    SweepGuesses,
    SweepTokens,
    TakeGuess,
    TokenSeen,
    WakeUp,
    Write,
    split_match,
)

DeadlineKey = tuple[str, int, str]
"""The id of a table, the number of a match there, and the kind of a deadline."""


class SortedWrites:
    """The writes of a commit by what they are about, where one statement can do them all: it may
    not change a row twice, and what may be refused can't be refused after something else was
    done. `whole` says whether it can."""

    def __init__(self, writes: tuple[Write, ...]) -> None:
        self.whole = True
        self.only: dict[str, Any] = {}
        self.secrets: list[tuple[str, int, bytes]] = []
        self.due: dict[DeadlineKey, int | None] = {}
        self.moved: dict[DeadlineKey, tuple[int, int | None]] = {}
        self.here: dict[tuple[str, str, str], Connected | None] = {}
        for write in writes:
            self._sort(write)
        refusable = self.only.keys() & {"PutTable", "DropWorker", "Heartbeat", "WakeUp"}
        if len(refusable) > 1 or self.due.keys() & self.moved.keys():
            self.whole = False

    def _sort(self, write: Write) -> None:
        if isinstance(write, (DailyWrite, NotificationWrite)):
            self.whole = False
            return
        match write:
            case Append() | PutTable() | DropWorker() | Heartbeat() | WakeUp() | StillDue():
                name = type(write).__name__
                self.whole &= name not in self.only
                self.only[name] = write
            case PutSecret(match, secret):
                self.secrets.append((*split_match(match), secret))
            case SetDeadlines(match, due):
                self.due.update({(*split_match(match), kind): at for kind, at in due.items()})
            case MoveDeadline(match, kind, due, to):
                key = (*split_match(match), kind)
                self.whole &= key not in self.moved
                self.moved[key] = due, to
            case Connected(id, holder, worker, _):
                self.here[id, holder, worker] = write
            case Disconnected(id, holder, worker):
                self.here[id, holder, worker] = None
            case (
                DropTable() | TakeGuess() | GiveBackGuess() | SweepGuesses() | TokenSeen()
                | SweepTokens()
            ):  # fmt: skip
                self.whole = False
            case _:
                assert_never(write)
