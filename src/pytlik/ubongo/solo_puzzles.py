"""A puzzle for one person: a card to cover, without a race."""

from collections.abc import Mapping

from pytlik import chance
from pytlik.game import Illegal
from pytlik.ubongo import deck_files
from pytlik.ubongo.action_checks import check_place
from pytlik.ubongo.hexes import Shape
from pytlik.ubongo.model import Colour, Deal, Ledger, Options, SideName, State
from pytlik.ubongo.reasons import UbongoReason


def deal_puzzle(seed: str, side: SideName) -> Deal:
    """The puzzle of a seed, from all shipped cards that have this side."""
    stream = chance.from_text(seed).stream("puzzle")
    deck = deck_files.all_sides()
    card = stream.choice([card for card in deck.cards if side in card.sides])
    colour = stream.choice(tuple(Colour))
    face = card.sides[side]
    pieces = {number: deck.pieces[colour][number] for number in face.sets[colour]}
    return Deal(card=card.id, side=side, colour=colour, area=face.area, pieces=pieces)


def check_solution(deal: Deal, placed: Mapping[int, Shape]) -> None:
    """Raise Illegal, as the rules of placing say (G7, G8), unless the pieces cover the card."""
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
