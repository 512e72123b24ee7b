"""Unikat's kernel beside other simulators of games: random games, decisions a second on one core.

    python benchmarks/kernel.py

"Own loop": nothing of Python runs between two decisions. OpenSpiel has no call for that, but its
MCTS bot with a single simulation and many random rollouts spends its time there. "From Python":
legal actions asked for, one chosen, done, for whole games with their deals. Peers that are not
installed are left out (`pip install open_spiel pettingzoo[classic]`). The runs take turns and the
best of each counts, in seconds of the processor, so that the ratios hold on a busy machine as well.
"""

import argparse
import importlib
import sys
import time
import warnings
from collections.abc import Callable
from random import Random
from types import ModuleType
from typing import Any

from pytlik.unikat import kernel

Run = Callable[[], int]
"""Plays some games; how many decisions they took."""


def installed(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


# ------------------------------------------------------------------------------------------ ours


def own_loop(players: int, games: int) -> Run:
    return lambda: kernel.random_games(players, games, 1)[0]


def stepped(games: int) -> Run:
    def run() -> int:
        round_, random, decisions = kernel.Round(), Random(1).random, 0
        round_.seed(1)
        for _ in range(games):
            round_.deal(2)
            while not round_.over:
                legal = round_.legal()
                round_.step(legal[int(random() * len(legal))])
                decisions += 1
        return decisions

    return run


def playouts(policy: int, games: int) -> Run:
    """Not decisions, but whole rounds."""

    def run() -> int:
        round_ = kernel.Round()
        round_.seed(1)
        for _ in range(games):
            round_.deal(2)
            round_.play_out([policy, policy])
        return games

    return run


# ----------------------------------------------------------------------------------------- peers


def spiel_stepped(pyspiel: Any, name: str, games: int) -> Run:
    game = pyspiel.load_game(name)

    def run() -> int:
        random, decisions = Random(1).random, 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[int(random() * len(outcomes))][0])
                else:
                    legal = state.legal_actions()
                    state.apply_action(legal[int(random() * len(legal))])
                    decisions += 1
        return decisions

    return run


def spiel_own_loop(pyspiel: Any, name: str, rollouts: int) -> Run:
    game, random = pyspiel.load_game(name), Random(1)
    dealt = game.new_initial_state()
    while dealt.is_chance_node():
        dealt.apply_action(random.choice(dealt.chance_outcomes())[0])
    # A rollout does not tell its length: it is that of random games from the same deal.
    lengths = []
    for _ in range(300):
        state, length = dealt.clone(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(random.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                length += 1
        lengths.append(length)
    mean = sum(lengths) / len(lengths)

    def run() -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)  # noqa: FBT003
        bot.step(dealt)
        return int(rollouts * mean)

    return run


def zoo_connect_four(module: Any, games: int) -> Run:
    def run() -> int:
        env, random, decisions = module.env(), Random(1), 0
        for seed in range(games):
            env.reset(seed=seed)
            while env.agents:
                seen, _, ended, cut, _ = env.last()
                if ended or cut:
                    env.step(None)
                    continue
                columns = [column for column, free in enumerate(seen["action_mask"]) if free]
                env.step(random.choice(columns))
                decisions += 1
        return decisions

    return run


# ----------------------------------------------------------------------------------------- table


def best(runs: dict[str, Run], repeats: int) -> dict[str, float]:
    rates = dict.fromkeys(runs, 0.0)
    for number in range(repeats):
        for name, run in runs.items():
            sys.stderr.write(f"\r{number + 1} of {repeats}: {name:40}")
            began = time.process_time()
            count = run()
            rates[name] = max(rates[name], count / (time.process_time() - began))
    sys.stderr.write("\r" + " " * 60 + "\r")
    return rates


def table(title: str, rates: dict[str, float], aims: dict[str, float]) -> None:
    ours, mine = next(iter(rates.items()))
    print(f"\n{title}\n  {ours:38} {mine:14,.0f}")
    for name, rate in list(rates.items())[1:]:
        aim = f"   aim {aims[name]:g} x" if name in aims else ""
        print(f"  {name:38} {rate:14,.0f}   {mine / rate:6.2f} x{aim}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    many = 100 if kernel.COMPILED else 1
    pyspiel, zoo = installed("pyspiel"), installed("pettingzoo.classic.connect_four_v3")
    own: dict[str, Run] = {"Unikat, 2 players": own_loop(2, 200 * many)}
    driven: dict[str, Run] = {"Unikat, 2 players": stepped(10 * many)}
    if pyspiel:
        for name in ("hearts", "crazy_eights"):
            own[f"OpenSpiel {name}"] = spiel_own_loop(pyspiel, name, 10_000)
        for name in ("crazy_eights", "hearts", "hanabi"):
            driven[f"OpenSpiel {name}"] = spiel_stepped(pyspiel, name, 100)
    if zoo:
        driven["PettingZoo connect_four"] = zoo_connect_four(zoo, 40)
    # Their length is the same in every run.
    steps = {players: own_loop(players, 10 * many)() / (10 * many) for players in (2, 3, 4)}
    rounds: dict[str, Run] = {
        f"uniform, {players} players": own_loop(players, 100 * many) for players in (2, 3, 4)
    }
    policies: dict[str, Run] = {
        "uniform": playouts(kernel.UNIFORM, 20 * many),
        "eager": playouts(kernel.EAGER, 5 * many),
        "patient": playouts(kernel.PATIENT, 2 * many),
    }
    how = "compiled" if kernel.COMPILED else "uncompiled"
    print(f"Decisions a second, one core; the kernel {how}; best of {args.repeats}")
    table("own loop", best(own, args.repeats), {"OpenSpiel hearts": 3, "OpenSpiel crazy_eights": 4})
    table(
        "from Python",
        best(driven, args.repeats),
        {"OpenSpiel crazy_eights": 3.5, "OpenSpiel hanabi": 7, "PettingZoo connect_four": 100},
    )
    print("\nrandom games a second, own loop")
    for (name, rate), length in zip(
        best(rounds, args.repeats).items(), steps.values(), strict=True
    ):
        print(f"  {name:38} {rate / length:14,.0f}   {length:.0f} decisions each")
    print("\nplayouts of whole rounds a second, 2 players of one policy")
    for name, rate in best(policies, args.repeats).items():
        print(f"  {name:38} {rate:14,.0f}")


if __name__ == "__main__":
    main()
