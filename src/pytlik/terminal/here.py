"""A place at a table in this process, with bots on the other seats."""

import asyncio
from typing import Any

from pytlik.game import Expire, Illegal, Ready, Seat
from pytlik.terminal.clock import WaitingClock
from pytlik.terminal.rivals import UNIKAT_BOTS, Rivals
from pytlik.terminal.seated import Refused, Seen, Tell
from pytlik.terminal.table import YOU, Table
from pytlik.ubongo.messages import RoundBegan
from pytlik.ubongo.model import Phase as UbongoPhase
from pytlik.ubongo.view import View as UbongoView
from pytlik.unikat.bots import BUDGET
from pytlik.unikat.model import Phase
from pytlik.unikat.view import View

A_LOOK = 800
"""A bot takes at least so long for an action, so that it can be followed (ms)."""


class SeatedHere:
    """Bots think in a thread, so that nothing stands still meanwhile."""

    def __init__(self, table: Table, clock: WaitingClock) -> None:
        self.game: str | None = table.game.name
        self.table = table
        self._clock = clock
        self._rivals = Rivals(table)
        self._told = 0
        self._tell: Tell | None = None
        self._woken = asyncio.Event()

    def now(self) -> int:
        return self._clock.now()

    def act(self, action: Any) -> None:
        try:
            if isinstance(action, Ready):
                self._everyone_is_ready()
            else:
                self.table.act(YOU, action, self.now())
        except Illegal as illegal:
            assert self._tell is not None
            self._tell(Refused(illegal.reason, illegal.detail))
        else:
            self._show()
            self._woken.set()

    def _everyone_is_ready(self) -> None:
        """Bots always are."""
        self._rivals.forget()
        for seat in self._waited_for():
            self.table.act(seat, Ready(), self.now())

    def _waited_for(self) -> tuple[Seat, ...]:
        view = self.table.view(YOU)
        return view.playing if isinstance(view, UbongoView) else tuple(range(view.players))

    def _show(self) -> None:
        assert self._tell is not None
        events = tuple(self.table.masked(self._told))
        self._told = len(self.table.events)
        self._tell(Seen(self.table.view(YOU), events, self.table.names))

    async def run(self, tell: Tell) -> None:
        self._tell = tell
        self._show()
        while not self.table.over:
            view = self.table.view(YOU)
            if isinstance(view, UbongoView):
                await self._pass_time(view)
            else:
                await self._next_turn(view)

    async def _something_asked(self, until: int | None = None) -> None:
        """Wait until the person has done something, or for a moment."""
        waiting: list[asyncio.Future[Any]] = [asyncio.ensure_future(self._woken.wait())]
        if until is not None:
            waiting.append(asyncio.ensure_future(self._clock.wait(until)))
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waiting:
                one.cancel()
        self._woken.clear()

    # --------------------------------------------------------------------------------- Unikat

    async def _next_turn(self, view: View) -> None:
        seat = view.to_move
        if view.phase is Phase.OVER or seat == YOU:
            await self._something_asked()
            return
        until = self.now() + A_LOOK
        bot = UNIKAT_BOTS[self.table.bots[seat]]
        stream = self.table.bot_stream()
        action = await asyncio.to_thread(bot, self.table.view(seat), stream, BUDGET)
        await self._clock.wait(until)
        self.table.act(seat, action, self.now())
        self._show()

    # --------------------------------------------------------------------------------- Ubongo

    async def _pass_time(self, view: UbongoView) -> None:
        """Wait for the person, or for what happens by itself next; then let that happen."""
        if view.phase is UbongoPhase.READY and YOU not in view.playing:
            # A deciding round among bots.
            self._everyone_is_ready()
            self._show()
            return
        due, bot = self.table.deadline(), self._rivals.due
        moments = [moment for moment in (due, bot) if moment is not None]
        until = min(moments, default=None)
        if until is None or self.now() < until:
            await self._something_asked(until)
            return
        events = len(self.table.events)
        if due is not None and self.now() >= due:
            self.table.act(None, Expire(), self.now())
        else:
            self._rivals.move(self.now())
        self._show()
        if any(isinstance(event, RoundBegan) for event in self.table.events[events:]):
            for seat, thought in self._rivals.thoughts(self.table.view(YOU)):
                self._rivals.intend(seat, await asyncio.to_thread(thought))
