"""Whole matches of seeded random players, for tests and the soak."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from pytlik.chance import commit, mix
from pytlik.game import AnyGame, Expire, Opening, Ready, Seat, replay
from pytlik.games import UBONGO, UNIKAT
from pytlik.matchfile import MatchRecord, Player, Seed
from pytlik.ubongo import solver
from pytlik.ubongo.messages import GiveUp, Lift, Place
from pytlik.ubongo.model import Phase as UbongoPhase
from pytlik.ubongo.model import State as UbongoState
from pytlik.ubongo.timing import MAX_CREDIT_MS
from pytlik.unikat.legal import legal as unikat_legal
from pytlik.unikat.model import Phase as UnikatPhase
from pytlik.unikat.model import State as UnikatState

ChosenAction = tuple[Seat | None, Any, int]
"""Who does what, and after how many milliseconds."""


def play_random_match(game: AnyGame, players: int, seed: str, options: Any = None) -> MatchRecord:
    """Play a match from beginning to end; the same seed gives the same match."""
    events = [
        event for batch, _ in random_match_steps(game, players, seed, options) for event in batch
    ]
    return make_match_record(game, seed, events)


def make_match_record(game: AnyGame, seed: str, events: list[Any]) -> MatchRecord:
    opened = events[0]
    names = tuple(Player(f"seat {seat}", bot="nobody") for seat in range(opened.players))
    return MatchRecord(game, names, tuple(events), Seed(seed.encode().hex(), opened.shares))


def random_match_steps(
    game: AnyGame, players: int, seed: str, options: Any = None
) -> Iterator[tuple[list[Any], Any]]:
    """Yield the events of each action, and the state after them."""
    secret = seed.encode()
    shares = tuple(f"share {seat}" for seat in range(players))
    opening = Opening(players=players, commitment=commit(secret), shares=shares)
    chance, random, now = mix(secret, shares), Random(seed), 1_000
    events = game.open(opening, options or game.options(), chance, now)
    state = replay(game.apply, events)
    yield events, state
    ask = ACTION_CHOOSERS[game.name]
    while not game.outcome(state):
        seat, action, wait = ask(state, random, now)
        now += wait
        events = game.decide(state, seat, action, chance, now, random.randrange(300))
        state = replay(game.apply, events, state)
        yield events, state


def choose_unikat_action(state: UnikatState, random: Random, now: int) -> ChosenAction:
    if state.phase is UnikatPhase.OVER:
        seat = random.choice([s for s in range(state.players) if s not in state.ready])
        return seat, Ready(), random.randrange(10_000)
    action = random.choice(list(unikat_legal(state)))
    return state.to_move, action, random.randrange(60_000)


def choose_ubongo_action(state: UbongoState, random: Random, now: int) -> ChosenAction:
    """Players who know the solution, but are slow, remove pieces and give up."""
    if state.phase is UbongoPhase.READY:
        seat = random.choice([s for s in state.playing if s not in state.ready])
        return seat, Ready(), random.randrange(10_000)
    due = UBONGO.deadline(state)
    done = state.solved | state.gave_up
    solving = [seat for seat in state.playing if seat not in done]
    wait = random.randrange(30_000)
    if due is not None and (
        state.phase is UbongoPhase.COUNTDOWN or not solving or now + wait > due - MAX_CREDIT_MS
    ):
        return None, Expire(), max(0, due - now) + random.randrange(50)
    seat = random.choice(solving)
    deal, placed = state.deals[seat], state.placed[seat]
    if random.random() < 0.08:
        return seat, GiveUp(), wait
    if placed and random.random() < 0.2:
        return seat, Lift(random.choice(list(placed))), wait
    solution = solver.first(deal.area, list(deal.pieces.values()))
    assert solution is not None
    missing = [
        (piece, cells)
        for piece, cells in zip(deal.pieces, solution, strict=True)
        if piece not in placed
    ]
    return seat, Place(*random.choice(missing)), wait


ACTION_CHOOSERS: dict[str, Callable[[Any, Random, int], ChosenAction]] = {
    UNIKAT.name: choose_unikat_action,
    UBONGO.name: choose_ubongo_action,
}
