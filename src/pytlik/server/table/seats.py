"""Who sits where: taking a seat, leaving, bots, and giving a lost seat back. Pure functions."""

from collections.abc import Collection

from msgspec.structs import replace

from pytlik.game import Illegal, Reason, Seat
from pytlik.protocol.messages import SeatChange
from pytlik.protocol.reasons import ServerReason
from pytlik.protocol.table_agreement import Level
from pytlik.server.table.lookalikes import look_alike
from pytlik.server.table.pause_votes import apply_pause_vote
from pytlik.server.table.tables import (
    Chair,
    SeatMoveCode,
    Table,
    chair_at,
    check_host,
    check_in_lobby,
    with_host,
    with_line,
)
from pytlik.server.tokens import Holder

CODE_LIFETIME_MS = 600_000
"""How long a code can move a seat."""

MAX_HOLDERS_PER_SEAT = 50
"""How many people and devices may hold a seat during a match, one after the other."""

MAX_REMEMBERED = 200
"""How many people a table remembers as muted, and how many as removed. If there are more, it's
locked, so that those it forgets can't come back."""

MIN_PLAYERS_TO_AGREE = 2
"""How many players, at least, have to agree that somebody must leave or a bot may play for them. A
host who only watches may be one of them on another device, and doesn't count."""


def with_chair(table: Table, seat: Seat, chair: Chair) -> Table:
    chairs = list(table.chairs)
    chairs[seat] = chair
    return replace(table, chairs=tuple(chairs))


def require_own_chair(table: Table, holder: Holder | None, seat: Seat) -> Chair:
    """Return a chair if it's the holder's. Raises Illegal otherwise."""
    chair = chair_at(table, seat)
    if holder is None or chair.holder != holder:
        raise Illegal(Reason.NOT_YOUR_SEAT)
    return chair


def first_free(table: Table) -> Seat:
    for seat, chair in enumerate(table.chairs):
        if chair.is_free:
            return seat
    raise Illegal(ServerReason.TABLE_FULL)


def check_name(table: Table, holder: Holder | None, name: str) -> None:
    """Check that nobody could be mistaken for another person at the table. A person may use one
    name on several seats."""
    for chair in table.chairs:
        if chair.holder is not None and chair.holder != holder and look_alike(chair.name, name):
            raise Illegal(ServerReason.NAME_TAKEN)


def sit(
    table: Table, holder: Holder, seat: Seat, *, name: str, recovery: str, share: str = ""
) -> Table:
    """Take a free seat. In a running match the seed is already made, so the share of the person who
    sat here when it began stays."""
    chair = chair_at(table, seat)
    if not chair.is_free:
        raise Illegal(ServerReason.SEAT_TAKEN)
    if table.phase == "over":
        raise Illegal(Reason.WRONG_PHASE)
    if holder in table.removed:
        raise Illegal(ServerReason.REMOVED)
    check_lock(table, holder)
    if is_muted := holder in table.muted:
        name = ""  # shown as "Player 2": a name could say anything
    else:
        check_name(table, holder, name)
    taken = Chair(name=name, holder=holder, share=share, recovery=recovery, muted=is_muted)
    if table.phase == "playing":
        check_no_second_hand(table, holder, seat)
        taken = replace(taken, share=chair.share, holders=holders_with(chair, holder))
    return with_chair(table, seat, taken)


def holders_with(chair: Chair, holder: Holder) -> tuple[Holder, ...]:
    """Everyone who has held a seat during the match, now also this holder. None may be forgotten,
    since each knows the hand, so a seat that has had too many takes nobody new."""
    if holder in chair.holders:
        return chair.holders
    if len(chair.holders) >= MAX_HOLDERS_PER_SEAT:
        raise Illegal(ServerReason.TABLE_LOCKED)
    return (*chair.holders, holder)


def check_lock(table: Table, holder: Holder) -> None:
    """Check that nobody new sits down at a locked table. A first game is for one person: its deal
    is known, so it would be unfair to anyone else."""
    if table.has_known_deal and any(chair.holder not in (None, holder) for chair in table.chairs):
        raise Illegal(ServerReason.TABLE_LOCKED)
    if table.locked and holder != table.host and not table.held_by(holder):
        raise Illegal(ServerReason.TABLE_LOCKED)


def check_no_second_hand(table: Table, holder: Holder, seat: Seat) -> None:
    """Check that nobody learns a second hand during a match, and that the host learns none by
    sitting down. Someone who has held this very seat before already knows its hand."""
    if table.chairs[seat].ever_held_by(holder):
        return
    if any(chair.ever_held_by(holder) for chair in table.chairs):
        raise Illegal(ServerReason.SAT_ELSEWHERE)
    if holder == table.host or holder in table.hosts:
        raise Illegal(ServerReason.HOST_LOOKS_ON)


def leave(table: Table, holder: Holder | None, seat: Seat, now: int) -> Table:
    """Give up your own seat. A host who holds no other seat passes the table on."""
    require_own_chair(table, holder, seat)
    return pass_table_on(vacate_seat(table, seat, now), holder)


def pass_table_on(table: Table, holder: Holder | None) -> Table:
    """If the host has given up their last seat, make somebody who sits here the host."""
    if holder != table.host or table.held_by(holder):
        return table
    heirs = (chair.holder for chair in table.chairs if chair.holder is not None)
    heir = next(heirs, table.host)
    return table if heir == table.host else with_host(table, heir)


def request_removal(
    table: Table, asker: Holder | None, seat: Seat, here: Collection[Holder], now: int
) -> Table:
    """Ask that somebody leave. Outside a match, the host decides. During a match, everyone else has
    to agree. If the person isn't here, a bot then plays, and the seat stays theirs: otherwise that
    happens only after the time that was agreed on before the match."""
    person = chair_at(table, seat).holder
    if table.phase != "playing":
        check_host(table, asker)
        if person is None:
            raise Illegal(ServerReason.SEAT_FREE)
        return expel(table, person, now)
    players = other_players_here(table, person, here)
    # A bot takes nothing from anyone, so a vote for one doesn't wait for a host who is away as
    # well.
    host_votes = person in here or table.host in here or table.host == asker
    voters = (players | {table.host} if host_votes else players) - {person}
    if asker is None or asker not in voters:
        raise Illegal(ServerReason.NOT_HOST)
    if person is None:
        raise Illegal(ServerReason.SEAT_FREE)
    if len(players) < MIN_PLAYERS_TO_AGREE:
        raise Illegal(ServerReason.NEEDS_AGREEMENT)
    if person in here:
        return vote_to_remove(table, person, asker, voters, now)
    return vote_for_bot(table, person, asker, voters, now)


def other_players_here(
    table: Table, person: Holder | None, here: Collection[Holder]
) -> set[Holder]:
    """Everyone else who plays for themselves and is here."""
    playing = {chair.holder for chair in table.chairs if chair.holder and not chair.stand_in}
    return playing.intersection(here) - {person}


def vote_to_remove(
    table: Table, person: Holder, asker: Holder, voters: Collection[Holder], now: int
) -> Table:
    seats = table.held_by(person)
    against = {asker, *table.chairs[seats[0]].against}.intersection(voters)
    if against == set(voters):
        return expel(table, person, now)
    for seat in seats:
        table = with_chair(table, seat, replace(table.chairs[seat], against=tuple(sorted(against))))
    return table


def vote_for_bot(
    table: Table, person: Holder, asker: Holder, voters: Collection[Holder], now: int
) -> Table:
    for seat in table.held_by(person):
        chair = table.chairs[seat]
        for_bot = {asker, *chair.for_bot}.intersection(voters)
        if for_bot == set(voters):
            table = start_stand_in(table, seat, now)
        else:
            table = with_chair(table, seat, replace(chair, for_bot=tuple(sorted(for_bot))))
    return table


def expel(table: Table, person: Holder, now: int) -> Table:
    """Take all seats from somebody, who may not sit down here again. A host passes the table on, or
    they could simply let themselves back in."""
    for seat in table.held_by(person):
        table = vacate_seat(table, seat, now)
    return remember_removed(pass_table_on(table, person), person)


def remember_removed(table: Table, person: Holder) -> Table:
    removed = with_newest(table.removed, person)
    return replace(table, removed=removed[-MAX_REMEMBERED:], locked=is_locked(table, removed))


def remember_muted(table: Table, person: Holder) -> Table:
    muted = with_newest(table.muted, person)
    return replace(table, muted=muted[-MAX_REMEMBERED:], locked=is_locked(table, muted))


def with_newest(people: tuple[Holder, ...], newest: Holder) -> tuple[Holder, ...]:
    return (*(each for each in people if each != newest), newest)


def is_locked(table: Table, remembered: tuple[Holder, ...]) -> bool:
    return table.locked or len(remembered) > MAX_REMEMBERED


def vacate_seat(table: Table, seat: Seat, now: int) -> Table:
    """Free a seat. In a running match a bot plays on until somebody takes it."""
    chair = table.chairs[seat]
    left = Chair(share=chair.share, stand_in=True, holders=chair.holders)
    table = with_chair(table, seat, left if table.phase == "playing" else Chair())
    table = replace(
        table,
        codes=tuple(code for code in table.codes if code.seat != seat),
        pausing=tuple(other for other in table.pausing if other != seat),
        again=tuple(other for other in table.again if other != seat),
    )
    return apply_pause_vote(table, now)


# ------------------------------------------------------------------------- what a person can change


def rename(table: Table, holder: Holder | None, seat: Seat, name: str) -> Table:
    """Change a name. Muted people can't: it could say anything."""
    chair = require_own_chair(table, holder, seat)
    if chair.muted:
        raise Illegal(ServerReason.MUTED)
    check_name(table, holder, name)
    return with_chair(table, seat, replace(chair, name=name))


def set_share(table: Table, holder: Holder | None, seat: Seat, share: str) -> Table:
    """Set a seat's share of the seed for a rematch, in which people keep their seats."""
    chair = require_own_chair(table, holder, seat)
    check_in_lobby(table)
    return with_chair(table, seat, replace(chair, share=share))


def start_stand_in(table: Table, seat: Seat, now: int) -> Table:
    """Let a bot play for a person who has been away too long."""
    chair = chair_at(table, seat)
    if chair.holder is None or table.phase != "playing":
        return table
    pausing = tuple(other for other in table.pausing if other != seat)
    return apply_pause_vote(
        replace(
            with_chair(table, seat, replace(chair, stand_in=True, for_bot=())), pausing=pausing
        ),
        now,
    )


def take_back(table: Table, holder: Holder | None, seat: Seat) -> Table:
    """Let a person who is back play again."""
    return with_chair(table, seat, replace(require_own_chair(table, holder, seat), stand_in=False))


# ------------------------------------------------------------------------------- what a host can do


def add_bot(table: Table, host: Holder | None, seat: Seat, level: Level) -> Table:
    """Seat a bot, or change the level of the one that sits here."""
    check_host(table, host)
    chair = chair_at(table, seat)
    if chair.holder is not None:
        raise Illegal(ServerReason.SEAT_TAKEN)
    people = {other.holder for other in table.chairs if other.holder is not None}
    # Someone alone against bots may make it as hard as they like, even in the middle of a match.
    if not (table.phase == "playing" and chair.bot and people <= {host}):
        check_in_lobby(table)
    return with_chair(table, seat, replace(chair, bot=level))


def remove_bot(table: Table, host: Holder | None, seat: Seat) -> Table:
    check_host(table, host)
    check_in_lobby(table)
    if chair_at(table, seat).bot is None:
        raise Illegal(ServerReason.SEAT_FREE)
    return with_chair(table, seat, Chair())


def mute(table: Table, host: Holder | None, seat: Seat, *, muted: bool) -> Table:
    check_host(table, host)
    chair = chair_at(table, seat)
    if (person := chair.holder) is None:
        raise Illegal(ServerReason.SEAT_FREE)
    for each in table.held_by(person):
        table = with_chair(table, each, replace(table.chairs[each], muted=muted))
    if muted:
        return remember_muted(table, person)
    return replace(table, muted=tuple(other for other in table.muted if other != person))


# ---------------------------------------------------------------------------- moving a seat by code


def add_move_code(table: Table, holder: Holder | None, seat: Seat, hashed: str, now: int) -> Table:
    """Add a code that gives the seat to whoever enters it first within ten minutes."""
    require_own_chair(table, holder, seat)
    others = (code for code in table.codes if code.seat != seat and code.expires > now)
    return replace(
        table, codes=(*others, SeatMoveCode(seat=seat, hash=hashed, expires=now + CODE_LIFETIME_MS))
    )


def redeem_move_code(
    table: Table, holder: Holder, hashed: str, now: int, *, recovery: str
) -> tuple[Table, Seat]:
    """Enter a code: the seat becomes the holder's, and the code is used up. So is the recovery
    code, which the former device knows: `recovery` is the hash of the next one."""
    for code in table.codes:
        if code.hash == hashed and code.expires > now:
            return move_seat(table, code.seat, holder, hashed, recovery), code.seat
    return answer_repeated_claim(table, holder, hashed, recovery)


def recover_seat(table: Table, holder: Holder, hashed: str, *, recovery: str) -> tuple[Table, Seat]:
    """Enter the recovery code that was given with a seat. It works once: `recovery` is the hash of
    the next one."""
    for seat, chair in enumerate(table.chairs):
        if chair.recovery == hashed:
            return move_seat(table, seat, holder, hashed, recovery), seat
    return answer_repeated_claim(table, holder, hashed, recovery)


def answer_repeated_claim(
    table: Table, holder: Holder, hashed: str, recovery: str
) -> tuple[Table, Seat]:
    """Repeat the answer to a claim that the same holder has made before, in case it was lost."""
    for seat in table.held_by(holder):
        if table.chairs[seat].claim == hashed:
            return with_chair(table, seat, replace(table.chairs[seat], recovery=recovery)), seat
    raise Illegal(ServerReason.BAD_CODE)


def move_seat(table: Table, seat: Seat, holder: Holder, claim: str, recovery: str) -> Table:
    """Give a seat to another holder, and with it the table, if it was the host's only seat. A mute
    moves too, and codes that the old device has made become void."""
    chair = table.chairs[seat]
    before = chair.holder
    if holder in table.removed:
        raise Illegal(ServerReason.REMOVED)
    holders: tuple[Holder, ...] = ()
    if table.phase == "playing":
        check_no_second_hand_by_code(table, seat, holder)
        holders = holders_with(chair, holder)
    table = with_chair(
        table,
        seat,
        replace(
            chair,
            holder=holder,
            stand_in=False,
            claim=claim,
            recovery=recovery,
            holders=holders,
            muted=chair.muted or holder in table.muted,
        ),
    )
    table = replace(table, codes=tuple(code for code in table.codes if code.seat != seat))
    if chair.muted:
        table = remember_muted(table, holder)
    if before is not None and not table.held_by(before):
        table = take_over_history(table, before, holder)
    if before == table.host and not table.held_by(before):
        return with_host(table, holder)
    return table


def check_no_second_hand_by_code(table: Table, seat: Seat, holder: Holder) -> None:
    """Check that a code gives nobody a second hand during a match. Somebody may move several seats
    to another device, and back, but not to a person who has held a seat of their own."""
    chair = table.chairs[seat]
    if chair.ever_held_by(holder):
        return
    for other in table.chairs:
        if other.ever_held_by(holder) and not (chair.holder and other.ever_held_by(chair.holder)):
            raise Illegal(ServerReason.SAT_ELSEWHERE)


def take_over_history(table: Table, before: Holder, holder: Holder) -> Table:
    """Give a person's new device what they have said and played before."""

    def owner(each: Holder | None) -> Holder | None:
        return holder if each == before else each

    return replace(
        table,
        speakers={
            number: holder if who == before else who for number, who in table.speakers.items()
        },
        past_holders=tuple(tuple(map(owner, match)) for match in table.past_holders),
    )


# -------------------------------------------------------------------------- what everyone is told


def with_lines_about_seat_changes(before: Table, after: Table) -> Table:
    """The table, with a line for everything that has happened to a seat of a running match."""
    if before.phase != "playing" or after.phase != "playing" or before.match != after.match:
        return after
    table = after
    for seat, (was, now) in enumerate(zip(before.chairs, after.chairs, strict=True)):
        if change := seat_change_of(was, now, after):
            holder = now.holder or was.holder
            table = with_line(table, seat, holder, change=change, name=now.name or was.name)
    return table


def seat_change_of(was: Chair, now: Chair, after: Table) -> SeatChange | None:
    if was.holder != now.holder:
        if now.holder is None:
            return "removed" if was.holder in after.removed else "left"
        return "sat_down" if was.holder is None else "moved"
    if now.holder is not None and was.stand_in != now.stand_in:
        return "stand_in" if now.stand_in else "back"
    return None
