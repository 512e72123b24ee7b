"""Circles as values: their members, and how matches count."""

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from pytlik.game import Illegal, Outcome
from pytlik.protocol.circles import CircleResult, CircleScore, CircleSeat
from pytlik.protocol.reasons import ServerReason
from pytlik.server.circle import circles
from pytlik.server.circle.circles import ALL_TIME, MAX_MEMBERS, MAX_SEASONS, MAX_TABLES, Circle
from pytlik.server.circle.result_recording import FinishedMatch, make_circle_result

START_TIME_MS = 1_794_700_800_000
"""2026-11-15."""
YEAR_MS = 365 * 86_400_000


def make_codes(holder: str) -> Callable[[int], str]:
    return lambda number: f"{holder} {number}"


def make_circle(names: Sequence[str] = ("Ola", "Max")) -> Circle:
    circle = Circle(id="c" * 12, name="Family", created=START_TIME_MS, members=())
    for name in names:
        circle = circles.join(circle, name.lower(), name, make_codes(name))
    return circle


def names_of(circle: Circle) -> list[str]:
    return [member.name for member in circle.members]


def reason_of(action: Callable[[], object]) -> str:
    with pytest.raises(Illegal) as refused:
        action()
    return refused.value.reason


def circle_result(*seats: CircleSeat, game: str = "unikat") -> CircleResult:
    return CircleResult(game=game, seats=seats)


def make_seat(member: int | None, points: int = 0, *, won: bool = False) -> CircleSeat:
    return CircleSeat(member=member, points=points, won=won)


def find_score(
    circle: Circle, member: int, season: str = ALL_TIME, game: str = "unikat"
) -> CircleScore:
    (found,) = [
        each
        for each in circle.scores
        if (each.member, each.season, each.game) == (member, season, game)
    ]
    return found


# ---------------------------------------------------------------------------------------- members


def test_joining_twice_makes_one_member() -> None:
    circle = make_circle()
    assert names_of(circle) == ["Ola", "Max"]
    assert circles.join(circle, "ola", "Another", make_codes("x")) == circle
    assert circles.all_holders(circle) == ("ola", "max")


def test_confusable_member_names_are_refused() -> None:
    circle = make_circle()
    taken = reason_of(lambda: circles.join(circle, "eve", "0la", make_codes("eve")))
    assert taken == ServerReason.NAME_TAKEN
    assert reason_of(lambda: circles.rename_member(circle, "max", "Оla")) == taken
    assert names_of(circles.rename_member(circle, "ola", "OLA")) == ["OLA", "Max"]


def test_circle_has_room_for_fifty() -> None:
    circle = make_circle([f"Person {number}" for number in range(10, 10 + MAX_MEMBERS)])
    full = reason_of(lambda: circles.join(circle, "late", "Late", make_codes("late")))
    assert full == ServerReason.CIRCLE_FULL


def test_leaving_removes_name_and_wins_and_retires_the_number() -> None:
    circle = circles.add_result(
        make_circle(), circle_result(make_seat(1, won=True), make_seat(2, 5)), START_TIME_MS
    )
    left = circles.remove_member(circle, "ola", 1)
    assert names_of(left) == ["Max"]
    assert {each.member for each in left.scores} == {2}
    again = circles.join(left, "ola", "Ola", make_codes("ola"))
    assert [member.id for member in again.members] == [2, 3]


def test_oldest_member_is_the_organiser() -> None:
    circle = make_circle(["Ola", "Max", "Eve"])
    for attempt in (
        lambda: circles.remove_member(circle, "max", 3),
        lambda: circles.rename_circle(circle, "max", "Mine"),
    ):
        assert reason_of(attempt) == ServerReason.NOT_KEEPER
    stranger = reason_of(lambda: circles.remove_member(circle, "nobody", 3))
    assert stranger == ServerReason.NOT_IN_CIRCLE
    assert reason_of(lambda: circles.remove_member(circle, "ola", 9)) == stranger
    without_eve = circles.remove_member(circle, "ola", 3)
    back = reason_of(lambda: circles.join(without_eve, "eve", "Eve", make_codes("eve")))
    assert back == ServerReason.REMOVED_FROM_CIRCLE
    assert "eve" in circles.all_holders(without_eve)
    inherited = circles.remove_member(circle, "ola", 1)
    assert circles.rename_circle(inherited, "max", "Ours").name == "Ours"


def test_recovery_code_moves_a_membership_once() -> None:
    circle = make_circle()
    moved = circles.recover_membership(circle, "phone", "Ola 1", make_codes("phone"))
    assert moved.member_of("ola") is None
    member = moved.member_of("phone")
    assert member
    assert (member.id, member.name) == (1, "Ola")
    assert circles.recover_membership(moved, "phone", "Ola 1", make_codes("phone")) == moved, (
        "asking twice changes nothing"
    )
    used = reason_of(
        lambda: circles.recover_membership(moved, "thief", "Ola 1", make_codes("thief"))
    )
    assert used == ServerReason.BAD_CODE
    both = reason_of(lambda: circles.recover_membership(circle, "max", "Ola 1", make_codes("max")))
    assert both == ServerReason.ALREADY_IN_CIRCLE


def test_new_token_takes_over_and_voids_the_old_code() -> None:
    circle = make_circle(["Ola", "Max", "Eve"])
    after = circles.take_over_circle(circle, "max", "new", make_codes("new"))
    assert after.member_of("max") is None
    assert (
        reason_of(lambda: circles.recover_membership(after, "x", "Max 2", make_codes("x")))
        == "bad_code"
    )
    assert circles.recover_membership(after, "x", "new 2", make_codes("x")).member_of("x")
    merged = circles.take_over_circle(circle, "ola", "eve", make_codes("eve"))
    assert [(member.id, member.holder) for member in merged.members] == [(1, "eve"), (2, "max")]
    assert circles.take_over_circle(circle, "nobody", "new", make_codes("new")) == circle
    removed = circles.remove_member(circle, "ola", 3)
    assert "new" in circles.take_over_circle(removed, "eve", "new", make_codes("new")).removed


def test_names_can_be_removed() -> None:
    circle = make_circle()
    assert names_of(circles.remove_name_of_holder(circle, "ola")) == ["", "Max"]
    assert circles.remove_name_of_holder(circle, "nobody") == circle
    assert names_of(circles.remove_name_from_circle(circle, "Max")) == ["Ola", ""]
    assert circles.remove_name_from_circle(circle, "Family").name == ""
    joined = circles.join(
        circles.remove_name_from_circle(circle, "Max"), "eve", "Eve", make_codes("eve")
    )
    assert names_of(joined) == ["Ola", "", "Eve"]


# ----------------------------------------------------------------------------------------- results


def test_matches_count_by_game_and_season() -> None:
    circle = make_circle()
    circle = circles.add_result(
        circle, circle_result(make_seat(1, 0, won=True), make_seat(2, 7)), START_TIME_MS
    )
    circle = circles.add_result(
        circle, circle_result(make_seat(1, 9), make_seat(2, 0, won=True)), START_TIME_MS + YEAR_MS
    )
    circle = circles.add_result(
        circle, circle_result(make_seat(2, won=True), game="ubongo"), START_TIME_MS
    )
    assert (find_score(circle, 1).played, find_score(circle, 1).won) == (2, 1)
    assert find_score(circle, 1, "2026-4").won == 1
    assert find_score(circle, 1, "2027-4").won == 0
    assert find_score(circle, 2, "2026-4", "ubongo").won == 1


def test_streaks_and_the_clearest_win() -> None:
    circle = make_circle()
    for mine, theirs in ((0, 4), (0, 11), (5, 0), (0, 2)):
        won = mine < theirs
        result = circle_result(
            make_seat(1, mine, won=won), make_seat(2, theirs, won=not won), make_seat(None, 30)
        )
        circle = circles.add_result(circle, result, START_TIME_MS)
    found = find_score(circle, 1)
    assert (found.won, found.streak, found.longest, found.margin) == (3, 1, 2, 11)
    assert (find_score(circle, 2).longest, find_score(circle, 2).margin) == (1, 5)


def test_shared_win_without_a_loser_has_no_margin() -> None:
    both = circle_result(make_seat(1, 3, won=True), make_seat(2, 3, won=True))
    circle = circles.add_result(make_circle(), both, START_TIME_MS)
    assert [(find_score(circle, each).won, find_score(circle, each).margin) for each in (1, 2)] == [
        (1, 0)
    ] * 2


def test_match_finished_by_a_bot_is_played_but_not_won() -> None:
    helped = replace(make_seat(1, won=True), helped=True)
    circle = circles.add_result(
        make_circle(), circle_result(helped, make_seat(2, 3)), START_TIME_MS
    )
    assert (find_score(circle, 1).played, find_score(circle, 1).won) == (1, 0)


def test_only_recent_seasons_and_tables_are_kept() -> None:
    circle = make_circle()
    for year in range(MAX_SEASONS + 3):
        circle = circles.add_result(
            circle, circle_result(make_seat(1, won=True)), START_TIME_MS + year * YEAR_MS
        )
    seasons = sorted({each.season for each in circle.scores})
    assert len(seasons) == MAX_SEASONS + 1
    assert seasons[:2] == [ALL_TIME, "2029-4"]
    assert find_score(circle, 1).won == MAX_SEASONS + 3
    for number in range(MAX_TABLES + 1):
        circle = circles.add_table(circle, "ola", f"t{number}")
    assert circle.tables[0] == f"t{MAX_TABLES}"
    assert len(circle.tables) == MAX_TABLES


@pytest.mark.parametrize(
    ("month_start", "season"),
    [
        (1_767_225_600_000, "2026-1"),  # 2026-01-01
        (1_774_915_200_000, "2026-1"),  # 2026-03-31
        (1_775_001_600_000, "2026-2"),  # 2026-04-01
        (1_798_675_200_000, "2026-4"),  # 2026-12-31
    ],
)
def test_a_season_is_a_quarter_of_a_year(month_start: int, season: str) -> None:
    assert circles.season_of(month_start) == season


def finished_match(holders: tuple[str | None, ...], names: tuple[str, ...]) -> FinishedMatch:
    seats = len(holders)
    return FinishedMatch(
        id="t.1",
        game="unikat",
        rounds=1,
        ended=START_TIME_MS,
        outcome=Outcome(winners=(0,), points=tuple(range(seats))),
        names=names,
        bots=(None,) * seats,
        holders=holders,
        finished_by_bot=frozenset({1}),
    )


def test_members_are_recognised_by_their_token() -> None:
    match = finished_match(("max", "ola", "guest", None), ("M", "O", "G", ""))
    result = make_circle_result(make_circle(), match)
    assert [each.member for each in result.seats] == [2, 1, None, None]
    assert [each.won for each in result.seats] == [True, False, False, False]
    assert [each.helped for each in result.seats] == [False, True, False, False]


def test_member_on_a_shared_device_has_the_seat_with_their_name() -> None:
    circle = make_circle()
    result = make_circle_result(circle, finished_match(("ola", "ola", "max"), ("Max", "Ola", "M")))
    assert [each.member for each in result.seats] == [None, 1, 2]
    unclear = make_circle_result(circle, finished_match(("ola", "ola", "max"), ("A", "B", "M")))
    assert [each.member for each in unclear.seats] == [None, None, 2]
