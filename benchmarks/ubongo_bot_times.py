"""How long each of Ubongo's levels takes, and how often it solves in time.

    python benchmarks/ubongo_bot_times.py

Every puzzle of the standard deck, once each. `pytlik arena` tells which level wins.
"""

from statistics import median

from pytlik.chance import from_text
from pytlik.ubongo import deck_files, gem_ledger
from pytlik.ubongo.bots import LEVELS
from pytlik.ubongo.model import Colour, Deal, Options, Phase, SideName, State
from pytlik.ubongo.view import View, view

SIDES: tuple[SideName, ...] = (3, 4)
TIMER_SECONDS = 60


def deals_of_deck(side: SideName) -> list[Deal]:
    deck = deck_files.load()
    return [
        Deal(
            card=card.id,
            side=side,
            colour=colour,
            area=card.sides[side].area,
            pieces={n: deck.pieces[colour][n] for n in card.sides[side].sets[colour]},
        )
        for card in deck.cards
        for colour in Colour
    ]


def view_of_deal(deal: Deal) -> View:
    """What a seat sees at the start of a round without a timer."""
    state = State(
        options=Options(pieces=deal.side, seconds=None),
        players=1,
        books=gem_ledger.new_ledger(1),
        playing=(0,),
        round=1,
        phase=Phase.SOLVING,
        began=0,
        deals={0: deal},
        placed={0: {}},
    )
    return view(state, 0)


def main() -> None:
    print(
        f"Median seconds without a timer, and solved within {TIMER_SECONDS} s"
        f" and {2 * TIMER_SECONDS} s.\n"
    )
    print("| level | 3 pieces | in time | second chance | 4 pieces | in time | second chance |")
    print("| --- |" + " ---: |" * 6)
    for name, bot in LEVELS.items():
        cells = []
        for side in SIDES:
            plans = [
                bot(view_of_deal(deal), from_text(f"{deal.card} {deal.colour}").stream(name))
                for deal in deals_of_deck(side)
            ]
            takes = [plan[-1][0] / 1000 for plan in plans]
            cells += [f"{median(takes):.0f}"]
            for limit in (TIMER_SECONDS, 2 * TIMER_SECONDS):
                cells += [f"{sum(time <= limit for time in takes) / len(takes):.0%}"]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
