"""G16 as a property: nothing that a seat is sent depends on what it may not know.

Two matches are played side by side for one observer, a seat or a spectator. They differ only in
what the observer may not know: the cards to come, what the others do with their pieces while the
observer may not watch, and the seed. Whatever the observer is sent must be byte for byte the same
in both: its view and its choices, every masked event, and the reasons of its refusals.

Play itself makes some things public, so they aren't leaks:
- a round's cards when it begins: from then on, both matches have the same ones;
- others' pieces once the observer may watch: from then on, they're placed alike in both;
- the number of events: a seat that needs fewer moves to solve in one match makes extra moves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pytlik.chance import Chance, Stream, from_text
from pytlik.game import Expire, Illegal, Ready, Reason, Seat
from pytlik.ubongo import rules
from pytlik.ubongo.hexes import Hex
from pytlik.ubongo.messages import (
    Action,
    DeckShuffled,
    Event,
    GemTaken,
    GiveUp,
    Lift,
    PieceLifted,
    PieceMoved,
    PiecePlaced,
    Place,
    SeatGaveUp,
)
from pytlik.ubongo.model import SOLVING_PHASES, Card, Options, Phase, State
from pytlik.ubongo.timing import deadline
from pytlik.ubongo.view import can_see_all_pieces, mask, view
from tests.ubongo.drawn_cards import find_places, find_solution, place_as_drawn
from tests.ubongo.scripted_table import ScriptedTable, open_table
from tests.ubongo.test_invariants import SMALL_DECK


@dataclass(frozen=True)
class Outlets:
    """The functions through which information gets out. A planted leak replaces one of them."""

    view: Callable[[State, Seat | None], Any] = view
    mask: Callable[[Event, Seat | None], Any] = mask
    decide: Callable[[State, Seat | None, Action, Chance, int], list[Event]] = rules.decide


# ------------------------------------------------------------------------------------ the twins


def may_watch_by_spec(state: State, seat: Seat | None) -> bool:
    """Whether the spec lets a seat see others' pieces, written independently of the rules."""
    if state.phase not in SOLVING_PHASES:
        return True
    if seat not in state.playing:
        return False
    nobody_comes_back = state.phase is Phase.SECOND_CHANCE or state.sand is None
    somebody_solved = len(state.solutions) > 0
    return seat in state.solved or (
        seat in state.gave_up and (nobody_comes_back or somebody_solved)
    )


def other_cards(cards: tuple[Card, ...], stream: Stream) -> tuple[Card, ...]:
    """The same number of cards, with numbers and puzzles shuffled separately."""
    sides = stream.shuffled(card.sides for card in cards)
    ids = stream.shuffled(card.id for card in cards)
    return tuple(Card(id=number, sides=shown) for number, shown in zip(ids, sides, strict=True))


class TwinMatches:
    """Two matches that one observer can't tell apart, unless something leaks."""

    def __init__(
        self, outlets: Outlets, observer: Seat | None, table: ScriptedTable, stream: Stream
    ) -> None:
        self.outlets = outlets
        self.observer = observer
        self.stream = stream
        self.now = table.now
        self.one = table
        shuffled = table.events[1]
        assert isinstance(shuffled, DeckShuffled)
        second = replace(shuffled, cards=other_cards(table.state.cards, stream))
        self.other = ScriptedTable([table.events[0], second], table.chance)
        self.leak = ""
        self.compare("events", outlets.mask(shuffled, observer), outlets.mask(second, observer))
        self.compare_observations()

    @property
    def state(self) -> State:
        return self.one.state

    def compare(self, what: str, one: Any, other: Any) -> None:
        if msgspec.json.encode(one) != msgspec.json.encode(other):
            self.leak = self.leak or what

    def compare_observations(self) -> None:
        """Compare what the observer sees, and the answers to its actions."""
        one, other = self.one.state, self.other.state
        if may_watch_by_spec(one, self.observer):
            self.other.change(placed=one.placed)
            other = self.other.state
        self.compare(
            "view", self.outlets.view(one, self.observer), self.outlets.view(other, self.observer)
        )
        for action in self.actions_to_try():
            answers = [
                self.answer_to(state, action, seed) for state, seed in ((one, "1"), (other, "2"))
            ]
            if None not in answers:
                self.compare("answer", *answers)

    def actions_to_try(self) -> list[Action]:
        stream, state = self.stream, self.state
        some_cells = tuple(Hex(stream.below(5) - 1, stream.below(3)) for _ in range(3))
        actions: list[Action] = [GiveUp(), Ready(), Lift(stream.below(9)), Place(1, some_cells)]
        if self.observer is not None:
            actions.append(Expire())
        if self.observer in state.deals:
            deal = state.deals[self.observer]
            piece = stream.choice(list(deal.pieces))
            actions += [Lift(piece), Place(piece, stream.choice(find_places(deal, piece)))]
        return actions

    def answer_to(self, state: State, action: Action, seed: str) -> Any:
        """What the observer is sent, or None if that depends on the seed, which differs."""
        try:
            events = self.outlets.decide(state, self.observer, action, from_text(seed), self.now)
        except Illegal as refusal:
            return [refusal.reason, refusal.detail]
        if any(isinstance(event, GemTaken) for event in events):
            return None
        return [self.outlets.mask(event, self.observer) for event in events]

    def act_in_both(self, seat: Seat | None, ones: list[Action], others: list[Action]) -> None:
        """Do the same number of actions in both. They may differ only in secret."""
        for one, other in zip(ones, others, strict=True):
            shown, shown_in_other = (
                [self.outlets.mask(event, self.observer) for event in events]
                for events in (
                    self.one.act(seat, one, at=self.now),
                    self.other.act(seat, other, at=self.now),
                )
            )
            self.compare("events", shown, shown_in_other)
            self.compare_observations()

    def do_same_in_both(self, seat: Seat | None, *actions: Action) -> None:
        self.act_in_both(seat, list(actions), list(actions))

    def expire_deadlines(self) -> None:
        """Let everything due happen. A round begins with the same cards in both."""
        while (due := deadline(self.state)) is not None and due <= self.now:
            if self.state.phase is Phase.COUNTDOWN:
                top, rest = self.state.cards[:4], self.state.cards[4:]
                self.other.change(cards=(*top, *other_cards(rest, self.stream)))
            before = len(self.one.events)
            self.do_same_in_both(None, Expire())
            assert len(self.one.events) > before, "the clock is stuck"
            self.other.change(cards=other_cards(self.state.cards, self.stream))
            self.compare_observations()

    def must_act_alike(self, seat: Seat) -> bool:
        """Whether a seat must do the same in both because the observer sees it."""
        return seat == self.observer or may_watch_by_spec(self.state, self.observer)

    def move_without_solving(self, seat: Seat) -> None:
        """Let a seat place, move or lift a piece without solving."""
        one = self.stream.choice(moves_without_solving(self.one.state, seat))
        other = self.stream.choice(moves_without_solving(self.other.state, seat))
        self.act_in_both(seat, [one], [one if self.must_act_alike(seat) else other])

    def solve(self, seat: Seat) -> None:
        states = self.one.state, self.other.state
        longest = max(len(solving_moves(state, seat)) for state in states)
        self.act_in_both(seat, *(solving_moves(state, seat, longest) for state in states))

    def step(self) -> None:
        """Let some time pass and a seat act."""
        self.now += self.stream.choice([0, 1, 100, 250, 2_000, 20_000])
        self.expire_deadlines()
        state = self.state
        if state.phase is Phase.READY:
            self.do_same_in_both(self.stream.choice(state.playing), Ready())
        elif state.phase in SOLVING_PHASES and (state.sand is None or self.now <= state.sand):
            solving = set(state.playing) - state.solved - state.gave_up
            seat = self.stream.choice(sorted(solving))
            what = self.stream.below(12)
            if what == 0:
                self.solve(seat)
            elif what == 1:
                self.do_same_in_both(seat, GiveUp())
            else:
                self.move_without_solving(seat)


def moves_without_solving(state: State, seat: Seat) -> list[Action]:
    """All moves that do not solve the card."""
    deal, placed = state.deals[seat], state.placed[seat]
    moves: list[Action] = [Lift(piece) for piece in placed]
    for piece in deal.pieces:
        others = {number: on for number, on in placed.items() if number != piece}
        taken = {cell for on in others.values() for cell in on}
        if len(taken) + len(deal.pieces[piece]) < len(deal.area):
            moves += [Place(piece, on) for on in find_places(deal, piece) if taken.isdisjoint(on)]
    return moves


def solving_moves(state: State, seat: Seat, length: int = 0) -> list[Action]:
    """Moves that solve the card, at least `length`: one piece is placed again where it is."""
    placed, solved = state.placed[seat], find_solution(state.deals[seat])
    wrong = [Lift(piece) for piece, cells in placed.items() if solved[piece] != cells]
    *missing, last = [Place(piece, on) for piece, on in solved.items() if placed.get(piece) != on]
    lying = next(Place(piece, on) for piece, on in solved.items() if piece != last.piece)
    again = [lying] * (length - len(wrong) - len(missing) - 1)
    return [*wrong, *missing, *again, last]


OPTIONS_TRIED = (
    Options(),
    Options(seconds=30, patience=30, handicap=()),
    Options(seconds=None),
    Options(same_puzzle=True, pieces=4),
)


def find_leak(outlets: Outlets, seed: int, steps: int = 40) -> str:
    """Say what leaks something to an observer. Empty if nothing does."""
    stream = from_text(f"secrecy {seed}").stream("steps")
    players = 2 + stream.below(3)
    table = open_table(
        players=players,
        options=stream.choice(OPTIONS_TRIED),
        cards=SMALL_DECK,
        chance=from_text(str(seed)),
    )
    observer = stream.choice([None, *range(players)])
    twins = TwinMatches(outlets, observer, table, stream)
    if stream.below(3) == 0:  # a deciding round, without seat 0 if there are more than two
        for match in (twins.one, twins.other):
            match.change(round=9, deciding=True, playing=tuple(range(players > 2, players)))
    for _ in range(steps):
        if twins.leak or twins.state.phase is Phase.OVER:
            break
        twins.step()
    return f"{twins.leak} tells {observer}" if twins.leak else ""


# ------------------------------------------------------------------------------------- no leaks


@given(seed=st.integers(0, 10**6))
@settings(max_examples=max(80, settings().max_examples))
def test_g16_random_matches_leak_nothing(seed: int) -> None:
    assert find_leak(Outlets(), seed) == ""


def test_g16_twins_differ_where_they_may() -> None:
    """Otherwise the property would prove nothing. Here seat 0 observes while it solves."""
    stream = from_text("differ").stream("")
    table = open_table(players=3, cards=SMALL_DECK)
    twins = TwinMatches(Outlets(), 0, table, stream)
    assert twins.one.state.cards != twins.other.state.cards
    for seat in range(3):
        twins.do_same_in_both(seat, Ready())
    assert twins.one.state.cards[:3] != twins.other.state.cards[:3]
    twins.now += 3_000
    twins.expire_deadlines()
    assert twins.one.state.deals == twins.other.state.deals
    for _ in range(6):
        for seat in range(3):
            twins.move_without_solving(seat)
    one, other = twins.one.state.placed, twins.other.state.placed
    assert one[0] == other[0]
    assert one[1] != other[1]
    assert one[2] != other[2]
    assert twins.one.state.cards != twins.other.state.cards
    assert twins.leak == ""


# --------------------------------------------------------------------------------- planted leaks


def leaky_view(leak: Callable[[State, Seat | None], Any]) -> Outlets:
    return Outlets(view=lambda state, seat: [view(state, seat), leak(state, seat)])


def leaky_mask(kind: type[Event], replace_event: Callable[[Any, Seat | None], Any]) -> Outlets:
    """A mask that replaces one kind of event with something else."""

    def mask_or_replace(event: Event, seat: Seat | None) -> Any:
        return replace_event(event, seat) if isinstance(event, kind) else mask(event, seat)

    return Outlets(mask=mask_or_replace)


def leaky_refusal(find_detail: Callable[[State, Seat | None, StrEnum], Any]) -> Outlets:
    def decide(
        state: State, seat: Seat | None, action: Action, chance: Chance, now: int
    ) -> list[Event]:
        try:
            return rules.decide(state, seat, action, chance, now)
        except Illegal as refusal:
            also = find_detail(state, seat, refusal.reason)
            raise Illegal(refusal.reason, **refusal.detail, also=also) from None

    return Outlets(decide=decide)


def unwatched_pieces(state: State, seat: Seat | None) -> dict[Seat, Any]:
    """The others' pieces, if the seat may not see them."""
    if can_see_all_pieces(state, seat):
        return {}
    return {owner: placed for owner, placed in state.placed.items() if owner != seat}


def decide_as_if_on_one_card(
    state: State, seat: Seat | None, action: Action, chance: Chance, now: int
) -> list[Event]:
    """Refuse overlaps with others' pieces, as if all were on one card."""
    events = rules.decide(state, seat, action, chance, now)
    if isinstance(action, Place):
        for placed in unwatched_pieces(state, seat).values():
            for number, cells in placed.items():
                if not set(cells).isdisjoint(action.cells):
                    raise Illegal(Reason.OCCUPIED, piece=action.piece, other=number)
    return events


def decide_telling_next_token(
    state: State, seat: Seat | None, action: Action, chance: Chance, now: int
) -> list[Event]:
    try:
        return rules.decide(state, seat, action, chance, now)
    except Illegal as refusal:
        luck = chance.stream(f"round {state.round + 1}: tokens").below(1000)
        raise Illegal(refusal.reason, **refusal.detail, luck=luck) from None


def view_showing_pieces_if(shows: Callable[[State, Seat | None], bool]) -> Outlets:
    """A view that shows everyone's pieces when it must not."""
    return leaky_view(
        lambda state, seat: unwatched_pieces(state, seat) if shows(state, seat) else {}
    )


PLANTED_LEAKS = {
    "the view has the pile": leaky_view(lambda state, _: state.cards),
    "the view has the number of the top card": leaky_view(
        lambda state, _: [card.id for card in state.cards[:1]]
    ),
    "the view has the coming cards in the countdown": leaky_view(
        lambda state, _: state.cards[:4] if state.phase is Phase.COUNTDOWN else ()
    ),
    "the view has how many cells the coming card has": leaky_view(
        lambda state, _: [len(card.sides[3].area) for card in state.cards[:3]]
    ),
    "a solver sees the others' pieces": view_showing_pieces_if(lambda _, seat: seat is not None),
    "a spectator sees the pieces": view_showing_pieces_if(lambda _, seat: seat is None),
    "a spectator sees the pieces once somebody has solved": view_showing_pieces_if(
        lambda state, seat: seat is None and bool(state.solved)
    ),
    "a seat that gave up watches before the second chance": view_showing_pieces_if(
        lambda state, seat: seat in state.gave_up
    ),
    "a seat that is not in the deciding round watches": view_showing_pieces_if(
        lambda state, seat: seat is not None and seat not in state.playing
    ),
    "the view has how many pieces lie on each card": leaky_view(
        lambda state, seat: {
            owner: len(placed) for owner, placed in unwatched_pieces(state, seat).items()
        }
    ),
    "the view has the numbers of the pieces in the order of placing": leaky_view(
        lambda state, seat: [list(placed) for placed in unwatched_pieces(state, seat).values()]
    ),
    "the view has who is nearly done": leaky_view(
        lambda state, seat: [
            owner
            for owner, placed in unwatched_pieces(state, seat).items()
            if len(placed) == len(state.deals[owner].pieces) - 1
        ]
    ),
    "the mask forgets lifting": leaky_mask(PieceLifted, lambda event, _: event),
    "the mask forgets placing": leaky_mask(PiecePlaced, lambda event, _: event),
    "the mask shows a piece's number": leaky_mask(
        PiecePlaced,
        lambda event, seat: (
            event if event.seat == seat else [PieceMoved(at=event.at, seat=event.seat), event.piece]
        ),
    ),
    "the mask keeps lifting silent": leaky_mask(
        PieceLifted, lambda event, seat: event if event.seat == seat else None
    ),
    "the mask forgets the deck": leaky_mask(DeckShuffled, lambda event, _: event),
    "the mask hides all but the top card": leaky_mask(
        DeckShuffled, lambda event, _: event.cards[0].id
    ),
    "the mask hides the deck but not its sum": leaky_mask(
        DeckShuffled,
        lambda event, _: sum(n * len(card.sides[3].area) for n, card in enumerate(event.cards)),
    ),
    "a refusal names another's piece": leaky_refusal(
        lambda state, seat, _: [
            min(placed) for placed in unwatched_pieces(state, seat).values() if placed
        ]
    ),
    "a refusal names the top card": leaky_refusal(lambda state, *_: state.cards[0].id),
    "a refusal depends on others' pieces": Outlets(decide=decide_as_if_on_one_card),
    "a refusal depends on the seed": Outlets(decide=decide_telling_next_token),
}


@pytest.mark.parametrize("name", PLANTED_LEAKS)
def test_a_planted_leak_is_found(name: str) -> None:
    assert any(find_leak(PLANTED_LEAKS[name], seed) for seed in range(150)), f"not found: {name}"


def test_harmless_change_is_not_a_leak() -> None:
    """More detail about what is public anyway, and a mask that hides more than it must."""
    wordy = leaky_view(lambda state, _: [len(state.cards), state.solved, state.deals])
    silent = leaky_mask(SeatGaveUp, lambda *_: None)
    polite = leaky_refusal(lambda state, *_: state.phase)
    for outlets in (wordy, silent, polite):
        assert [find_leak(outlets, seed) for seed in range(15)] == [""] * 15


def test_g16_two_placements_and_a_lift_look_alike() -> None:
    """By example: seat 1 does one of three things, and seat 0 is sent the same."""
    messages = set()
    for action in (
        place_as_drawn(1, "1 1 1 .\n . . . ."),
        place_as_drawn(3, ". . . .\n 3 3 . ."),
        Lift(2),
    ):
        table = open_table().begin_next_round()
        table.act(1, place_as_drawn(2, ". . . 2\n . . 2 2"), at=table.now)
        events = table.act(1, action, at=table.now)
        message = [mask(event, 0) for event in events], view(table.state, 0)
        messages.add(msgspec.json.encode(message))
    assert len(messages) == 1
