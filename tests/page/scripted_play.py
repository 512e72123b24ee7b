"""Scripts that play a table until it's in a situation that a test wants.

Each is a function of the state alone. It returns the next action, or None to stop.
"""

from collections.abc import Callable

from msgspec.structs import replace

from pytlik.game import Expire, Ready
from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Shape
from pytlik.ubongo.messages import GiveUp, Place
from pytlik.ubongo.model import SOLVING_PHASES, Deal
from pytlik.ubongo.model import Phase as UbongoPhase
from pytlik.ubongo.model import State as UbongoState
from pytlik.unikat import legal
from pytlik.unikat.messages import BAG, Decline, Draw, Lay, Pass, Swap, TurnAction
from pytlik.unikat.model import Board, Chain, Placement, Tile
from pytlik.unikat.model import Phase as UnikatPhase
from pytlik.unikat.model import State as UnikatState
from tests.page.table_setup import ScriptedAction

UnikatScript = Callable[[UnikatState], ScriptedAction | None]
UbongoScript = Callable[[UbongoState], ScriptedAction | None]

MY_SEAT = 0


def stop_at_once(state: object) -> None:
    """Stop before anything has happened."""


# ------------------------------------------------------------------------------------------- unikat


def play_until_my_turn(tiles: int) -> UnikatScript:
    """Stop when this many tiles are on the board and I can lay; swaps have filled the display."""

    def ask(state: UnikatState) -> ScriptedAction | None:
        lying = len(state.board)
        if (
            lying == tiles
            and is_my_phase(state, UnikatPhase.ACTION)
            and any(legal.first_places(state))
        ):
            return None
        if state.phase in (UnikatPhase.DRAW, UnikatPhase.BONUS):
            return state.to_move, draw_tile(state) if state.phase is UnikatPhase.DRAW else Decline()
        few = len(state.hand) < 3 or (len(state.display) < 9 and lying % 3 == 1)
        if lying < tiles and not (few and state.quiet_turns < 2):
            chain = find_long_chain(state, min(3, len(state.hand) - 1, tiles - lying))
            if chain:
                return state.to_move, Lay(chain)
        return state.to_move, swap_tile(state)

    return ask


def play_until_i_can_plan(state: UnikatState) -> ScriptedAction | None:
    """Stop when somebody else is to move, and one of my tiles fits the board as it is."""
    if state.to_move != MY_SEAT and any(legal.first_places(replace(state, to_move=MY_SEAT))):
        return None
    return state.to_move, lay_as_much_as_possible(state, keep=5)


def play_until_my_phase(phase: UnikatPhase) -> UnikatScript:
    """Stop when I have to draw, or may take an extra action."""

    def ask(state: UnikatState) -> ScriptedAction | None:
        if len(state.board) > 4 and is_my_phase(state, phase):
            return None
        return state.to_move, lay_as_much_as_possible(state, keep=1)

    return ask


def play_until_others_acted(state: UnikatState) -> ScriptedAction | None:
    """Stop on my turn, when the player before me has swapped and everyone else has laid tiles."""
    if is_my_phase(state, UnikatPhase.ACTION) and state.quiet_turns:
        return None
    if state.to_move == state.players - 1:
        return state.to_move, Swap(state.hand[-1], BAG)
    return state.to_move, lay_as_much_as_possible(state, keep=5)


def play_until_rounds_over(rounds: int) -> UnikatScript:
    def ask(state: UnikatState) -> ScriptedAction | None:
        if len(state.sheet) == rounds:
            return None
        if state.phase is UnikatPhase.OVER:
            return min(set(range(state.players)) - state.ready), Ready()
        return state.to_move, lay_as_much_as_possible(state, keep=0)

    return ask


def play_until_i_lost(state: UnikatState) -> ScriptedAction | None:
    """Stop when the match is over. I only swap tiles, for as long as I can."""
    if state.sheet:
        return None
    if is_my_phase(state, UnikatPhase.ACTION) and legal.can_swap(state):
        return MY_SEAT, swap_tile(state)
    return state.to_move, lay_as_much_as_possible(state, keep=0)


def play_until_others_ready(rounds: int) -> UnikatScript:
    """Stop when this many rounds are over, and everyone but me is ready for the next."""

    def ask(state: UnikatState) -> ScriptedAction | None:
        waiting = set(range(state.players)) - state.ready
        if len(state.sheet) == rounds and waiting == {MY_SEAT}:
            return None
        if state.phase is UnikatPhase.OVER:
            return max(waiting), Ready()
        return state.to_move, lay_as_much_as_possible(state, keep=0)

    return ask


def play_until_my_last_turn(rounds: int) -> UnikatScript:
    """Stop when I can end the last of this many rounds with all the tiles I hold."""

    def ask(state: UnikatState) -> ScriptedAction | None:
        last = len(state.sheet) == rounds - 1
        held = len(state.hand)
        if (
            last
            and is_my_phase(state, UnikatPhase.ACTION)
            and len(find_long_chain(state, held)) == held
        ):
            return None
        if state.phase is UnikatPhase.OVER:
            return min(set(range(state.players)) - state.ready), Ready()
        if last and state.to_move != MY_SEAT and state.phase is UnikatPhase.ACTION and held < 5:
            return state.to_move, swap_tile(state)
        return state.to_move, lay_as_much_as_possible(state, keep=0)

    return ask


def is_my_phase(state: UnikatState, phase: UnikatPhase) -> bool:
    return state.to_move == MY_SEAT and state.phase is phase


def lay_as_much_as_possible(state: UnikatState, keep: int) -> TurnAction:
    """Lay as many tiles as possible, but keep this many."""
    if state.phase is UnikatPhase.DRAW:
        return draw_tile(state)
    chain = find_long_chain(state, len(state.hand) - keep)
    if chain:
        return Lay(chain)
    if state.phase is UnikatPhase.BONUS:
        return Decline()
    return swap_tile(state) if legal.can_swap(state) else Pass()


def find_long_chain(state: UnikatState, most: int) -> Chain:
    """Find a long chain, with places that touch two tiles first."""
    best: Chain = ()
    for first in list(legal.first_places(state))[:12]:
        chain: Chain = ()
        board = state.board
        hand = frozenset(state.hand)
        step: Placement | None = first
        while step and len(chain) < most:
            chain = (*chain, step)
            board = board.with_chain([step])
            hand -= {step.tile}
            step = next_placement(board, step, hand)
        best = max(best, chain, key=len)
    return best


def next_placement(board: Board, last: Placement, hand: frozenset[Tile]) -> Placement | None:
    steps = [
        Placement(tile, *cell)
        for cell in last.cell.neighbours()
        if cell not in board
        for tile in sorted(legal.fitting_tiles(board, cell, hand))
    ]
    return max(steps, key=lambda step: len(board.touching(step.cell)), default=None)


def draw_tile(state: UnikatState) -> Draw:
    return Draw(BAG if state.bag else state.display[0])


def swap_tile(state: UnikatState) -> Swap:
    return Swap(state.hand[-1], BAG if state.bag else state.display[0])


# ------------------------------------------------------------------------------------------- ubongo


def play_cards_until(
    stop: Callable[[UbongoState], bool], *, gives_up: int | None = None, nobody: bool = False
) -> UbongoScript:
    """I place a piece first. Then all solve their cards one after the other, from the last seat to
    the first, except for one who always gives up; or nobody solves anything."""

    def ask(state: UbongoState) -> ScriptedAction | None:
        if stop(state):
            return None
        if state.phase is UbongoPhase.READY:
            return min(set(state.playing) - state.ready), Ready()
        done = state.solved | state.gave_up
        unsettled = state.solved - set(state.settled)
        solving = [seat for seat in reversed(state.playing) if seat not in done]
        if state.phase not in SOLVING_PHASES or unsettled or nobody or not solving:
            return None, Expire()
        seat = MY_SEAT if MY_SEAT in solving and not state.placed.get(MY_SEAT) else solving[0]
        if seat == gives_up:
            return seat, GiveUp()
        return seat, next_solving_action(state, seat)

    return ask


def next_solving_action(state: UbongoState, seat: int) -> Place:
    deal, placed = state.deals[seat], state.placed.get(seat, {})
    solution = dict(zip(deal.pieces, cached_solution(repr(deal), deal), strict=True))
    piece = next(piece for piece in solution if piece not in placed)
    return Place(piece, solution[piece])


SOLUTION_CACHE: dict[str, tuple[Shape, ...]] = {}


def cached_solution(name: str, deal: Deal) -> tuple[Shape, ...]:
    if name not in SOLUTION_CACHE:
        found = solver.first(deal.area, list(deal.pieces.values()))
        assert found
        SOLUTION_CACHE[name] = tuple(found)
    return SOLUTION_CACHE[name]
