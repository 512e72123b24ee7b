"""Bugs around bots that play for people: they stay too long, or leave too little behind."""

import sys
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from pytlik.game import Seat
from pytlik.server import socket_requests
from pytlik.server.live.room import Room
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.scheduling import deadline_actions
from pytlik.server.table import seats
from pytlik.server.table.tables import Table
from tests.sim.bugs.bug_patches import register_bug


def skip_take_back_in(name: str) -> AbstractContextManager[object]:
    take_back = socket_requests.take_back

    async def sometimes(room: Room, back: tuple[Seat, ...]) -> None:
        if sys._getframe(1).f_code.co_name != name:
            await take_back(room, back)

    return patch.object(socket_requests, "take_back", sometimes)


@register_bug
def let_a_bot_go_on_for_who_comes_back() -> AbstractContextManager[object]:
    return skip_take_back_in("join")


@register_bug
def let_a_bot_go_on_for_who_acts() -> AbstractContextManager[object]:
    return skip_take_back_in("act")


@register_bug
def show_the_table_and_no_hand_to_who_comes_back() -> AbstractContextManager[object]:
    """As if they only looked on, because a bot has their seat."""
    held_by = Table.held_by

    def held(self: Table, holder: Any) -> tuple[Seat, ...]:
        found: tuple[Seat, ...] = held_by(self, holder)
        frame = sys._getframe(1)
        if frame.f_code.co_name == "join" and "held" not in frame.f_locals:
            return tuple(seat for seat in found if not self.chairs[seat].stand_in)
        return found

    return patch.object(Table, "held_by", held)


@register_bug
def play_for_who_is_alone() -> AbstractContextManager[object]:
    """As if somebody waited for them."""
    return patch.object(Table, "has_one_person", new=False)


@register_bug
def let_one_player_decide_that_a_bot_plays() -> AbstractContextManager[object]:
    return patch.object(seats, "MIN_PLAYERS_TO_AGREE", 1)


@register_bug
def give_half_a_clock_back() -> AbstractContextManager[object]:
    """Whoever comes back has only half of the time that was agreed for a turn."""
    missing_deadlines = deadline_actions.missing_deadlines

    async def missing(room: Room, table: Table, match: LiveMatch, kept_kinds: Any) -> Any:
        found = await missing_deadlines(room, table, match, kept_kinds)
        if turn := found.get("turn"):
            found["turn"] = turn - 500 * (table.agreement.turn_seconds or 0)
        return found

    return patch.object(deadline_actions, "missing_deadlines", missing)
