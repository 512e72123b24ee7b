"""Requests about positions, for any game that can write its states as positions."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Annotated, Any, Literal, cast

import msgspec
from msgspec import UNSET, Meta, UnsetType

from pytlik.chance import from_text
from pytlik.game import AnyGame, Budget, Illegal, Opening, Reason, Seat, as_schedule, replay
from pytlik.match import Match
from pytlik.referee.request_base import Answer, Handlers, Request, bad_request, check_seat

DEFAULT_ACTION_LIMIT = 100_000
"""How many actions a list may have if the request has no limit."""

DEFAULT_LEVEL = "hard"
"""The bot that `best` asks if the request doesn't name one."""

PositiveInt = Annotated[int, Meta(ge=1)]


def unchanged_state(state: Any) -> Any:
    """The default for games whose states already are positions."""
    return state


def no_analysis(*_: object) -> Answer:
    return {}


@dataclass(frozen=True, kw_only=True)
class Positions:
    """How a game's states are written as positions. A game names one in `Game.shows["referee"]`.

    A position has a field `game` with the name of the game.
    """

    game: AnyGame
    type: Any
    """The type that a position is decoded as."""
    players: Callable[[Any], int]
    """How many players a position has."""
    to_state: Callable[[Any], Any] = unchanged_state
    from_state: Callable[[Any], Any] = unchanged_state
    action: Any = None
    """The type of the actions that may be applied; if None, all of the game's."""
    legal: Callable[[Any], Iterable[Any]] | None = None
    """Every action in a state; if None, those that the game lists for the seat that acts."""
    options: Any = None
    """The options for deals; if None, the game's defaults."""
    simultaneous: bool = False
    """Whether several seats may act in the same position, so that requests have to name one."""
    analyse: Callable[[Any, Any], Answer] = no_analysis
    """What `best` adds to its answer, from a view and the action."""

    def handlers(self) -> Handlers:
        """The requests about this game's positions, and what answers them."""
        position = ("position", self.type)
        actor = (("seat", Seat),) if self.simultaneous else ()
        levels = self.game.levels
        default_level = DEFAULT_LEVEL if DEFAULT_LEVEL in levels else self.game.default_bot
        best_fields = (
            ("level", Literal[levels], default_level),
            ("seed", int | str, 0),
            ("simulations", PositiveInt | UnsetType, UNSET),
            ("ms", PositiveInt | UnsetType, UNSET),
        )
        players = Annotated[int, Meta(ge=self.game.players[0], le=self.game.players[-1])]
        limit = ("limit", Annotated[int, Meta(ge=0)], DEFAULT_ACTION_LIMIT)
        action = ("action", self.action or self.game.action)
        kinds = {
            define_request("Actions", position, *actor, limit): list_actions,
            define_request("Count", position, *actor): count_actions,
            define_request("Apply", position, *actor, action): apply_action,
            define_request("View", position, ("seat", Seat | None)): show_view,
            define_request("Best", position, ("seat", Seat), *best_fields): choose_best_action,
            define_request(
                "Deal", ("game", Literal[self.game.name]), ("players", players), ("seed", str)
            ): deal_position,
        }
        return {kind: partial(handle, self) for kind, handle in kinds.items()}


def define_request(name: str, *fields: Any) -> type[Request]:
    """A kind of request, whose fields depend on the game."""
    kind = msgspec.defstruct(name, fields, bases=(Request,), frozen=True, kw_only=True)
    return cast(type[Request], kind)


def acting_seat(positions: Positions, request: Any, state: Any) -> Seat:
    """The seat that the request names, or the only one that can act; any seat if the round is
    over."""
    if positions.simultaneous:
        check_seat(request.seat, positions.players(request.position))
        seat: Seat = request.seat
        return seat
    return next(iter(positions.game.awaited(state)), 0)


def legal_actions(positions: Positions, request: Any) -> Iterable[Any]:
    game, state = positions.game, positions.to_state(request.position)
    if positions.legal is not None:
        return positions.legal(state)
    if game.legal is None:
        raise bad_request(f"the actions of {game.name} can't be listed")
    return game.legal(game.view(state, acting_seat(positions, request, state)))


def list_actions(positions: Positions, request: Any) -> Answer:
    possible = iter(legal_actions(positions, request))
    found = list(islice(possible, request.limit))
    if any(True for _ in possible):
        raise Illegal(Reason.TOO_MANY, limit=request.limit)
    return {"actions": found, "count": len(found)}


def count_actions(positions: Positions, request: Any) -> Answer:
    return {"count": sum(1 for _ in legal_actions(positions, request))}


def apply_action(positions: Positions, request: Any) -> Answer:
    match = Match.from_state(positions.game, positions.to_state(request.position))
    events = match.act(acting_seat(positions, request, match.state), request.action)
    return {"position": positions.from_state(match.state), "events": events}


def show_view(positions: Positions, request: Any) -> Answer:
    if request.seat is not None:
        check_seat(request.seat, positions.players(request.position))
    state = positions.to_state(request.position)
    return {"view": positions.game.view(state, request.seat)}


def choose_best_action(positions: Positions, request: Any) -> Answer:
    game = positions.game
    check_seat(request.seat, positions.players(request.position))
    if request.simulations is not UNSET and request.ms is not UNSET:
        raise bad_request("give either simulations or ms, not both")
    state = positions.to_state(request.position)
    awaited = game.awaited(state)
    if not awaited:
        raise Illegal(Reason.WRONG_PHASE)
    if request.seat not in awaited:
        raise Illegal(Reason.NOT_YOUR_TURN)
    # From here on, only what the seat may know is used.
    known = game.view(state, request.seat)
    stream = from_text(str(request.seed)).stream("bot")
    simulations = None if request.simulations is UNSET else request.simulations
    seconds = Budget().seconds if request.ms is UNSET else request.ms / 1000
    answer = game.bots[request.level](known, stream, Budget(seconds, simulations))
    action = as_schedule(answer)[0][1]
    return {"action": action} | positions.analyse(known, action)


def deal_position(positions: Positions, request: Any) -> Answer:
    game = positions.game
    opening = Opening(players=request.players, commitment="", shares=("",) * request.players)
    options = game.options() if positions.options is None else positions.options
    events = game.open(opening, options, from_text(request.seed), 0)
    return {"position": positions.from_state(replay(game.apply, events))}
