"""U18 as a property: nothing that a seat is sent depends on what it may not know.

For a state and a seat, the tests make a *twin*: another state that differs only in what the seat
may not know. Whatever the seat is sent must be byte for byte the same in both: its view and its
choices, the events of anyone's actions, and the reasons of its own refusals. A spectator counts
as a seat without a hand.

Play itself makes some things public, so they aren't leaks:
- a tile that the seat draws from the bag, and the tiles that fill an empty display (U14): the twin
  has the same next tiles in its bag, as many as the action reveals;
- the hands, once a round is over: an action that ends the round is compared without them, and the
  twin of a finished round differs only in the bag;
- whether an extra action is skipped because none is possible (U10): with an empty bag and display,
  that depends on the mover's hand alone. Only this and a pass (U6) reveal anything about it;
- that somebody lays their last tile: the number of tiles in a hand is public.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, islice
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from pytlik.chance import Chance, Stream, from_text
from pytlik.game import Illegal, Ready, Reason, Seat
from pytlik.unikat import legal, rules
from pytlik.unikat.action_checks import check
from pytlik.unikat.messages import (
    Action,
    BonusEarned,
    Decline,
    Draw,
    Event,
    Lay,
    Pass,
    RoundDealt,
    RoundEnded,
    Swap,
    TileDrawn,
    TileSwapped,
)
from pytlik.unikat.model import TILES, Options, Phase, Placement, State, Tile
from pytlik.unikat.reasons import UnikatReason
from pytlik.unikat.view import View, choices, mask, view
from tests.unikat.drawn_tables import DrawnTable, all_tiles, parse_tiles, table_from_drawing
from tests.unikat.simple_players import choose_any_action, play_match

CHANCE = from_text("whatever")


@dataclass(frozen=True)
class Outlets:
    """The functions through which information gets out. A planted leak replaces one of them."""

    view: Callable[[State, Seat | None], View] = view
    mask: Callable[[Event, Seat | None], Any] = mask
    decide: Callable[[State, Seat | None, Action, Chance, int], list[Event]] = rules.decide
    legal: Callable[[State], Iterator[Any]] = legal.legal


# ----------------------------------------------------------------------------- the property


def hidden_twin(state: State, seat: Seat | None, stream: Stream, same_next: int = 0) -> State:
    """Make a state that differs only in what the seat may not know.

    Redeal the bag, except for its next `same_next` tiles, together with the tiles of other hands
    that nobody saw going in, and put the other hands into another order.
    """
    kept, bag = state.bag[:same_next], state.bag[same_next:]
    if state.phase is Phase.OVER:
        return changed(state, bag=(*kept, *stream.shuffled(bag)))
    others = [other for other in range(state.players) if other != seat]
    unseen = {other: set(state.hands[other]) - state.known[other] for other in others}
    pool = iter(stream.shuffled([*(tile for other in others for tile in unseen[other]), *bag]))
    hands = list(state.hands)
    for other in others:
        drawn = [next(pool) if tile in unseen[other] else tile for tile in hands[other]]
        hands[other] = stream.shuffled(drawn)
    return changed(state, hands=tuple(hands), bag=(*kept, *pool))


def count_revealed(state: State, seat: Seat | None, asker: Seat | None, action: Action) -> int:
    """How many of the bag's next tiles the seat gets to see if the action is done."""
    match action:
        case Draw("bag") | Swap(take="bag"):
            return int(asker == seat)
        case Draw():
            return 3 if len(state.display) == 1 else 0
        case _:
            return 0


def observe_state(outlets: Outlets, state: State, seat: Seat | None) -> bytes:
    """What a seat is sent about a state, and its legal actions."""
    legal = list(islice(outlets.legal(state), 60)) if seat == state.to_move else []
    return msgspec.json.encode([outlets.view(state, seat), legal])


def observe_action(
    outlets: Outlets, state: State, seat: Seat | None, asker: Seat | None, action: Action
) -> tuple[list[Event], bytes]:
    """The events of an action, and what a seat is sent about it. A refusal has no events."""
    try:
        events = outlets.decide(state, asker, action, CHANCE, 0)
    except Illegal as refusal:
        answer = [refusal.reason, refusal.detail] if asker == seat else "somebody is refused"
        return [], msgspec.json.encode(answer)
    for event in events:
        state = rules.apply(state, event)
    masked = [outlets.mask(event, seat) for event in events]
    shown = outlets.view(state, seat)
    if state.phase is Phase.OVER:  # all hands are shown
        masked = [changed(e, hands=()) if isinstance(e, RoundEnded) else e for e in masked]
        shown = changed(shown, hands=())
    return events, msgspec.json.encode([masked, shown])


def find_leak(outlets: Outlets, state: State, seat: Seat | None, stream: Stream) -> str | None:
    """Say what leaks something to the seat, or None."""
    if observe_state(outlets, state, seat) != observe_state(
        outlets, hidden_twin(state, seat, stream), seat
    ):
        return "view or choices"
    for asker in {seat, state.to_move}:
        for action in actions_to_try(state, seat, asker, stream):
            next_tiles = count_revealed(state, seat, asker, action)
            other = hidden_twin(state, seat, stream, next_tiles)
            if asker != seat and is_legal(state, asker, action) != is_legal(other, asker, action):
                continue  # a tile that only one of the two has, or a pass: see above
            events, sent = observe_action(outlets, state, seat, asker, action)
            twins, sent_twin = observe_action(outlets, other, seat, asker, action)
            if sent != sent_twin and not may_differ(state, asker, seat, action, events, twins):
                return f"seat {asker} asks for {action}"
    return None


def is_legal(state: State, asker: Seat | None, action: Action) -> bool:
    try:
        check(state, asker, action)
    except Illegal:
        return False
    return True


def may_differ(
    state: State,
    asker: Seat | None,
    seat: Seat | None,
    action: Action,
    one: list[Event],
    other: list[Event],
) -> bool:
    """U10: with an empty bag and display, only one of the hands may allow an extra action."""
    earned = [any(isinstance(event, BonusEarned) for event in events) for events in (one, other)]
    nothing_to_take = not state.display and not state.bag
    return isinstance(action, Lay) and asker != seat and nothing_to_take and earned[0] != earned[1]


def actions_to_try(
    state: State, seat: Seat | None, asker: Seat | None, stream: Stream
) -> Iterator[Action]:
    """Actions to try: legal and illegal ones of each kind."""
    yield from (Decline(), Pass(), Ready())
    takes = [*state.display, "bag", stream.choice(TILES), stream.choice([*state.bag, "0000"])]
    yield from map(Draw, takes)
    hidden = [t for s, hand in enumerate(state.hands) if s != seat for t in hand]
    gives = [stream.choice(tuple(hand)) for hand in (*state.known, *state.hands) if hand]
    yield from (Swap(give, stream.choice(takes)) for give in gives)
    yield from (Swap(give, "bag") for give in gives)
    places = list(legal.first_places(state)) if state.phase is not Phase.OVER else []
    if asker != seat and asker == state.to_move and places:
        # The twin has this tile too if everyone knows it, and now and then by luck.
        known = [placed for placed in places if placed.tile in state.known[asker]]
        yield from (Lay((stream.choice(known or places),)) for _ in range(4))
    elif places:
        yield Lay((stream.choice(places),))
    if hidden:
        edge = stream.choice(tuple(state.board.edge))
        yield Lay((Placement(stream.choice(hidden), edge.x, edge.y),))


def deal_leaks(outlets: Outlets, dealt: RoundDealt, seat: Seat | None, stream: Stream) -> bool:
    """Whether the seat can tell apart two deals that give it the same tiles."""
    nobody_plays = State(options=Options(), players=len(dealt.hands))
    state = rules.apply(nobody_plays, dealt)
    other = hidden_twin(state, seat, stream)
    second = changed(dealt, hands=other.hands, bag=other.bag)
    return msgspec.json.encode(outlets.mask(dealt, seat)) != msgspec.json.encode(
        outlets.mask(second, seat)
    )


def leaks_in_random_match(
    outlets: Outlets, players: int, options: Options, seed: int, every: int
) -> Iterator[str]:
    """Find leaks in a match of random play, in one of `every` states."""
    stream = from_text(f"twins {seed}").stream("")
    for _, _, events, state in play_match(
        players, options, from_text(str(seed)), choose_any_action
    ):
        for event in events:
            for seat in (None, *range(players)):
                if isinstance(event, RoundDealt) and deal_leaks(outlets, event, seat, stream):
                    yield f"the deal tells seat {seat}"
        if state.phase is not Phase.OVER and stream.below(every):
            continue
        seat = stream.choice([None, *range(players)])
        leak = find_leak(outlets, state, seat, stream)
        if leak:
            yield f"{leak} tells seat {seat}"


def leaks_at_table(outlets: Outlets, table: DrawnTable) -> Iterator[str]:
    """Find leaks at a drawn table, with enough twins for a hidden hand to matter."""
    stream = from_text("corner").stream("")
    for _ in range(20):
        leak = find_leak(outlets, table.state, 1, stream)
        if leak:
            yield leak


# Everyone knows that seat 0 holds 0101, which earns a double turn. Its other tile is hidden.
CORNER_TABLE = table_from_drawing(
    """
    0000   0001
    0100   0101a
    """,
    hands=["0102", "2222 2221"],
    known=["0101", ""],
    display="2212",
    bag="2211 2210 2202 2201",
)
NOTHING_TO_TAKE_TABLE = table_from_drawing(
    """
    0000   0001
    0100   0101a
    """,
    hands=["0102", "2222", "2221"],
    known=["0101", "", ""],
    display="",
    bag="",
)

# ------------------------------------------------------------------------------- no leaks


@given(
    players=st.integers(2, 4),
    seed=st.integers(0, 10**6),
    extra_action=st.sampled_from(["anywhere", "continue"]),
    blocked=st.sampled_from([(2, 20), (1, 2)]),
)
@settings(max_examples=max(6, settings().max_examples // 8))
def test_u18_random_matches_leak_nothing(
    players: int, seed: int, extra_action: Any, blocked: tuple[int, int]
) -> None:
    options = Options(rounds=2, extra_action=extra_action, blocked=blocked)
    assert list(leaks_in_random_match(Outlets(), players, options, seed, every=4)) == []


@pytest.mark.parametrize(
    "table", [CORNER_TABLE, NOTHING_TO_TAKE_TABLE], ids=["corner", "nothing to take"]
)
def test_u18_drawn_tables_leak_nothing(table: DrawnTable) -> None:
    assert list(leaks_at_table(Outlets(), table)) == []


def test_u18_twin_differs_only_in_what_is_hidden() -> None:
    stream = from_text("twin").stream("")
    table = CORNER_TABLE.with_changes(known=(frozenset({Tile("0101")}), frozenset({Tile("2222")})))
    twins = [hidden_twin(table.state, 1, stream) for _ in range(50)]
    assert {state.hands[1] for state in twins} == {table.state.hands[1]}
    assert {Tile("0101") in state.hands[0] for state in twins} == {True}
    hidden = set(parse_tiles("0102 2211 2210 2202 2201"))
    assert {tile for state in twins for tile in state.hands[0]} == hidden | {Tile("0101")}
    assert {state.bag[0] for state in twins} == hidden
    assert {state.hands[0].index(Tile("0101")) for state in twins} == {0, 1}
    assert {state.bag[:2] for state in (hidden_twin(table.state, 1, stream, 2),)} == {
        parse_tiles("2211 2210")
    }
    for state in twins:
        assert changed(state, hands=(), bag=()) == changed(table.state, hands=(), bag=())
        assert sorted(all_tiles(state)) == sorted(all_tiles(table.state))


def test_u10_skipped_extra_action_is_public() -> None:
    """The exception is needed, and only here."""
    stream = from_text("exception").stream("")
    observations = {
        observe_action(
            Outlets(),
            hidden_twin(NOTHING_TO_TAKE_TABLE.state, 1, stream),
            1,
            0,
            NOTHING_TO_TAKE_TABLE.lay,
        )[1]
        for _ in range(20)
    }
    assert len(observations) == 2
    observations = {
        observe_action(
            Outlets(), hidden_twin(CORNER_TABLE.state, 1, stream), 1, 0, CORNER_TABLE.lay
        )[1]
        for _ in range(20)
    }
    assert len(observations) == 1


# -------------------------------------------------------------------------- planted leaks


class LeakyView(View, frozen=True, kw_only=True):
    leak: Any


def leaky_view(leak: Callable[[State, Seat | None], Any]) -> Outlets:
    def view_with_leak(state: State, seat: Seat | None) -> View:
        fields = {name: getattr(view(state, seat), name) for name in View.__struct_fields__}
        return LeakyView(**fields, leak=leak(state, seat))

    return Outlets(view=view_with_leak)


def forgetful_mask(*kinds: type[Event]) -> Outlets:
    return Outlets(
        mask=lambda event, seat: event if isinstance(event, kinds) else mask(event, seat)
    )


def half_masked_deal(field: str) -> Outlets:
    def mask_all_but_field(event: Event, seat: Seat | None) -> Event:
        masked = mask(event, seat)
        if isinstance(event, RoundDealt):
            masked = changed(masked, **{field: getattr(event, field)})
        return masked

    return Outlets(mask=mask_all_but_field)


def leaky_refusal(reason: StrEnum, find_detail: Callable[[State, Illegal], Any]) -> Outlets:
    def decide(
        state: State, seat: Seat | None, action: Action, chance: Chance, now: int
    ) -> list[Event]:
        try:
            return rules.decide(state, seat, action, chance, now)
        except Illegal as refusal:
            if refusal.reason is reason:
                raise Illegal(reason, **refusal.detail, also=find_detail(state, refusal)) from None
            raise

    return Outlets(decide=decide)


def decide_with_hand_dependent_bonus(
    state: State, seat: Seat | None, action: Action, chance: Chance, now: int
) -> list[Event]:
    """Grant the extra action only to those who can lay, even if a swap is possible."""
    events = rules.decide(state, seat, action, chance, now)
    after = state
    for event in events:
        after = rules.apply(after, event)
    if after.phase is Phase.BONUS and not legal.can_lay(after):
        return events[:-1]
    return events


def find_holders(state: State, refusal: Illegal) -> list[bool]:
    return [refusal.detail["tile"] in hand for hand in state.hands]


def legal_knowing_the_bag(state: State) -> Iterator[Any]:
    """Offer the bag only if its next tile is a good one."""
    for action in legal.legal(state):
        if not (isinstance(action, Draw | Swap) and action.take == "bag" and state.bag[0] < "1000"):
            yield action


PLANTED_LEAKS = {
    "the view has the next tile of the bag": leaky_view(lambda state, _: state.bag[:1]),
    "the view has the other hands": leaky_view(
        lambda state, _: None if state.phase is Phase.OVER else [set(h) for h in state.hands]
    ),
    "the view has a checksum of the hands": leaky_view(
        lambda state, _: sum(int(t) for h in state.hands for t in h) % 2 if state.bag else 0
    ),
    "the view has the places of known tiles in the hand": leaky_view(
        lambda state, _: [
            hand.index(tile)
            for hand, known in zip(state.hands, state.known, strict=True)
            for tile in known
        ]
    ),
    "the view has the mover's choices": leaky_view(
        lambda state, _: choices(state, state.to_move).lay
    ),
    "the view has the bag once the round is over": leaky_view(
        lambda state, _: state.bag if state.phase is Phase.OVER else ()
    ),
    "a spectator sees the hand of seat 0": leaky_view(
        lambda state, seat: state.hands[0] if seat is None else ()
    ),
    "a swap with the bag is not masked": forgetful_mask(TileSwapped),
    "a draw from the bag is not masked": forgetful_mask(TileDrawn),
    "the deal has the order of the bag": half_masked_deal("bag"),
    "the deal has the hands": half_masked_deal("hands"),
    "a refusal names a tile of the mover": leaky_refusal(
        Reason.NOT_YOUR_TURN, lambda state, _: min(state.hand)
    ),
    "a refusal says who holds the tile": leaky_refusal(UnikatReason.NOT_IN_HAND, find_holders),
    "a refusal says that the tile is in the bag": leaky_refusal(
        UnikatReason.NOT_IN_DISPLAY, lambda state, refusal: refusal.detail["tile"] in state.bag
    ),
    "legal actions depend on the bag": replace(Outlets(), legal=legal_knowing_the_bag),
    "the extra action depends on the hand": Outlets(decide=decide_with_hand_dependent_bonus),
}


@pytest.mark.parametrize("name", PLANTED_LEAKS)
def test_a_planted_leak_is_found(name: str) -> None:
    outlets = PLANTED_LEAKS[name]
    found = chain(
        leaks_at_table(outlets, CORNER_TABLE),
        *(
            leaks_in_random_match(outlets, 2 + seed % 3, Options(rounds=2), seed, every=4)
            for seed in range(6)
        ),
    )
    assert next(found, None), f"not found: {name}"
