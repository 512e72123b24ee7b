"""Ubongo's levels: how long each takes, how often in time, and whether it beats the one below.

    python benchmarks/ubongo_bots.py [--games N]

Times and shares are over every puzzle of the standard deck, one try each. Games are whole matches
by the rules, on a clock that jumps from one thing that happens to the next; only the pieces of the
solution are laid, since what was taken back again changes nothing. One seat is of the higher level,
all others of the one below; the seat and the cards change from game to game.
"""

import argparse
from itertools import pairwise
from math import sqrt
from statistics import median

from pytlik.chance import Chance, from_text
from pytlik.game import Expire, Opening, Ready
from pytlik.ubongo import cards, rules
from pytlik.ubongo.bots import LEVELS, Schedule, Step
from pytlik.ubongo.hourglass import deadline
from pytlik.ubongo.messages import Place
from pytlik.ubongo.model import Colour, Deal, Options, Phase, SideName, State
from pytlik.ubongo.rounds import outcome
from pytlik.ubongo.view import View, view

SECONDS = 60


def deals(side: SideName) -> list[Deal]:
    deck = cards.load()
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


def before(deal: Deal, *, timed: bool) -> View:
    """What a seat sees when the round has begun."""
    chance = from_text("benchmark")
    state = opened(2, deal.side, chance)
    state = State(
        options=Options(pieces=deal.side, seconds=SECONDS if timed else None),
        players=2,
        books=state.books,
        playing=(0, 1),
        round=1,
        phase=Phase.SOLVING,
        began=0,
        sand=1000 * SECONDS if timed else None,
        deals={0: deal, 1: deal},
        placed={0: {}, 1: {}},
    )
    return view(state, 0)


def opened(players: int, side: SideName, chance: Chance) -> State:
    opening = Opening(players=players, commitment="", shares=("",) * players)
    options = Options(pieces=side, seconds=SECONDS)
    state: State | None = None
    for event in rules.open_match(opening, options, chance, 0, deck=cards.load()):
        state = rules.apply(state, event)
    assert state is not None
    return state


def solution(schedule: Schedule) -> list[Step]:
    """The steps that are not undone later."""
    last: dict[int, Step] = {}
    for step in schedule:
        action = step[1]
        if isinstance(action, Place):
            last[action.piece] = step
        else:
            last.pop(getattr(action, "piece", -1), None)
    return sorted(last.values(), key=lambda step: step[0])


def match(levels: list[str], side: SideName, seed: str) -> tuple[int, ...]:
    """The winners of a whole match."""
    chance = from_text(seed)
    state, now = opened(len(levels), side, chance), 0
    steps: dict[int, list[Step]] = {}
    planned = 0
    while (ended := outcome(state)) is None:
        if state.phase is Phase.READY:
            seat, action = rules.awaited(state)[0], Ready()
            doing: tuple[int | None, object] = seat, action
        else:
            if state.phase is Phase.SOLVING and planned < state.round:
                planned = state.round
                steps = {
                    seat: solution(
                        LEVELS[levels[seat]](
                            view(state, seat), chance.stream(f"bot {seat} in {planned}")
                        )
                    )
                    for seat in state.playing
                }
            waiting = rules.awaited(state)
            moves = [(steps[seat][0][0], seat) for seat in waiting if steps.get(seat)]
            due = deadline(state)
            if moves and (due is None or min(moves)[0] < due):
                now, seat = min(moves)
                doing = seat, steps[seat].pop(0)[1]
            else:
                assert due is not None
                now, doing = due, (None, Expire())
        for event in rules.decide(state, doing[0], doing[1], chance, now):  # type: ignore[arg-type]
            state = rules.apply(state, event)
    return ended.winners


def share(players: int, higher: str, lower: str, side: SideName, games: int) -> float:
    """Of all victories; one that is shared counts in parts."""
    won = 0.0
    for game in range(games):
        seat = game % players
        levels = [higher if other == seat else lower for other in range(players)]
        winners = match(levels, side, f"{players} {side} {higher} {game}")
        won += (seat in winners) / len(winners)
    return won / games


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    games = parser.parse_args().games
    print(f"Median seconds without a timer, and solved within {SECONDS} s and {2 * SECONDS} s.\n")
    print("| level | 3 pieces | in time | second chance | 4 pieces | in time | second chance |")
    print("| --- |" + " ---: |" * 6)
    for name, bot in LEVELS.items():
        cells = []
        for side in (3, 4):
            times = [
                bot(before(deal, timed=False), from_text(f"{deal.card} {deal.colour}").stream(name))
                for deal in deals(side)
            ]
            takes = [schedule[-1][0] / 1000 for schedule in times]
            cells += [f"{median(takes):.0f}"]
            for limit in (SECONDS, 2 * SECONDS):
                cells += [f"{sum(time <= limit for time in takes) / len(takes):.0%}"]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print(f"\nVictories of one seat among seats of the level below, {games} games each (± 95 %).\n")
    print("| level | pieces | 2 players | 3 players | 4 players |")
    print("| --- | ---: | ---: | ---: | ---: |")
    names = list(LEVELS)
    for lower, higher in pairwise(names):
        for side in (3, 4):
            cells = []
            for players in (2, 3, 4):
                won = share(players, higher, lower, side, games)  # type: ignore[arg-type]
                cells.append(f"{won:.0%} ± {1.96 * sqrt(won * (1 - won) / games):.0%}")
            print(f"| {higher} | {side} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
