"""The rules of Unikat. Numbers such as U8 are those of the spec.

`decide` says what an action leads to, or raises Illegal; `apply` makes it so. Both are pure. What
may be done is in `legal.py`, why something may not in `refusals.py`, how a round goes from its deal
to its end in `rounds.py`.
"""

from typing import TypeVar, assert_never

from msgspec.structs import replace

from pytlik import scores
from pytlik.chance import Chance
from pytlik.game import Cause, Malformed, Opening, Ready, Reason, Seat, check_opening
from pytlik.scores import Row
from pytlik.unikat.legal import can_lay, can_swap
from pytlik.unikat.messages import (
    BAG,
    Action,
    BonusDeclined,
    BonusEarned,
    ChainLaid,
    Decline,
    DisplayFilled,
    Draw,
    DrawOwed,
    Event,
    Lay,
    MatchEnded,
    MatchOpened,
    Pass,
    RoundDealt,
    RoundEnded,
    SeatReady,
    Source,
    Swap,
    TileDrawn,
    TileSwapped,
    TurnEnded,
    TurnPassed,
    shown,
)
from pytlik.unikat.model import DISPLAY_SIZE, Board, Options, Phase, Placement, State, Tile
from pytlik.unikat.refusals import check
from pytlik.unikat.rounds import Story, deal, earns_bonus, end_actions, end_round, end_turn

T = TypeVar("T")

PLAYERS = range(2, 5)

# --------------------------------------------------------------------------------- what happens


def check_options(options: Options, players: int) -> None:
    """Raise Malformed if no seat can begin where the options say so (U4)."""
    if options.starter is not None and options.starter >= players:
        raise Malformed(Reason.BAD_REQUEST, problem="options: no such seat can begin")


def open_match(opening: Opening, options: Options, chance: Chance, now: int) -> list[Event]:
    """A new match, and its first round dealt."""
    check_opening(opening, PLAYERS)
    check_options(options, opening.players)
    opened = MatchOpened(
        at=now,
        players=opening.players,
        options=options,
        commitment=opening.commitment,
        shares=opening.shares,
    )
    telling = Story(apply(None, opened), apply, [opened])
    starter = options.starter
    if starter is None:
        starter = chance.stream("starter").below(opening.players)
    deal(telling, starter, chance, now)
    return telling.events


def decide(
    state: State, seat: Seat | None, action: Action, chance: Chance, now: int, lag: int = 0
) -> list[Event]:
    """What an action leads to. Nothing here runs against a clock, so `lag` is of no interest."""
    check(state, seat, action)
    assert seat is not None
    telling = Story(state, apply, [])
    match action:
        case Lay():
            telling.tell(ChainLaid(at=now, seat=seat, tiles=action.tiles))
            if not telling.state.hands[seat]:  # U15
                end_round(telling, (seat,), "last tile", now)
            elif earns_bonus(state, action.tiles) and (
                can_lay(after := replace(telling.state, phase=Phase.BONUS)) or can_swap(after)
            ):
                telling.tell(BonusEarned(at=now, seat=seat))
            else:
                end_actions(telling, now)
        case Swap(give, take):
            tile, source = taken(state, take)
            telling.tell(TileSwapped(at=now, seat=seat, give=give, take=tile, source=source))
            end_actions(telling, now)
        case Decline():
            telling.tell(BonusDeclined(at=now, seat=seat))
            end_actions(telling, now)
        case Draw(take):
            tile, source = taken(state, take)
            telling.tell(TileDrawn(at=now, seat=seat, tile=tile, source=source))
            if not telling.state.display and telling.state.bag:  # U14
                telling.tell(DisplayFilled(at=now, tiles=telling.state.bag[:DISPLAY_SIZE]))
            end_turn(telling, now)
        case Pass():
            telling.tell(TurnPassed(at=now, seat=seat))
            end_turn(telling, now)
        case Ready():
            if seat in state.ready:
                return []
            telling.tell(SeatReady(at=now, seat=seat))
            if len(telling.state.ready) == state.players:
                starts = state.options.next_starter
                starter = scores.next_starter(starts, state.starter, state.winners, state.players)
                deal(telling, starter, chance, now)
        case _:
            assert_never(action)
    return telling.events


def taken(state: State, take: str) -> tuple[Tile, Source]:
    if take == BAG:
        return state.bag[0], "bag"
    return Tile(take), "display"


# ------------------------------------------------------------------------------------ how it is so


def apply(state: State | None, event: Event) -> State:
    """The state after an event. Events are facts: nothing is checked here."""
    if isinstance(event, MatchOpened):
        return State(options=event.options, players=event.players)
    assert state is not None
    match event:
        case RoundDealt():
            return dealt(state, event)
        case ChainLaid(seat=seat, tiles=chain):
            laid = {placed.tile for placed in chain}
            return replace(
                with_hand(state, seat, without=laid),
                board=state.board.with_chain(chain),
                latest=(*state.latest, *chain) if state.laid else chain,
                laid=True,
            )
        case BonusEarned():
            return replace(state, phase=Phase.BONUS)
        case TileSwapped(seat=seat, give=give, take=take, source=source):
            state = replace(state, display=(*state.display, give))
            return with_taken(with_hand(state, seat, without={give}), seat, shown(take), source)
        case DrawOwed():
            return replace(state, phase=Phase.DRAW)
        case TileDrawn(seat=seat, tile=tile, source=source):
            return with_taken(state, seat, shown(tile), source)
        case DisplayFilled(tiles=tiles):
            return replace(state, display=tiles, bag=state.bag[len(tiles) :])
        case TurnEnded():
            return replace(
                state,
                to_move=event.next,
                phase=Phase.ACTION,
                laid=False,
                quiet_turns=0 if state.laid else state.quiet_turns + 1,
            )
        case RoundEnded(winners=winners, ended=ended, hands=hands):
            row = Row(points=tuple(len(hand) for hand in hands), winners=winners)  # U17
            return replace(
                state, phase=Phase.OVER, winners=winners, ended=ended, sheet=(*state.sheet, row)
            )
        case SeatReady(seat=seat):
            return replace(state, ready=state.ready | {seat})
        case BonusDeclined() | TurnPassed() | MatchEnded():
            return state
        case _:
            assert_never(event)


def dealt(state: State, event: RoundDealt) -> State:
    return State(
        options=state.options,
        players=state.players,
        sheet=state.sheet,
        round=event.round,
        starter=event.starter,
        board=Board([Placement(event.start, 0, 0)]),
        hands=tuple(tuple(map(shown, hand)) for hand in event.hands),
        known=(frozenset(),) * state.players,
        display=event.display,
        bag=tuple(map(shown, event.bag)),
        to_move=event.starter,
        phase=Phase.ACTION,
    )


def with_hand(state: State, seat: Seat, *, without: set[Tile]) -> State:
    """The state with some tiles gone from a hand, and so from what is known of it."""
    hand = tuple(tile for tile in state.hands[seat] if tile not in without)
    return replace(
        state,
        hands=put(state.hands, seat, hand),
        known=put(state.known, seat, state.known[seat] - without),
    )


def with_taken(state: State, seat: Seat, tile: Tile, source: Source) -> State:
    """The state with a tile gone from display or bag into a hand."""
    hands = put(state.hands, seat, (*state.hands[seat], tile))
    if source == "bag":
        return replace(state, hands=hands, bag=state.bag[1:])
    return replace(
        state,
        hands=hands,
        known=put(state.known, seat, state.known[seat] | {tile}),  # U18: everyone saw it
        display=tuple(other for other in state.display if other is not tile),
    )


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])


# ---------------------------------------------------------------------------- what is waited for


def deadline(state: State) -> None:
    """No clock runs in the rules of Unikat."""


def awaited(state: State) -> tuple[Seat, ...]:
    """Who can do something now."""
    if state.phase is not Phase.OVER:
        return (state.to_move,)
    if state.finished:
        return ()
    return tuple(seat for seat in range(state.players) if seat not in state.ready)


def cause(event: Event) -> Cause | None:
    """What was asked when this happened; None for what only follows from something else."""
    match event:
        case ChainLaid(seat=seat, tiles=tiles):
            return Cause(seat, Lay(tiles))
        case TileSwapped(seat=seat, give=give, take=take, source=source):
            return Cause(seat, Swap(give, BAG if source == "bag" else shown(take)))
        case BonusDeclined(seat=seat):
            return Cause(seat, Decline())
        case TileDrawn(seat=seat, tile=tile, source=source):
            return Cause(seat, Draw(BAG if source == "bag" else shown(tile)))
        case TurnPassed(seat=seat):
            return Cause(seat, Pass())
        case SeatReady(seat=seat):
            return Cause(seat, Ready())
        case _:
            return None
