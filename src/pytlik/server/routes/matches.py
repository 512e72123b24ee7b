"""Matches: their events and views, their files, verification, and the coach."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from litestar import Response, Router, get, post
from litestar.datastructures import State
from litestar.params import QueryParameter

from pytlik import matchfile
from pytlik.game import Illegal, Reason, Seat
from pytlik.matchfile import MatchRecord, Player, Seed
from pytlik.protocol.reasons import ServerReason
from pytlik.server.access.rate_limits import Kind
from pytlik.server.lobby import Lobby
from pytlik.server.match.coaching import Coaching
from pytlik.server.match.log_replay import (
    LONG_LOG_EVENTS,
    last_event,
    read_log,
    replay_log,
    run_in_replay_thread,
)
from pytlik.server.responses.error_responses import REFUSAL_RESPONSES
from pytlik.server.routes.dependencies import (
    Caller,
    MatchNumber,
    TableId,
    TheCaller,
    TheGate,
    TheLobby,
    TheVisitor,
)
from pytlik.server.table.tables import Table
from pytlik.store import NO_LIMIT, Actor
from pytlik.unikat.coach import Advice


class Events(msgspec.Struct, frozen=True, kw_only=True):
    match: str
    seat: Seat | None
    seq: int
    """How many events the match has."""
    over: bool
    events: tuple[Any, ...]
    """Up to `limit` events after the first `after`, as the seat may see them. Once the match is
    over, nothing is hidden."""
    actors: tuple[Actor | None, ...] = ()
    """Who caused each of these events; null if an older version of Pytlik stored it."""


class Sitter(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    level: str | None
    """The level, if it was a bot."""


class Views(msgspec.Struct, frozen=True, kw_only=True):
    match: str
    game: str
    seat: Seat | None
    seq: int
    """How many events the match has."""
    over: bool
    sitters: tuple[Sitter, ...]
    """Who sat where."""
    after: int
    views: tuple[Any, ...]
    """What the seat could see after each event that follows the first `after`. Once the match is
    over, nothing is hidden."""
    actors: tuple[Actor | None, ...] = ()
    """Who caused the event that led to each of these views; null if an older version of Pytlik
    stored it."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    sound: bool
    """Whether every event follows from the seed and the rules, and the seed matches the
    commitment."""
    flaw: str | None = None
    event: int | None = None
    first_game: bool = False
    """Whether it was a newcomer's first match, whose seed everyone knows: then it's no proof of a
    fair deal."""


MAX_VIEWS_PER_PAGE = 50

MAX_EVENTS_PER_PAGE = 1_000

MATCH_ENDED_KIND = "match_ended"
"""The last event of every match, in every game."""


class EventKind(msgspec.Struct, frozen=True):
    """An event, reduced to its kind."""

    kind: str


@dataclass(frozen=True)
class StoredMatch:
    """A match as the store has it, without its events."""

    table: Table
    number: int
    seq: int
    """How many events the match has."""
    last: bytes

    @property
    def id(self) -> str:
        return f"{self.table.id}.{self.number}"

    @property
    def is_over(self) -> bool:
        if self.number < self.table.match or self.table.phase == "over":
            return True
        # The log is ahead: the table is updated a moment later.
        return msgspec.json.decode(self.last, type=EventKind).kind == MATCH_ENDED_KIND

    @property
    def players(self) -> tuple[Player, ...]:
        """Who sat where when the match ended."""
        past = self.table.past
        return past[self.number - 1] if self.number <= len(past) else self.table.players


async def find_match(lobby: Lobby, table: str, number: int) -> StoredMatch:
    found = (await lobby.get(table)).table
    if not 1 <= number <= found.match:
        raise Illegal(ServerReason.NO_SUCH_MATCH)
    last = await last_event(lobby.store, f"{found.id}.{number}")
    if last is None:
        raise Illegal(ServerReason.NO_SUCH_MATCH)
    return StoredMatch(found, number, *last)


async def actors_of(
    lobby: Lobby, played: StoredMatch, after: int, number: int
) -> tuple[Actor | None, ...]:
    """Who caused each of some events."""
    actors = await lobby.store.actors(played.id, after, number)
    return tuple(map(parse_actor, actors))


def parse_actor(actor: str | None) -> Actor | None:
    """The actor, or None if only a newer version of Pytlik knows it."""
    return Actor(actor) if actor in set(Actor) else None


async def read_match_file(lobby: Lobby, table: str, number: int) -> bytes:
    """The file of a finished match. Before that, its secret stays secret."""
    played = await find_match(lobby, table, number)
    if not played.is_over:
        raise Illegal(ServerReason.MATCH_NOT_OVER)
    secret = await lobby.store.secret(played.id)
    raw = await read_log(lobby.store, played.id)
    actors = await actors_of(lobby, played, 0, len(raw))
    return await asyncio.to_thread(encode_match_file, played, raw, actors, secret)


def encode_match_file(
    played: StoredMatch, raw: list[bytes], actors: tuple[Actor | None, ...], secret: bytes | None
) -> bytes:
    events = tuple(map(played.table.rules.event_decoder.decode, raw))
    seed = Seed(secret.hex(), events[0].shares) if secret else None
    marked = actors if Actor.STAND_IN in actors else ()  # otherwise they add nothing
    return matchfile.encode(MatchRecord(played.table.rules, played.players, events, seed, marked))


WatchedSeat = Annotated[
    int | None, QueryParameter(description="one of your seats; by default, what everyone sees")
]
EventsToSkip = Annotated[int, QueryParameter(ge=0)]


@get("/api/tables/{table:str}/matches/{number:int}/events", responses=REFUSAL_RESPONSES)
async def list_events(
    table: TableId,
    number: MatchNumber,
    caller: TheCaller,
    seat: WatchedSeat = None,
    after: EventsToSkip = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=MAX_EVENTS_PER_PAGE)] = MAX_EVENTS_PER_PAGE,
) -> Events:
    """The events of a match so far, page by page. For the next page, set `after` to the number of
    events you have, until you have `seq`."""
    played = await find_match(caller.lobby, table, number)
    check_may_watch_seat(played, seat, caller)
    first = min(after, NO_LIMIT)
    raw = await caller.lobby.store.events(played.id, first, limit)
    events = await run_in_replay_thread(visible_events, played, seat, raw)
    return Events(
        match=played.id,
        seat=seat,
        seq=max(played.seq, first + len(events) if events else 0),
        over=played.is_over,
        events=events,
        actors=await actors_of(caller.lobby, played, first, len(events)),
    )


def visible_events(played: StoredMatch, seat: Seat | None, raw: list[bytes]) -> tuple[Any, ...]:
    """Events as a seat may see them."""
    game, over = played.table.rules, played.is_over
    events = map(game.event_decoder.decode, raw)
    return tuple(events) if over else tuple(game.mask(event, seat) for event in events)


@get("/api/tables/{table:str}/matches/{number:int}/views", responses=REFUSAL_RESPONSES)
async def list_views(
    table: TableId,
    number: MatchNumber,
    caller: TheCaller,
    gate: TheGate,
    visitor: TheVisitor,
    seat: WatchedSeat = None,
    after: EventsToSkip = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=MAX_VIEWS_PER_PAGE)] = MAX_VIEWS_PER_PAGE,
) -> Views:
    """The views of a match, event by event, to replay it."""
    played = await find_match(caller.lobby, table, number)
    check_may_watch_seat(played, seat, caller)
    game, store, first = played.table.rules, caller.lobby.store, min(after, NO_LIMIT)
    if min(first, played.seq) > LONG_LOG_EVENTS:
        gate.count_request(Kind.HEAVY, visitor.address)
    before = await replay_log(store, game, played.id, until=first)
    raw = await store.events(played.id, first, limit) if before.seq == first else []
    views = await run_in_replay_thread(visible_views, played, seat, before.state, raw)
    return Views(
        match=played.id,
        game=game.name,
        seat=seat,
        seq=max(played.seq, first + len(views) if views else 0),
        over=played.is_over,
        sitters=tuple(Sitter(name=player.name, level=player.bot) for player in played.players),
        after=after,
        views=views,
        actors=await actors_of(caller.lobby, played, first, len(views)),
    )


def visible_views(
    played: StoredMatch, seat: Seat | None, state: Any, raw: list[bytes]
) -> tuple[Any, ...]:
    """What a seat could see after each of these events, starting from a state."""
    game = played.table.rules
    see, views = game.open_view if played.is_over else game.view, []
    for event in map(game.event_decoder.decode, raw):
        state = game.apply(state, event)
        views.append(see(state, seat))
    return tuple(views)


def check_may_watch_seat(played: StoredMatch, seat: Seat | None, caller: Caller) -> None:
    """Raise Illegal if the caller may not see this seat's view: during a match, only its holder
    may."""
    if seat is None:
        return
    held = played.table.held_by(caller.holder)
    if not (0 <= seat < len(played.players) if played.is_over else seat in held):
        raise Illegal(Reason.NOT_YOUR_SEAT)


@get(
    "/api/tables/{table:str}/matches/{number:int}/file",
    responses=REFUSAL_RESPONSES,
    media_type="application/json",
)
async def download_file(
    table: TableId,
    number: MatchNumber,
    lobby: TheLobby,
    gate: TheGate,
    visitor: TheVisitor,
    state: State,
) -> Response[bytes]:
    """Download the file of a finished match, to keep, replay and verify."""
    gate.count_request(Kind.HEAVY, visitor.address)
    async with state.heavy.turn(visitor.address):
        data = await read_match_file(lobby, table, number)
    name = f"pytlik-{table}-{number}.json"
    return Response(
        data,
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


@post(
    "/api/tables/{table:str}/matches/{number:int}/verify",
    responses=REFUSAL_RESPONSES,
    status_code=200,
)
async def verify(
    table: TableId,
    number: MatchNumber,
    lobby: TheLobby,
    gate: TheGate,
    visitor: TheVisitor,
    state: State,
) -> Verdict:
    """Repeat a finished match from its seed, and compare every event."""
    gate.count_request(Kind.HEAVY, visitor.address)
    async with state.heavy.turn(visitor.address):
        data = await read_match_file(lobby, table, number)
        # There is one event per line. A thread that computes for a second would slow the loop down.
        is_long = data.count(b"\n") > LONG_LOG_EVENTS
        compute = state.compute if is_long else asyncio.to_thread
        verdict: Verdict = await compute(verify_match_file, data)
    return verdict


def verify_match_file(data: bytes) -> Verdict:
    match = matchfile.decode(data)
    finding = matchfile.verify(match)
    if finding is None:
        return Verdict(sound=True, first_game=match.has_known_deal)
    return Verdict(
        sound=False, flaw=finding.flaw, event=finding.event, first_game=match.has_known_deal
    )


@get("/api/tables/{table:str}/matches/{number:int}/coach", responses=REFUSAL_RESPONSES)
async def advise(
    table: TableId,
    number: MatchNumber,
    lobby: TheLobby,
    gate: TheGate,
    visitor: TheVisitor,
    state: State,
) -> Advice:
    """What the coach says about each turn of a finished match of Unikat."""
    gate.count_request(Kind.HEAVY, visitor.address)
    played = await find_match(lobby, table, number)
    if "coach" not in played.table.rules.shows:
        raise Illegal(ServerReason.NOT_FOUND)
    if not played.is_over:
        raise Illegal(ServerReason.MATCH_NOT_OVER)
    coaching: Coaching = state.coaching
    raw = await read_log(lobby.store, played.id)
    advice: Advice = await coaching.review_finished_match(
        played.table.rules, played.id, raw, visitor.address
    )
    return advice


router = Router(
    "/", route_handlers=[list_events, list_views, download_file, verify, advise], tags=["matches"]
)
