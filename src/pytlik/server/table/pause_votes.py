"""Pauses: they begin and end when everyone who is there wants it."""

from msgspec.structs import replace

from pytlik.game import Illegal, Reason
from pytlik.protocol.reasons import ServerReason
from pytlik.server.table.tables import Table, with_line
from pytlik.server.tokens import Holder


def vote_on_pause(table: Table, holder: Holder | None, now: int, *, wanted: bool = True) -> Table:
    """Ask for a pause, or to resume during one, or withdraw that. If somebody says no to a pause
    that only others have asked for, it's refused, and their requests are cleared."""
    mine = table.held_by(holder)
    if not mine:
        raise Illegal(Reason.NOT_YOUR_SEAT)
    if table.phase != "playing":
        raise Illegal(ServerReason.TABLE_NOT_RUNNING)
    others = set(table.pausing).difference(mine)
    only_others = bool(others) and len(others) == len(table.pausing)
    if only_others and not wanted and table.paused is None:
        seat = mine[0]
        name = table.chairs[seat].name
        refused = replace(table, pausing=())
        return with_line(refused, seat, holder, change="refused_pause", name=name)
    return apply_pause_vote(
        replace(table, pausing=tuple(sorted(others.union(mine if wanted else ())))), now
    )


def apply_pause_vote(table: Table, now: int) -> Table:
    """Pause or resume, if everyone who is there wants it."""
    there = {
        seat
        for seat, chair in enumerate(table.chairs)
        if chair.holder is not None and not chair.stand_in
    }
    if not table.pausing or not there.issubset(table.pausing):
        return table
    return replace(table, pausing=(), paused=now if table.paused is None else None)
