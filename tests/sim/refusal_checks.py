"""Nobody is refused what they may do."""

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
    """What somebody knew when they decided to do something."""

    seq: int
    version: int
    earliest_server_time: int
    """It may be this early for the worker that answers, because clocks differ a little."""


def check_refusal_has_reason(
    promises: "ServerPromises",
    player: "Player",
    command: "Command",
    action: dict[str, Any],
    decision: Decision,
    reason: str,
) -> None:
    """What is refused was not allowed, or not any more, at some moment since it was decided."""
    if table_id_of(command.match) in promises.deleted:
        return
    promises.checked["nobody is refused what they may do"] += 1
    later = range(decision.version, len(promises.versions[player.table]) + 1)
    tables = [promises.documents[player.table, version] for version in later if version]
    promises.check(
        any(forbids_to_act(table, player, command, reason) for table in tables)
        or is_illegal(promises, promises.logs[command.match], command, action, decision),
        f"{player.name} is refused {command}, which they may do: {reason}",
    )


def forbids_to_act(table: Table, player: "Player", command: "Command", reason: str) -> bool:
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
    """Whether the rules or the limits forbid something in any state since it was decided, by any
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
                    game.limits.check(state, events, log.actions_in_round(seat, seq))
            except Illegal:
                return True
    return False


def check_is_unavailable(promises: "ServerPromises", holder: Holder | None) -> None:
    """To be called when a worker decides to tell somebody to try again later, which it does only
    when something is wrong. They may read it much later, when all has long been well."""
    promises.checked["nobody has to try again without need"] += 1
    player = next(each for each in promises.world.everyone if each.holder == holder)
    healthy = promises.world.seconds_healthy
    promises.check(
        healthy < MAX_UNAVAILABLE_SECONDS
        or not promises.world.is_healthy
        # A worker that hasn't heard of that yet finds no log, as after restoring a backup.
        or player.table in promises.deleted,
        f"{player.name} has to try again, although all has been well for {healthy:.1f} s",
    )
