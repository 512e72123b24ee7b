"""Gives a person's new token everything that their older one has. That ends the access of every
other device, and voids every code that was made before.

It happens table by table, and doing it again changes nothing, so a lost answer does no harm.
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from pytlik.game import Illegal, Seat
from pytlik.protocol.reasons import ServerReason
from pytlik.server.table.seats import (
    MAX_HOLDERS_PER_SEAT,
    holders_with,
    remember_muted,
    remember_removed,
    take_over_history,
)
from pytlik.server.table.tables import Chair, Table
from pytlik.server.tokens import Holder

HashRecoveryCode = Callable[[Seat], str]
"""Returns the hash of a seat's new recovery code."""


def take_over_table(table: Table, old: Holder, new: Holder, recovery: HashRecoveryCode) -> Table:
    """Give everything of one holder at a table to another. What the old holder knows or may not do
    counts for both, so nobody gains anything from having both tokens."""
    check_no_hands_combined(table, old, new)
    mine = table.held_by(old)
    if old in table.muted and new not in table.muted:
        table = remember_muted(table, new)
    if old in table.removed and new not in table.removed:
        table = remember_removed(table, new)
    return replace(
        take_over_history(table, old, new),
        host=new if table.host == old else table.host,
        hosts=take_over_hosts(table, old, new),
        codes=tuple(code for code in table.codes if code.seat not in mine),
        chairs=tuple(
            take_over_chair(chair, old, new, recovery(seat), muted=new in table.muted)
            for seat, chair in enumerate(table.chairs)
        ),
    )


def take_over_hosts(table: Table, old: Holder, new: Holder) -> tuple[Holder, ...]:
    """Everyone who has hosted the table. None may be forgotten during a match, so there's a limit,
    as for a seat's holders."""
    if old not in table.hosts or new in table.hosts:
        return table.hosts
    if len(table.hosts) >= MAX_HOLDERS_PER_SEAT:
        raise Illegal(ServerReason.TABLE_LOCKED)
    return (*table.hosts, new)


def take_over_chair(chair: Chair, old: Holder, new: Holder, recovery: str, *, muted: bool) -> Chair:
    def move_votes(voters: Iterable[Holder]) -> tuple[Holder, ...]:
        return tuple(dict.fromkeys(new if each == old else each for each in voters))

    chair = replace(
        chair,
        against=move_votes(chair.against),
        for_bot=move_votes(chair.for_bot),
        holders=holders_with(chair, new) if old in chair.holders else chair.holders,
    )
    if chair.holder == old:
        chair = replace(chair, holder=new, recovery=recovery, claim=None)
    return replace(chair, muted=True) if chair.holder == new and muted else chair


def check_no_hands_combined(table: Table, old: Holder, new: Holder) -> None:
    """Check that during a match nobody learns a second hand by combining two tokens, and a host
    learns none."""
    if table.phase != "playing":
        return
    known = {holder: seats_ever_held_by(table, holder) for holder in (old, new)}
    if not (known[old] <= known[new] or known[new] <= known[old]):
        raise Illegal(ServerReason.SAT_ELSEWHERE)
    hosts = [holder for holder in known if holder == table.host or holder in table.hosts]
    if len(hosts) == 1 and known[old] != known[new] and not known[hosts[0]]:
        raise Illegal(ServerReason.HOST_LOOKS_ON)


def seats_ever_held_by(table: Table, holder: Holder) -> set[Seat]:
    return {seat for seat, chair in enumerate(table.chairs) if chair.ever_held_by(holder)}
