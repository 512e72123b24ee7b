"""Translates between the rules' values and the kernel's numbers: rounds, tiles, and actions."""

from collections.abc import Sequence
from typing import Any

from pytlik.chance import from_text
from pytlik.unikat.engine import kernel
from pytlik.unikat.engine.kernel import (
    ACTION,
    BAG,
    BONUS,
    CHAIN,
    DRAW,
    GIVE,
    OVER,
    STOP,
    TAKE,
    Round,
)
from pytlik.unikat.messages import BAG as FROM_BAG
from pytlik.unikat.messages import Decline, Draw, Lay, Pass, Swap, TurnAction
from pytlik.unikat.model import TILES, Cell, Chain, Ended, Options, Phase, Placement, State, Tile
from pytlik.unikat.view import View

TILE_NUMBER: dict[Tile, int] = {tile: number for number, tile in enumerate(TILES)}

PHASE_NUMBER = {Phase.ACTION: ACTION, Phase.BONUS: BONUS, Phase.DRAW: DRAW, Phase.OVER: OVER}
ENDED_NUMBER: dict[Ended | None, int] = {
    None: 0,
    "last tile": kernel.LAST_TILE,
    "blocked": kernel.BLOCKED,
}


def deal_round(players: int, seed: int, options: Options = Options()) -> Round:
    """A new round, dealt by the kernel's own random numbers."""
    round_ = new_round(options)
    round_.seed(seed)
    round_.deal(players, options.starter or 0)
    return round_


def from_state(state: State) -> Round:
    round_ = new_round(state.options)
    round_.load(
        board=[(stone.x, stone.y, TILE_NUMBER[stone.tile]) for stone in state.board.stones],
        hands=[tile_numbers(hand) for hand in state.hands],
        known=[tile_numbers(sorted(tiles)) for tiles in state.known],
        display=tile_numbers(state.display),
        bag=tile_numbers(state.bag),
        to_move=state.to_move,
        phase=PHASE_NUMBER[state.phase],
        laid=state.laid,
        quiet_turns=state.quiet_turns,
        winners=state.winners,
        ended=ENDED_NUMBER[state.ended],
    )
    return round_


def from_view(view: View, seed: int) -> Round:
    """A round that fits what the seat sees: what it may not know is guessed, with all possibilities
    equally likely. `Round.guess` guesses again."""
    seen = {stone.tile for stone in view.board}.union(view.display, view.hand, *view.known)
    unseen = [tile for tile in TILES if tile not in seen]
    lacking = sum(view.counts) - len(view.hand) - sum(map(len, view.known)) + view.bag
    if view.seat is not None:
        lacking += len(view.known[view.seat])
    if len(unseen) > lacking:
        # A position need not have all 81 tiles, so it may have any of those that are unseen.
        unseen = list(from_text(f"{seed}").stream("unseen").shuffled(unseen)[:lacking])
    hands = []
    for seat, (count, known) in enumerate(zip(view.counts, view.known, strict=True)):
        hand = list(view.hand if seat == view.seat else known)
        while len(hand) < count:
            hand.append(unseen.pop())
        hands.append(tile_numbers(hand))
    round_ = new_round(view.options)
    round_.seed(seed)
    round_.load(
        board=[(stone.x, stone.y, TILE_NUMBER[stone.tile]) for stone in view.board],
        hands=hands,
        known=[tile_numbers(hand) for hand in view.known],
        display=tile_numbers(view.display),
        bag=tile_numbers(unseen),
        to_move=view.to_move,
        phase=PHASE_NUMBER[view.phase],
        laid=view.laid,
        quiet_turns=view.quiet_turns,
        winners=view.winners,
        ended=ENDED_NUMBER[view.ended],
    )
    round_.guess(-1 if view.seat is None else view.seat)
    return round_


def new_round(options: Options) -> Round:
    round_ = Round()
    round_.set_options(continues=options.extra_action == "continue", blocked=options.blocked)
    return round_


def arguments_for_load(
    round_: Round,
    *,
    board: list[tuple[int, int, int]] | None = None,
    hands: list[list[int]] | None = None,
    bag: list[int] | None = None,
) -> dict[str, Any]:
    """The arguments for `Round.load` to restore a round that isn't in the middle of a chain, with
    another board, other hands or another bag if they're given."""
    return {
        "board": board or round_.board,
        "hands": hands or round_.hands,
        "known": round_.known,
        "display": round_.display,
        "bag": round_.bag if bag is None else bag,
        "to_move": round_.to_move,
        "phase": round_.phase,
        "laid": round_.laid,
        "quiet_turns": round_.quiet_turns,
    }


def tile_numbers(tiles: Sequence[Tile]) -> list[int]:
    return [TILE_NUMBER[tile] for tile in tiles]


# --------------------------------------------------------------------------------------- actions


def steps_of(round_: Round, action: TurnAction) -> list[int]:
    """The steps of an action, which must be legal."""
    match action:
        case Lay(tiles=chain):
            return steps_of_lay(round_, chain)
        case Swap(give=give, take=take):
            return [GIVE + TILE_NUMBER[give], step_of_take(take)]
        case Draw(take=take):
            return [step_of_take(take)]
        case Decline() | Pass():
            return [STOP]


def step_of_take(take: str) -> int:
    return BAG if take == FROM_BAG else TAKE + TILE_NUMBER[Tile(take)]


def steps_of_lay(round_: Round, chain: Sequence[Placement]) -> list[int]:
    game = round_.copy()
    steps = []
    for placed in chain:
        steps.append(game.lay_step(TILE_NUMBER[placed.tile], placed.x, placed.y))
        game.step(steps[-1])
    return [*steps, STOP] if game.phase == CHAIN else steps


def action_of(round_: Round, steps: Sequence[int]) -> TurnAction:
    """The action of these steps: all of a lay, both of a swap, or a single one."""
    first = steps[0]
    if first < GIVE:
        return Lay(placements_of_steps(round_, steps))
    if first == STOP:
        return Decline() if round_.phase == BONUS else Pass()
    if first < TAKE:
        return Swap(TILES[first - GIVE], take_of_step(steps[1]))
    return Draw(take_of_step(first))


def placements_of_steps(round_: Round, steps: Sequence[int]) -> Chain:
    """What these steps lay, and where."""
    after = round_.copy()
    chain = []
    for step in steps:
        if step < GIVE:
            chain.append(placement_of_step(after, step))
        after.step(step)
    return tuple(chain)


def take_of_step(step: int) -> str:
    return FROM_BAG if step == BAG else TILES[step - TAKE]


def placement_of_step(round_: Round, step: int) -> Placement:
    """The tile that a step lays, and where."""
    stone, side = step >> 5, step & 3
    x, y = next((x, y) for x, y, tile in round_.board if tile == stone)
    return Placement(TILES[kernel.tile_laid(step)], *Cell(x, y).neighbours()[side])
