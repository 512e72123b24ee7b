"""Skips the time in which only bots still solve: whatever comes next happens now.

The clocks are moved forward to the next thing that a bot or the sand does, and so on. Every bot
does what it has planned, in the same order and with the same time on the sand, so people wait less,
and nothing else changes.
"""

from functools import partial

from pytlik.game import Expire, Illegal, PlanKey, Reason, Shift
from pytlik.protocol.reasons import ServerReason
from pytlik.server.live.room import Room
from pytlik.server.match.live_match import LiveMatch
from pytlik.server.scheduling.deadline_actions import let_bots_act
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder
from pytlik.store import Actor

MAX_STEPS = 200
"""More than three bots need in a round, where each goes straight to the end of its plan."""


async def skip_bots(room: Room, holder: Holder | None) -> None:
    """Skip ahead to when a person can act again. Anyone who has a seat may ask for it while only
    bots have something to do: nobody loses time that they could have used. Raises Illegal."""
    table = (await room.refresh()).table
    check_may_skip(table, holder)
    match = await room.open_match(table)
    await room.catch_up(match)
    if not waits_only_for_bots(table, match):
        raise Illegal(Reason.WRONG_PHASE, phase=table.phase)
    for _ in range(MAX_STEPS):
        table, seq = room.stored.table if room.stored else table, match.seq
        if not waits_only_for_bots(table, match):
            break
        try:
            if not await skip_one_step(room, table, match):
                break
        except Illegal:
            await room.catch_up(match)
            if match.seq == seq:  # otherwise the scheduler was faster, or somebody else who skips
                raise


def check_may_skip(table: Table, holder: Holder | None) -> None:
    if not table.held_by(holder):
        raise Illegal(Reason.NOT_YOUR_SEAT)
    if table.phase != "playing":
        raise Illegal(ServerReason.TABLE_NOT_RUNNING)
    if table.paused is not None:
        raise Illegal(ServerReason.PAUSED)


def waits_only_for_bots(table: Table, match: LiveMatch) -> bool:
    """Whether the match waits only for bots. A stand-in doesn't count: its person may be back at
    any moment, and then the time is theirs."""
    awaited = match.game.awaited(match.state)
    bots_only = bool(awaited) and all(table.chairs[seat].bot for seat in awaited)
    return bots_only and table.match_id == match.id and table.paused is None


async def skip_one_step(room: Room, table: Table, match: LiveMatch) -> bool:
    """Do what is due, or move the clocks so that something is. Returns whether there was anything
    to do. There isn't if bots don't plan ahead, because then it isn't known what they will do."""
    game, now = match.game, match.now
    due = game.deadline(match.state)
    if due is not None and due <= now:
        await room.act(None, Expire(), actor=Actor.CLOCK)
        return True
    moments = [] if due is None else [due]
    key: PlanKey | None = None
    for seat in game.awaited(match.state):
        level = table.acting_bot_level(seat)
        planned = await room.services.bots.plan(match, seat, level) if level else None
        if planned is None or game.planning is None:
            return False
        key, schedule = planned
        step = game.planning.next_step(schedule, game.view(match.state, seat), now)
        if step and step[0] <= now:
            await let_bots_act(room, table, match)
            return True
        if step:
            moments.append(schedule[-1][0])
    if not moments or key is None:
        return False
    moment, now = min(moments), match.now  # planning may have taken a while
    if moment <= now:
        return True
    # If somebody else skips to the same moment of the round, the clocks are moved once.
    command = f"skip to {moment - key.began} of round {key.round}"
    await room.act(None, partial(skip_to, moment), command, actor=Actor.SERVER)
    return True


def skip_to(moment: int, now: int) -> Shift:
    return Shift(min(0, now - moment))
