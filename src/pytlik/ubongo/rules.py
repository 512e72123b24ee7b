"""The rules of Ubongo Extreme. Numbers such as G9 are those of the spec.

`decide` turns an action into events, or raises Illegal; `apply` turns a state and an event into the
next state. Both are pure: time comes in only as `now` and as the action Expire, in milliseconds of
the server's clock. `action_checks.py` says what is not allowed, `rounds.py` how a round goes, and
`timing.py` when an action counts.
"""

from typing import assert_never

from msgspec.structs import replace

from pytlik.chance import Chance
from pytlik.game import (
    Cause,
    Expire,
    Hidden,
    Malformed,
    Opening,
    Ready,
    Reason,
    Seat,
    Shift,
    check_opening,
)
from pytlik.ubongo import gem_ledger
from pytlik.ubongo.action_checks import check
from pytlik.ubongo.hexes import Hex
from pytlik.ubongo.messages import (
    Action,
    CardSolved,
    ClocksShifted,
    CountdownBegan,
    DeckShuffled,
    Event,
    GemBagged,
    GemTaken,
    GiveUp,
    Lift,
    MatchEnded,
    MatchOpened,
    PatienceEnded,
    PieceLifted,
    PieceMoved,
    PiecePlaced,
    Place,
    RoundBegan,
    RoundEnded,
    SandRanOut,
    SeatGaveUp,
    SeatReady,
    SecondChanceBegan,
    SolutionSettled,
    TieFound,
)
from pytlik.ubongo.model import SOLVING_PHASES, Deck, Options, Phase, Solution, State
from pytlik.ubongo.rounds import Recorder, expire, settle_and_end
from pytlik.ubongo.timing import COUNTDOWN_MS, credited_time

PLAYERS = range(2, 5)

# --------------------------------------------------------------------------------------- deciding


def check_options(options: Options, players: int) -> None:
    """Raise Malformed if there isn't a handicap for each seat (G4)."""
    if options.handicap and len(options.handicap) != players:
        raise Malformed(Reason.BAD_REQUEST, problem="options: one handicap for each seat")


def open_match(
    opening: Opening, options: Options, chance: Chance, now: int, *, deck: Deck
) -> list[Event]:
    """Shuffle the cards for a new match (G4). The first round begins when everyone is ready."""
    check_opening(opening, PLAYERS)
    check_options(options, opening.players)
    sides = set(options.handicap or (options.pieces,))
    cards = [card for card in deck.cards if sides <= card.sides.keys()]
    if len(cards) < (options.rounds + 1) * (1 if options.same_puzzle else opening.players):
        raise Malformed(Reason.BAD_REQUEST, problem="the deck has too few cards with these sides")
    opened = MatchOpened(
        at=now,
        players=opening.players,
        options=options,
        commitment=opening.commitment,
        shares=opening.shares,
    )
    log = Recorder(apply(None, opened), apply, [opened])
    order = chance.stream("cards").shuffled(cards)
    log.record(DeckShuffled(at=now, pieces=deck.pieces, cards=order))
    return log.events


def decide(
    state: State, seat: Seat | None, action: Action, chance: Chance, now: int, lag: int = 0
) -> list[Event]:
    check(state, seat, action, now, lag)
    log = Recorder(state, apply, [])
    if isinstance(action, Expire):
        expire(log, chance, now)
        return log.events
    if isinstance(action, Shift):
        resumes = now + action.countdown if action.countdown else None
        log.record(ClocksShifted(at=now, by=action.by, resumes=resumes))
        return log.events
    assert seat is not None
    match action:
        case Ready():
            if seat in state.ready:
                return []
            log.record(SeatReady(at=now, seat=seat))
            if log.state.ready.issuperset(state.playing):
                starts = now + COUNTDOWN_MS
                log.record(CountdownBegan(at=now, round=state.round + 1, starts=starts))
        case Place(piece, cells):
            placed = tuple(sorted(cells))
            log.record(PiecePlaced(at=now, seat=seat, piece=piece, cells=placed, lag=lag))
            if _is_covered(log.state, seat):  # G8
                time = credited_time(state, now, lag)
                log.record(CardSolved(at=now, seat=seat, time=time, lag=lag))
                settle_and_end(log, chance, now)
        case Lift(piece):
            log.record(PieceLifted(at=now, seat=seat, piece=piece, lag=lag))
        case GiveUp():
            log.record(SeatGaveUp(at=now, seat=seat, lag=lag))
            settle_and_end(log, chance, now)
        case _:
            assert_never(action)
    return log.events


def _is_covered(state: State, seat: Seat) -> bool:
    """Is every white cell covered? Counting is enough: no piece lies outside or on another."""
    cells = sum(len(cells) for cells in state.placed[seat].values())
    return cells == len(state.deals[seat].area)


# --------------------------------------------------------------------------------------- applying


def apply(state: State | None, event: Event) -> State:
    """The state after an event. Events are facts: nothing is checked here."""
    if isinstance(event, MatchOpened):
        return State(
            options=event.options,
            players=event.players,
            books=gem_ledger.new_ledger(event.players, event.options.rounds),
            playing=tuple(range(event.players)),
        )
    assert state is not None
    match event:
        case DeckShuffled(pieces=pieces, cards=cards):
            if isinstance(cards, Hidden):
                raise Malformed(Reason.BAD_FILE, problem="hidden cards")
            return replace(state, pieces=pieces, cards=cards)
        case SeatReady(seat=seat):
            return replace(state, ready=state.ready | {seat})
        case CountdownBegan(round=number, starts=starts):
            return replace(state, phase=Phase.COUNTDOWN, round=number, starts=starts)
        case RoundBegan():
            return _begin_round(state, event)
        case PiecePlaced(seat=seat, piece=piece, cells=cells):
            return _set_placed(state, seat, {**state.placed[seat], piece: cells})
        case PieceLifted(seat=seat, piece=piece):
            rest = {other: cells for other, cells in state.placed[seat].items() if other != piece}
            return _set_placed(state, seat, rest)
        case CardSolved(seat=seat, time=time, at=at):
            solution = Solution(seat=seat, time=time, arrived=at)
            return replace(state, solutions=(*state.solutions, solution))
        case SolutionSettled(seat=seat):
            return replace(state, settled=(*state.settled, seat))
        case GemTaken(seat=seat, gem=gem, source="display"):
            return replace(state, books=gem_ledger.take_from_display(state.books, seat, gem))
        case GemTaken(seat=seat, gem=gem):
            return replace(state, books=gem_ledger.take_from_bag(state.books, seat, gem))
        case GemBagged(gem=gem):
            return replace(state, books=gem_ledger.move_to_bag(state.books, gem))
        case SeatGaveUp(seat=seat):
            return replace(state, gave_up=state.gave_up | {seat})
        case SecondChanceBegan(sand=sand):
            # Everyone goes on, those who had given up as well (G12).
            return replace(state, phase=Phase.SECOND_CHANCE, sand=sand, gave_up=frozenset[Seat]())
        case ClocksShifted(by=by, resumes=resumes):
            return _shift_clocks(state, by, resumes)
        case RoundEnded():
            return replace(
                state,
                phase=Phase.READY,
                ready=frozenset[Seat](),
                starts=None,
                resumes=None,
                sand=None,
                patience=None,
            )
        case TieFound(seats=seats):
            return replace(state, playing=seats, deciding=True)
        case MatchEnded(winners=winners):
            return replace(state, phase=Phase.OVER, winners=winners)
        case SandRanOut() | PatienceEnded():
            return state
        case PieceMoved():
            raise Malformed(Reason.BAD_FILE, problem="masked event")
        case _:
            assert_never(event)


def _begin_round(state: State, event: RoundBegan) -> State:
    return replace(
        state,
        phase=Phase.SOLVING,
        starts=None,
        began=event.at,
        sand=event.sand,
        patience=event.patience,
        cards=state.cards[event.cards :],
        deals=event.deals,
        placed={seat: {} for seat in event.deals},
        solutions=(),
        settled=(),
        gave_up=frozenset[Seat](),
    )


def _shift_clocks(state: State, by: int, resumes: int | None) -> State:
    def later(moment: int | None) -> int | None:
        return None if moment is None else moment + by

    return replace(
        state,
        starts=later(state.starts),
        began=later(state.began),
        resumes=later(state.resumes) if resumes is None else resumes,
        sand=later(state.sand),
        patience=later(state.patience),
        solutions=tuple(
            replace(solution, time=solution.time + by, arrived=solution.arrived + by)
            for solution in state.solutions
        ),
    )


def _set_placed(state: State, seat: Seat, cells: dict[int, tuple[Hex, ...]]) -> State:
    return replace(state, placed={**state.placed, seat: cells})


# -------------------------------------------------------------------------- queries about a state


def awaited(state: State) -> tuple[Seat, ...]:
    """Which seats can act now."""
    if state.phase is Phase.READY:
        return tuple(seat for seat in state.playing if seat not in state.ready)
    if state.phase in SOLVING_PHASES:
        done = state.solved | state.gave_up
        return tuple(seat for seat in state.playing if seat not in done)
    return ()


def cause(event: Event) -> Cause | None:
    """The action that led to this event; None if it only follows from another event."""
    match event:
        case SeatReady(seat=seat):
            return Cause(seat, Ready())
        case PiecePlaced(seat=seat, piece=piece, cells=cells, lag=lag):
            return Cause(seat, Place(piece, cells), lag)
        case PieceLifted(seat=seat, piece=piece, lag=lag):
            return Cause(seat, Lift(piece), lag)
        case SeatGaveUp(seat=seat, lag=lag):
            return Cause(seat, GiveUp(), lag)
        case ClocksShifted(at=at, by=by, resumes=resumes):
            return Cause(None, Shift(by, 0 if resumes is None else resumes - at))
        case RoundBegan() | SandRanOut() | PatienceEnded() | SolutionSettled():
            return Cause(None, Expire())
        case _:
            return None
