"""What a seat may know (G16). Nobody but the engine sees a State."""

import msgspec
from msgspec.structs import replace

from pytlik.game import HIDDEN, Outcome, Seat, check_viewer
from pytlik.ubongo.gem_ledger import points
from pytlik.ubongo.hexes import Shape
from pytlik.ubongo.messages import DeckShuffled, Event, PieceLifted, PieceMoved, PiecePlaced
from pytlik.ubongo.model import SOLVING_PHASES, Deal, Ledger, Options, Phase, Solution, State
from pytlik.ubongo.rounds import outcome


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """What the seat may do now."""

    ready: bool = False
    solve: bool = False
    """Place and lift pieces, or give up."""


class View(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that one seat, or a spectator, may know about a match."""

    game: str = "ubongo"
    seat: Seat | None
    players: int
    options: Options
    round: int
    phase: Phase
    playing: tuple[Seat, ...]
    deciding: bool
    ready: tuple[Seat, ...]
    starts: int | None
    began: int | None
    resumes: int | None = None
    sand: int | None
    patience: int | None
    books: Ledger
    points: tuple[int, ...]
    deals: dict[Seat, Deal]
    placed: dict[Seat, dict[int, Shape]]
    """The pieces on those cards that this seat may see."""
    solutions: tuple[Solution, ...]
    settled: tuple[Seat, ...]
    gave_up: tuple[Seat, ...]
    outcome: Outcome | None
    choices: Choices


def view(state: State, seat: Seat | None) -> View:
    check_viewer(seat, state.players)
    return View(
        seat=seat,
        players=state.players,
        options=state.options,
        round=state.round,
        phase=state.phase,
        playing=state.playing,
        deciding=state.deciding,
        ready=tuple(sorted(state.ready)),
        starts=state.starts,
        began=state.began,
        resumes=state.resumes,
        sand=state.sand,
        patience=state.patience,
        books=state.books,
        points=tuple(points(gems) for gems in state.books.held),
        deals=state.deals,
        placed={
            owner: {piece: cells[piece] for piece in sorted(cells)}
            for owner, cells in state.placed.items()
            if owner == seat or can_see_all_pieces(state, seat)
        },
        solutions=state.solutions,
        settled=state.settled,
        gave_up=tuple(sorted(state.gave_up)),
        outcome=outcome(state),
        choices=Choices(
            ready=state.phase is Phase.READY and seat in state.playing and seat not in state.ready,
            solve=_can_solve(state, seat),
        ),
    )


def open_view(state: State, seat: Seat | None) -> View:
    """The same with everyone's pieces, for a match that is over."""
    return replace(view(state, seat), placed=state.placed)


def _can_solve(state: State, seat: Seat | None) -> bool:
    done = state.solved | state.gave_up
    return state.phase in SOLVING_PHASES and seat in state.playing and seat not in done


def can_see_all_pieces(state: State, seat: Seat | None) -> bool:
    """May this seat see the others' pieces? Everyone may once the round is over; before that, only
    players who are done with it. Those who gave up may come back in a second chance (G12)."""
    if state.phase not in SOLVING_PHASES:
        return True
    second_chance_comes = (
        state.phase is Phase.SOLVING and state.sand is not None and not state.solutions
    )
    return seat in state.solved or (seat in state.gave_up and not second_chance_comes)


def mask(event: Event, seat: Seat | None) -> Event:
    """An event as a seat may see it. The pieces of others are in the view, if they may be seen."""
    match event:
        case PiecePlaced(seat=owner, at=at) | PieceLifted(seat=owner, at=at) if owner != seat:
            return PieceMoved(at=at, seat=owner)
        case DeckShuffled():
            return replace(event, cards=HIDDEN)
        case _:
            return event
