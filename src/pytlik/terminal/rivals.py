"""The bots that can sit down at a table in this process, and what those of Ubongo are going to
do."""

from collections.abc import Callable

from pytlik.game import Illegal, Seat
from pytlik.terminal.table import Table
from pytlik.ubongo.bots import LEVELS as UBONGO_BOTS
from pytlik.ubongo.bots import Schedule, Step
from pytlik.ubongo.hourglass import CREDIT
from pytlik.ubongo.reasons import UbongoReason
from pytlik.ubongo.view import View
from pytlik.unikat.bots import BOTS, LEVELS

UNIKAT_BOTS = {**BOTS, **LEVELS}

__all__ = ["LEVELS", "UBONGO_BOTS", "UNIKAT_BOTS", "Rivals"]


class Rivals:
    """The bots of Ubongo, who solve while a person does: each has said what it will do, and
    when."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._plans: list[tuple[Seat, Step]] = []

    def forget(self) -> None:
        self._plans = []

    def thoughts(self, view: View) -> list[tuple[Seat, Callable[[], Schedule]]]:
        """What each bot has to think about as the cards are shown. Thinking takes a moment, and may
        be done elsewhere: it needs nothing that changes."""

        def thought(seat: Seat, kind: str) -> Callable[[], Schedule]:
            seen, stream = self._table.view(seat), self._table.bot_stream()
            return lambda: UBONGO_BOTS[kind](seen, stream)

        seated = self._table.bots.items()
        return [(seat, thought(seat, kind)) for seat, kind in seated if seat in view.deals]

    def intend(self, seat: Seat, schedule: Schedule) -> None:
        self._plans += [(seat, step) for step in schedule]

    @property
    def due(self) -> int | None:
        """When the next of them does something."""
        return min((step[0] for _, step in self._plans), default=None)

    def move(self, now: int) -> None:
        """Let the one do it whose moment is first."""
        at, (seat, (_, action)) = min(
            enumerate(self._plans), key=lambda numbered: numbered[1][1][0]
        )
        del self._plans[at]
        try:
            self._table.act(seat, action, now)
        except Illegal as illegal:
            # In the moment between sand and verdict nobody moves: after it there may be a second
            # chance. Otherwise the round is over for this bot.
            if illegal.reason is UbongoReason.TOO_LATE:
                self._plans.append((seat, (now + CREDIT, action)))
