"""Another match at the same table: called by the host, or agreed on by everyone."""

from collections.abc import Collection

from msgspec.structs import replace

from pytlik.game import Illegal, Reason
from pytlik.protocol.reasons import ServerReason
from pytlik.server.table.tables import Chair, Table, check_host
from pytlik.server.tokens import Holder

MAX_MATCHES = 200
"""The most matches at one table: it stores who played each, and every change writes all of it."""


def rematch(table: Table, holder: Holder | None, commitment: str) -> Table:
    """Call everyone back to the lobby, as the host."""
    check_host(table, holder)
    check_rematch(table)
    return prepare_rematch(replace(table, again=()), commitment)


def vote_for_rematch(
    table: Table, holder: Holder | None, here: Collection[Holder], commitment: str
) -> Table:
    """Vote for another match. It's prepared when everyone who plays and is here wants it, and
    begins when they have sent their shares (`is_rematch_ready`)."""
    mine = table.held_by(holder)
    if not mine:
        raise Illegal(Reason.NOT_YOUR_SEAT)
    if table.phase == "lobby" and set(mine) <= set(table.again):
        return table  # the request was repeated
    check_rematch(table)
    table = replace(table, again=tuple(sorted({*table.again, *mine})))
    people_here = {seat for seat, chair in enumerate(table.chairs) if chair.holder in here}
    return prepare_rematch(table, commitment) if people_here <= set(table.again) else table


def is_rematch_ready(table: Table, here: Collection[Holder]) -> bool:
    """Whether everyone has agreed on this match and, if they are here, sent a share for it."""
    agreed = [chair for seat, chair in enumerate(table.chairs) if seat in table.again]
    present = [chair for chair in agreed if chair.holder in here]
    return table.phase == "lobby" and bool(present) and all(chair.share for chair in present)


def check_rematch(table: Table) -> None:
    if table.phase != "over":
        raise Illegal(ServerReason.MATCH_NOT_OVER)
    if table.match >= MAX_MATCHES:
        raise Illegal(ServerReason.TOO_MANY_MATCHES, most=MAX_MATCHES)


def prepare_rematch(table: Table, commitment: str) -> Table:
    """Return to the lobby, with a new secret. The shares are removed, because the server knows them
    and could have chosen a secret to suit them."""
    return replace(
        table,
        phase="lobby",
        match=table.match + 1,
        commitment=commitment,
        chairs=tuple(
            Chair()
            if chair.is_free
            else replace(chair, share="", stand_in=False, holders=(), against=(), for_bot=())
            for chair in table.chairs
        ),
    )
