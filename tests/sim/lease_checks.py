"""Checks that every deadline is dealt with once and then ended."""

from typing import TYPE_CHECKING, NamedTuple

from pytlik.server.match.deadlines import table_id_of
from pytlik.store import Deadline, MoveDeadline
from tests.sim.tolerances import MAX_OVERDUE_SECONDS

if TYPE_CHECKING:
    from tests.sim.server_promises import ServerPromises

MAX_REPEATS = 2
"""How often a deadline may be taken again because nobody has ended it."""

MAX_FRUITLESS_TIMES = 12
"""How often a deadline may be taken while nothing changes, even if it was set again in between: a
bot that is still thinking may be asked a few times."""


class TakenDeadline(NamedTuple):
    """A deadline that a worker has taken, and what came of it."""

    until: int
    """When it's due again, unless someone ends it."""
    repeats: int
    fruitless_times: int
    progress: tuple[int, int]
    """How many events its match and how many versions its table had."""


def record_deadlines_taken(
    promises: "ServerPromises", deadlines: list[Deadline], until: int
) -> None:
    """A worker that takes a deadline ends it. Otherwise the work would be repeated for ever."""
    healthy = promises.world.seconds_healthy > MAX_OVERDUE_SECONDS
    for deadline in deadlines:
        match, kind = deadline.match, deadline.kind
        log = promises.logs.get(match)
        progress = len(log.events) if log else 0, len(promises.version_times[table_id_of(match)])
        old = promises.taken_deadlines.get((match, kind))
        repeats = old.repeats + 1 if healthy and old and old.until == deadline.due else 0
        fruitless_times = (
            old.fruitless_times + 1 if healthy and old and old.progress == progress else 0
        )
        promises.taken_deadlines[match, kind] = TakenDeadline(
            until, repeats, fruitless_times, progress
        )
        promises.checked["deadlines are dealt with once"] += 1
        promises.check(
            repeats <= MAX_REPEATS and fruitless_times <= MAX_FRUITLESS_TIMES,
            f"{kind} of {match} is dealt with again and again",
        )


def record_moved_deadline(promises: "ServerPromises", write: MoveDeadline) -> None:
    """Note that a lease was renewed."""
    taken = promises.taken_deadlines.get((write.match, write.kind))
    if taken and write.to is not None and taken.until == write.due:
        promises.taken_deadlines[write.match, write.kind] = taken._replace(until=write.to)
