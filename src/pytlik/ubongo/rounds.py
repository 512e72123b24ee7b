"""How a round goes: its beginning, settling solutions, the second chance, its end; and who wins."""

from pytlik.chance import Chance
from pytlik.game import EventRecorder, Outcome, Seat
from pytlik.ubongo import gem_ledger
from pytlik.ubongo.messages import (
    Event,
    GemBagged,
    GemTaken,
    MatchEnded,
    PatienceEnded,
    RoundBegan,
    RoundEnded,
    SandRanOut,
    SecondChanceBegan,
    SolutionSettled,
    TieFound,
)
from pytlik.ubongo.model import Colour, Deal, Gem, Phase, Purse, State
from pytlik.ubongo.timing import MAX_CREDIT_MS, unsettled_solutions

Recorder = EventRecorder[State, Event]


def expire(log: Recorder, chance: Chance, now: int) -> None:
    """Do what is due: end the countdown, settle solutions, or end the round when time is up."""
    state = log.state
    if state.phase is Phase.COUNTDOWN:
        _begin_round(log, chance, now)
        return
    ran_out = state.sand is not None and now >= state.sand + MAX_CREDIT_MS
    impatient = state.patience is not None and now >= state.patience
    if ran_out:
        log.record(SandRanOut(at=now))
    if impatient:
        log.record(PatienceEnded(at=now))
    settle_and_end(log, chance, now, over=ran_out or impatient)


def _begin_round(log: Recorder, chance: Chance, now: int) -> None:
    """Everyone draws a token and takes the top card, and the timer is turned (G6, G7)."""
    state = log.state
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
    log.record(
        RoundBegan(
            at=now,
            round=state.round,
            deals=deals,
            cards=1 if same else len(deals),
            sand=now + 1000 * timed if timed and not state.deciding else None,
            patience=now + 1000 * patience if patience and state.deciding else None,
        )
    )


def settle_and_end(log: Recorder, chance: Chance, now: int, *, over: bool = False) -> None:
    """Settle what can be settled, and end the round if it is over (G10)."""
    state = log.state
    # Someone who has solved or given up can't overtake anybody.
    over = over or state.solved | state.gave_up >= set(state.playing)
    pending = unsettled_solutions(state)
    certain = [over or solution.arrived + MAX_CREDIT_MS <= now for solution in pending]
    for index, solution in enumerate(pending):
        # Settling a solution settles all that count before it.
        if any(certain[index:]):
            _settle_solution(log, solution.seat, chance, now)
    if state.deciding:
        _end_deciding_round(log, now, over=over)
    elif state.phase is Phase.SECOND_CHANCE:
        if over or log.state.settled:
            _end_round(log, now, in_time=0)
    elif over:
        in_time = len(log.state.settled)
        if not in_time and state.options.seconds:
            log.record(SecondChanceBegan(at=now, sand=now + 1000 * state.options.seconds))
        else:
            _end_round(log, now, in_time=in_time)


def _settle_solution(log: Recorder, seat: Seat, chance: Chance, now: int) -> None:
    """Settle the next solution in order, and hand out its gems (G9, G12)."""
    state = log.state
    rank = len(state.settled)
    if rank and (state.deciding or state.phase is Phase.SECOND_CHANCE):
        return  # only the first counts
    log.record(SolutionSettled(at=now, seat=seat, rank=rank))
    if state.deciding:
        return
    bonus = gem_ledger.display_reward(rank) if state.phase is Phase.SOLVING else None
    if bonus:
        log.record(GemTaken(at=now, seat=seat, gem=bonus, source="display"))
    gem = _draw_gem(log.state.books.bag, chance, f"round {state.round}: gem of seat {seat}")
    log.record(GemTaken(at=now, seat=seat, gem=gem, source="bag"))


def _draw_gem(bag: Purse, chance: Chance, label: str) -> Gem:
    gems = [gem for gem in Gem for _ in range(bag[gem])]
    return chance.stream(label).choice(gems)


def _end_round(log: Recorder, now: int, *, in_time: int) -> None:
    for gem in gem_ledger.unclaimed_display_gems(in_time):
        log.record(GemBagged(at=now, gem=gem))
    log.record(RoundEnded(at=now, round=log.state.round))
    state = log.state
    if state.round == state.options.rounds:
        tied = gem_ledger.tied_seats(state.books)
        if tied:
            log.record(TieFound(at=now, seats=tied))
        else:
            _end_match(log, gem_ledger.leaders(state.books), now)


def _end_deciding_round(log: Recorder, now: int, *, over: bool) -> None:
    """The first to solve wins, or the last who hasn't given up, or all who are left (G15)."""
    state = log.state
    left = tuple(seat for seat in state.playing if seat not in state.gave_up)
    if state.settled:
        winners = state.settled[:1]
    elif over or len(left) == 1:
        winners = left
    else:
        return
    log.record(RoundEnded(at=now, round=state.round))
    _end_match(log, winners, now)


def _end_match(log: Recorder, winners: tuple[Seat, ...], now: int) -> None:
    points = tuple(gem_ledger.points(gems) for gems in log.state.books.held)
    log.record(MatchEnded(at=now, winners=winners, points=points))


def outcome(state: State) -> Outcome | None:
    """Most points win; after a tie, the deciding round (G14, G15)."""
    if state.phase is not Phase.OVER:
        return None
    points = tuple(gem_ledger.points(gems) for gems in state.books.held)
    return Outcome(winners=state.winners, points=points)
