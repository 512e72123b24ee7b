"""What is due happens once, and then it is over."""

from typing import TYPE_CHECKING, NamedTuple

from pytlik.server.match.deadlines import table_id_of
from pytlik.store import Deadline, MoveDeadline
from tests.sim.tolerances import MAX_OVERDUE_SECONDS

if TYPE_CHECKING:
    from tests.sim.server_promises import ServerPromises

MAX_REPEATS = 2
"""How often a deadline may be taken again that nobody has ended."""

MAX_FRUITLESS = 12
"""How often one may be taken while nothing changes, though it was set anew in between: a bot that
is still thinking may be asked a few times."""


class Taken(NamedTuple):
    """A deadline that was taken, and what came of that."""

    until: int
    """When it is due again, unless somebody ends it."""
    repeats: int
    fruitless: int
    progress: tuple[int, int]
    """How far its match and its table had come."""


def record_deadlines_taken(
    promises: "ServerPromises", deadlines: list[Deadline], until: int
) -> None:
    """Whoever takes a deadline ends it, or whatever was due is done over and over."""
    healthy = promises.world.seconds_healthy > MAX_OVERDUE_SECONDS
    for deadline in deadlines:
        match, kind = deadline.match, deadline.kind
        log = promises.logs.get(match)
        progress = len(log.events) if log else 0, len(promises.versions[table_id_of(match)])
        old = promises.taken.get((match, kind))
        repeats = old.repeats + 1 if healthy and old and old.until == deadline.due else 0
        fruitless = old.fruitless + 1 if healthy and old and old.progress == progress else 0
        promises.taken[match, kind] = Taken(until, repeats, fruitless, progress)
        promises.checked["what is due happens once"] += 1
        promises.check(
            repeats <= MAX_REPEATS and fruitless <= MAX_FRUITLESS,
            f"{kind} of {match} is done again and again",
        )


def record_moved_deadline(promises: "ServerPromises", write: MoveDeadline) -> None:
    """A lease was renewed."""
    taken = promises.taken.get((write.match, write.kind))
    if taken and write.to is not None and taken.until == write.due:
        promises.taken[write.match, write.kind] = taken._replace(until=write.to)
