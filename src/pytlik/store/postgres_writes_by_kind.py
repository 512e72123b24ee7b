"""The writes of a commit, grouped by what they're about."""

from typing import Any, assert_never

from pytlik.store.circle_writes import CircleWrite
from pytlik.store.daily_writes import DailyWrite
from pytlik.store.notification_writes import NotificationWrite
from pytlik.store.writes import (
    Append,
    CheckStillDue,
    Connected,
    DeleteOldGuesses,
    DeleteTable,
    DeleteWorker,
    Disconnected,
    EndDowntime,
    GiveBackGuess,
    Heartbeat,
    MoveDeadline,
    PutSecret,
    PutState,
    PutTable,
    SetDeadlines,
    TakeGuess,
    TokenSeen,
    UpdateTrackedTokens,
    Write,
    split_match,
)

DeadlineKey = tuple[str, int, str]
"""The id of a table, the number of a match there, and the kind of a deadline."""


class WritesByKind:
    """The writes of a commit, grouped by what they're about. `fits_one_statement` says whether one
    statement can do them all: it can't change a row twice, and besides an append it can check only
    one thing that may be refused."""

    def __init__(self, writes: tuple[Write, ...]) -> None:
        self.fits_one_statement = True
        self.single_writes: dict[str, Any] = {}
        self.secrets: list[tuple[str, int, bytes]] = []
        self.due: dict[DeadlineKey, int | None] = {}
        self.moved: dict[DeadlineKey, tuple[int, int | None]] = {}
        self.here: dict[tuple[str, str, str], Connected | None] = {}
        for write in writes:
            self._add_to_group(write)
        refusable = self.single_writes.keys() & {
            "PutTable",
            "DeleteWorker",
            "Heartbeat",
            "EndDowntime",
        }
        if len(refusable) > 1 or self.due.keys() & self.moved.keys():
            self.fits_one_statement = False

    def _add_to_group(self, write: Write) -> None:
        if isinstance(write, (CircleWrite, DailyWrite, NotificationWrite)):
            self.fits_one_statement = False
            return
        match write:
            case (
                Append()
                | PutTable()
                | DeleteWorker()
                | Heartbeat()
                | EndDowntime()
                | CheckStillDue()
            ):
                name = type(write).__name__
                self.fits_one_statement &= name not in self.single_writes
                self.single_writes[name] = write
            case PutSecret(match, secret):
                self.secrets.append((*split_match(match), secret))
            case SetDeadlines(match, due):
                self.due.update({(*split_match(match), kind): at for kind, at in due.items()})
            case MoveDeadline(match, kind, due, to):
                key = (*split_match(match), kind)
                self.fits_one_statement &= key not in self.moved
                self.moved[key] = due, to
            case Connected(id, holder, worker, _):
                self.here[id, holder, worker] = write
            case Disconnected(id, holder, worker):
                self.here[id, holder, worker] = None
            case (
                DeleteTable() | TakeGuess() | GiveBackGuess() | DeleteOldGuesses() | TokenSeen()
                | UpdateTrackedTokens() | PutState()
            ):  # fmt: skip
                self.fits_one_statement = False
            case _:
                assert_never(write)
