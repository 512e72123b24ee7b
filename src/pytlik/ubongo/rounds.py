"""The course of a round: begun, settled, given a second chance, ended; and who has won."""

from pytlik.chance import Chance
from pytlik.game import Outcome, Seat, Telling
from pytlik.ubongo import score
from pytlik.ubongo.hourglass import CREDIT, unsettled
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
from pytlik.ubongo.model import ROUNDS, Colour, Deal, Gem, Phase, Purse, State

Story = Telling[State, Event]


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


def outcome(state: State) -> Outcome | None:
    """Most points win, or who wins the deciding round (G14, G15)."""
    if state.phase is not Phase.OVER:
        return None
    points = tuple(score.points(gems) for gems in state.books.held)
    return Outcome(winners=state.winners, points=points)
