"""Any action by anyone, in any order: the invariants always hold."""

from typing import assert_never

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pytlik.chance import from_text
from pytlik.game import Illegal, Opening, Ready, Seat, replay
from pytlik.unikat.legal import can_lay, first_places, legal, takes
from pytlik.unikat.messages import Action, Decline, Draw, Event, Lay, Pass, Swap
from pytlik.unikat.model import TILES, Cell, Chain, Options, Phase, Placement, State, Tile
from pytlik.unikat.rules import apply, decide, open_match
from pytlik.unikat.view import mask, view
from tests.invariants import check_unikat_state
from tests.unikat.simple_players import (
    SimplePlayer,
    chain_extensions,
    choose_any_action,
    choose_long_chain,
    choose_swap,
    play_match,
)

RANDOM_OPTIONS = st.builds(
    Options,
    rounds=st.integers(1, 3),
    starter=st.none() | st.integers(0, 1),
    next_starter=st.sampled_from(["same", "rotate", "winner"]),
    extra_action=st.sampled_from(["anywhere", "continue"]),
    blocked=st.sampled_from([(2, 20), (1, 1), (1, 2), (3, 2)]),
)
RANDOM_SEATS = st.none() | st.integers(-1, 4)
RANDOM_TILE = st.sampled_from(TILES)
RANDOM_TAKE = st.just("bag") | RANDOM_TILE.map(str)
NEAR_COORDINATE = st.integers(-4, 4)
RANDOM_ACTION = st.one_of(
    st.builds(
        Lay,
        st.lists(
            st.builds(Placement, RANDOM_TILE, NEAR_COORDINATE, NEAR_COORDINATE), max_size=4
        ).map(tuple),
    ),
    st.builds(Swap, RANDOM_TILE, RANDOM_TAKE),
    st.builds(Draw, RANDOM_TAKE),
    st.sampled_from([Decline(), Pass(), Ready()]),
)

# ------------------------------------------------- the rules again, as plainly as possible


def is_allowed_by_spec(state: State, seat: Seat | None, action: Action) -> bool:
    """Whether the spec allows an action, written independently of the rules' code."""
    if seat not in range(state.players):
        return False
    if isinstance(action, Ready):
        return state.phase == "over" and len(state.sheet) < state.options.rounds
    if seat != state.to_move:
        return False
    acting = state.phase in ("action", "bonus")
    match action:
        case Lay(chain):
            return acting and is_chain_allowed(state, chain)
        case Swap(give, take):
            return acting and give in state.hand and can_be_taken(state, take)
        case Decline():
            return state.phase == "bonus"
        case Draw(take):
            return state.phase == "draw" and can_be_taken(state, take)
        case Pass():
            nothing = not state.display and not state.bag
            return state.phase == "action" and nothing and not can_lay_any_tile(state)
        case _:
            assert_never(action)


def can_be_taken(state: State, take: str) -> bool:
    return bool(state.bag) if take == "bag" else take in state.display


def can_lay_any_tile(state: State) -> bool:
    cells = {near for cell in state.board for near in cell.neighbours()}
    return any(
        is_chain_allowed(state, (Placement(t, c.x, c.y),)) for t in state.hand for c in cells
    )


def is_chain_allowed(state: State, chain: Chain) -> bool:
    lying, hand = dict(state.board), set(state.hand)
    last = None
    if state.phase == "bonus" and state.options.extra_action == "continue":
        last = list(lying)[-1]
    for tile, x, y in chain:
        near = [lying.get(Cell(x + dx, y + dy)) for dx, dy in [(0, 1), (0, -1), (1, 0), (-1, 0)]]
        touched = [neighbour for neighbour in near if neighbour]
        if tile not in hand or (x, y) in lying or not touched:
            return False
        if last and abs(last.x - x) + abs(last.y - y) != 1:
            return False
        if any(sum(map(str.__ne__, tile.value, other.value)) != 1 for other in touched):
            return False
        last = Cell(x, y)
        lying[last] = tile
        hand.remove(tile)
    return bool(chain)


# --------------------------------------------------------------------------- the machine


class UnikatMatchMachine(RuleBasedStateMachine):
    state: State
    stored: list[Event]
    """The events after a round trip through JSON."""

    @initialize(players=st.integers(2, 4), options=RANDOM_OPTIONS, seed=st.integers(0, 10**6))
    def sit_down(self, players: int, options: Options, seed: int) -> None:
        self.chance = from_text(str(seed))
        opening = Opening(players=players, commitment="c", shares=("s",) * players)
        self.stored = []
        self.apply_events(open_match(opening, options, self.chance, 0), None)

    def apply_events(self, events: list[Event], state: State | None) -> None:
        self.latest = events
        self.stored += msgspec.json.decode(msgspec.json.encode(events), type=list[Event])
        self.state = replay(apply, events, state)

    def ask(self, seat: Seat | None, action: Action) -> None:
        before, events, refusal = repr(self.state), list[Event](), None
        try:
            events = decide(self.state, seat, action, self.chance, len(self.stored))
        except Illegal as illegal:
            refusal = illegal
        assert repr(self.state) == before, "deciding changes nothing"
        assert is_allowed_by_spec(self.state, seat, action) == (refusal is None), refusal
        if refusal:
            assert msgspec.json.encode([refusal.reason, refusal.detail])
        else:
            self.apply_events(events, self.state)

    @precondition(lambda self: self.state.phase in (Phase.ACTION, Phase.BONUS))
    @precondition(lambda self: can_lay(self.state))
    @rule(data=st.data(), length=st.integers(1, 10))
    def lay(self, data: st.DataObject, length: int) -> None:
        chain: Chain = (data.draw(st.sampled_from(list(first_places(self.state)))),)
        while len(chain) < length and (longer := chain_extensions(self.state, chain)):
            chain = (*chain, data.draw(st.sampled_from(longer)))
        self.ask(self.state.to_move, Lay(chain))

    @precondition(lambda self: self.state.phase in (Phase.ACTION, Phase.BONUS))
    @precondition(lambda self: bool(takes(self.state)))
    @rule(data=st.data())
    def swap(self, data: st.DataObject) -> None:
        give = data.draw(st.sampled_from(self.state.hand))
        self.ask(self.state.to_move, Swap(give, data.draw(st.sampled_from(takes(self.state)))))

    @precondition(lambda self: self.state.phase is Phase.DRAW)
    @rule(data=st.data())
    def draw(self, data: st.DataObject) -> None:
        self.ask(self.state.to_move, Draw(data.draw(st.sampled_from(takes(self.state)))))

    @precondition(lambda self: self.state.phase is Phase.BONUS)
    @rule()
    def decline(self) -> None:
        self.ask(self.state.to_move, Decline())

    @precondition(lambda self: self.state.phase is Phase.OVER)
    @rule(seat=st.integers(0, 3))
    def ready(self, seat: Seat) -> None:
        self.ask(seat, Ready())

    @rule(seat=RANDOM_SEATS, action=RANDOM_ACTION)
    def act_at_random(self, seat: Seat | None, action: Action) -> None:
        self.ask(seat, action)

    @rule(action=RANDOM_ACTION)
    def act_at_random_in_turn(self, action: Action) -> None:
        self.ask(self.state.to_move, action)

    @rule(data=st.data(), cell=st.builds(Cell, NEAR_COORDINATE, NEAR_COORDINATE))
    def lay_a_tile_of_the_hand_anywhere(self, data: st.DataObject, cell: Cell) -> None:
        tile = data.draw(st.sampled_from(self.state.hand or TILES))
        self.ask(self.state.to_move, Lay((Placement(tile, cell.x, cell.y),)))

    @invariant()
    def invariants_hold(self) -> None:
        check_unikat_state(self.state)

    @invariant()
    def replay_equals_live(self) -> None:
        replayed = replay(apply, self.stored)
        assert replayed == self.state
        assert list(replayed.board) == list(self.state.board)

    @invariant()
    def views_and_events_encode(self) -> None:
        for seat in (None, *range(self.state.players)):
            assert msgspec.json.encode(view(self.state, seat))
            masked = [mask(event, seat) for event in self.latest]
            assert msgspec.json.decode(msgspec.json.encode(masked), type=list[Event]) == masked


TestAnyMatch = UnikatMatchMachine.TestCase

# ------------------------------------------------------------------------- further properties


@settings(max_examples=max(15, settings().max_examples // 2))
@given(
    players=st.integers(2, 4),
    options=RANDOM_OPTIONS,
    seed=st.integers(0, 10**6),
    player=st.sampled_from([choose_any_action, choose_long_chain, choose_swap]),
)
def test_every_match_ends(players: int, options: Options, seed: int, player: SimplePlayer) -> None:
    """A turn with a lay adds at least one of 80 tiles, and U16 bounds the turns in between."""
    turns = 0
    state = None
    for _, _, events, after in play_match(players, options, from_text(str(seed)), player):
        turns += sum(type(event).__name__ == "TurnEnded" for event in events)
        assert turns <= options.rounds * 81 * max(options.blocked) * players
        state = after
    assert state is not None
    assert len(state.sheet) == options.rounds


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), turns=st.integers(0, 25), options=RANDOM_OPTIONS)
def test_legal_lists_exactly_what_is_allowed(seed: int, turns: int, options: Options) -> None:
    """With two tiles in hand every chain on and around the table can be tried."""
    state = state_with_small_hand(seed, turns, options)
    left, right = min(c.x for c in state.board) - 3, max(c.x for c in state.board) + 3
    top, bottom = min(c.y for c in state.board) - 3, max(c.y for c in state.board) + 3
    cells = [Cell(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)]
    singles = [(Placement(tile, cell.x, cell.y),) for tile in state.hand for cell in cells]
    allowed_singles = [one for one in singles if is_allowed_by_spec(state, state.to_move, Lay(one))]
    doubles = [
        (*one, *two) for one in allowed_singles for two in singles if are_near(one[0], two[0])
    ]
    chains = {
        chain
        for chain in (*allowed_singles, *doubles)
        if is_allowed_by_spec(state, state.to_move, Lay(chain))
    }
    lays = [action.tiles for action in legal(state) if isinstance(action, Lay)]
    assert len(lays) == len(set(lays))
    assert set(lays) == chains
    others: list[Action] = [Pass(), Decline(), *(Draw(take) for take in (*TILES, "bag"))]
    others += [Swap(give, take) for give in state.hand for take in (*TILES, "bag")]
    listed = [action for action in legal(state) if not isinstance(action, Lay)]
    assert len(listed) == len(set(listed))
    assert set(listed) == {
        action for action in others if is_allowed_by_spec(state, state.to_move, action)
    }


def are_near(one: Placement, other: Placement) -> bool:
    return max(abs(one.x - other.x), abs(one.y - other.y)) <= 2


def state_with_small_hand(seed: int, turns: int, options: Options) -> State:
    """A state somewhere in a match where the seat to move has only two tiles."""
    states = [
        state for _, _, _, state in play_match(2, options, from_text(str(seed)), choose_any_action)
    ]
    going = [state for state in states if state.phase is not Phase.OVER]
    return with_small_hand(going[turns % len(going)])


def with_small_hand(state: State) -> State:
    kept, rest = state.hand[:2], state.hand[2:]
    hands = tuple(kept if seat == state.to_move else h for seat, h in enumerate(state.hands))
    return msgspec.structs.replace(state, hands=hands, bag=(*state.bag, *rest))


def test_oracle_knows_the_four_edges() -> None:
    """Test the oracle itself, on the simplest possible table."""
    state = state_with_small_hand(1, 0, Options(starter=0))
    tile = state.board[Cell(0, 0)]
    partner = Tile(("1" if tile[0] == "0" else "0") + tile[1:])
    state = msgspec.structs.replace(state, hands=((partner,), state.hands[1]))
    for x, y in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
        assert is_chain_allowed(state, (Placement(partner, x, y),))
    for x, y in [(0, 0), (1, 1), (2, 0)]:
        assert not is_chain_allowed(state, (Placement(partner, x, y),))
