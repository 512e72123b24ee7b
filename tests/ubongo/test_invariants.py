"""Any action by anyone, at any time: the invariants always hold."""

from contextlib import suppress
from functools import cache
from itertools import combinations
from typing import Literal

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pytlik.chance import Stream, from_text
from pytlik.game import Cause, Expire, Illegal, Ready, Seat, replay
from pytlik.ubongo.gem_ledger import points
from pytlik.ubongo.hexes import Hex, free_form
from pytlik.ubongo.messages import Action, Event, GiveUp, Lift, Place, RoundBegan, RoundEnded
from pytlik.ubongo.model import SOLVING_PHASES, Colour, Gem, Options, Phase, State
from pytlik.ubongo.rounds import outcome
from pytlik.ubongo.rules import apply, cause, decide
from pytlik.ubongo.timing import deadline
from pytlik.ubongo.view import view
from tests.ubongo.drawn_cards import find_places, find_solution, make_deck
from tests.ubongo.scripted_table import ScriptedTable, open_table

# Three kinds of cards, each quickly solved and with a few solutions.
SMALL_DECK = make_deck(
    """
    1 1 1 2
     3 3 2 2
    """,
    """
    6 6
     7 7
      8 8
    """,
    """
      9 9
     a a b
    """,
)
cached_free_form = cache(free_form)

SIDE_NUMBERS: st.SearchStrategy[Literal[3, 4, 5]] = st.sampled_from((3, 4, 5))
ROUND_COUNTS: st.SearchStrategy[Literal[3, 5, 9]] = st.sampled_from((9, 5, 3))


@st.composite
def options_for(draw: st.DrawFn, players: int) -> Options:
    return Options(
        pieces=draw(SIDE_NUMBERS),
        handicap=draw(st.just(()) | st.tuples(*[SIDE_NUMBERS] * players)),
        same_puzzle=draw(st.booleans()),
        seconds=draw(st.sampled_from((60, 30, None))),
        patience=draw(st.sampled_from((600, 30, None))),
        rounds=draw(ROUND_COUNTS),
    )


# ------------------------------------------------------------------------------------- invariants


def check_gems(state: State) -> None:
    books = state.books
    counts = {
        gem: books.display[gem] + books.bag[gem] + sum(held[gem] for held in books.held)
        for gem in Gem
    }
    laid_out = 9 + state.options.rounds
    assert counts == {Gem.RUBY: 9, Gem.SAPPHIRE: laid_out, Gem.EMERALD: 9, Gem.AMBER: laid_out}
    assert all(count >= 0 for p in (books.display, books.bag, *books.held) for count in p.values())


def check_display(state: State) -> None:
    """One sapphire and one amber fewer after each round."""
    finished = state.round - (state.phase in {Phase.COUNTDOWN, *SOLVING_PHASES})
    rounds = state.options.rounds
    left = rounds - min(finished, rounds)
    display = state.books.display
    if state.phase in SOLVING_PHASES and not state.deciding:
        assert display[Gem.SAPPHIRE] in {left, left - 1}
        assert display[Gem.AMBER] in {left, left - 1}
    else:
        assert (display[Gem.SAPPHIRE], display[Gem.AMBER]) == (left, left)
    assert display[Gem.RUBY] == display[Gem.EMERALD] == 0


def check_tokens(state: State) -> None:
    colours = [deal.colour for deal in state.deals.values()]
    assert set(colours) <= set(Colour)
    if colours and state.options.same_puzzle:
        assert len(set(colours)) == 1
    else:
        assert len(set(colours)) == len(colours)


def check_cards(state: State) -> None:
    ids = [card.id for card in state.cards]
    assert len(set(ids)) == len(ids)
    assert not {deal.card for deal in state.deals.values()} & set(ids)


def check_pieces(state: State) -> None:
    """Each piece has its shape, lies inside the area, and overlaps no other."""
    for seat, placed in state.placed.items():
        deal = state.deals[seat]
        assert placed.keys() <= deal.pieces.keys()
        for number, cells in placed.items():
            assert cached_free_form(cells) == cached_free_form(deal.pieces[number])
            assert set(cells) <= set(deal.area)
        for one, other in combinations(placed.values(), 2):
            assert set(one).isdisjoint(other)
        full = sum(map(len, placed.values())) == len(deal.area)
        assert full == (seat in state.solved)


def check_seats(state: State) -> None:
    # Between a tie and its deciding round the solvers of the last round needn't be playing.
    assert set(state.settled) <= state.solved <= set(state.deals)
    assert not state.solved & state.gave_up
    if state.phase in SOLVING_PHASES:
        assert set(state.deals) == set(state.playing)
        # Otherwise the round would be over.
        assert state.solved | state.gave_up < set(state.playing)


def check_end(state: State) -> None:
    ended = outcome(state)
    assert (ended is not None) == (state.phase is Phase.OVER)
    if ended:
        assert ended.points == tuple(points(held) for held in state.books.held)
        assert ended.winners
        assert {ended.points[seat] for seat in ended.winners} == {max(ended.points)}


def check_state(state: State) -> None:
    check_gems(state)
    check_display(state)
    check_tokens(state)
    check_cards(state)
    check_pieces(state)
    check_seats(state)
    check_end(state)


def as_stored(events: list[Event]) -> list[Event]:
    return msgspec.json.decode(msgspec.json.encode(events), type=list[Event])


# --------------------------------------------------------------------------- anyone at any time


class UbongoMatchMachine(RuleBasedStateMachine):
    """A match, and a copy built from its stored events."""

    def __init__(self) -> None:
        super().__init__()
        self.table = open_table()
        self.now = 0
        self.copy = self.table.state

    @initialize(data=st.data(), players=st.integers(2, 4), seed=st.integers(0, 99))
    def open(self, data: st.DataObject, players: int, seed: int) -> None:
        options = data.draw(options_for(players))
        self.table = open_table(
            players=players, options=options, cards=SMALL_DECK, chance=from_text(str(seed))
        )
        self.now = self.table.now
        self.copy = replay(apply, as_stored(self.table.events))

    @property
    def state(self) -> State:
        return self.table.state

    def act(self, seat: Seat | None, action: Action, lag: int = 0) -> bool:
        """Return whether it was allowed. If so, check that its cause leads to the same events."""
        before = self.state
        try:
            events = self.table.act(seat, action, at=self.now, lag=lag)
        except Illegal:
            assert self.state is before
            return False
        if events:
            assert all(event.at == self.now for event in events)
            found = cause(events[0])
            assert isinstance(found, Cause)
            again = decide(before, found.seat, found.action, self.table.chance, self.now, found.lag)
            assert again == events
        self.copy = replay(apply, as_stored(events), self.copy)
        return True

    def draw_solving_seat(self, data: st.DataObject) -> Seat:
        open_seats = [seat for seat in self.state.playing if view(self.state, seat).choices.solve]
        return data.draw(st.sampled_from(open_seats))

    under_way = precondition(lambda self: self.state.phase in SOLVING_PHASES)
    between = precondition(lambda self: self.state.phase is Phase.READY)
    ticking = precondition(lambda self: deadline(self.state) is not None)

    @between
    @rule(order=st.permutations(range(4)))
    def all_are_ready(self, order: list[Seat]) -> None:
        for seat in order:
            if seat < self.state.players and view(self.state, seat).choices.ready:
                assert self.act(seat, Ready())
        assert self.state.phase is Phase.COUNTDOWN

    @between
    @rule(data=st.data())
    def one_is_ready(self, data: st.DataObject) -> None:
        assert self.act(data.draw(st.sampled_from(self.state.playing)), Ready())

    @under_way
    @rule(data=st.data(), lag=st.integers(-10, 400))
    def place_somewhere(self, data: st.DataObject, lag: int) -> None:
        seat = self.draw_solving_seat(data)
        deal, placed = self.state.deals[seat], self.state.placed[seat]
        piece = data.draw(st.sampled_from(sorted(deal.pieces)))
        cells = data.draw(st.sampled_from(find_places(deal, piece)))
        taken = {cell for other, on in placed.items() if other != piece for cell in on}
        in_time = self.state.sand is None or self.now <= self.state.sand
        allowed = self.act(seat, Place(piece, cells), lag)
        if in_time:
            assert allowed == taken.isdisjoint(cells)

    @under_way
    @rule(data=st.data())
    def lift(self, data: st.DataObject) -> None:
        seat = self.draw_solving_seat(data)
        piece = data.draw(st.sampled_from(sorted(self.state.deals[seat].pieces)))
        self.act(seat, Lift(piece))

    @under_way
    @rule(data=st.data(), lag=st.integers(-10, 400))
    def solve(self, data: st.DataObject, lag: int) -> None:
        seat = self.draw_solving_seat(data)
        for piece in list(self.state.placed[seat]):
            self.act(seat, Lift(piece), lag)
        # Only the last piece can end the round.
        for piece, cells in find_solution(self.state.deals[seat]).items():
            self.act(seat, Place(piece, cells), lag)

    @under_way
    @rule(data=st.data(), lag=st.integers(-10, 400))
    def give_up(self, data: st.DataObject, lag: int) -> None:
        self.act(self.draw_solving_seat(data), GiveUp(), lag)

    @rule(passed=st.sampled_from((0, 1, 100, 249, 250, 2_000, 20_000)))
    def time_passes(self, passed: int) -> None:
        self.now += passed

    @ticking
    @rule(late=st.sampled_from((0, 0, 0, 1, 300, 100_000)))
    def something_is_due(self, late: int) -> None:
        due = deadline(self.state)
        assert due is not None
        if due > self.now:
            early, self.now = self.now, due - 1
            assert not self.act(None, Expire())
            self.now = max(early, due + late)
        # The clock always advances: what was due no longer is.
        before = len(self.table.events)
        assert self.act(None, Expire())
        assert len(self.table.events) > before
        next_due = deadline(self.state)
        assert next_due is None or next_due > self.now

    @rule(
        seat=st.none() | st.integers(-1, 4),
        action=st.one_of(
            st.builds(
                Place,
                st.integers(0, 12),
                st.lists(st.builds(Hex, st.integers(-2, 4), st.integers(-1, 3)), max_size=4).map(
                    tuple
                ),
            ),
            st.builds(Lift, st.integers(0, 12)),
            st.just(GiveUp()),
            st.just(Ready()),
            st.just(Expire()),
        ),
    )
    def anyone_acts_at_random(self, seat: Seat | None, action: Action) -> None:
        allowed = self.act(seat, action)
        if seat not in range(self.state.players) and not isinstance(action, Expire):
            assert not allowed

    @invariant()
    def invariants_hold(self) -> None:
        check_state(self.state)

    @invariant()
    def replay_equals_live(self) -> None:
        assert self.copy == self.state

    @invariant()
    def match_is_never_stuck(self) -> None:
        """There is a deadline, or somebody has a choice, or the match is over."""
        choices = [view(self.state, seat).choices for seat in range(self.state.players)]
        someone = any(choice.ready or choice.solve for choice in choices)
        over = self.state.phase is Phase.OVER
        assert over != (someone or deadline(self.state) is not None)

    def teardown(self) -> None:
        assert replay(apply, self.table.events) == self.state
        assert replay(apply, as_stored(self.table.events)) == self.state


TestMatches = UbongoMatchMachine.TestCase


# ------------------------------------------------------------------------------- every game ends


def play_to_end(table: ScriptedTable, stream: Stream, *, lazy: bool = False) -> None:
    """Play randomly, with a clock, until the match is over. Lazy players always give up."""
    now = table.now
    for _ in range(5_000):
        state = table.state
        if state.phase is Phase.OVER:
            return
        check_state(state)
        due = deadline(state)
        if due is not None and (due <= now or stream.below(15) == 0):
            now = max(now, due)
            table.act(None, Expire(), at=now)
            continue
        now += stream.below(4_000)
        seat = stream.choice(state.playing)
        may = view(state, seat).choices
        with suppress(Illegal):  # a little too late
            if may.ready:
                table.act(seat, Ready(), at=now)
            elif may.solve:
                act_randomly(table, seat, stream, now, lazy=lazy)
    raise AssertionError("the match does not end")


def act_randomly(table: ScriptedTable, seat: Seat, stream: Stream, now: int, *, lazy: bool) -> None:
    choice = stream.below(10)
    if lazy or choice == 0:
        table.act(seat, GiveUp(), at=now)
    elif choice == 1 and table.state.placed[seat]:
        table.act(seat, Lift(stream.choice(list(table.state.placed[seat]))), at=now)
    else:
        solved = find_solution(table.state.deals[seat])
        piece = stream.choice(list(solved))
        table.act(seat, Place(piece, solved[piece]), at=now, lag=stream.below(300))


@given(data=st.data(), players=st.integers(2, 4), seed=st.integers(0, 10**6))
@settings(max_examples=max(8, settings().max_examples // 3))
def test_every_match_ends(data: st.DataObject, players: int, seed: int) -> None:
    options = data.draw(options_for(players))
    chance = from_text(str(seed))
    table = open_table(players=players, options=options, cards=SMALL_DECK, chance=chance)
    play_to_end(table, chance.stream("players"))
    began = [event.round for event in table.events if isinstance(event, RoundBegan)]
    ended = [event.round for event in table.events if isinstance(event, RoundEnded)]
    last = options.rounds + table.state.deciding
    assert began == ended == list(range(1, last + 1))
    assert replay(apply, as_stored(table.events)) == table.state


@given(data=st.data(), players=st.integers(2, 4), seed=st.integers(0, 10**6))
@settings(max_examples=max(4, settings().max_examples // 5))
def test_every_tied_match_ends_with_a_deciding_round(
    data: st.DataObject, players: int, seed: int
) -> None:
    """Nobody solves anything in the regular rounds, so everyone plays the deciding round."""
    options = data.draw(options_for(players))
    chance = from_text(str(seed))
    table = open_table(players=players, options=options, cards=SMALL_DECK, chance=chance)
    for _ in range(options.rounds):
        table.begin_next_round()
        while table.state.phase in SOLVING_PHASES:
            for seat in set(table.state.playing) - table.state.gave_up:
                table.act(seat, GiveUp(), at=table.now)
    assert table.state.deciding
    assert table.state.playing == tuple(range(players))
    play_to_end(table, chance.stream("players"), lazy=data.draw(st.booleans()))
    assert table.state.round == options.rounds + 1
    assert outcome(table.state) is not None
