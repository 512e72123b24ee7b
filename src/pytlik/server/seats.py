"""Who sits where: taking a seat, leaving, bots, and giving a lost seat back. Pure functions."""

from msgspec.structs import replace

from pytlik.game import Illegal, Reason, Seat
from pytlik.server.lookalikes import alike
from pytlik.server.tables import (
    Chair,
    Code,
    Holder,
    Level,
    Table,
    agreed,
    chair_at,
    check_host,
    check_lobby,
)

CODE_LIFE = 600_000
"""How long a code moves a seat (ms)."""


def put(table: Table, seat: Seat, chair: Chair) -> Table:
    chairs = list(table.chairs)
    chairs[seat] = chair
    return replace(table, chairs=tuple(chairs))


def own(table: Table, holder: Holder | None, seat: Seat) -> Chair:
    """The chair, if it is the holder's."""
    chair = chair_at(table, seat)
    if holder is None or chair.holder != holder:
        raise Illegal(Reason.NOT_YOUR_SEAT)
    return chair


def first_free(table: Table) -> Seat:
    for seat, chair in enumerate(table.chairs):
        if chair.free:
            return seat
    raise Illegal(Reason.TABLE_FULL)


def check_name(table: Table, holder: Holder | None, name: str) -> None:
    """Nobody can pass for another person at the table; on several seats one may use one name."""
    for chair in table.chairs:
        if chair.holder is not None and chair.holder != holder and alike(chair.name, name):
            raise Illegal(Reason.NAME_TAKEN)


def sit(
    table: Table, holder: Holder, seat: Seat, *, name: str, recovery: str, share: str = ""
) -> Table:
    """Take a free seat. In a running match the seed is made, and the share of whoever sat here
    when it began stays."""
    chair = chair_at(table, seat)
    if not chair.free:
        raise Illegal(Reason.SEAT_TAKEN)
    if table.phase == "over":
        raise Illegal(Reason.WRONG_PHASE)
    check_name(table, holder, name)
    if table.phase == "playing":
        share = chair.share
    return put(table, seat, Chair(name=name, holder=holder, share=share, recovery=recovery))


def leave(table: Table, holder: Holder | None, seat: Seat, now: int) -> Table:
    """Give up one's own seat. A host who holds no other passes the table on."""
    own(table, holder, seat)
    table = emptied(table, seat, now)
    if holder != table.host or table.held_by(holder):
        return table
    heirs = (chair.holder for chair in table.chairs if chair.holder is not None)
    return replace(table, host=next(heirs, table.host))


def free(table: Table, host: Holder | None, seat: Seat, now: int) -> Table:
    """The host frees the seat of a person."""
    check_host(table, host)
    if chair_at(table, seat).holder is None:
        raise Illegal(Reason.SEAT_FREE)
    return emptied(table, seat, now)


def emptied(table: Table, seat: Seat, now: int) -> Table:
    """Nobody sits here any more. In a running match a bot plays on until somebody does."""
    left = Chair(share=table.chairs[seat].share, stand_in=True)
    table = put(table, seat, left if table.phase == "playing" else Chair())
    table = replace(
        table,
        codes=tuple(code for code in table.codes if code.seat != seat),
        pausing=tuple(other for other in table.pausing if other != seat),
    )
    return agreed(table, now)


# ------------------------------------------------------------------------- what a person can change


def rename(table: Table, holder: Holder | None, seat: Seat, name: str) -> Table:
    chair = own(table, holder, seat)
    check_name(table, holder, name)
    return put(table, seat, replace(chair, name=name))


def set_share(table: Table, holder: Holder | None, seat: Seat, share: str) -> Table:
    """Another share of the seed: for a rematch, where nobody sits down anew."""
    chair = own(table, holder, seat)
    check_lobby(table)
    return put(table, seat, replace(chair, share=share))


def stand_in(table: Table, seat: Seat, now: int) -> Table:
    """The person has been away too long: a bot plays for them."""
    chair = chair_at(table, seat)
    if chair.holder is None or table.phase != "playing":
        return table
    pausing = tuple(other for other in table.pausing if other != seat)
    return agreed(replace(put(table, seat, replace(chair, stand_in=True)), pausing=pausing), now)


def take_back(table: Table, holder: Holder | None, seat: Seat) -> Table:
    """The person is back, and plays again."""
    return put(table, seat, replace(own(table, holder, seat), stand_in=False))


# ------------------------------------------------------------------------------- what a host can do


def add_bot(table: Table, host: Holder | None, seat: Seat, level: Level) -> Table:
    """Seat a bot, or change the level of the one that sits here."""
    check_host(table, host)
    chair = chair_at(table, seat)
    if chair.holder is not None:
        raise Illegal(Reason.SEAT_TAKEN)
    if table.phase == "over":
        raise Illegal(Reason.WRONG_PHASE)
    return put(table, seat, Chair(bot=level, share=chair.share))


def remove_bot(table: Table, host: Holder | None, seat: Seat) -> Table:
    check_host(table, host)
    check_lobby(table)
    if chair_at(table, seat).bot is None:
        raise Illegal(Reason.SEAT_FREE)
    return put(table, seat, Chair())


def mute(table: Table, host: Holder | None, seat: Seat, *, muted: bool) -> Table:
    check_host(table, host)
    chair = chair_at(table, seat)
    if chair.holder is None:
        raise Illegal(Reason.SEAT_FREE)
    return put(table, seat, replace(chair, muted=muted))


# ---------------------------------------------------------------------------- moving a seat by code


def add_code(table: Table, holder: Holder | None, seat: Seat, hashed: str, now: int) -> Table:
    """From now on, and for ten minutes, a code gives the seat to whoever says it first."""
    own(table, holder, seat)
    others = (code for code in table.codes if code.seat != seat and code.expires > now)
    return replace(table, codes=(*others, Code(seat=seat, hash=hashed, expires=now + CODE_LIFE)))


def redeem(table: Table, holder: Holder, hashed: str, now: int) -> tuple[Table, Seat]:
    """Say a code: the seat is the holder's, and the code is used up."""
    for code in table.codes:
        if code.hash == hashed and code.expires > now:
            codes = tuple(other for other in table.codes if other != code)
            return moved(replace(table, codes=codes), code.seat, holder), code.seat
    raise Illegal(Reason.BAD_CODE)


def recover(table: Table, holder: Holder, hashed: str) -> tuple[Table, Seat]:
    """Say the recovery code that was given with a seat."""
    for seat, chair in enumerate(table.chairs):
        if chair.recovery == hashed:
            return moved(table, seat, holder), seat
    raise Illegal(Reason.BAD_CODE)


def moved(table: Table, seat: Seat, holder: Holder) -> Table:
    """The seat is another holder's from now on, and with it the table, if it was the host's only
    seat."""
    chair = table.chairs[seat]
    table = put(table, seat, replace(chair, holder=holder, stand_in=False))
    if chair.holder == table.host and not table.held_by(chair.holder):
        return replace(table, host=holder)
    return table
