"""Ubongo's puzzles of the day: the same for everyone, one for each side of the cards, and who was
quick.

Which puzzle it is follows from the date alone. It is shown when somebody starts, and to everyone
when the day is over.
"""

from datetime import date

from pytlik import chance
from pytlik.game import Illegal
from pytlik.protocol.reasons import ServerReason
from pytlik.server.clock import Clock
from pytlik.server.daily_board import DailyBoards
from pytlik.server.tables import Holder
from pytlik.store import Store
from pytlik.ubongo import deck_files
from pytlik.ubongo.action_checks import check_place
from pytlik.ubongo.hexes import Shape
from pytlik.ubongo.model import Colour, Deal, Ledger, Options, SideName, State
from pytlik.ubongo.reasons import UbongoReason


def puzzle(day: date, side: SideName) -> Deal:
    stream = chance.from_text(f"daily ubongo {day} {side}").stream("puzzle")
    deck = deck_files.all_sides()
    card = stream.choice([card for card in deck.cards if side in card.sides])
    colour = stream.choice(tuple(Colour))
    face = card.sides[side]
    pieces = {number: deck.pieces[colour][number] for number in face.sets[colour]}
    return Deal(card=card.id, side=side, colour=colour, area=face.area, pieces=pieces)


def check(deal: Deal, placed: dict[int, Shape]) -> None:
    """Is the puzzle solved? Raises Illegal with what the rules of placing say (G7, G8)."""
    laid: dict[int, Shape] = {}
    for piece, cells in placed.items():
        state = State(
            options=Options(),
            players=1,
            books=Ledger(display={}, bag={}, held=()),
            playing=(0,),
            deals={0: deal},
            placed={0: laid},
        )
        check_place(state, 0, piece, cells)
        laid = {**laid, piece: cells}
    if sum(map(len, laid.values())) < len(deal.area):
        raise Illegal(UbongoReason.NOT_COVERED)


class UbongoDaily(DailyBoards):
    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, clock, "ubongo")

    async def solve(
        self, day: date, side: SideName, holder: Holder, name: str, placed: dict[int, Shape]
    ) -> None:
        """Note the time; if somebody solves it again, only the name is new."""
        now = self.clock()
        check(puzzle(day, side), placed)
        mine = await self.row(day, side, holder)
        if mine is None:
            raise Illegal(ServerReason.NOT_STARTED)
        if mine.ms is None:
            await self.put_result(day, side, mine, name, side, now)
        else:
            await self.rename(day, side, holder, name)
