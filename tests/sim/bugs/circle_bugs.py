"""Bugs in how the results of matches get into a circle."""

from contextlib import AbstractContextManager, suppress
from typing import Any
from unittest.mock import patch

from pytlik.server.circle import result_recording, stored_circles
from pytlik.server.clocks.leases import Lease, Leases
from pytlik.server.live.room import Room
from pytlik.server.match.deadlines import RESULT_DEADLINE
from pytlik.server.scheduling import deadline_actions, scheduler
from pytlik.store import Conflict
from tests.sim.bugs.bug_patches import apply_all_patches, register_bug


@register_bug
def end_result_deadline_before_storing_result() -> AbstractContextManager[object]:
    """A worker that dies in between loses the result."""
    fire = deadline_actions.fire_deadline

    async def end_first(room: Room, lease: Lease, leases: Leases) -> None:
        if lease.deadline.kind == RESULT_DEADLINE:
            await leases.end_deadline(lease)
        await fire(room, lease, leases)

    return patch.object(scheduler, "fire_deadline", end_first)


@register_bug
def overwrite_concurrent_circle_changes() -> AbstractContextManager[object]:
    """The last one to write wins."""

    async def change(store: Any, circle_id: str, now: int, alter: Any) -> Any:
        row = await stored_circles.fetch_circle_row(store, circle_id)
        after, result = alter(stored_circles.circle_codec.decode(row.doc))
        while True:
            row = await stored_circles.fetch_circle_row(store, circle_id)
            with suppress(Conflict):
                put = stored_circles.make_put_circle(after, row.version, now, row.doc, result)
                await store.commit(put)
                return after

    return apply_all_patches(
        patch.object(stored_circles, "change_circle_with_result", change),
        patch.object(result_recording, "change_circle_with_result", change),
    )


@register_bug
def count_matches_only_for_winners() -> AbstractContextManager[object]:
    """As far as the circle knows, the losers haven't played."""
    members_on_seats = result_recording.members_on_seats

    def only_winners(circle: Any, match: Any) -> dict[int, int]:
        found = members_on_seats(circle, match)
        return {seat: member for seat, member in found.items() if seat in match.outcome.winners}

    return patch.object(result_recording, "members_on_seats", only_winners)
