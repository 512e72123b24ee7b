"""The rules of Unikat. Numbers such as U8 are those of the spec.

`decide` returns the events that an action leads to, or raises Illegal; `apply` returns the state
after an event. Both are pure. `legal.py` lists legal actions, `action_checks.py` refuses the others
and says why, and `rounds.py` takes a round from its deal to its end.
"""

from typing import TypeVar, assert_never

from msgspec.structs import replace

from pytlik import score_sheet
from pytlik.chance import Chance
from pytlik.game import Cause, Malformed, Opening, Ready, Reason, Seat, check_opening
from pytlik.score_sheet import Row
from pytlik.unikat.action_checks import check
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
    require_visible,
)
from pytlik.unikat.model import DISPLAY_SIZE, Board, Options, Phase, Placement, State, Tile
from pytlik.unikat.rounds import Recorder, deal, draw_or_end_turn, earns_bonus, end_round, end_turn

T = TypeVar("T")

PLAYERS = range(2, 5)

# --------------------------------------------------------------------------------------- decide


def check_options(options: Options, players: int) -> None:
    """Raise Malformed if the options let a seat start that doesn't exist (U4)."""
    if options.starter is not None and options.starter >= players:
        raise Malformed(Reason.BAD_REQUEST, problem="options: there's no such seat to start")


def open_match(opening: Opening, options: Options, chance: Chance, now: int) -> list[Event]:
    """Open a match, and deal its first round."""
    check_opening(opening, PLAYERS)
    check_options(options, opening.players)
    opened = MatchOpened(
        at=now,
        players=opening.players,
        options=options,
        commitment=opening.commitment,
        shares=opening.shares,
    )
    log = Recorder(apply(None, opened), apply, [opened])
    starter = options.starter
    if starter is None:
        starter = chance.stream("starter").below(opening.players)
    deal(log, starter, chance, now)
    return log.events


def decide(
    state: State, seat: Seat | None, action: Action, chance: Chance, now: int, lag: int = 0
) -> list[Event]:
    """The events that an action leads to. Unikat has no clock, so `lag` doesn't matter."""
    check(state, seat, action)
    assert seat is not None
    log = Recorder(state, apply, [])
    match action:
        case Lay():
            log.record(ChainLaid(at=now, seat=seat, tiles=action.tiles))
            if not log.state.hands[seat]:  # U15
                end_round(log, (seat,), "last tile", now)
            elif earns_bonus(state, action.tiles) and (
                can_lay(after := replace(log.state, phase=Phase.BONUS)) or can_swap(after)
            ):
                log.record(BonusEarned(at=now, seat=seat))
            else:
                draw_or_end_turn(log, now)
        case Swap(give, take):
            tile, source = resolve_take(state, take)
            log.record(TileSwapped(at=now, seat=seat, give=give, take=tile, source=source))
            draw_or_end_turn(log, now)
        case Decline():
            log.record(BonusDeclined(at=now, seat=seat))
            draw_or_end_turn(log, now)
        case Draw(take):
            tile, source = resolve_take(state, take)
            log.record(TileDrawn(at=now, seat=seat, tile=tile, source=source))
            if not log.state.display and log.state.bag:  # U14
                log.record(DisplayFilled(at=now, tiles=log.state.bag[:DISPLAY_SIZE]))
            end_turn(log, now)
        case Pass():
            log.record(TurnPassed(at=now, seat=seat))
            end_turn(log, now)
        case Ready():
            if seat in state.ready:
                return []
            log.record(SeatReady(at=now, seat=seat))
            if len(log.state.ready) == state.players:
                starts = state.options.next_starter
                starter = score_sheet.next_starter(
                    starts, state.starter, state.winners, state.players
                )
                deal(log, starter, chance, now)
        case _:
            assert_never(action)
    return log.events


def resolve_take(state: State, take: str) -> tuple[Tile, Source]:
    """The tile that is taken, and where it comes from."""
    if take == BAG:
        return state.bag[0], "bag"
    return Tile(take), "display"


# ---------------------------------------------------------------------------------------- apply


def apply(state: State | None, event: Event) -> State:
    """The state after an event. Events are facts: nothing is checked here."""
    if isinstance(event, MatchOpened):
        return State(options=event.options, players=event.players)
    assert state is not None
    match event:
        case RoundDealt():
            return with_deal(state, event)
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
            state = with_hand(state, seat, without={give})
            return with_taken(state, seat, require_visible(take), source)
        case DrawOwed():
            return replace(state, phase=Phase.DRAW)
        case TileDrawn(seat=seat, tile=tile, source=source):
            return with_taken(state, seat, require_visible(tile), source)
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


def with_deal(state: State, event: RoundDealt) -> State:
    return State(
        options=state.options,
        players=state.players,
        sheet=state.sheet,
        round=event.round,
        starter=event.starter,
        board=Board([Placement(event.start, 0, 0)]),
        hands=tuple(tuple(map(require_visible, hand)) for hand in event.hands),
        known=(frozenset(),) * state.players,
        display=event.display,
        bag=tuple(map(require_visible, event.bag)),
        to_move=event.starter,
        phase=Phase.ACTION,
    )


def with_hand(state: State, seat: Seat, *, without: set[Tile]) -> State:
    """The state without some tiles in a hand, and in what is known of it."""
    hand = tuple(tile for tile in state.hands[seat] if tile not in without)
    return replace(
        state,
        hands=replace_item(state.hands, seat, hand),
        known=replace_item(state.known, seat, state.known[seat] - without),
    )


def with_taken(state: State, seat: Seat, tile: Tile, source: Source) -> State:
    """The state with a tile moved from the display or the bag into a hand."""
    hands = replace_item(state.hands, seat, (*state.hands[seat], tile))
    if source == "bag":
        return replace(state, hands=hands, bag=state.bag[1:])
    return replace(
        state,
        hands=hands,
        known=replace_item(state.known, seat, state.known[seat] | {tile}),  # U18: everyone saw it
        display=tuple(other for other in state.display if other is not tile),
    )


def replace_item(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])


# ------------------------------------------------------------------------- who can act, and causes


def awaited(state: State) -> tuple[Seat, ...]:
    """The seats that can act now."""
    if state.phase is not Phase.OVER:
        return (state.to_move,)
    if state.finished:
        return ()
    return tuple(seat for seat in range(state.players) if seat not in state.ready)


def cause(event: Event) -> Cause | None:
    """The action behind an event; None for events that only follow from others."""
    match event:
        case ChainLaid(seat=seat, tiles=tiles):
            return Cause(seat, Lay(tiles))
        case TileSwapped(seat=seat, give=give, take=take, source=source):
            return Cause(seat, Swap(give, BAG if source == "bag" else require_visible(take)))
        case BonusDeclined(seat=seat):
            return Cause(seat, Decline())
        case TileDrawn(seat=seat, tile=tile, source=source):
            return Cause(seat, Draw(BAG if source == "bag" else require_visible(tile)))
        case TurnPassed(seat=seat):
            return Cause(seat, Pass())
        case SeatReady(seat=seat):
            return Cause(seat, Ready())
        case _:
            return None
