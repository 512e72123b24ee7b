"""Unikat's `master` against OpenSpiel's information-set MCTS, with the same time for each decision.

This counts processor time, so other work on the machine takes nothing from either side. By the wall
clock it's the same as `pytlik arena unikat master openspiel-ismcts --seconds 0.3`.

    python benchmarks/master_against_openspiel.py --bot openspiel-ismcts --seconds 0.3 --games 40
"""

import argparse
from time import process_time
from unittest.mock import patch

from pytlik.adapters import bots_from_openspiel
from pytlik.arena.league import Contest, PairDeal, PairTally, play_deal
from pytlik.arena.ratings import win_share_interval
from pytlik.game import Budget
from pytlik.unikat.bots import strong_bots


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bot", choices=bots_from_openspiel.BOTS, default="openspiel-ismcts")
    parser.add_argument("--level", default="master")
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", default="openspiel")
    args = parser.parse_args()
    contest = Contest(
        game="unikat",
        bots=(args.level, args.bot),
        games=args.games,
        seed=args.seed,
        budget=Budget(args.seconds),
    )
    met = PairTally()
    with (
        patch.object(strong_bots, "perf_counter", process_time),
        patch.object(bots_from_openspiel, "perf_counter", process_time),
    ):
        for number in range(contest.deal_count):
            met = met.plus(play_deal(PairDeal(contest, 0, number)))
            low, high = win_share_interval(met.wins, met.games)
            print(
                f"{args.level} against {args.bot}, {args.seconds} s: {met.wins:g} of {met.games},"
                f" {met.wins / met.games:.1%} ({low:.1%} to {high:.1%})",
                flush=True,
            )


if __name__ == "__main__":
    main()
