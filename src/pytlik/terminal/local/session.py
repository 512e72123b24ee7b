"""A person's place at a table in this process, for the full-screen program."""

import asyncio
from collections.abc import Sequence
from typing import Any

from pytlik.game import Illegal
from pytlik.match import AnyMatch
from pytlik.terminal.local import YOU
from pytlik.terminal.local.bot_turns import BotTurns
from pytlik.terminal.session import MatchUpdate, Notify, Refused
from pytlik.terminal.system_clock import WaitingClock

BOT_PAUSE_MS = 800
"""The shortest time a bot takes for each decision, so that people can follow."""


class LocalSession:
    """Plays a match in this process. Bots think in a thread, so that the screen stays
    responsive."""

    def __init__(self, match: AnyMatch, names: Sequence[str], clock: WaitingClock) -> None:
        self.game: str | None = match.game.name
        self.match = match
        self._names = tuple(names)
        self._clock = clock
        self._bot_turns = BotTurns(match)
        self._reported = 0
        """How many events have been sent to the person."""
        self._notify: Notify = lambda _: None
        self._acted = asyncio.Event()

    def now(self) -> int:
        return self._clock.now()

    def act(self, action: Any) -> None:
        try:
            self.match.act(YOU, action, now=self.now())
        except Illegal as illegal:
            self._notify(Refused(illegal.reason, illegal.detail))
            return
        self._bot_turns.do_automatic_actions(self.now())
        self._send_match_update()
        self._acted.set()

    def _send_match_update(self) -> None:
        events = tuple(self.match.masked_events(YOU, self._reported))
        self._reported = len(self.match.events)
        self._notify(MatchUpdate(self.match.view(YOU), events, self._names))

    async def run(self, notify: Notify) -> None:
        self._notify = notify
        self._send_match_update()
        while self.match.outcome is None:
            for decision in self._bot_turns.pending_decisions():
                not_before = self.now() + BOT_PAUSE_MS
                schedule = await asyncio.to_thread(decision.think)
                self._bot_turns.set_plan(decision, schedule, not_before=not_before)
            await self._wait_then_act()

    async def _wait_then_act(self) -> None:
        """Wait for the person or for whatever is due next (deadline, bot), then let it happen."""
        deadline, step = self.match.deadline, self._bot_turns.next_step(self.now())
        moments = [deadline, step.moment if step else None]
        until = min((moment for moment in moments if moment is not None), default=None)
        if until is None or self.now() < until:
            await self._wait_for_person(until)
            return
        if deadline is not None and self.now() >= deadline:
            self.match.expire(now=self.now())
        elif step is not None:
            self._bot_turns.act(step, self.now())
        self._bot_turns.do_automatic_actions(self.now())
        self._send_match_update()

    async def _wait_for_person(self, until: int | None) -> None:
        """Return once the person has acted, or at the moment `until`."""
        waiting: list[asyncio.Future[Any]] = [asyncio.ensure_future(self._acted.wait())]
        if until is not None:
            waiting.append(asyncio.ensure_future(self._clock.wait(until)))
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waiting:
                one.cancel()
        self._acted.clear()
