"""Bugs with stand-ins: they stay too long, come too early, or leave too little behind."""

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

    async def take_back_elsewhere(room: Room, back: tuple[Seat, ...]) -> None:
        if sys._getframe(1).f_code.co_name != name:
            await take_back(room, back)

    return patch.object(socket_requests, "take_back", take_back_elsewhere)


@register_bug
def keep_stand_in_when_player_returns() -> AbstractContextManager[object]:
    return skip_take_back_in("join")


@register_bug
def keep_stand_in_when_player_acts() -> AbstractContextManager[object]:
    return skip_take_back_in("act")


@register_bug
def hide_hand_from_returning_player() -> AbstractContextManager[object]:
    """Treat them as a spectator, because a bot has their seat."""
    held_by = Table.held_by

    def held(self: Table, holder: Any) -> tuple[Seat, ...]:
        found: tuple[Seat, ...] = held_by(self, holder)
        frame = sys._getframe(1)
        if frame.f_code.co_name == "join" and "held" not in frame.f_locals:
            return tuple(seat for seat in found if not self.chairs[seat].stand_in)
        return found

    return patch.object(Table, "held_by", held)


@register_bug
def let_stand_in_play_for_lone_player() -> AbstractContextManager[object]:
    """Act as if others were waiting for them."""
    return patch.object(Table, "has_one_person", new=False)


@register_bug
def let_one_vote_call_stand_in() -> AbstractContextManager[object]:
    return patch.object(seats, "MIN_PLAYERS_TO_AGREE", 1)


@register_bug
def give_returning_player_half_the_turn_time() -> AbstractContextManager[object]:
    missing_deadlines = deadline_actions.missing_deadlines

    async def missing(room: Room, table: Table, match: LiveMatch, kept_kinds: Any) -> Any:
        found = await missing_deadlines(room, table, match, kept_kinds)
        if turn := found.get("turn"):
            found["turn"] = turn - 500 * (table.agreement.turn_seconds or 0)
        return found

    return patch.object(deadline_actions, "missing_deadlines", missing)
