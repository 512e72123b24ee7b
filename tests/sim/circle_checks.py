"""Checks of circles: every match that ends at a circle's table counts there, exactly once."""

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from pytlik.protocol.circles import CircleResult
from pytlik.server.circle.circles import ALL_TIME, Circle, season_of
from pytlik.server.circle.result_recording import MIN_PEOPLE
from pytlik.server.circle.stored_circles import circle_codec
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder
from pytlik.store import Actor, PutCircle, split_match
from tests.sim.sent_messages import NOBODY
from tests.sim.tolerances import MAX_OVERDUE_SECONDS

if TYPE_CHECKING:
    from tests.sim.server_promises import ServerPromises


def record_circle_version(promises: "ServerPromises", write: PutCircle) -> None:
    """Note and check a version of a circle that was committed."""
    circle = circle_codec.decode(write.doc)
    old = promises.circles.get(write.id)
    known = {(member.id, member.holder) for member in old.members} if old else set()
    if old:
        check_members_are_kept(promises, old, circle)
    for member in circle.members:
        promises.sent_messages.add_credential(member.recovery, NOBODY)
        if (member.id, member.holder) not in known:
            promises.joined_at[write.id, member.holder] = promises.world.loop.time()
    promises.circles[write.id] = circle
    if write.played is not None:
        check_circle_result(promises, circle, write.played, write.result)
    check_circle_scores(promises, circle)


def check_members_are_kept(promises: "ServerPromises", old: Circle, circle: Circle) -> None:
    """Members stay until they leave or the first member removes them. After a move to another
    device, the old recovery code no longer works."""
    promises.checked["members stay in their circle"] += 1
    now = {member.id: member for member in circle.members}
    for member in old.members:
        remaining = now.get(member.id)
        if remaining is None:
            promises.check(
                any(
                    (circle.id, member.id, asker) in promises.member_removals
                    for asker in (member.holder, old.members[0].holder)
                ),
                f"member {member.id} is gone from {circle.id}, and nobody asked for that",
            )
        elif remaining.holder != member.holder:
            promises.check(
                remaining.recovery != member.recovery,
                f"the old code of member {member.id} of {circle.id} still works",
            )


def check_old_token_is_no_member(promises: "ServerPromises", id: str, old: Holder) -> None:
    """Someone was told that their former token no longer belongs to anyone."""
    circle = promises.circles.get(id)
    promises.check(not circle or not circle.member_of(old), f"{old} is still a member of {id}")


def check_circle_result(promises: "ServerPromises", circle: Circle, match: str, raw: bytes) -> None:
    """A result is written only once, and it's the one that the match ended with."""
    promises.checked["a result counts once"] += 1
    result = msgspec.json.decode(raw, type=CircleResult)
    counted = promises.circle_results.setdefault(circle.id, {})
    promises.check(match not in counted, f"{match} counts twice in {circle.id}")
    counted[match] = result
    log = promises.logs[match]
    outcome = log.game.outcome(log.state)
    if outcome is None:
        promises.report_broken(f"{match} counts in {circle.id}, but isn't over")
        return
    promises.check(
        tuple(seat.points for seat in result.seats) == outcome.points
        and {number for number, seat in enumerate(result.seats) if seat.won}
        == set(outcome.winners),
        f"{circle.id} has a wrong result for {match}",
    )
    holders = {member.id: member.holder for member in circle.members}
    sitters = [holders_at_end(promises, match, seat) for seat in range(len(result.seats))]
    for number, seat in enumerate(result.seats):
        if seat.member is not None:
            promises.check(
                holders.get(seat.member) in sitters[number],
                f"{circle.id} says that member {seat.member} had seat {number} of {match}",
            )
        promises.check(
            seat.helped == (log.last_actors.get(number) is Actor.STAND_IN),
            f"{circle.id} is wrong about who played seat {number} of {match} at the end",
        )
    if any(len(each) > 1 for each in sitters):
        return  # someone has changed devices or asked to be forgotten
    for member in circle.members:
        mine = [number for number, each in enumerate(sitters) if member.holder in each]
        if len(mine) == 1:
            promises.check(
                result.seats[mine[0]].member == member.id,
                f"{match} counts in {circle.id}, but not for member {member.id}",
            )


def holders_at_end(promises: "ServerPromises", match: str, seat: int) -> set[Holder | None]:
    """All who had the seat at the end, according to any version of the table: they may have changed
    devices since."""
    id, number = split_match(match)
    return {
        table.past_holders[number - 1][seat]
        for (table_id, _), table in promises.table_versions.items()
        if table_id == id and len(table.past_holders) >= number
    }


def check_circle_scores(promises: "ServerPromises", circle: Circle) -> None:
    """A circle's scores are the sums of its results."""
    promises.checked["a circle's scores match its results"] += 1
    members = {member.id for member in circle.members}
    played: Counter[tuple[str, str, int]] = Counter()
    won: Counter[tuple[str, str, int]] = Counter()
    for match, result in promises.circle_results.get(circle.id, {}).items():
        season = season_of(promises.logs[match].events[-1].at)
        for seat in result.seats:
            if seat.member in members:
                for when in (ALL_TIME, season):
                    key = when, result.game, seat.member
                    played[key] += 1
                    won[key] += seat.won and not seat.helped
    scores = {(each.season, each.game, each.member): each for each in circle.scores}
    promises.check(
        {key: score.played for key, score in scores.items()} == dict(played)
        and all(score.won == won[key] for key, score in scores.items()),
        f"{circle.id} has the scores {circle.scores}, but its results give {dict(played)},"
        f" {dict(won)}",
    )


def check_circles_at_end(promises: "ServerPromises") -> None:
    """A match counts if its players were members when it ended and still are."""
    rows = promises.world.database.query
    circles = {id: circle_codec.decode(doc) for id, doc in rows("SELECT id, doc FROM circles")}
    promises.check(circles == promises.circles, "the database has circles that nobody committed")
    on_disk = {(id, played) for id, played in rows("SELECT id, played FROM circle_results")}
    counted = {(id, match) for id, results in promises.circle_results.items() for match in results}
    promises.check(on_disk == counted, "the database has results that nobody committed")
    for table in promises.tables.values():
        if table.circle in circles:
            check_all_matches_counted(promises, circles[table.circle], table)


def check_all_matches_counted(promises: "ServerPromises", circle: Circle, table: Table) -> None:
    for number, holders in enumerate(table.past_holders, start=1):
        match = f"{table.id}.{number}"
        ended = promises.logs[match].times[-1]
        people = set(holders) - {None}
        members = [
            member
            for member in circle.members
            # Someone who passed their device around had several seats.
            if holders.count(member.holder) == 1
            and promises.joined_at[circle.id, member.holder] < ended
        ]
        recent = promises.world.loop.time() - ended < MAX_OVERDUE_SECONDS
        if members and len(people) >= MIN_PEOPLE and not recent:
            promises.checked["every match counts in its circle"] += 1
            promises.check(
                match in promises.circle_results.get(circle.id, {}),
                f"{match} has ended, but doesn't count in {circle.id}",
            )


def record_circle_deletion(promises: "ServerPromises", id: str) -> None:
    """Note and check that a circle was deleted, together with its results."""
    circle = promises.circles.pop(id, None)
    promises.circle_results.pop(id, None)
    promises.check(circle and len(circle.members) <= 1, f"{id} was deleted while it had members")
