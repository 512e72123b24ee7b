"""Ubongo Extreme, as the rest of Pytlik uses it."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pytlik.chance import Chance, Stream
from pytlik.game import (
    Bot,
    Budget,
    Game,
    Illegal,
    LogLimits,
    Opening,
    PlanKey,
    Planning,
    Ready,
    Schedule,
    Seat,
    TimedAction,
)
from pytlik.state_codec import StateCodec
from pytlik.ubongo import bots, deck_files, messages, rounds, rules, timing
from pytlik.ubongo import view as views
from pytlik.ubongo.messages import Action, Event, GiveUp, Lift, Place
from pytlik.ubongo.model import Options, State
from pytlik.ubongo.reasons import UbongoReason
from pytlik.ubongo.view import View

__all__ = ["UBONGO", "Action", "Event", "Options", "State", "View"]

MAX_MOVES_PER_ROUND = 1_000
"""How often one seat can place or lift a piece in a round on a server. After that, only a piece
that solves the card may be placed."""


def open_match(opening: Opening, options: Options, chance: Chance, now: int) -> list[Event]:
    return rules.open_match(opening, options, chance, now, deck=deck_files.all_sides())


def legal(view: View) -> Iterator[Action]:
    """Every action of the seat that sees this."""
    if view.choices.ready:
        yield Ready()
    if not view.choices.solve or view.seat is None:
        return
    deal, placed = view.deals[view.seat], view.placed[view.seat]
    for number, piece in deal.pieces.items():
        others = (cells for other, cells in placed.items() if other != number)
        free = set(deal.area).difference(*others)
        for cells in bots.find_places(deal, piece):
            if free.issuperset(cells):
                yield Place(number, cells)
    for number in placed:
        yield Lift(number)
    yield GiveUp()


def automatic_action(view: View) -> Action | None:
    return Ready() if view.choices.ready else None


def plan_key(view: View) -> PlanKey | None:
    """A race is planned once, with moments counted from its beginning."""
    if not view.choices.solve or view.began is None:
        return None
    return PlanKey(view.round, view.began)


def next_step(schedule: Schedule[Action], view: View, now: int) -> TimedAction[Action] | None:
    """A bot's next step. In the countdown after a pause it would be refused, so it comes after."""
    step = _planned_step(schedule, view, now)
    if step is None or view.resumes is None:
        return step
    moment, action = step
    return max(moment, view.resumes), action


def _planned_step(schedule: Schedule[Action], view: View, now: int) -> TimedAction[Action] | None:
    if any(moment <= now and isinstance(action, GiveUp) for moment, action in schedule):
        return 0, GiveUp()
    assert view.seat is not None
    return bots.next_step(schedule, view.placed[view.seat], now)


def make_level_bot(plan: bots.Bot) -> Bot[View, Action]:
    """Adapt a level to the form that all bots have. Ubongo's bots don't search, so they need no
    budget."""

    def choose(view: View, stream: Stream, _: Budget) -> Schedule[Action]:
        return plan(view, stream)

    return choose


def apply(state: State | None, event: Event) -> State:
    """The state after an event. All states share one copy of the shipped decks."""
    after = rules.apply(state, event)
    if not isinstance(event, messages.DeckShuffled):
        return after
    pieces, cards = deck_files.reuse_shipped_cards(after.pieces, after.cards)
    return replace(after, pieces=pieces, cards=cards)


def reseat_options(options: Options, seats: Sequence[Seat | None]) -> Options:
    if not options.handicap:
        return options
    sides = (options.pieces if seat is None else options.handicap[seat] for seat in seats)
    return replace(options, handicap=tuple(sides))


def check_move_limit(state: State, events: Sequence[Event], moves: int) -> None:
    moved = isinstance(events[0], messages.PiecePlaced | messages.PieceLifted)
    solved = any(isinstance(event, messages.CardSolved) for event in events)
    if moved and moves >= MAX_MOVES_PER_ROUND and not solved:
        raise Illegal(UbongoReason.TOO_MANY_MOVES, most=MAX_MOVES_PER_ROUND)


UBONGO: Game[State, View, Action, Event, Options] = Game(
    name="ubongo",
    players=rules.PLAYERS,
    options=Options,
    action=Action,
    event=Event,
    view_type=View,
    refusals=UbongoReason,
    open=open_match,
    decide=rules.decide,
    apply=apply,
    cause=rules.cause,
    outcome=rounds.outcome,
    awaited=rules.awaited,
    deadline=timing.deadline,
    round_begins=messages.RoundBegan,
    forgotten=(messages.PiecePlaced, messages.PieceLifted),
    read_delay_credit=timing.read_delay_credit,
    state_codec=StateCodec(State),
    view=views.view,
    open_view=views.open_view,
    mask=views.mask,
    legal=legal,
    check_options=rules.check_options,
    reseat_options=reseat_options,
    limits=LogLimits(
        counted=(messages.PiecePlaced, messages.PieceLifted),
        pauses=(messages.ClocksShifted,),
        starts_again=(messages.CountdownBegan,),
        check=check_move_limit,
    ),
    bots={name: make_level_bot(plan) for name, plan in bots.LEVELS.items()},
    levels=tuple(bots.LEVELS),
    default_bot="medium",
    automatic_action=automatic_action,
    planning=Planning(plan_key, next_step),
    shows={
        "text": "pytlik.text.ubongo:TEXT",
        "lines": "pytlik.terminal.ubongo.line_mode:UbongoLineGame",
        "screen": "pytlik.terminal.ubongo.screen:UbongoScreen",
    },
)
