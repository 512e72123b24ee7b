"""What every game here is made of: seats, actions, events, refusals, and how they make a state."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from pytlik.chance import Chance

Seat = int
"""A place at the table, counted clockwise from 0."""


class Reason(StrEnum):
    """Why something is refused. A code: the sentences are in the catalogues."""

    # What was sent is not what the format says.
    BAD_REQUEST = "bad_request"
    BAD_POSITION = "bad_position"
    BAD_FILE = "bad_file"
    # Whoever asks may not, or not now.
    NOT_YOUR_SEAT = "not_your_seat"
    NOT_YOUR_TURN = "not_your_turn"
    WRONG_PHASE = "wrong_phase"
    # Tables.
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_SEAT = "no_such_seat"
    NO_SUCH_MATCH = "no_such_match"
    NO_SUCH_DAY = "no_such_day"
    NOT_HOST = "not_host"
    SEAT_TAKEN = "seat_taken"
    SEAT_FREE = "seat_free"
    SAT_ELSEWHERE = "sat_elsewhere"
    HOST_LOOKS_ON = "host_looks_on"
    REMOVED = "removed"
    TABLE_LOCKED = "table_locked"
    NEEDS_AGREEMENT = "needs_agreement"
    TABLE_FULL = "table_full"
    TABLE_RUNNING = "table_running"
    TABLE_NOT_RUNNING = "table_not_running"
    NOT_EVERYONE = "not_everyone"
    TOO_FEW_PLAYERS = "too_few_players"
    MATCH_NOT_OVER = "match_not_over"
    OTHER_MATCH = "other_match"
    PAUSED = "paused"
    TOO_MANY_PAUSES = "too_many_pauses"
    TOO_MANY_SWAPS = "too_many_swaps"
    TOO_MANY_MOVES = "too_many_moves"
    BAD_NAME = "bad_name"
    NAME_TAKEN = "name_taken"
    BAD_CODE = "bad_code"
    NOT_STARTED = "not_started"
    DAY_OVER = "day_over"
    # The server as a whole.
    NOT_FOUND = "not_found"
    WRONG_METHOD = "wrong_method"
    TOO_LARGE = "too_large"
    TOO_FAST = "too_fast"
    WRONG_ORIGIN = "wrong_origin"
    WRONG_HOST = "wrong_host"
    BAD_TOKEN = "bad_token"
    NOT_ADMIN = "not_admin"
    PASSPHRASE_NEEDED = "passphrase_needed"
    WRONG_PASSPHRASE = "wrong_passphrase"
    UNAVAILABLE = "unavailable"
    MUTED = "muted"
    NO_CHAT = "no_chat"
    INTERNAL = "internal"
    NOT_INSTALLED = "not_installed"
    # Unikat, in the order in which they are checked.
    NOT_IN_HAND = "not_in_hand"
    TILE_TWICE = "tile_twice"
    NO_TILES = "no_tiles"
    OCCUPIED = "occupied"
    TOUCHES_NOTHING = "touches_nothing"
    NOT_NEXT_TO_LAST = "not_next_to_last"
    UNLIKE_NEIGHBOUR = "unlike_neighbour"
    NOT_IN_DISPLAY = "not_in_display"
    SAME_TILE = "same_tile"
    BAG_EMPTY = "bag_empty"
    MUST_ACT = "must_act"
    TOO_MANY = "too_many"
    # Ubongo.
    NOT_YOUR_PIECE = "not_your_piece"
    NOT_PLACED = "not_placed"
    WRONG_SHAPE = "wrong_shape"
    OUTSIDE_AREA = "outside_area"
    NOT_COVERED = "not_covered"
    ALREADY_SOLVED = "already_solved"
    GAVE_UP = "gave_up"
    TOO_LATE = "too_late"
    TOO_EARLY = "too_early"
    GEM_NOT_IN_BAG = "gem_not_in_bag"
    SEAT_TWICE = "seat_twice"
    TOO_MANY_ROUNDS = "too_many_rounds"


class Refusal(Exception):
    """Something that can't be done, with the reason's code and what a sentence about it needs."""

    def __init__(self, reason: Reason, **detail: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail

    def __reduce__(self) -> tuple[Any, ...]:
        # Named arguments are not among those that an exception is pickled with by itself.
        return partial(type(self), self.reason, **self.detail), ()

    def __str__(self) -> str:
        said = ", ".join(f"{name}={value}" for name, value in self.detail.items())
        return f"{self.reason} ({said})" if said else str(self.reason)


class Malformed(Refusal):
    """It is not what the format says, whatever the state of the game."""


class Illegal(Refusal):
    """It is well formed, but the rules do not allow it now."""


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
    """What has happened. Subclasses are named in the past tense.

    Events are what is stored, for ever: each carries the version of its form, and the moment in
    milliseconds of the server's clock.
    """

    v: Literal[1] = 1
    at: int


class Ready(Action, frozen=True):
    """Go on with the next round as far as I am concerned."""


class Expire(Action, frozen=True):
    """Time has passed: said by the clock, and by no seat."""


class Shift(Action, frozen=True):
    """Nothing could be done for some time: move the clocks. Said by the server, and by no seat."""

    by: int


class Hidden(msgspec.Struct, frozen=True):
    """Stands where a seat may not know what is there."""

    hidden: Literal[True] = True


HIDDEN = Hidden()


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """What a match begins with, but for its options: who sits, and where chance comes from."""

    players: int
    commitment: str
    shares: tuple[str, ...]


class Outcome(msgspec.Struct, frozen=True):
    """How a match has ended. What the points mean (more or fewer is better) the game knows."""

    winners: tuple[Seat, ...]
    points: tuple[int, ...]


class Budget(msgspec.Struct, frozen=True):
    """How long a bot that searches may think about one decision: so many seconds; or so many
    simulations, with which it decides the same each time."""

    seconds: float = 1.5
    simulations: int | None = None


class Cause(msgspec.Struct, frozen=True):
    """What was asked when an event happened: enough to ask it again."""

    seat: Seat | None
    action: Any
    lag: int = 0


class DelayCredit(msgspec.Struct, frozen=True):
    """What an event says about the delay of a seat's connection (ms)."""

    seat: Seat
    lag: int
    """As it was measured; 0 if it was not."""
    credited: int = 0
    """How much earlier than it arrived something counts as done."""


S = TypeVar("S")
E = TypeVar("E", bound=Event)


class Decide(Protocol):
    """`lag` is the measured one-way delay of the seat's connection in milliseconds."""

    def __call__(
        self, state: Any, seat: Seat | None, action: Any, chance: Chance, now: int, lag: int = 0
    ) -> list[Any]: ...


class Open(Protocol):
    def __call__(self, opening: Opening, options: Any, chance: Chance, now: int) -> list[Any]: ...


@dataclass(frozen=True)
class Game:
    """One game, as everything that knows no game in particular uses it."""

    name: str
    players: range
    options: type[Any]
    action: Any
    event: Any
    open: Open
    decide: Decide
    apply: Callable[[Any, Any], Any]
    cause: Callable[[Any], Cause | None]
    outcome: Callable[[Any], Outcome | None]
    deadline: Callable[[Any], int | None]
    awaited: Callable[[Any], tuple[Seat, ...]]
    view: Callable[[Any, Seat | None], Any]
    open_view: Callable[[Any, Seat | None], Any]
    """The same when the match is over, and nothing is secret any more."""
    mask: Callable[[Any, Seat | None], Any]
    round_begins: type[Event]
    forgotten: tuple[type[Event], ...]
    """Events of which nothing is left in the state once the next round has begun."""
    delay_credit: Callable[[Any], DelayCredit | None] | None = None
    """What an event says about a seat's delay; none, where nothing is a race."""

    # Made once: what it takes to understand a type costs more than to read a message.
    @cached_property
    def action_decoder(self) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(self.action)

    @cached_property
    def event_decoder(self) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(self.event)


@dataclass
class Telling(Generic[S, E]):
    """Events as they happen one after the other, and the state that they have led to so far."""

    state: S
    apply: Callable[[S | None, E], S]
    events: list[E]

    def tell(self, event: E) -> None:
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
        problem = f"{fewest} to {most} players, and a share of each"
        raise Malformed(Reason.BAD_REQUEST, problem=problem)


def check_viewer(seat: Seat | None, players: int) -> None:
    """Views are for the seats there are, and for spectators."""
    if seat is not None and not 0 <= seat < players:
        raise Illegal(Reason.NOT_YOUR_SEAT)
