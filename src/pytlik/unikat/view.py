"""What a seat may know (U18). Nothing else leaves the rules: only they see a State."""

from collections import defaultdict

import msgspec
from msgspec.structs import replace

from pytlik.game import HIDDEN, Outcome, Seat, check_viewer
from pytlik.score_sheet import Row
from pytlik.unikat.legal import can_swap, first_places, takes
from pytlik.unikat.messages import Event, RoundDealt, TileDrawn, TileSwapped
from pytlik.unikat.model import Cell, Chain, Ended, Hand, Options, Phase, State, Stone, Tile
from pytlik.unikat.rounds import outcome


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """What the seat may do now. There can be hundreds of thousands of chains, so these are only the
    places where the first tile of one can go."""

    lay: dict[Tile, tuple[Cell, ...]] = {}
    swap: bool = False
    draw: bool = False
    take: tuple[str, ...] = ()
    """What a swap or a draw may take."""
    decline: bool = False
    pass_: bool = msgspec.field(default=False, name="pass")
    ready: bool = False


class View(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one seat, or a spectator, may know about a match."""

    game: str = "unikat"
    seat: Seat | None
    players: int
    options: Options
    round: int
    sheet: tuple[Row, ...]
    starter: Seat
    board: tuple[Stone, ...]
    hand: Hand
    """The seat's own; empty for a spectator."""
    counts: tuple[int, ...]
    """How many tiles each hand holds."""
    known: tuple[Hand, ...]
    """For each hand, the tiles that everyone has seen going into it, in ascending order."""
    hands: tuple[Hand, ...]
    """All hands once the round is over; empty before."""
    display: tuple[Tile, ...]
    bag: int
    to_move: Seat
    phase: Phase
    laid: bool
    quiet_turns: int
    latest: Chain
    winners: tuple[Seat, ...]
    ended: Ended | None
    ready: tuple[Seat, ...]
    outcome: Outcome | None
    choices: Choices


def view(state: State, seat: Seat | None) -> View:
    check_viewer(seat, state.players)
    over = state.phase is Phase.OVER
    return View(
        seat=seat,
        players=state.players,
        options=state.options,
        round=state.round,
        sheet=state.sheet,
        starter=state.starter,
        board=state.board.stones,
        hand=() if seat is None or not state.hands else state.hands[seat],
        counts=tuple(len(hand) for hand in state.hands),
        known=tuple(tuple(sorted(tiles)) for tiles in state.known),
        hands=state.hands if over else (),
        display=state.display,
        bag=len(state.bag),
        to_move=state.to_move,
        phase=state.phase,
        laid=state.laid,
        quiet_turns=state.quiet_turns,
        latest=state.latest,
        winners=state.winners,
        ended=state.ended,
        ready=tuple(sorted(state.ready)),
        outcome=outcome(state),
        choices=choices(state, seat),
    )


def open_view(state: State, seat: Seat | None) -> View:
    """A view with all hands, for a match that is over."""
    return replace(view(state, seat), hands=state.hands)


def choices(state: State, seat: Seat | None) -> Choices:
    if seat is None:
        return Choices()
    if state.phase is Phase.OVER:
        return Choices(ready=bool(state.round) and not state.finished and seat not in state.ready)
    if seat != state.to_move:
        return Choices()
    if state.phase is Phase.DRAW:
        return Choices(draw=True, take=takes(state))
    lay: defaultdict[Tile, list[Cell]] = defaultdict(list)
    for placed in first_places(state):
        lay[placed.tile].append(placed.cell)
    bonus, swap = state.phase is Phase.BONUS, can_swap(state)
    return Choices(
        lay={tile: tuple(cells) for tile, cells in lay.items()},
        swap=swap,
        take=takes(state),
        decline=bonus,
        pass_=not (bonus or lay or swap),
    )


def mask(event: Event, seat: Seat | None) -> Event:
    """An event as a seat may see it: tiles drawn unseen are hidden from all but their owner."""
    match event:
        case TileDrawn(source="bag", seat=owner) if owner != seat:
            return replace(event, tile=HIDDEN)
        case TileSwapped(source="bag", seat=owner) if owner != seat:
            return replace(event, take=HIDDEN)
        case RoundDealt(hands=hands, bag=bag):
            return replace(
                event,
                hands=tuple(
                    hand if owner == seat else (HIDDEN,) * len(hand)
                    for owner, hand in enumerate(hands)
                ),
                bag=(HIDDEN,) * len(bag),
            )
        case _:
            return event
