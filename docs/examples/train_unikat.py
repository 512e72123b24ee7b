"""Learn Unikat from nothing but wins and losses, through the PettingZoo environment.

    pip install 'pytlik[pettingzoo,plot]'
    python docs/examples/train_unikat.py --rounds 400 --plot curve.png

A policy computes a few features of each legal step, all from the observation, weighs them and
prefers steps that weigh more (a softmax). It plays against itself; after each batch of rounds the
weights move towards what the winners did (REINFORCE). Now and then it plays against random steps.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytlik.adapters.pettingzoo import UnikatEnv
from pytlik.adapters.unikat_observation import LAYOUT
from pytlik.unikat.engine.kernel import BAG, GIVE, STOP, TAKE, tile_laid

Features = NDArray[np.float64]
Choose = Callable[[dict[str, NDArray[Any]], np.random.Generator], int]

FEATURES = (
    "lay a tile",
    "lay: partners that it leaves in the hand",
    "give: partners in the hand of the tile given",
    "take: partners in the hand of the tile taken",
    "take from the bag",
    "end a chain",
    "decline an extra action",
    "begin a swap",
    "begin a swap with few tiles",
)

TILES = 81
CODES = np.array([[tile // 27, tile // 9 % 3, tile // 3 % 3, tile % 3] for tile in range(TILES)])
PARTNERS = (CODES[:, None, :] != CODES[None, :, :]).sum(axis=2) == 1
"""Which tiles differ in exactly one feature, and so may touch."""
LAID = np.array([tile_laid(step) for step in range(GIVE)])


def features(seen: NDArray[np.uint8], steps: NDArray[np.intp]) -> Features:
    """One row for each step."""
    hand = seen[LAYOUT["hand"]].astype(bool)
    partners = PARTNERS[:, hand].sum(axis=1)
    tiles, bonus = int(hand.sum()), seen[LAYOUT["phase"]][2]
    rows = np.zeros((len(steps), len(FEATURES)))
    lays, gives = steps < GIVE, (steps >= GIVE) & (steps < TAKE)
    takes = (steps >= TAKE) & (steps < BAG)
    rows[lays, 0] = 1
    rows[lays, 1] = partners[LAID[steps[lays]]] / 4
    rows[gives, 2] = partners[steps[gives] - GIVE] / 4
    rows[takes, 3] = partners[steps[takes] - TAKE] / 4
    rows[steps == BAG, 4] = 1
    rows[steps == STOP, 6 if bonus else 5] = 1
    rows[gives, 7] = 1
    rows[gives, 8] = 1 - tiles / 10
    return rows


def step_probabilities(weights: Features, rows: Features) -> Features:
    """The probability that the policy takes each step."""
    values = np.exp((values := rows @ weights) - values.max())
    return values / values.sum()


# ----------------------------------------------------------------------------------------- playing


class Decision(NamedTuple):
    agent: str
    push: Features
    """The direction in which the weights make this decision more likely."""


def make_policy(weights: Features) -> Choose:
    def choose(seen: dict[str, NDArray[Any]], random: np.random.Generator) -> int:
        steps = np.flatnonzero(seen["action_mask"])
        likely = step_probabilities(weights, features(seen["observation"], steps))
        return int(steps[sample_index(likely, random)])

    return choose


def random_step(seen: dict[str, NDArray[Any]], random: np.random.Generator) -> int:
    steps = np.flatnonzero(seen["action_mask"])
    return int(steps[random.integers(len(steps))])


def sample_index(likely: Features, random: np.random.Generator) -> int:
    return min(int(np.searchsorted(likely.cumsum(), random.random())), len(likely) - 1)


def learn_from_a_round(
    env: UnikatEnv, weights: Features, random: np.random.Generator
) -> tuple[list[Decision], dict[str, float]]:
    """Play a round against itself. Returns all decisions, and each player's reward."""
    env.reset()
    decisions: list[Decision] = []
    while not any(env.terminations.values()):
        agent = env.agent_selection
        seen = env.observe(agent)
        steps = np.flatnonzero(seen["action_mask"])
        if len(steps) == 1:
            env.step(int(steps[0]))
            continue
        rows = features(seen["observation"], steps)
        likely = step_probabilities(weights, rows)
        chosen = sample_index(likely, random)
        decisions.append(Decision(agent, rows[chosen] - likely @ rows))
        env.step(int(steps[chosen]))
    return decisions, env.rewards


def share_of_wins(one: Choose, other: Choose, rounds: int, seed: int) -> float:
    """The share of the first player, who sits on each seat in turn; a shared win counts half."""
    env, random = UnikatEnv(), np.random.default_rng(seed)
    env.reset(seed=seed)
    won = 0.0
    for number in range(rounds):
        env.reset()
        mine = env.possible_agents[number % 2]
        while not any(env.terminations.values()):
            choose = one if env.agent_selection == mine else other
            env.step(choose(env.observe(env.agent_selection), random))
        won += (env.rewards[mine] + 1) / 2  # from -1 for a loss to 1 for a win
    return won / rounds


# ---------------------------------------------------------------------------------------- learning


class Point(NamedTuple):
    """A point of the curve: after this many rounds, the share of wins against random steps, and the
    seconds of processor time so far, trials included."""

    rounds: int
    wins: float
    seconds: float


def train(
    rounds: int,
    *,
    batch: int = 20,
    rate: float = 1.0,
    looks: int = 10,
    trials: int = 100,
    seed: int = 1,
) -> tuple[Features, list[Point]]:
    """Train for a number of rounds. Returns the weights and the curve."""
    env, random = UnikatEnv(), np.random.default_rng(seed)
    env.reset(seed=seed)
    weights = np.zeros(len(FEATURES))
    began, curve = process_time(), []

    def measure_wins(done: int) -> None:
        wins = share_of_wins(make_policy(weights), random_step, trials, seed + 1)
        curve.append(Point(done, wins, process_time() - began))

    measure_wins(0)
    for done in range(batch, rounds + 1, batch):
        total = np.zeros(len(FEATURES))
        for _ in range(batch):
            decisions, rewards = learn_from_a_round(env, weights, random)
            for agent, push in decisions:
                total += rewards[agent] * push / len(decisions)
        weights += rate * total
        if done % max(batch, rounds // looks // batch * batch) == 0:
            measure_wins(done)
    return weights, curve


def plot(curve: list[Point], file: Path) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415 - only needed for a picture

    figure = Figure(figsize=(6, 3.2), layout="constrained")
    axes = figure.subplots()
    axes.plot([point.rounds for point in curve], [100 * point.wins for point in curve], "o-")
    axes.axhline(50, color="#b0582a", linestyle="--", linewidth=1)
    axes.set_ylim(40, 100)
    axes.set_xlabel("rounds of self-play")
    axes.set_ylabel("% of wins against random steps")
    axes.grid(color="#dddddd")
    figure.savefig(file, dpi=144)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=400)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--plot", type=Path, metavar="FILE.png")
    args = parser.parse_args()
    weights, curve = train(args.rounds, trials=args.trials, seed=args.seed)
    for point in curve:
        print(f"{point.rounds:6} rounds {point.seconds:6.0f} s  {point.wins:6.1%}")
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f"{weight:+7.2f}  {name}")
    if args.plot:
        plot(curve, args.plot)


if __name__ == "__main__":
    main()
