"""The rules of Unikat. Numbers such as U8 are those of the spec.

`decide` says what an action leads to, or raises Illegal; `apply` makes it so. Both are pure.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeVar, assert_never

from msgspec.structs import replace

from pytlik import match as several_rounds
from pytlik.chance import Chance
from pytlik.game import (
    Cause,
    Illegal,
    Malformed,
    Opening,
    Outcome,
    Ready,
    Reason,
    Seat,
    Telling,
    check_opening,
)
from pytlik.match import Row
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
    TurnAction,
    TurnEnded,
    TurnPassed,
    shown,
)
from pytlik.unikat.model import (
    DISPLAY_SIZE,
    HAND_SIZE,
    PARTNERS,
    TILES,
    Board,
    Cell,
    Chain,
    Ended,
    Options,
    Phase,
    Placement,
    State,
    Tile,
)

T = TypeVar("T")

PLAYERS = range(2, 5)

# ---------------------------------------------------------------------------- what may be done


def fitting(board: Board | dict[Cell, Tile], cell: Cell, hand: frozenset[Tile]) -> frozenset[Tile]:
    """The tiles of a hand that differ in exactly one feature from all tiles next to a cell (U8)."""
    for near in cell.neighbours():
        if near in board:
            hand &= PARTNERS[board[near]]
    return hand


def first_cells(state: State) -> tuple[Cell, ...]:
    """Where the first tile of a lay may go, as far as only the place decides (U9, U10)."""
    edge = state.board.edge
    if continues(state):
        return tuple(cell for cell in state.board.last.neighbours() if cell in edge)
    return tuple(edge)


def continues(state: State) -> bool:
    """Must a lay begin next to the last tile (U10)?"""
    return state.phase is Phase.BONUS and state.options.extra_action == "continue"


def first_places(state: State) -> Iterator[Placement]:
    """Every first tile of a lay, and where it may go."""
    hand = frozenset(state.hand)
    for cell in first_cells(state):
        fits = state.board.edge[cell]
        if not fits.isdisjoint(hand):
            yield from (Placement(tile, cell.x, cell.y) for tile in state.hand if tile in fits)


def chains(state: State) -> Iterator[Chain]:
    """Every chain that may be laid. Each beginning of a chain is a chain too (U7, U9)."""
    table = dict(state.board.items())

    def longer(chain: Chain, cells: tuple[Cell, ...], hand: frozenset[Tile]) -> Iterator[Chain]:
        for cell in cells:
            if cell in table:
                continue
            fits = fitting(table, cell, hand)
            for tile in sorted(fits):
                extended = (*chain, Placement(tile, cell.x, cell.y))
                yield extended
                table[cell] = tile
                yield from longer(extended, cell.neighbours(), hand - {tile})
                del table[cell]

    return longer((), first_cells(state), frozenset(state.hand))


def can_lay(state: State) -> bool:
    return any(first_places(state))


def can_swap(state: State) -> bool:
    """There must be something to take (U12)."""
    return bool(state.display or state.bag)


def takes(state: State) -> tuple[str, ...]:
    """What can be taken in a swap or a draw (U11, U13)."""
    return (*state.display, BAG) if state.bag else state.display


def legal(state: State) -> Iterator[TurnAction]:
    """Every legal action of the seat whose turn it is."""
    match state.phase:
        case Phase.ACTION | Phase.BONUS:
            yield from (Lay(chain) for chain in chains(state))
            yield from (Swap(tile, take) for tile in state.hand for take in takes(state))
            if state.phase is Phase.BONUS:
                yield Decline()
            elif not can_lay(state) and not can_swap(state):
                yield Pass()
        case Phase.DRAW:
            yield from (Draw(take) for take in takes(state))
        case Phase.OVER:
            pass
        case _:
            assert_never(state.phase)


# ------------------------------------------------------------------------------- what may not be

PHASES: dict[type[Action], tuple[Phase, ...]] = {
    Lay: (Phase.ACTION, Phase.BONUS),
    Swap: (Phase.ACTION, Phase.BONUS),
    Decline: (Phase.BONUS,),
    Draw: (Phase.DRAW,),
    Pass: (Phase.ACTION,),
    Ready: (Phase.OVER,),
}


def check(state: State, seat: Seat | None, action: Action) -> None:
    """Raise Illegal with the first reason why not, in the order that interfaces.md gives."""
    if seat is None or not 0 <= seat < state.players:
        raise Illegal(Reason.NOT_YOUR_SEAT)
    if isinstance(action, Ready):
        if state.phase is not Phase.OVER or state.finished or not state.round:
            raise Illegal(Reason.WRONG_PHASE, phase=state.phase)
        return
    if state.phase is not Phase.OVER and seat != state.to_move:
        raise Illegal(Reason.NOT_YOUR_TURN, to_move=state.to_move)
    if state.phase not in PHASES[type(action)]:
        raise Illegal(Reason.WRONG_PHASE, phase=state.phase)
    match action:
        case Lay():
            check_lay(state, action.tiles)
        case Swap():
            if action.give not in state.hand:
                raise Illegal(Reason.NOT_IN_HAND, tile=action.give)
            check_take(state, action.take, given=action.give)
        case Draw():
            check_take(state, action.take)
        case Pass():
            if can_lay(state) or can_swap(state):
                raise Illegal(Reason.MUST_ACT)
        case Decline():
            pass
        case _:
            assert_never(action)


def check_lay(state: State, chain: Chain) -> None:
    tiles = [tile for tile, _, _ in chain]
    for tile in tiles:
        if tile not in state.hand:
            raise Illegal(Reason.NOT_IN_HAND, tile=tile)
    for tile in tiles:
        if tiles.count(tile) > 1:
            raise Illegal(Reason.TILE_TWICE, tile=tile)
    if not chain:
        raise Illegal(Reason.NO_TILES)
    before = [state.board.with_chain(chain[:count]) for count in range(len(chain))]
    for board, placed in zip(before, chain, strict=True):
        if placed.cell in board:
            raise Illegal(Reason.OCCUPIED, tile=placed.tile, x=placed.x, y=placed.y)
    for board, placed in zip(before, chain, strict=True):
        if not board.touching(placed.cell):
            raise Illegal(Reason.TOUCHES_NOTHING, tile=placed.tile, x=placed.x, y=placed.y)
    if continues(state) and chain[0].cell not in state.board.last.neighbours():
        raise Illegal(Reason.NOT_NEXT_TO_LAST, tile=chain[0].tile, x=chain[0].x, y=chain[0].y)
    for last, placed in pairwise(chain):
        if placed.cell not in last.cell.neighbours():
            raise Illegal(Reason.NOT_NEXT_TO_LAST, tile=placed.tile, x=placed.x, y=placed.y)
    for board, placed in zip(before, chain, strict=True):
        for neighbour in board.touching(placed.cell).values():
            if neighbour not in PARTNERS[placed.tile]:
                features = placed.tile.differing(neighbour)
                raise Illegal(
                    Reason.UNLIKE_NEIGHBOUR,
                    tile=placed.tile,
                    x=placed.x,
                    y=placed.y,
                    neighbour=neighbour,
                    features=list(features),
                )


def check_take(state: State, take: str, given: Tile | None = None) -> None:
    """A tile that was put into the display lies there, but may not be taken back (U11)."""
    if take == BAG:
        if not state.bag:
            raise Illegal(Reason.BAG_EMPTY)
    elif take == given:
        raise Illegal(Reason.SAME_TILE, tile=given)
    elif take not in state.display:
        raise Illegal(Reason.NOT_IN_DISPLAY, tile=take)


# --------------------------------------------------------------------------------- what happens


def open_match(opening: Opening, options: Options, chance: Chance, now: int) -> list[Event]:
    """A new match, and its first round dealt."""
    check_opening(opening, PLAYERS)
    if options.starter is not None and options.starter >= opening.players:
        raise Malformed(Reason.BAD_REQUEST, problem="nobody sits where the starter should")
    opened = MatchOpened(
        at=now,
        players=opening.players,
        options=options,
        commitment=opening.commitment,
        shares=opening.shares,
    )
    telling = Telling[State, Event](apply(None, opened), apply, [opened])
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
    telling = Telling[State, Event](state, apply, [])
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
                starter = several_rounds.next_starter(
                    starts, state.starter, state.winners, state.players
                )
                deal(telling, starter, chance, now)
        case _:
            assert_never(action)
    return telling.events


def deal(telling: Telling[State, Event], starter: Seat, chance: Chance, now: int) -> None:
    """All tiles are mixed, once. Ten each in seat order, three for the display, one for the
    table; the rest stays in the bag (U3)."""
    players, number = telling.state.players, telling.state.round + 1
    tiles = chance.stream(f"round {number}: bag").shuffled(TILES)
    rest = tiles[HAND_SIZE * players :]
    telling.tell(
        RoundDealt(
            at=now,
            round=number,
            starter=starter,
            hands=tuple(tiles[HAND_SIZE * s : HAND_SIZE * (s + 1)] for s in range(players)),
            display=rest[:DISPLAY_SIZE],
            start=rest[DISPLAY_SIZE],
            bag=rest[DISPLAY_SIZE + 1 :],
        )
    )


def earns_bonus(state: State, chain: Chain) -> bool:
    """Did a tile touch two or more as it was laid? Only a turn's first action earns (U10)."""
    return state.phase is Phase.ACTION and any(
        len(state.board.with_chain(chain[:count]).touching(placed.cell)) > 1
        for count, placed in enumerate(chain)
    )


def taken(state: State, take: str) -> tuple[Tile, Source]:
    if take == BAG:
        return state.bag[0], "bag"
    return Tile(take), "display"


def end_actions(telling: Telling[State, Event], now: int) -> None:
    """Who has fewer than ten tiles takes one, where there is one (U13)."""
    state = telling.state
    if len(state.hand) < HAND_SIZE and takes(state):
        telling.tell(DrawOwed(at=now, seat=state.to_move))
    else:
        end_turn(telling, now)


def end_turn(telling: Telling[State, Event], now: int) -> None:
    seat, players = telling.state.to_move, telling.state.players
    telling.tell(TurnEnded(at=now, seat=seat, next=(seat + 1) % players))
    state = telling.state
    with_empty_bag, with_any = (turns * players for turns in state.options.blocked)
    if state.quiet_turns >= (with_any if state.bag else min(with_empty_bag, with_any)):  # U16
        fewest = several_rounds.best([len(hand) for hand in state.hands], most=False)
        end_round(telling, fewest, "blocked", now)


def end_round(
    telling: Telling[State, Event], winners: tuple[Seat, ...], ended: Ended, now: int
) -> None:
    telling.tell(RoundEnded(at=now, winners=winners, ended=ended, hands=telling.state.hands))
    result = outcome(telling.state)
    if result:
        telling.tell(MatchEnded(at=now, winners=result.winners, points=result.points))


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


def outcome(state: State) -> Outcome | None:
    """Fewest minus points after the last round wins (U17)."""
    if not state.finished:
        return None
    return several_rounds.outcome(state.sheet, state.players, most=False)


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
