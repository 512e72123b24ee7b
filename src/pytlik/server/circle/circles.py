"""A circle: a group that plays regularly, without accounts. Pure functions over it.

Whoever knows the link is a guest, and becomes a member by joining. A member is known by a token,
like the holder of a seat. Names are only stored here. Results refer to members by number, so that
changing or removing a name takes effect everywhere.
"""

from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
from msgspec.structs import replace

from pytlik.game import Illegal
from pytlik.protocol.circles import CircleResult, CircleScore
from pytlik.protocol.reasons import ServerReason
from pytlik.server.table.lookalikes import look_alike
from pytlik.server.tokens import Holder

MAX_MEMBERS = 50

MAX_REMOVED = 100
"""How many removed members a circle remembers, who may not come back."""

MAX_TABLES = 12
"""How many of its tables a circle remembers, to show those that can still be joined."""

MAX_RESULTS = 1_000
"""How many results a circle keeps. Older ones still count in its scores."""

MAX_SEASONS = 20
"""Five years."""

ALL_TIME = ""

HashRecoveryCode = Callable[[int], str]
"""Returns the hash of a member's recovery code."""


class Member(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    name: str
    holder: Holder
    recovery: str
    """The hash of the code that moves the membership to another device."""
    claim: str | None = None
    """The hash of the code that moved it to this device."""


class Circle(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    created: int
    members: tuple[Member, ...]
    """In the order in which they joined. The first one is the organiser, and if they leave, the
    next one."""
    next_member: int = 1
    removed: tuple[Holder, ...] = ()
    """Who may not join again."""
    scores: tuple[CircleScore, ...] = ()
    tables: tuple[str, ...] = ()
    """The newest tables first."""

    def member_of(self, holder: Holder | None) -> Member | None:
        held = (member for member in self.members if member.holder == holder)
        return next(held, None)


def all_holders(circle: Circle) -> tuple[Holder, ...]:
    """Everyone whom a circle remembers."""
    known = (*(member.holder for member in circle.members), *circle.removed)
    return tuple(dict.fromkeys(known))


# ---------------------------------------------------------------------------------------- members


def require_member(circle: Circle, holder: Holder | None) -> Member:
    member = circle.member_of(holder)
    if member is None:
        raise Illegal(ServerReason.NOT_IN_CIRCLE)
    return member


def check_keeper(circle: Circle, holder: Holder | None) -> None:
    if require_member(circle, holder) != circle.members[0]:
        raise Illegal(ServerReason.NOT_KEEPER)


def check_name(circle: Circle, holder: Holder, name: str) -> None:
    """Check that nobody could be mistaken for another member."""
    for member in circle.members:
        if member.holder != holder and look_alike(member.name, name):
            raise Illegal(ServerReason.NAME_TAKEN)


def join(circle: Circle, holder: Holder, name: str, recovery: HashRecoveryCode) -> Circle:
    """Become a member. Joining twice changes nothing, so that the request can be repeated."""
    if circle.member_of(holder):
        return circle
    if holder in circle.removed:
        raise Illegal(ServerReason.REMOVED_FROM_CIRCLE)
    if len(circle.members) >= MAX_MEMBERS:
        raise Illegal(ServerReason.CIRCLE_FULL)
    check_name(circle, holder, name)
    number = circle.next_member
    member = Member(id=number, name=name, holder=holder, recovery=recovery(number))
    return replace(circle, members=(*circle.members, member), next_member=number + 1)


def rename_member(circle: Circle, holder: Holder | None, name: str) -> Circle:
    """Change your own name, everywhere in the circle."""
    member = require_member(circle, holder)
    check_name(circle, member.holder, name)
    return replace_member(circle, replace(member, name=name))


def rename_circle(circle: Circle, holder: Holder | None, name: str) -> Circle:
    check_keeper(circle, holder)
    return replace(circle, name=name)


def remove_member(circle: Circle, holder: Holder | None, number: int) -> Circle:
    """Leave, or remove somebody else, who may not come back. Their name goes with them."""
    mine = require_member(circle, holder)
    if mine.id == number:
        return without_member(circle, number)
    check_keeper(circle, holder)
    gone = next((member for member in circle.members if member.id == number), None)
    if gone is None:
        raise Illegal(ServerReason.NOT_IN_CIRCLE)
    removed = (*circle.removed, gone.holder)[-MAX_REMOVED:]
    return replace(without_member(circle, number), removed=removed)


def replace_member(circle: Circle, changed: Member) -> Circle:
    members = tuple(changed if each.id == changed.id else each for each in circle.members)
    return replace(circle, members=members)


def without_member(circle: Circle, number: int) -> Circle:
    return replace(
        circle,
        members=tuple(member for member in circle.members if member.id != number),
        scores=tuple(score for score in circle.scores if score.member != number),
    )


def recover_membership(
    circle: Circle, holder: Holder, hashed: str, recovery: HashRecoveryCode
) -> Circle:
    """Enter a member's recovery code: the membership moves to this device, and the code is used
    up."""
    mine = circle.member_of(holder)
    if mine and mine.claim == hashed:
        return circle  # the request was repeated
    for member in circle.members:
        if member.recovery == hashed:
            if mine:
                raise Illegal(ServerReason.ALREADY_IN_CIRCLE)
            moved = replace(member, holder=holder, recovery=recovery(member.id), claim=hashed)
            return replace_member(circle, moved)
    raise Illegal(ServerReason.BAD_CODE)


# ----------------------------------------------------------------------- a person, in all circles


def take_over_circle(
    circle: Circle, old: Holder, new: Holder, recovery: HashRecoveryCode
) -> Circle:
    """Give everything of one holder in a circle to another, who is the same person. If both are
    members, the older membership stays."""
    if old in circle.removed and new not in circle.removed:
        circle = replace(circle, removed=(*circle.removed, new))
    member, other = circle.member_of(old), circle.member_of(new)
    if member is None:
        return circle
    if other:
        circle = without_member(circle, other.id)
    changed = replace(member, holder=new, recovery=recovery(member.id), claim=None)
    return replace_member(circle, changed)


def remove_name_of_holder(circle: Circle, holder: Holder) -> Circle:
    """Remove somebody's name. They stay a member."""
    member = circle.member_of(holder)
    return replace_member(circle, replace(member, name="")) if member else circle


def remove_name_from_circle(circle: Circle, name: str) -> Circle:
    """Remove a name wherever it appears in a circle, whoever used it."""
    members = tuple(
        replace(member, name="") if member.name == name else member for member in circle.members
    )
    return replace(circle, members=members, name="" if circle.name == name else circle.name)


# ----------------------------------------------------------------------------------------- playing


def add_table(circle: Circle, holder: Holder | None, table: str) -> Circle:
    require_member(circle, holder)
    return replace(circle, tables=(table, *circle.tables)[:MAX_TABLES])


def season_of(at: int) -> str:
    """The quarter of the year that a moment falls in."""
    day = datetime.fromtimestamp(at / 1000, UTC)
    return f"{day.year}-{(day.month + 2) // 3}"


def winning_margin(result: CircleResult) -> int:
    """By how many points the winners were ahead of the next player. Whether more or fewer points
    are better depends on the game."""
    won = [seat.points for seat in result.seats if seat.won]
    lost = [seat.points for seat in result.seats if not seat.won]
    return min((abs(one - other) for one in won for other in lost), default=0)


def add_result(circle: Circle, result: CircleResult, ended: int) -> Circle:
    """Count a match for each member who has played it."""
    scores = {(score.season, score.game, score.member): score for score in circle.scores}
    margin = winning_margin(result)
    for seat in result.seats:
        if seat.member is None:
            continue
        for season in (ALL_TIME, season_of(ended)):
            key = season, result.game, seat.member
            empty = CircleScore(season=season, game=result.game, member=seat.member)
            won = seat.won and not seat.helped
            scores[key] = add_match(scores.get(key, empty), margin, won=won)
    kept = sorted({season for season, _, _ in scores if season != ALL_TIME})[-MAX_SEASONS:]
    counted = (score for score in scores.values() if score.season in (ALL_TIME, *kept))
    return replace(circle, scores=tuple(counted))


def add_match(score: CircleScore, margin: int, *, won: bool) -> CircleScore:
    streak = score.streak + 1 if won else 0
    return replace(
        score,
        played=score.played + 1,
        won=score.won + won,
        streak=streak,
        longest=max(score.longest, streak),
        margin=max(score.margin, margin if won else 0),
    )
