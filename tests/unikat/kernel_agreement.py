"""Compares the kernel with the rules: the same actions at a position, and the same position after
each."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from types import ModuleType
from typing import Any

from pytlik import unikat
from pytlik.chance import from_text
from pytlik.game import Opening, replay
from pytlik.unikat.engine import kernel_bridge
from pytlik.unikat.legal import chains, first_places, legal, takes
from pytlik.unikat.messages import Decline, Draw, Lay, Pass, Swap, TurnAction
from pytlik.unikat.model import TILES, Cell, Chain, Options, Phase, Placement, State
from pytlik.unikat.rules import apply, decide, open_match
from tests.uncompiled import import_uncompiled
from tests.unikat.simple_players import chain_extensions

MAX_CHAINS_COMPARED = 100
"""If there are more chains, only first tiles and the extensions of one chain are compared."""

PLAY_STYLES = ("steps", "actions", "long", "swaps", "single")


def uncompiled_engine() -> dict[str, ModuleType]:
    """The modules of the engine as pure Python, whether or not they are compiled."""
    names = ("kernel", "kernel_bridge", "longest_turn", "evaluation")
    _, *modules = import_uncompiled(unikat, "engine", *(f"engine.{name}" for name in names))
    return dict(zip(names, modules, strict=True))


def uncompiled_bridge() -> ModuleType:
    """The kernel bridge on top of the uncompiled kernel."""
    return uncompiled_engine()["kernel_bridge"]


# ------------------------------------------------------------------------------------- positions


def rules_facts(state: State) -> dict[str, Any]:
    return {
        "board": {(stone.x, stone.y): stone.tile for stone in state.board.stones},
        "last": state.board.stones[-1].tile,
        "hands": [set(hand) for hand in state.hands],
        "known": [set(hand) for hand in state.known],
        "display": set(state.display),
        "bag": list(state.bag),
        "to_move": state.to_move,
        "phase": kernel_bridge.PHASE_NUMBER[state.phase],
        "laid": state.laid,
        "quiet_turns": state.quiet_turns,
        "winners": state.winners,
        "ended": kernel_bridge.ENDED_NUMBER[state.ended],
    }


def kernel_facts(round_: Any) -> dict[str, Any]:
    return {
        "board": {(x, y): TILES[tile] for x, y, tile in round_.board},
        "last": TILES[round_.board[-1][2]],
        "hands": [{TILES[tile] for tile in hand} for hand in round_.hands],
        "known": [{TILES[tile] for tile in hand} for hand in round_.known],
        "display": {TILES[tile] for tile in round_.display},
        "bag": [TILES[tile] for tile in round_.bag],
        "to_move": round_.to_move,
        "phase": round_.phase,
        "laid": round_.laid,
        "quiet_turns": round_.quiet_turns,
        "winners": round_.winners,
        "ended": round_.ended,
    }


def check_same_position(state: State, round_: Any, bridge: ModuleType, random: Random) -> None:
    """Check that a position and its legal actions are the same in both."""
    assert kernel_facts(round_) == rules_facts(state)
    assert all(round_.is_legal(step) for step in round_.legal())
    if len(
        list(islice(chains(state), MAX_CHAINS_COMPARED))
    ) < MAX_CHAINS_COMPARED or state.phase in (Phase.DRAW, Phase.OVER):
        expected = list(legal(state))
        found = list(kernel_actions(round_, bridge))
        assert len(found) == len(expected), "no action has two sequences of steps"
        assert set(found) == set(expected)
        return
    firsts = set(first_places(state))
    assert {
        bridge.placement_of_step(round_, step) for step in round_.legal() if step < bridge.GIVE
    } == firsts
    game = round_.copy()
    chain: Chain = (random.choice(sorted(firsts)),)
    while True:
        game.step(game.lay_step(bridge.TILE_NUMBER[chain[-1].tile], chain[-1].x, chain[-1].y))
        ways = set(chain_extensions(state, chain))
        if game.phase != bridge.CHAIN:
            assert not ways
            return
        lays = [step for step in game.legal() if step != bridge.STOP]
        assert {bridge.placement_of_step(game, step) for step in lays} == ways
        assert len(lays) == len(ways)
        chain = (*chain, random.choice(sorted(ways)))


def kernel_actions(round_: Any, bridge: ModuleType) -> Iterator[TurnAction]:
    """All actions that consist of legal steps."""
    cells = {tile: Cell(x, y) for x, y, tile in round_.board}

    def lay_actions(game: Any, chain: tuple[Placement, ...], step: int) -> Iterator[TurnAction]:
        tile = bridge.kernel.tile_laid(step)
        cell = cells[step >> 5].neighbours()[step & 3]
        longer = (*chain, Placement(TILES[tile], *cell))
        yield Lay(longer)
        after = game.copy()
        after.step(step)
        if after.phase != bridge.CHAIN:
            return
        cells[tile] = cell
        for next_step in after.legal():
            if next_step != bridge.STOP:
                yield from lay_actions(after, longer, next_step)
        del cells[tile]

    for step in round_.legal():
        if step < bridge.GIVE:
            yield from lay_actions(round_, (), step)
        elif step < bridge.TAKE:
            after = round_.copy()
            after.step(step)
            for take in after.legal():
                yield bridge.action_of(round_, [step, take])
        else:
            yield bridge.action_of(round_, [step])


# ----------------------------------------------------------------------------------------- games


def compare_random_round(seed: str, bridge: ModuleType) -> Iterator[None]:
    """Play one round in both, and compare every position."""
    random, chance = Random(seed), from_text(seed)
    players = random.choice([2, 3, 4])
    options = Options(
        starter=random.choice([None, 0]),
        extra_action=random.choice(["anywhere", "continue"]),
        blocked=random.choice([(2, 20), (1, 3), (3, 5), (5, 2)]),
    )
    styles = [random.choice(PLAY_STYLES) for _ in range(players)]
    opening = Opening(players=players, commitment="", shares=("",) * players)
    state = replay(apply, open_match(opening, options, chance, 0))
    round_ = bridge.from_state(state)
    while True:
        check_same_position(state, round_, bridge, random)
        yield
        if state.phase is Phase.OVER:
            return
        action = choose_by_style(state, round_, bridge, styles[state.to_move], random)
        state = replay(apply, decide(state, state.to_move, action, chance, 0), state)
        row = bridge.steps_of(round_, action)
        assert bridge.action_of(round_, row) == action
        for step in row:
            round_.step(step)
        if random.random() < 0.05:
            round_ = bridge.from_state(state)


def choose_by_style(
    state: State, round_: Any, bridge: ModuleType, style: str, random: Random
) -> TurnAction:
    if style == "steps":
        game, row = round_.copy(), list[int]()
        while True:
            row.append(random.choice(game.legal()))
            game.step(row[-1])
            if game.phase not in (bridge.CHAIN, bridge.kernel.TAKING):
                action: TurnAction = bridge.action_of(round_, row)
                return action
    if state.phase is Phase.DRAW:
        return Draw(random.choice(takes(state)))
    if style == "swaps" and takes(state) and random.random() < 0.9:
        return Swap(random.choice(state.hand), takes(state)[-1])
    some = [Lay(chain) for chain in islice(chains(state), MAX_CHAINS_COMPARED)]
    if style == "long" and some:
        return max(some, key=lambda lay: len(lay.tiles))
    if style == "single" and some:
        return Lay(random.choice(some).tiles[:1])
    if some and random.random() < 0.6:
        return random.choice(some)
    if takes(state):
        return Swap(random.choice(state.hand), random.choice(takes(state)))
    if some:
        return random.choice(some)
    return Decline() if state.phase is Phase.BONUS else Pass()
