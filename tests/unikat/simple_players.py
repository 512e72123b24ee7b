"""Simple players that see the whole state, to lead tests into many positions."""

from collections.abc import Callable, Iterator
from itertools import islice

from pytlik.chance import Chance, Stream
from pytlik.game import Opening, Ready, Seat, replay
from pytlik.unikat.legal import chains, first_places, fitting_tiles, takes
from pytlik.unikat.messages import Action, Decline, Draw, Event, Lay, Pass, Swap
from pytlik.unikat.model import Chain, Options, Phase, Placement, State
from pytlik.unikat.rounds import outcome
from pytlik.unikat.rules import apply, decide, open_match

SimplePlayer = Callable[[State, Stream], Action]


def play_match(
    players: int, options: Options, chance: Chance, player: SimplePlayer
) -> Iterator[tuple[Seat | None, Action | None, list[Event], State]]:
    """Play a match from the first deal to the end. Yield the seat, the action, its events and the
    state after it for each action."""
    opening = Opening(players=players, commitment="", shares=("",) * players)
    events = open_match(opening, options, chance, 0)
    state = replay(apply, events)
    yield None, None, events, state
    stream, now = chance.stream("players"), 0
    while not outcome(state):
        seat, action = state.to_move, player(state, stream)
        if state.phase is Phase.OVER:
            seat = min(set(range(players)) - state.ready)
        now += 1000
        events = decide(state, seat, action, chance, now)
        state = replay(apply, events, state)
        yield seat, action, events, state


def choose_any_action(state: State, stream: Stream) -> Action:
    if state.phase is Phase.OVER:
        return Ready()
    if state.phase is Phase.DRAW:
        return Draw(stream.choice(takes(state)))
    kinds: list[Action] = [Decline()] if state.phase is Phase.BONUS else []
    places = list(first_places(state))
    if places:
        kinds += [Lay(random_chain(state, stream.choice(places), stream))] * 3
    if takes(state):
        kinds.append(Swap(stream.choice(state.hand), stream.choice(takes(state))))
    return stream.choice(kinds) if kinds else Pass()


def choose_long_chain(state: State, stream: Stream) -> Action:
    """Lay the longest of the first 300 chains, or do anything if there is none."""
    if state.phase in (Phase.ACTION, Phase.BONUS):
        longest = max(islice(chains(state), 300), key=len, default=())
        if longest:
            return Lay(longest)
    return choose_any_action(state, stream)


def choose_swap(state: State, stream: Stream) -> Action:
    if state.phase is Phase.ACTION and takes(state):
        return Swap(stream.choice(state.hand), takes(state)[-1])  # the bag, while it lasts
    return choose_any_action(state, stream)


def random_chain(state: State, first: Placement, stream: Stream) -> Chain:
    chain: Chain = (first,)
    while (longer := chain_extensions(state, chain)) and stream.below(4):
        chain = (*chain, stream.choice(longer))
    return chain


def chain_extensions(state: State, chain: Chain) -> list[Placement]:
    """The ways to extend a chain."""
    board = state.board.with_chain(chain)
    left = [tile for tile in state.hand if tile not in {placed.tile for placed in chain}]
    return [
        Placement(tile, cell.x, cell.y)
        for cell in chain[-1].cell.neighbours()
        if cell not in board
        for tile in left
        if fitting_tiles(board, cell, frozenset({tile}))
    ]
