"""Ubongo's puzzles of the day: the same for everyone, one for each side of the cards, and who was
fastest.

Which puzzle it is follows from the date alone. It's shown to everyone who has started it, and to
all when the day is over.
"""

from datetime import date

from pytlik.game import Illegal
from pytlik.protocol.reasons import ServerReason
from pytlik.server.clocks.clock import Clock
from pytlik.server.dailies.daily_leaderboard import DailyLeaderboards
from pytlik.server.tokens import Holder
from pytlik.store import Store
from pytlik.ubongo.hexes import Shape
from pytlik.ubongo.model import Deal, SideName
from pytlik.ubongo.solo_puzzles import check_solution, deal_puzzle


def daily_puzzle(day: date, side: SideName) -> Deal:
    return deal_puzzle(f"daily ubongo {day} {side}", side)


class UbongoDaily(DailyLeaderboards):
    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, clock, "ubongo")

    async def submit_solution(
        self, day: date, side: SideName, holder: Holder, name: str | None, placed: dict[int, Shape]
    ) -> None:
        """Check a solution and store its time. If somebody solves it again, at most the name
        changes."""
        now = self.clock()
        check_solution(daily_puzzle(day, side), placed)
        mine = await self.row(day, side, holder)
        if mine is None:
            raise Illegal(ServerReason.NOT_STARTED)
        if mine.ms is None:
            await self.put_result(day, side, mine, name, side, now)
        elif name is not None:
            await self.rename_result(day, side, holder, name)
