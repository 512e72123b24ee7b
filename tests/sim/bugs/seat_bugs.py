"""Bugs in who has a seat, and in what belongs to a seat: codes, mutes, votes, stand-ins."""

from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from pytlik.server.live import table_changes
from pytlik.server.table import pause_votes, rematches, seats
from pytlik.server.table.tables import Table
from tests.sim.bugs.bug_patches import apply_all_patches, register_bug


@register_bug
def remove_player_on_one_vote() -> AbstractContextManager[object]:
    """Don't wait for the votes of all the others."""

    def expel_at_once(table: Table, person: Any, *given: Any) -> Table:
        return seats.expel(table, person, given[-1])

    return patch.object(seats, "vote_to_remove", expel_at_once)


@register_bug
def let_recovery_code_work_twice() -> AbstractContextManager[object]:
    """The device that lost the seat through the code can use it to take the seat back."""
    move_seat = seats.move_seat

    def keep_code(table: Table, seat: int, *given: Any) -> Table:
        moved = move_seat(table, seat, *given)
        chair = replace(moved.chairs[seat], recovery=table.chairs[seat].recovery)
        return seats.with_chair(moved, seat, chair)

    return patch.object(seats, "move_seat", keep_code)


@register_bug
def pause_on_one_vote() -> AbstractContextManager[object]:
    def apply_at_once(table: Table, now: int) -> Table:
        if not table.pausing:
            return table
        return replace(table, pausing=(), paused=now if table.paused is None else None)

    return apply_all_patches(
        patch.object(pause_votes, "apply_pause_vote", apply_at_once),
        patch.object(seats, "apply_pause_vote", apply_at_once),
    )


@register_bug
def start_rematch_on_one_vote() -> AbstractContextManager[object]:
    vote = rematches.vote_for_rematch

    def vote_alone(table: Table, holder: Any, _: Any, commitment: str) -> Table:
        return vote(table, holder, {holder}, commitment)

    return patch.object(rematches, "vote_for_rematch", vote_alone)


@register_bug
def keep_stand_in_votes_after_return() -> AbstractContextManager[object]:
    """Votes for a stand-in still count when the person goes away again."""
    return patch.object(table_changes, "without_outdated_votes", lambda table, _: table)
