"""Checks that nobody is refused an action that is allowed."""

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from pytlik.chance import mix
from pytlik.game import Illegal, Reason
from pytlik.protocol.reasons import ServerReason
from pytlik.server.match.deadlines import table_id_of
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder
from tests.sim.tolerances import MAX_UNAVAILABLE_SECONDS

if TYPE_CHECKING:
    from tests.server.server_load import Command
    from tests.sim.player import Player
    from tests.sim.replayed_match import ReplayedMatch
    from tests.sim.server_promises import ServerPromises


class Decision(NamedTuple):
    """What someone knew when they decided to act."""

    seq: int
    version: int
    earliest_server_time: int
    """The worker that answers may have a clock that is this far behind."""


def check_refusal_is_justified(
    promises: "ServerPromises",
    player: "Player",
    command: "Command",
    action: dict[str, Any],
    decision: Decision,
    reason: str,
) -> None:
    """A refused action was really forbidden, at least at some moment since it was chosen."""
    if table_id_of(command.match) in promises.deleted_at:
        return
    promises.checked["allowed actions are not refused"] += 1
    later = range(decision.version, len(promises.version_times[player.table]) + 1)
    tables = [promises.table_versions[player.table, version] for version in later if version]
    promises.check(
        any(forbids_action(table, player, command, reason) for table in tables)
        or is_illegal(promises, promises.logs[command.match], command, action, decision),
        f"{player.name} is refused {command}, although it's allowed: {reason}",
    )


def forbids_action(table: Table, player: "Player", command: "Command", reason: str) -> bool:
    match reason:
        case ServerReason.PAUSED:
            return table.paused is not None
        case Reason.NOT_YOUR_SEAT:
            return command.seat not in table.held_by(player.holder)
        case _:
            return table.match_id != command.match or table.phase != "playing"


def is_illegal(
    promises: "ServerPromises",
    log: "ReplayedMatch",
    command: "Command",
    action: dict[str, Any],
    decision: Decision,
) -> bool:
    """Whether the rules or the limits forbid an action in any state since it was chosen, by any
    worker's clock."""
    game, seat = log.game, command.seat
    wanted = game.action_decoder.decode(msgspec.json.encode(action))
    chance = mix(promises.secrets[command.match], log.events[0].shares)
    for seq in range(decision.seq, len(log.events) + 1):
        state = log.states[seq - 1]
        for now in (decision.earliest_server_time, promises.world.server_time):
            try:
                events = game.decide(state, seat, wanted, chance, now, 0)
                if events:
                    game.limits.check(state, events, log.count_actions_in_round(seat, seq))
            except Illegal:
                return True
    return False


def check_unavailable_is_justified(promises: "ServerPromises", holder: Holder | None) -> None:
    """A worker tells someone to try again later only if something is wrong. Call this when the
    worker decides it: the message may be read much later, when all has long been well."""
    promises.checked["nobody has to try again needlessly"] += 1
    player = next(each for each in promises.world.everyone if each.holder == holder)
    healthy = promises.world.seconds_healthy
    promises.check(
        healthy < MAX_UNAVAILABLE_SECONDS
        or not promises.world.is_healthy
        # A worker that hasn't heard of the deletion finds no log, as after restoring a backup.
        or player.table in promises.deleted_at,
        f"{player.name} has to try again, although all has been well for {healthy:.1f} s",
    )
