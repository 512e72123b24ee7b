"""Writes the result of a finished match into the circle that it was played in.

The commit that ends a match at a circle's table also sets a deadline. Whichever worker takes it
writes the result; if that worker dies, another one does. A result is written only once, however
often workers try.
"""

from collections.abc import Sequence

import msgspec

from pytlik.game import AnyGame, Illegal, Outcome, Seat
from pytlik.protocol.circles import CircleResult, CircleSeat
from pytlik.server.circle.circles import Circle, add_result
from pytlik.server.circle.stored_circles import EncodedResult, change_circle_with_result
from pytlik.server.match.log_replay import (
    EVENTS_PER_PAGE,
    read_log,
    replay_log,
    run_in_replay_thread,
)
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder
from pytlik.store import Actor, Conflict, Store

MIN_PEOPLE = 2
"""With fewer, a match isn't recorded: nobody collects wins alone against bots."""


class FinishedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match that is over, and who has played it."""

    id: str
    game: str
    rounds: int | None
    ended: int
    outcome: Outcome
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    """The level on each seat where a bot sat."""
    holders: tuple[Holder | None, ...]
    """Who sat on each seat at the end."""
    finished_by_bot: frozenset[Seat]
    """Seats where a bot acted last in place of a person."""


async def record_match(store: Store, table: Table, number: int, now: int) -> None:
    """Write the result of a table's finished match into the table's circle, unless that's already
    done or there's nothing to write."""
    if table.circle is None:
        return
    match = await read_finished_match(store, table, number)
    if match is None or len({*match.holders} - {None}) < MIN_PEOPLE:
        return

    def alter(circle: Circle) -> tuple[Circle, EncodedResult | None]:
        result = make_circle_result(circle, match)
        if all(seat.member is None for seat in result.seats):
            return circle, None
        written = match.id, match.ended, msgspec.json.encode(result)
        return add_result(circle, result, match.ended), written

    try:
        if not await store.has_circle_result(table.circle, match.id):
            await change_circle_with_result(store, table.circle, now, alter)
    except Illegal:
        pass  # the circle is gone
    except Conflict:
        if not await store.has_circle_result(table.circle, match.id):
            raise


async def read_finished_match(store: Store, table: Table, number: int) -> FinishedMatch | None:
    """A match of a table, if it's over and the table says who played it."""
    id, game = f"{table.id}.{number}", table.rules
    if not 0 < number <= min(len(table.past), len(table.past_holders)):
        return None
    log = await replay_log(store, game, id)
    outcome = game.outcome(log.state) if log.seq else None
    players, holders = table.past[number - 1], table.past_holders[number - 1]
    if outcome is None or not len(holders) == len(players) == len(outcome.points):
        return None
    raw, actors = await read_log(store, id), await read_actors(store, id)
    last = await run_in_replay_thread(last_actors, game, raw, actors)
    options = msgspec.to_builtins(game.event_decoder.decode(raw[0]).options)
    return FinishedMatch(
        id=id,
        game=table.game,
        rounds=options.get("rounds"),
        ended=log.recent[-1].at,
        outcome=outcome,
        names=tuple(player.name for player in players),
        bots=tuple(player.bot for player in players),
        holders=holders,
        finished_by_bot=frozenset(seat for seat, who in last.items() if who == Actor.STAND_IN),
    )


async def read_actors(store: Store, match: str) -> list[str | None]:
    actors: list[str | None] = []
    while page := await store.actors(match, len(actors), EVENTS_PER_PAGE):
        actors += page
    return actors


def last_actors(
    game: AnyGame, raw: Sequence[bytes], actors: Sequence[str | None]
) -> dict[Seat, str | None]:
    """Who acted last on each seat."""
    last: dict[Seat, str | None] = {}
    for event, actor in zip(raw, actors, strict=False):
        cause = game.cause(game.event_decoder.decode(event))
        if cause and cause.seat is not None:
            last[cause.seat] = actor
    return last


def make_circle_result(circle: Circle, match: FinishedMatch) -> CircleResult:
    """A match as its circle keeps it: with the numbers of members, and no names."""
    members = members_on_seats(circle, match)
    return CircleResult(
        game=match.game,
        rounds=match.rounds,
        seats=tuple(
            CircleSeat(
                points=points,
                member=members.get(seat),
                bot=match.bots[seat],
                won=seat in match.outcome.winners,
                helped=seat in match.finished_by_bot,
            )
            for seat, points in enumerate(match.outcome.points)
        ),
    )


def members_on_seats(circle: Circle, match: FinishedMatch) -> dict[Seat, int]:
    """Which seat each member had at the end. On a device that was passed around, one token has
    several seats: then the member's is the one with their name."""
    found: dict[Seat, int] = {}
    for member in circle.members:
        mine = [seat for seat, holder in enumerate(match.holders) if holder == member.holder]
        if len(mine) > 1:
            mine = [seat for seat in mine if match.names[seat] == member.name]
        if len(mine) == 1:
            found[mine[0]] = member.id
    return found
