"""Bugs in how the results of matches get into a circle."""

from contextlib import AbstractContextManager, suppress
from typing import Any
from unittest.mock import patch

from pytlik.server.circle import circle_results, stored_circles
from pytlik.server.clocks.leases import Lease, Leases
from pytlik.server.live.room import Room
from pytlik.server.match.deadlines import RESULT_DEADLINE
from pytlik.server.scheduling import deadline_actions, scheduler
from pytlik.store import Conflict
from tests.sim.bugs.bug_patches import apply_all_patches, register_bug


@register_bug
def end_the_deadline_of_a_result_before_writing_it() -> AbstractContextManager[object]:
    """Whoever dies in between has lost it."""
    fire = deadline_actions.fire_deadline

    async def end_first(room: Room, lease: Lease, leases: Leases) -> None:
        if lease.deadline.kind == RESULT_DEADLINE:
            await leases.end_deadline(lease)
        await fire(room, lease, leases)

    return patch.object(scheduler, "fire_deadline", end_first)


@register_bug
def overwrite_what_others_changed_in_a_circle() -> AbstractContextManager[object]:
    """As if the last to write were right."""

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
        patch.object(circle_results, "change_circle_with_result", change),
    )


@register_bug
def count_a_match_only_for_who_has_won_it() -> AbstractContextManager[object]:
    """Whoever has lost it has not played, as far as the circle knows."""
    members_on_seats = circle_results.members_on_seats

    def winners(circle: Any, match: Any) -> dict[int, int]:
        found = members_on_seats(circle, match)
        return {seat: member for seat, member in found.items() if seat in match.outcome.winners}

    return patch.object(circle_results, "members_on_seats", winners)
