"""What every game is made of: seats, actions, events, refusals, and how they make a state.

A game is one `Game` object. Its folder builds it in `game.py`, and `games.py` lists it; everything
else (server, arena, terminal, match files) drives any game through that object.
"""

import importlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, partial
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

import msgspec

from pytlik.chance import Chance, Stream, commit
from pytlik.state_codec import StateCodec

Seat = int
"""A place at the table, counted clockwise from 0."""


class NoReason(StrEnum):
    """The refusal codes of a game that has none of its own."""


class Reason(StrEnum):
    """Why something is refused: a code. The sentences are in the catalogues.

    A game's own codes are in its folder (`Game.refusals`). No two enums share a value.
    """

    # The message or file isn't in the right format.
    BAD_REQUEST = "bad_request"
    BAD_FILE = "bad_file"
    # The seat may not do this, or not now.
    NOT_YOUR_SEAT = "not_your_seat"
    NOT_YOUR_TURN = "not_your_turn"
    WRONG_PHASE = "wrong_phase"
    TOO_EARLY = "too_early"
    OCCUPIED = "occupied"
    TOO_MANY = "too_many"


class Refusal(Exception):
    """Something that can't be done, with the reason's code and the values that its sentence
    needs."""

    def __init__(self, reason: StrEnum, **detail: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail

    def __reduce__(self) -> tuple[Any, ...]:
        # An exception pickles its positional arguments only.
        return partial(type(self), self.reason, **self.detail), ()

    def __str__(self) -> str:
        said = ", ".join(f"{name}={value}" for name, value in self.detail.items())
        return f"{self.reason} ({said})" if said else str(self.reason)


class Malformed(Refusal):
    """It doesn't have the right format, whatever the state of the game."""


class Illegal(Refusal):
    """It is well formed, but the rules don't allow it now."""


def snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Action(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=snake_case
):
    """What somebody asks for. Subclasses are named in the imperative."""


class Event(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag=snake_case,
):
    """Something that has happened. Subclasses are named in the past tense.

    Events are stored forever, so each carries the version of its format. `at` is in milliseconds of
    the server's clock.
    """

    v: Literal[1] = 1
    at: int


class Ready(Action, frozen=True):
    """I'm ready for the next round."""


class Expire(Action, frozen=True):
    """Time has passed. Sent by the clock, never by a seat."""


class Shift(Action, frozen=True):
    """Move the clocks, because nobody could act for some time. Sent by the server, never by a
    seat."""

    by: int
    """In milliseconds; negative to skip time in which nobody would act."""
    countdown: int = 0
    """How many of these milliseconds are still to come, so that everyone resumes together."""


class Hidden(msgspec.Struct, frozen=True):
    """Replaces what a seat may not know."""

    hidden: Literal[True] = True


HIDDEN = Hidden()


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """What a match begins with besides its options: the players, and where chance comes from."""

    players: int
    commitment: str
    shares: tuple[str, ...]


class Outcome(msgspec.Struct, frozen=True):
    """How a match has ended. Whether more or fewer points are better depends on the game."""

    winners: tuple[Seat, ...]
    points: tuple[int, ...]


class Budget(msgspec.Struct, frozen=True):
    """How long a bot that searches may think about one decision: in seconds, or in simulations,
    which make its decisions repeatable."""

    seconds: float = 1.5
    simulations: int | None = None


class Cause(msgspec.Struct, frozen=True):
    """The action that led to an event: enough to ask for it again."""

    seat: Seat | None
    action: Any
    lag: int = 0


class DelayCredit(msgspec.Struct, frozen=True):
    """What an event says about the delay of a seat's connection (ms)."""

    seat: Seat
    lag: int
    """As measured; 0 if it wasn't measured."""
    credited: int = 0
    """How much earlier than it arrived the action counts as done."""


S = TypeVar("S")
V = TypeVar("V")
A = TypeVar("A")
E = TypeVar("E", bound=Event)
O = TypeVar("O")  # noqa: E741 - options, as S, V, A and E are state, view, action and event
S_contra = TypeVar("S_contra", contravariant=True)
A_contra = TypeVar("A_contra", contravariant=True)
O_contra = TypeVar("O_contra", contravariant=True)


class Decide(Protocol[S_contra, A_contra, E]):
    """`lag` is the measured one-way delay of the seat's connection in milliseconds."""

    def __call__(
        self,
        state: S_contra,
        seat: Seat | None,
        action: A_contra,
        chance: Chance,
        now: int,
        lag: int = 0,
    ) -> list[E]: ...


class Open(Protocol[O_contra, E]):
    def __call__(
        self, opening: Opening, options: O_contra, chance: Chance, now: int
    ) -> list[E]: ...


# ------------------------------------------------------------------------------------------ bots

TimedAction = tuple[int, A]
"""When a bot acts, in milliseconds of the match's clock (0: at once), and what it does then."""

Schedule = tuple[TimedAction[A], ...]
"""What a bot is going to do, in chronological order."""

Bot = Callable[[V, Stream, Budget], A | Schedule[A]]
"""Chooses a seat's actions from what that seat may know. An action is done at once; a schedule is
for games in which time passes while people play."""


def as_schedule(answer: Any) -> Schedule[Any]:
    """A bot's answer as a schedule, whether it is an action or a schedule already."""
    return tuple(answer) if isinstance(answer, tuple | list) else ((0, answer),)


class PlanKey(NamedTuple):
    """Identifies what a plan was made for."""

    round: int
    """A plan's chance depends on this, but not on `began`."""
    began: int
    """When the round began (ms): if the clocks are moved, the plan is made again."""


@dataclass(frozen=True)
class Planning(Generic[V, A]):
    """How bots play games in which they plan a whole round ahead."""

    key: Callable[[V], PlanKey | None]
    """The key of the plan that is needed now; None if the bot decides step by step."""
    next_step: Callable[[Schedule[A], V, int], TimedAction[A] | None]
    """Given a plan, what the seat sees and the time: what to do next, and when. It depends on
    nothing else, so a bot can take over in the middle of a round."""


def do_nothing(*_: object) -> None:
    """The default for a game that has nothing to check, no clock, or no automatic actions."""


def keep_options(options: O, _: Sequence[Seat | None]) -> O:
    """The default for a game whose options don't name seats."""
    return options


# ----------------------------------------------------------------------------- limits on the log


@dataclass(frozen=True)
class LogLimits(Generic[S, E, O]):
    """How much of a match's log one seat may fill in a round on a server.

    Nobody gets near these numbers by playing. Someone who reaches one can still do what ends the
    round. Clocks and bots have no limits.
    """

    counted: tuple[type[Event], ...] = ()
    """Events that are counted against the seat that caused them."""
    pauses: tuple[type[Event], ...] = ()
    """Events that each pause of the table leaves in the log."""
    starts_again: tuple[type[Event], ...] = ()
    """Events after which counting starts again."""
    check: Callable[[S, Sequence[E], int], None] = do_nothing
    """Raise Illegal if a person's action, which leads to these events, is one too many. `counted`
    is how many there have been."""
    check_options: Callable[[O], None] = do_nothing
    """Raise Malformed if a table may not choose what the rules would allow."""


# ------------------------------------------------------------------------------------------ games


@dataclass(frozen=True, kw_only=True, eq=False)
class Game(Generic[S, V, A, E, O]):
    """One game, as used by everything that isn't about a particular game."""

    name: str
    players: range

    # The types of what is sent, shown and stored.
    options: type[O]
    action: Any
    """The union of the actions."""
    event: Any
    """The union of the events."""
    view_type: type[V]
    refusals: type[StrEnum] = NoReason
    """The game's own codes for why something is refused."""

    # The rules.
    open: Open[O, E]
    decide: Decide[S, A, E]
    apply: Callable[[S | None, E], S]
    cause: Callable[[E], Cause | None]
    outcome: Callable[[S], Outcome | None]
    awaited: Callable[[S], tuple[Seat, ...]]
    deadline: Callable[[S], int | None] = do_nothing
    """When the clock acts next (`Expire`)."""
    round_begins: type[Event] = Event
    """The event that begins a round; only used by games that have `forgotten` events."""
    forgotten: tuple[type[Event], ...] = ()
    """Events that leave nothing in the state once the next round has begun."""
    read_delay_credit: Callable[[E], DelayCredit | None] | None = None
    """Reads what an event says about a seat's delay; None for games without races."""
    state_codec: StateCodec[S] | None = None
    """Encodes states, for games whose matches can become so long that replaying them takes a
    while."""

    # What a seat may know.
    view: Callable[[S, Seat | None], V]
    open_view: Callable[[S, Seat | None], V]
    """The same once the match is over and nothing is secret any more."""
    mask: Callable[[E, Seat | None], E]
    legal: Callable[[V], Iterable[A]] | None = None
    """Lists every legal action of the seat with this view; None if they can't be listed."""

    # What a table may choose.
    check_options: Callable[[O, int], None] = do_nothing
    """Raise Malformed if options don't go with so many players."""
    reseat_options: Callable[[O, Sequence[Seat | None]], O] = keep_options
    """Options for other seats: those that stay, in their new order, and None for each new one."""
    slow_play: bool = False
    """Whether a turn may take days."""
    first_game_secret: bytes | None = None
    """The secret of a newcomer's first match, which everyone knows: with empty shares it always
    leads to the same deal, in which the first seat begins and can lay. None if there is no such
    deal."""
    limits: LogLimits[S, E, O] = field(default_factory=LogLimits)

    # Who can play it.
    bots: Mapping[str, Bot[V, A]]
    """All bots that can be seated, by name."""
    levels: tuple[str, ...]
    """The bots that are offered to people, weakest first."""
    default_bot: str
    """The bot to use if no level was chosen, or one that this game doesn't have."""
    searching_levels: frozenset[str] = frozenset()
    """The levels that use all their thinking time. All others answer within milliseconds."""
    automatic_action: Callable[[V], A | None] = do_nothing
    """What any bot does without thinking, such as being ready for the next round; None if it has to
    choose."""
    planning: Planning[V, A] | None = None

    shows: Mapping[str, str] = field(default_factory=dict)
    """Where to find the code that shows the game: "module:object" by purpose ("coach", "lines",
    ...). See `load`."""

    def load(self, purpose: str) -> Any:
        """Import what shows this game for a purpose. Raises LookupError if there is nothing."""
        if purpose not in self.shows:
            has = ", ".join(sorted(self.shows)) or "nothing"
            raise LookupError(f"{self.name} has nothing for {purpose!r} (it has: {has})")
        module, _, name = self.shows[purpose].partition(":")
        found = importlib.import_module(module)
        return getattr(found, name) if name else found

    @cached_property
    def first_game_commitment(self) -> str | None:
        """The commitment that first games are recognised by."""
        return None if self.first_game_secret is None else commit(self.first_game_secret)

    # Built once: analysing a type takes longer than decoding a message.
    @cached_property
    def action_decoder(self) -> msgspec.json.Decoder[A]:
        return msgspec.json.Decoder(self.action)

    @cached_property
    def event_decoder(self) -> msgspec.json.Decoder[E]:
        return msgspec.json.Decoder(self.event)


AnyGame = Game[Any, Any, Any, Any, Any]


@dataclass
class EventRecorder(Generic[S, E]):
    """Collects events while something is decided, and keeps the state that they lead to."""

    state: S
    apply: Callable[[S | None, E], S]
    events: list[E]

    def record(self, event: E) -> None:
        self.state = self.apply(self.state, event)
        self.events.append(event)


def replay(apply: Callable[[S | None, E], S], events: Iterable[E], state: S | None = None) -> S:
    """The state that events lead to, from the beginning or from `state` on."""
    for event in events:
        state = apply(state, event)
    if state is None:
        raise Malformed(Reason.BAD_FILE, problem="no events")
    return state


def check_opening(opening: Opening, players: range) -> None:
    if opening.players not in players or len(opening.shares) != opening.players:
        fewest, most = players[0], players[-1]
        problem = f"it takes {fewest} to {most} players, and a share of each"
        raise Malformed(Reason.BAD_REQUEST, problem=problem)


def check_viewer(seat: Seat | None, players: int) -> None:
    """Raise Illegal for a seat that doesn't exist; None is a spectator."""
    if seat is not None and not 0 <= seat < players:
        raise Illegal(Reason.NOT_YOUR_SEAT)
