"""Unikat's kernel and other simulators of games: random games, decisions per second on one core.

"Own loop" means that no Python runs between two decisions. OpenSpiel has no call for that, but its
MCTS bot with a single simulation and many random rollouts spends its time there. "From Python"
means that Python asks for the legal actions, chooses one and does it, for whole games with their
deals.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from pytlik.bench.measurement import Bench, Run, import_if_installed
from pytlik.unikat.bots.strong_bots import evaluator_for
from pytlik.unikat.engine import kernel

OWN_NAME = "Unikat"
PEERS = {
    "OpenSpiel": "pyspiel",
    "PettingZoo": "pettingzoo.classic.connect_four_v3",
    "RLCard": "rlcard",
}
"""The module to import for each."""


def benches() -> Iterator[Bench]:
    # Uncompiled, it's a hundred times slower.
    many = 100 if kernel.COMPILED else 1
    pyspiel = import_if_installed(PEERS["OpenSpiel"])
    own: dict[str, Run] = {OWN_NAME: make_kernel_loop_run(2, 200 * many)}
    driven: dict[str, Run] = {OWN_NAME: make_kernel_steps_run(10 * many)}
    if pyspiel:
        for name in ("hearts", "crazy_eights"):
            own[f"OpenSpiel {name}"] = make_openspiel_loop_run(pyspiel, name, 10_000)
        for name in ("crazy_eights", "hearts", "hanabi"):
            driven[f"OpenSpiel {name}"] = make_openspiel_steps_run(pyspiel, name, 100)
    if connect_four := import_if_installed(PEERS["PettingZoo"]):
        driven["PettingZoo connect_four"] = make_pettingzoo_steps_run(connect_four, 40)
    if rlcard := import_if_installed(PEERS["RLCard"]):
        for name in ("uno", "gin-rummy"):
            driven[f"RLCard {name}"] = make_rlcard_steps_run(rlcard, name, 10)
    yield Bench("bench.own_loop", own, {"OpenSpiel hearts": 3, "OpenSpiel crazy_eights": 4})
    yield Bench(
        "bench.from_python",
        driven,
        {"OpenSpiel crazy_eights": 3.5, "OpenSpiel hanabi": 7, "PettingZoo connect_four": 100},
    )
    rounds = {str(players): make_random_games_run(players, 100 * many) for players in (2, 3, 4)}
    yield Bench("bench.random_games", rounds, compared=False)
    policies = {
        "random": make_random_playouts_run(20 * many),
        "hard": make_evaluated_playouts_run(many),
    }
    yield Bench("bench.playouts", policies, compared=False)


# ------------------------------------------------------------------------------------------ ours


def make_kernel_loop_run(players: int, games: int) -> Run:
    """Count decisions."""
    return lambda: kernel.random_games(players, games, 1)[0]


def make_random_games_run(players: int, games: int) -> Run:
    """Count whole games."""

    def run() -> int:
        kernel.random_games(players, games, 1)
        return games

    return run


def make_kernel_steps_run(games: int) -> Run:
    def run() -> int:
        round_, random, decisions = kernel.Round(), Random(1).random, 0
        round_.seed(1)
        for _ in range(games):
            round_.deal(2)
            while not round_.is_over:
                legal = round_.legal()
                round_.step(legal[int(random() * len(legal))])
                decisions += 1
        return decisions

    return run


def make_random_playouts_run(games: int) -> Run:
    """Whole rounds, each dealt and played from Python in two calls."""

    def run() -> int:
        round_ = kernel.Round()
        round_.seed(1)
        for _ in range(games):
            round_.deal(2)
            round_.play_randomly()
        return games

    return run


def make_evaluated_playouts_run(games: int) -> Run:
    """Whole rounds in which everyone plays by the evaluation, as `master` simulates them."""

    def run() -> int:
        round_, evaluator = kernel.Round(), evaluator_for(2)
        round_.seed(1)
        for number in range(games):
            round_.deal(2)
            evaluator.guess(round_, number, 0)
            evaluator.play_guess([])
        return games

    return run


# ----------------------------------------------------------------------------------------- peers


def make_openspiel_steps_run(pyspiel: Any, name: str, games: int) -> Run:
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


def make_openspiel_loop_run(pyspiel: Any, name: str, rollouts: int) -> Run:
    game, random = pyspiel.load_game(name), Random(1)
    dealt = game.new_initial_state()
    while dealt.is_chance_node():
        dealt.apply_action(random.choice(dealt.chance_outcomes())[0])
    # A rollout doesn't report its length, so take the mean of random games from the same deal.
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


def make_pettingzoo_steps_run(connect_four: Any, games: int) -> Run:
    def run() -> int:
        env, random, decisions = connect_four.env(), Random(1), 0
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


def make_rlcard_steps_run(rlcard: Any, name: str, games: int) -> Run:
    env = rlcard.make(name, config={"seed": 1})

    def run() -> int:
        random, decisions = Random(1), 0
        for _ in range(games):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(random.choice(list(state["legal_actions"])))
                decisions += 1
        return decisions

    return run
