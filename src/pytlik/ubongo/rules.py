"""The rules of Ubongo Extreme. Numbers such as G9 are those of the spec.

`decide` says what an action leads to, or raises Illegal; `apply` makes it so. Both are pure: time
comes in only as `now` and as the action Expire, all times are milliseconds of the server's clock.
"""

from typing import assert_never

from msgspec.structs import replace

from pytlik.chance import Chance
from pytlik.game import (
    Cause,
    Expire,
    Hidden,
    Illegal,
    Malformed,
    Opening,
    Outcome,
    Ready,
    Reason,
    Seat,
    Shift,
    Telling,
    check_opening,
)
from pytlik.ubongo import score
from pytlik.ubongo.hexes import Hex, normal, orientations
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
from pytlik.ubongo.model import (
    ROUNDS,
    Colour,
    Deal,
    Deck,
    Gem,
    Options,
    Phase,
    Purse,
    Solution,
    State,
)

PLAYERS = range(2, 5)

COUNTDOWN = 3_000
CREDIT = 250
"""How much of a connection's delay is credited, and how long a solution is provisional (G10)."""

UNDER_WAY = (Phase.SOLVING, Phase.SECOND_CHANCE)

Story = Telling[State, Event]

# --------------------------------------------------------------------------------- what may not be


def check(state: State, seat: Seat | None, action: Action, now: int, lag: int) -> None:
    """Raise Illegal with the first reason why not."""
    if isinstance(action, Expire):
        check_expire(state, seat, now)
        return
    if isinstance(action, Shift):
        if seat is not None:
            raise Illegal(Reason.NOT_YOUR_SEAT)
        if action.by < 0 or state.phase not in (Phase.COUNTDOWN, *UNDER_WAY):
            raise Illegal(Reason.WRONG_PHASE, phase=state.phase)
        return
    if seat is None or seat not in state.playing:
        raise Illegal(Reason.NOT_YOUR_SEAT)
    if isinstance(action, Ready):
        if state.phase is not Phase.READY:
            raise Illegal(Reason.WRONG_PHASE, phase=state.phase)
        return
    if state.phase not in UNDER_WAY:
        raise Illegal(Reason.WRONG_PHASE, phase=state.phase)
    if seat in state.solved:
        raise Illegal(Reason.ALREADY_SOLVED)
    if seat in state.gave_up:
        raise Illegal(Reason.GAVE_UP)
    if state.sand is not None and credited(state, now, lag) > state.sand:
        raise Illegal(Reason.TOO_LATE)
    match action:
        case Place(piece, cells):
            check_place(state, seat, piece, cells)
        case Lift(piece):
            if piece not in state.placed[seat]:
                raise Illegal(Reason.NOT_PLACED, piece=piece)
        case GiveUp():
            pass
        case _:
            assert_never(action)


def check_expire(state: State, seat: Seat | None, now: int) -> None:
    if seat is not None:
        raise Illegal(Reason.NOT_YOUR_SEAT)
    due = deadline(state)
    if due is None:
        raise Illegal(Reason.WRONG_PHASE, phase=state.phase)
    if now < due:
        raise Illegal(Reason.TOO_EARLY, due=due)


def check_place(state: State, seat: Seat, piece: int, cells: tuple[Hex, ...]) -> None:
    """The player's own piece, on free white cells, turned and flipped at will (G8)."""
    deal = state.deals[seat]
    if piece not in deal.pieces:
        raise Illegal(Reason.NOT_YOUR_PIECE, piece=piece)
    shape = deal.pieces[piece]
    if len(cells) != len(shape) or normal(cells) not in orientations(shape):
        raise Illegal(Reason.WRONG_SHAPE, piece=piece)
    if not set(cells) <= set(deal.area):
        raise Illegal(Reason.OUTSIDE_AREA, piece=piece)
    for other, taken in state.placed[seat].items():
        if other != piece and not set(cells).isdisjoint(taken):
            raise Illegal(Reason.OCCUPIED, piece=piece, other=other)


def credited(state: State, now: int, lag: int) -> int:
    """When something counts as done that has arrived now (G10)."""
    assert state.began is not None
    return max(now - min(max(lag, 0), CREDIT), state.began)


# --------------------------------------------------------------------------------- what happens


def open_match(
    opening: Opening, options: Options, chance: Chance, now: int, *, deck: Deck
) -> list[Event]:
    """A new match with the cards mixed (G4); the first round begins when everyone is ready."""
    check_opening(opening, PLAYERS)
    sides = set(options.handicap or (options.pieces,))
    if options.handicap and len(options.handicap) != opening.players:
        raise Malformed(Reason.BAD_REQUEST, problem="handicap: one side for each seat")
    cards = [card for card in deck.cards if sides <= card.sides.keys()]
    if len(cards) < (ROUNDS + 1) * (1 if options.same_puzzle else opening.players):
        raise Malformed(Reason.BAD_REQUEST, problem="the deck has too few cards with these sides")
    opened = MatchOpened(
        at=now,
        players=opening.players,
        options=options,
        commitment=opening.commitment,
        shares=opening.shares,
    )
    telling = Story(apply(None, opened), apply, [opened])
    order = chance.stream("cards").shuffled(cards)
    telling.tell(DeckShuffled(at=now, pieces=deck.pieces, cards=order))
    return telling.events


def decide(
    state: State, seat: Seat | None, action: Action, chance: Chance, now: int, lag: int = 0
) -> list[Event]:
    check(state, seat, action, now, lag)
    telling = Story(state, apply, [])
    if isinstance(action, Expire):
        expire(telling, chance, now)
        return telling.events
    if isinstance(action, Shift):
        telling.tell(ClocksShifted(at=now, by=action.by))
        return telling.events
    assert seat is not None
    match action:
        case Ready():
            if seat in state.ready:
                return []
            telling.tell(SeatReady(at=now, seat=seat))
            if telling.state.ready.issuperset(state.playing):
                telling.tell(CountdownBegan(at=now, round=state.round + 1, starts=now + COUNTDOWN))
        case Place(piece, cells):
            placed = tuple(sorted(cells))
            telling.tell(PiecePlaced(at=now, seat=seat, piece=piece, cells=placed, lag=lag))
            if covered(telling.state, seat):  # G8
                time = credited(state, now, lag)
                telling.tell(CardSolved(at=now, seat=seat, time=time, lag=lag))
                go_on(telling, chance, now)
        case Lift(piece):
            telling.tell(PieceLifted(at=now, seat=seat, piece=piece, lag=lag))
        case GiveUp():
            telling.tell(SeatGaveUp(at=now, seat=seat, lag=lag))
            go_on(telling, chance, now)
        case _:
            assert_never(action)
    return telling.events


def covered(state: State, seat: Seat) -> bool:
    """Is every white cell covered? (No piece can lie outside or over another.)"""
    cells = sum(len(cells) for cells in state.placed[seat].values())
    return cells == len(state.deals[seat].area)


def deadline(state: State) -> int | None:
    """When the clock has something to say next."""
    if state.phase is Phase.COUNTDOWN:
        return state.starts
    if state.phase not in UNDER_WAY:
        return None
    due = [solution.arrived + CREDIT for solution in unsettled(state)]
    if state.sand is not None:
        due.append(state.sand + CREDIT)
    if state.patience is not None:
        due.append(state.patience)
    return min(due, default=None)


def awaited(state: State) -> tuple[Seat, ...]:
    """Who can do something now."""
    if state.phase is Phase.READY:
        return tuple(seat for seat in state.playing if seat not in state.ready)
    if state.phase in UNDER_WAY:
        done = state.solved | state.gave_up
        return tuple(seat for seat in state.playing if seat not in done)
    return ()


def unsettled(state: State) -> list[Solution]:
    """Provisional solutions in the order that counts; equal times go by arrival (G10)."""
    pending = (solution for solution in state.solutions if solution.seat not in state.settled)
    return sorted(pending, key=lambda solution: solution.time)


def expire(telling: Story, chance: Chance, now: int) -> None:
    """Everything that is due: a countdown, solutions to settle, the sand, the patience."""
    state = telling.state
    if state.phase is Phase.COUNTDOWN:
        begin_round(telling, chance, now)
        return
    ran_out = state.sand is not None and now >= state.sand + CREDIT
    impatient = state.patience is not None and now >= state.patience
    if ran_out:
        telling.tell(SandRanOut(at=now))
    if impatient:
        telling.tell(PatienceEnded(at=now))
    go_on(telling, chance, now, over=ran_out or impatient)


def begin_round(telling: Story, chance: Chance, now: int) -> None:
    """Everyone draws a token and takes the top card, and the timer is turned (G6, G7)."""
    state = telling.state
    tokens = chance.stream(f"round {state.round}: tokens").shuffled(Colour)
    same = state.options.same_puzzle
    deals = {}
    for turn, seat in enumerate(state.playing):
        card, colour = state.cards[0 if same else turn], tokens[0 if same else turn]
        side = card.sides[state.side(seat)]
        deals[seat] = Deal(
            card=card.id,
            side=state.side(seat),
            colour=colour,
            area=side.area,
            pieces={number: state.pieces[colour][number] for number in side.sets[colour]},
        )
    timed, patience = state.options.seconds, state.options.patience
    telling.tell(
        RoundBegan(
            at=now,
            round=state.round,
            deals=deals,
            cards=1 if same else len(deals),
            sand=now + 1000 * timed if timed and not state.deciding else None,
            patience=now + 1000 * patience if patience and state.deciding else None,
        )
    )


def go_on(telling: Story, chance: Chance, now: int, *, over: bool = False) -> None:
    """Settle what can be settled, and end the round if it is over (G10)."""
    state = telling.state
    # Who has solved or given up can't come before anybody else any more.
    over = over or state.solved | state.gave_up >= set(state.playing)
    pending = unsettled(state)
    certain = [over or solution.arrived + CREDIT <= now for solution in pending]
    for index, solution in enumerate(pending):
        # With a solution all those are settled that count before it.
        if any(certain[index:]):
            settle(telling, solution.seat, chance, now)
    if state.deciding:
        end_deciding_round(telling, now, over=over)
    elif state.phase is Phase.SECOND_CHANCE:
        if over or telling.state.settled:
            end_round(telling, now, in_time=0)
    elif over:
        in_time = len(telling.state.settled)
        if not in_time and state.options.seconds:
            telling.tell(SecondChanceBegan(at=now, sand=now + 1000 * state.options.seconds))
        else:
            end_round(telling, now, in_time=in_time)


def settle(telling: Story, seat: Seat, chance: Chance, now: int) -> None:
    """Give what the next in order has won (G9, G12)."""
    state = telling.state
    rank = len(state.settled)
    if rank and (state.deciding or state.phase is Phase.SECOND_CHANCE):
        return  # the first has ended the round for all
    telling.tell(SolutionSettled(at=now, seat=seat, rank=rank))
    if state.deciding:
        return
    bonus = score.reward(rank) if state.phase is Phase.SOLVING else None
    if bonus:
        telling.tell(GemTaken(at=now, seat=seat, gem=bonus, source="display"))
    drawn = draw_gem(telling.state.books.bag, chance, f"round {state.round}: gem of seat {seat}")
    telling.tell(GemTaken(at=now, seat=seat, gem=drawn, source="bag"))


def draw_gem(bag: Purse, chance: Chance, label: str) -> Gem:
    gems = [gem for gem in Gem for _ in range(bag[gem])]
    return chance.stream(label).choice(gems)


def end_round(telling: Story, now: int, *, in_time: int) -> None:
    for gem in score.leftovers(in_time):
        telling.tell(GemBagged(at=now, gem=gem))
    telling.tell(RoundEnded(at=now, round=telling.state.round))
    state = telling.state
    if state.round == ROUNDS:
        tied = score.tied(state.books)
        if tied:
            telling.tell(TieFound(at=now, seats=tied))
        else:
            end_match(telling, score.leaders(state.books), now)


def end_deciding_round(telling: Story, now: int, *, over: bool) -> None:
    """The first to solve wins, or the last who has not given up, or all who are left (G15)."""
    state = telling.state
    left = tuple(seat for seat in state.playing if seat not in state.gave_up)
    if state.settled:
        winners = state.settled[:1]
    elif over or len(left) == 1:
        winners = left
    else:
        return
    telling.tell(RoundEnded(at=now, round=state.round))
    end_match(telling, winners, now)


def end_match(telling: Story, winners: tuple[Seat, ...], now: int) -> None:
    points = tuple(score.points(gems) for gems in telling.state.books.held)
    telling.tell(MatchEnded(at=now, winners=winners, points=points))


# ------------------------------------------------------------------------------------ how it is so


def apply(state: State | None, event: Event) -> State:
    """The state after an event. Events are facts: nothing is checked here."""
    if isinstance(event, MatchOpened):
        books, playing = score.opened(event.players), tuple(range(event.players))
        return State(options=event.options, players=event.players, books=books, playing=playing)
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
            return begun(state, event)
        case PiecePlaced(seat=seat, piece=piece, cells=cells):
            return with_placed(state, seat, {**state.placed[seat], piece: cells})
        case PieceLifted(seat=seat, piece=piece):
            rest = {other: cells for other, cells in state.placed[seat].items() if other != piece}
            return with_placed(state, seat, rest)
        case CardSolved(seat=seat, time=time, at=at):
            solution = Solution(seat=seat, time=time, arrived=at)
            return replace(state, solutions=(*state.solutions, solution))
        case SolutionSettled(seat=seat):
            return replace(state, settled=(*state.settled, seat))
        case GemTaken(seat=seat, gem=gem, source="display"):
            return replace(state, books=score.from_display(state.books, seat, gem))
        case GemTaken(seat=seat, gem=gem):
            return replace(state, books=score.from_bag(state.books, seat, gem))
        case GemBagged(gem=gem):
            return replace(state, books=score.into_bag(state.books, gem))
        case SeatGaveUp(seat=seat):
            return replace(state, gave_up=state.gave_up | {seat})
        case SecondChanceBegan(sand=sand):
            # All go on (G12), who had given up too.
            return replace(state, phase=Phase.SECOND_CHANCE, sand=sand, gave_up=frozenset[Seat]())
        case ClocksShifted(by=by):
            return shifted(state, by)
        case RoundEnded():
            return replace(
                state,
                phase=Phase.READY,
                ready=frozenset[Seat](),
                starts=None,
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


def begun(state: State, event: RoundBegan) -> State:
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


def shifted(state: State, by: int) -> State:
    def later(moment: int | None) -> int | None:
        return None if moment is None else moment + by

    return replace(
        state,
        starts=later(state.starts),
        began=later(state.began),
        sand=later(state.sand),
        patience=later(state.patience),
        solutions=tuple(
            replace(solution, time=solution.time + by, arrived=solution.arrived + by)
            for solution in state.solutions
        ),
    )


def with_placed(state: State, seat: Seat, cells: dict[int, tuple[Hex, ...]]) -> State:
    return replace(state, placed={**state.placed, seat: cells})


def outcome(state: State) -> Outcome | None:
    """Most points win, or who wins the deciding round (G14, G15)."""
    if state.phase is not Phase.OVER:
        return None
    points = tuple(score.points(gems) for gems in state.books.held)
    return Outcome(winners=state.winners, points=points)


def cause(event: Event) -> Cause | None:
    """What was asked when this happened; None for what only follows from something else."""
    match event:
        case SeatReady(seat=seat):
            return Cause(seat, Ready())
        case PiecePlaced(seat=seat, piece=piece, cells=cells, lag=lag):
            return Cause(seat, Place(piece, cells), lag)
        case PieceLifted(seat=seat, piece=piece, lag=lag):
            return Cause(seat, Lift(piece), lag)
        case SeatGaveUp(seat=seat, lag=lag):
            return Cause(seat, GiveUp(), lag)
        case ClocksShifted(by=by):
            return Cause(None, Shift(by))
        case RoundBegan() | SandRanOut() | PatienceEnded() | SolutionSettled():
            return Cause(None, Expire())
        case _:
            return None
