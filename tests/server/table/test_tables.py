"""Tables as values: what the routes don't reach."""

from collections.abc import Callable
from enum import StrEnum

import msgspec
import pytest
from msgspec.structs import replace

from pytlik.game import Illegal, Malformed, Reason
from pytlik.protocol.reasons import ServerReason
from pytlik.protocol.table_agreement import Agreement
from pytlik.server.table import pause_votes, rematches, seats, tables
from pytlik.server.table.stored_tables import StoredTable
from pytlik.server.table.table_info import make_table_info
from pytlik.server.table.tables import Chair, Table


def make_table(game: str = "unikat", persons: str = "", **fields: object) -> Table:
    """A table hosted by "h", with these people on its first chairs."""
    table = tables.create("abcdefghjk", game, "h", "c" * 64, 0, **fields)  # type: ignore[arg-type]
    for seat, holder in enumerate(persons):
        table = seats.sit(table, holder, seat, name=holder, recovery=f"recover {holder}")
    return table


def test_table_survives_encoding() -> None:
    table = make_table(persons="ab", options={"rounds": 2})
    table = seats.add_move_code(table, "a", 0, "hash", 0)
    assert msgspec.json.decode(msgspec.json.encode(table), type=Table) == table


def test_a_table_from_before_an_option_existed_has_its_default() -> None:
    older = replace(make_table("ubongo"), options=msgspec.Raw(b'{"pieces": 4}'))
    options = make_table_info(StoredTable(older, 1)).options
    assert (options["pieces"], options["rounds"]) == (4, 9)


def test_unknown_game_is_refused() -> None:
    with pytest.raises(Malformed):
        make_table("chess")


def test_options_about_seats_follow_them() -> None:
    table = make_table("ubongo", "ab", options={"handicap": [3, 4, 5, 3]})
    table = seats.leave(seats.sit(table, "c", 3, name="c", recovery=""), "a", 0, 0)
    started = tables.start(table, "h", without_free=True)
    assert started.decoded_options.handicap == (4, 3)
    table = make_table(persons="ab", options={"starter": 3})
    assert tables.start(table, "h", without_free=True).decoded_options.starter is None


def test_pause_begins_when_the_last_person_against_it_is_gone() -> None:
    table = tables.start(make_table(persons="abc"), "h", without_free=True)
    for holder in "ab":
        table = pause_votes.vote_on_pause(table, holder, 5)
    assert table.paused is None
    assert seats.leave(table, "c", 2, 7).paused == 7
    assert seats.start_stand_in(table, 2, 8).paused == 8
    # One of those who want it leaves, so only c's vote is missing.
    left = seats.leave(table, "a", 0, 9)
    assert (left.paused, left.pausing) == (None, (1,))


def test_one_person_can_refuse_a_pause_for_everyone() -> None:
    table = tables.start(make_table(persons="abc"), "h", without_free=True)
    for holder in "ab":
        table = pause_votes.vote_on_pause(table, holder, 5)
    withdrawn = pause_votes.vote_on_pause(table, "a", 6, wanted=False)
    assert (withdrawn.pausing, withdrawn.talk) == ((1,), ())
    refused = pause_votes.vote_on_pause(table, "c", 6, wanted=False)
    assert (refused.pausing, refused.paused) == ((), None)
    [line] = refused.talk
    assert (line.seat, line.change, line.name) == (2, "refused_pause", "c")
    assert pause_votes.vote_on_pause(refused, "c", 7, wanted=False) == refused, "no vote is pending"


def test_going_on_after_a_pause_cannot_be_refused() -> None:
    table = tables.start(make_table(persons="ab"), "h", without_free=True)
    for holder in "ab":
        table = pause_votes.vote_on_pause(table, holder, 5)
    waiting = pause_votes.vote_on_pause(table, "a", 6)
    assert pause_votes.vote_on_pause(waiting, "b", 7, wanted=False) == waiting


def test_a_bot_stands_in_only_for_a_person_in_a_match() -> None:
    lobby = make_table(persons="ab")
    assert seats.start_stand_in(lobby, 0, 0) is lobby
    started = tables.start(seats.add_bot(lobby, "h", 2, "hard"), "h", without_free=True)
    assert seats.start_stand_in(started, 2, 0) is started
    away = seats.start_stand_in(started, 0, 0)
    assert away.acting_bot_level(0)
    assert away.players[0].bot is None
    assert away.players[2].bot == "hard"
    with pytest.raises(Illegal) as refused:
        seats.start_stand_in(started, 7, 0)
    assert refused.value.reason is ServerReason.NO_SUCH_SEAT


def test_rematch_frees_abandoned_chairs() -> None:
    table = tables.start(make_table(persons="abc"), "h", without_free=True)
    table = seats.start_stand_in(seats.leave(table, "c", 2, 0), 0, 0)
    again = rematches.rematch(tables.finish(table), "h", "d" * 64)
    assert again.chairs[2] == Chair()
    assert not again.chairs[0].stand_in
    assert again.past == (table.players,)


def test_rematch_is_prepared_when_everyone_here_wants_it() -> None:
    over = tables.finish(start_table("abc"))
    voted = rematches.vote_for_rematch(over, "b", {"a", "b"}, "d" * 64)
    assert (voted.phase, voted.again) == ("over", (1,))
    assert rematches.vote_for_rematch(voted, "b", {"a", "b"}, "d" * 64) == voted, "asking twice"
    ready = rematches.vote_for_rematch(voted, "a", {"a", "b"}, "d" * 64)
    assert (ready.phase, ready.match, ready.again) == ("lobby", 2, (0, 1))
    assert rematches.vote_for_rematch(ready, "a", {"a", "b"}, "e" * 64) is ready
    assert seats.leave(voted, "b", 1, 0).again == ()
    assert (
        reason_of(lambda: rematches.vote_for_rematch(over, "x", set(), "")) is Reason.NOT_YOUR_SEAT
    )
    refused = reason_of(lambda: rematches.vote_for_rematch(ready, "c", set(), ""))
    assert refused is ServerReason.MATCH_NOT_OVER


def test_number_of_matches_at_a_table_is_limited() -> None:
    over = replace(tables.finish(start_table("ab")), match=rematches.MAX_MATCHES - 1)
    last = rematches.rematch(over, "a", "d" * 64)
    over = tables.finish(tables.start(last, "a"))
    for ask in (
        lambda: rematches.rematch(over, "a", "e" * 64),
        lambda: rematches.vote_for_rematch(over, "b", {"a", "b"}, "e" * 64),
    ):
        assert reason_of(ask) is ServerReason.TOO_MANY_MATCHES


def test_rematch_is_ready_when_everyone_here_has_sent_a_share() -> None:
    here = {"a", "b"}
    table = tables.finish(start_table("abc"))
    for holder in "ab":
        table = rematches.vote_for_rematch(table, holder, here, "d" * 64)
    assert not rematches.is_rematch_ready(seats.set_share(table, "a", 0, "one"), here)
    shared = seats.set_share(seats.set_share(table, "a", 0, "one"), "b", 1, "two")
    assert rematches.is_rematch_ready(shared, here)
    assert not rematches.is_rematch_ready(tables.start(shared, "a"), here)
    called = rematches.rematch(tables.finish(start_table("abc")), "a", "d" * 64)
    assert not rematches.is_rematch_ready(seats.set_share(called, "a", 0, "one"), {"a"})


def test_wins_are_counted_over_rematches() -> None:
    table = seats.add_bot(make_table(persons="ab"), "h", 2, "hard")
    for winners in ((0,), (0, 2), (1,)):
        playing = tables.start(table, "h", without_free=True)
        table = rematches.rematch(tables.finish(playing, winners), "h", "d" * 64)
    assert [chair.wins for chair in table.chairs] == [2, 1, 1]
    moved, _ = seats.recover_seat(table, "a2", "recover a", recovery="next")
    assert moved.chairs[0].wins == 2, "the same person on another device"
    newcomer = seats.sit(seats.leave(table, "a", 0, 0), "c", 0, name="c", recovery="r")
    assert newcomer.chairs[0].wins == 0


def test_a_host_who_holds_two_seats_moves_one_and_stays_host() -> None:
    table = replace(make_table(persons="aa"), host="a")
    table, _ = seats.recover_seat(table, "b", "recover a", recovery="next")
    assert (table.held_by("a"), table.held_by("b"), table.host) == ((1,), (0,), "a")
    assert table.held_by(None) == ()


# ------------------------------------------------------------- nobody sees a hand that isn't theirs


def start_table(persons: str = "abc", host: str = "a") -> Table:
    return tables.start(replace(make_table(persons=persons), host=host), host, without_free=True)


def reason_of(work: Callable[[], object]) -> StrEnum:
    with pytest.raises(Illegal) as caught:
        work()
    return caught.value.reason


def test_a_freed_seat_is_for_newcomers_only() -> None:
    """Not for the host, who might be watching, and not for anyone who knows another hand."""
    table = seats.leave(start_table(), "b", 1, 0)

    def sit(holder: str, seat: int = 1, at: Table = table) -> Table:
        return seats.sit(at, holder, seat, name="x", recovery="r")

    assert reason_of(lambda: sit("a")) is ServerReason.SAT_ELSEWHERE
    assert reason_of(lambda: sit("c")) is ServerReason.SAT_ELSEWHERE
    assert sit("b").held_by("b") == (1,), "it was theirs"
    assert sit("d").held_by("d") == (1,)
    # Someone who has left a seat may not take another one.
    both = seats.leave(table, "c", 2, 0)
    assert reason_of(lambda: sit("b", 2, both)) is ServerReason.SAT_ELSEWHERE
    # Neither may someone who came later and left.
    left = seats.leave(sit("d", 1, both), "d", 1, 0)
    assert reason_of(lambda: sit("d", 2, left)) is ServerReason.SAT_ELSEWHERE


def test_watching_host_cannot_sit_down_during_a_match() -> None:
    table = seats.leave(start_table("ab", host="h"), "b", 1, 0)

    def sit(at: Table) -> Table:
        return seats.sit(at, "h", 1, name="h", recovery="r")

    assert reason_of(lambda: sit(table)) is ServerReason.HOST_LOOKS_ON
    passed_on = tables.make_host(table, "h", 0)
    assert reason_of(lambda: sit(passed_on)) is ServerReason.HOST_LOOKS_ON
    again = rematches.rematch(tables.finish(passed_on), "a", "d" * 64)
    assert sit(again).held_by("h") == (1,), "in the next match anyone may"


def test_first_player_can_start_if_the_host_only_watches() -> None:
    table = make_table(persons="ab")
    assert reason_of(lambda: tables.start(table, None)) is ServerReason.NOT_HOST
    assert reason_of(lambda: tables.start(table, "b")) is ServerReason.NOT_HOST
    assert tables.start(table, "a", without_free=True).phase == "playing"
    assert tables.start(table, "h", without_free=True).phase == "playing"
    moved_up = seats.add_bot(seats.leave(table, "a", 0, 0), "h", 0, "easy")
    assert tables.start(moved_up, "b", without_free=True).phase == "playing"
    # Only the host can, if they're seated.
    hosted = seats.sit(table, "h", 2, name="h", recovery="")
    assert reason_of(lambda: tables.start(hosted, "a")) is ServerReason.NOT_HOST


def test_removing_a_present_person_takes_several_votes() -> None:
    two = start_table("ab")
    here = {"a", "b"}
    assert (
        reason_of(lambda: seats.request_removal(two, "a", 1, here, 0))
        is ServerReason.NEEDS_AGREEMENT
    )
    three, here = start_table("abc"), {"a", "b", "c"}
    voted = seats.request_removal(three, "a", 1, here, 0)
    assert (voted.held_by("b"), voted.chairs[1].against) == ((1,), ("a",))
    assert seats.request_removal(voted, "a", 1, here, 0) == voted, "asking twice counts once"
    assert reason_of(lambda: seats.request_removal(voted, "x", 1, here, 0)) is ServerReason.NOT_HOST
    gone = seats.request_removal(voted, "c", 1, here, 0)
    assert gone.held_by("b") == ()
    assert gone.acting_bot_level(1) == "medium"


def test_removed_host_passes_the_table_on() -> None:
    """As the host, they could undo their own removal."""
    table, here = start_table("abc"), {"a", "b", "c"}
    for asker in "bc":
        table = seats.request_removal(table, asker, 0, here, 0)
    assert (table.host, table.removed) == ("b", ("a",))
    assert (
        reason_of(lambda: seats.sit(table, "a", 0, name="a", recovery="")) is ServerReason.REMOVED
    )


def test_absent_person_gets_a_stand_in_and_keeps_the_seat() -> None:
    table = start_table("abc")
    here = {"a", "c"}
    voted = seats.request_removal(table, "a", 1, here, 0)
    assert not voted.chairs[1].stand_in, "it takes more than the host"
    away = seats.request_removal(voted, "c", 1, here, 0)
    assert (away.held_by("b"), away.chairs[1].stand_in) == ((1,), True)
    back, seat = seats.recover_seat(away, "b2", "recover b", recovery="next")
    assert (seat, back.held_by("b2"), back.acting_bot_level(1)) == (1, (1,), None)


def test_watching_host_does_not_count_as_a_second_player() -> None:
    """It may be one of the two on another device, who would then decide alone."""
    table = start_table("ab", host="h")
    for here in ({"a", "b", "h"}, {"a", "h"}):
        for asker in ("a", "h"):
            assert (
                reason_of(lambda by=asker, at=here: seats.request_removal(table, by, 1, at, 0))  # type: ignore[misc]
                is ServerReason.NEEDS_AGREEMENT
            )


def test_stand_in_needs_no_vote_of_an_absent_host() -> None:
    table = start_table("abc", host="h")
    voted = seats.request_removal(table, "a", 1, {"a", "c", "h"}, 0)
    assert not seats.request_removal(voted, "c", 1, {"a", "c", "h"}, 0).chairs[1].stand_in
    assert seats.request_removal(voted, "c", 1, {"a", "c"}, 0).chairs[1].stand_in
    # But nobody who is here is removed without the host.
    voted = seats.request_removal(table, "a", 1, {"a", "b", "c"}, 0)
    assert seats.request_removal(voted, "c", 1, {"a", "b", "c"}, 0).held_by("b") == (1,)


def test_votes_of_those_who_have_left_do_not_count() -> None:
    table = start_table("abcd")
    voted = seats.request_removal(table, "a", 1, {"a", "c", "d"}, 0)
    voted = seats.request_removal(voted, "c", 1, {"a", "c", "d"}, 0)
    without = seats.leave(voted, "c", 2, 0)
    still = seats.request_removal(without, "a", 1, {"a", "c", "d"}, 0)
    assert (still.chairs[1].for_bot, still.chairs[1].stand_in) == (("a",), False)
    assert seats.request_removal(still, "d", 1, {"a", "c", "d"}, 0).chairs[1].stand_in


def test_bot_plays_all_seats_of_an_absent_person() -> None:
    table = start_table("abbc")
    for asker in ("a", "c"):
        table = seats.request_removal(table, asker, 1, {"a", "c"}, 0)
    assert [chair.stand_in for chair in table.chairs] == [False, True, True, False]


def test_host_alone_cannot_call_a_stand_in() -> None:
    """A bot stands in after the agreed time, and not at all if none was agreed."""
    two = start_table("ab")
    assert (
        reason_of(lambda: seats.request_removal(two, "a", 1, {"a"}, 0))
        is ServerReason.NEEDS_AGREEMENT
    )


def test_recovery_code_gives_nobody_a_second_hand() -> None:
    table = start_table("abc")
    assert (
        reason_of(lambda: seats.recover_seat(table, "c", "recover b", recovery="next"))
        is ServerReason.SAT_ELSEWHERE
    )
    # One person may move all their seats to another device.
    two_seats = start_table("aab")
    moved, _ = seats.recover_seat(with_codes(two_seats), "new", "code 0", recovery="next")
    moved, seat = seats.recover_seat(moved, "new", "code 1", recovery="next")
    assert (seat, moved.held_by("new")) == (1, (0, 1))
    # Or one of them, and back.
    moved, _ = seats.recover_seat(with_codes(two_seats), "new", "code 0", recovery="next")
    assert seats.recover_seat(moved, "a", "next", recovery="r")[0].held_by("a") == (0, 1)


def test_short_code_gives_no_second_hand_and_readmits_nobody() -> None:
    table = seats.add_move_code(start_table("abc"), "b", 1, "short", 0)
    assert (
        reason_of(lambda: seats.redeem_move_code(table, "c", "short", 1, recovery="r"))
        is ServerReason.SAT_ELSEWHERE
    )
    table = seats.remember_removed(table, "x")
    assert (
        reason_of(lambda: seats.redeem_move_code(table, "x", "short", 1, recovery="r"))
        is ServerReason.REMOVED
    )
    assert seats.redeem_move_code(table, "b2", "short", 1, recovery="r")[1] == 1


def with_codes(table: Table) -> Table:
    for seat, chair in enumerate(table.chairs):
        table = seats.with_chair(table, seat, replace(chair, recovery=f"code {seat}"))
    return table


def test_removed_person_cannot_come_back_with_a_code() -> None:
    table = seats.expel(make_table(persons="ab"), "b", 0)
    assert (
        reason_of(lambda: seats.recover_seat(table, "b", "recover a", recovery="next"))
        is ServerReason.REMOVED
    )


def test_muted_person_cannot_speak_through_their_name() -> None:
    table = seats.mute(replace(make_table(persons="ab"), host="a"), "a", 1, muted=True)
    assert reason_of(lambda: seats.rename(table, "b", 1, "a text")) is ServerReason.MUTED
    # Nor by sitting down again, on several seats.
    table = seats.leave(table, "b", 1, 0)
    for seat in (1, 2):
        table = seats.sit(table, "b", seat, name=f"text {seat}", recovery="r")
    assert [chair.name for chair in table.chairs] == ["a", "", "", ""]


def test_a_table_remembers_a_limited_number_of_people() -> None:
    table = replace(make_table(persons="ab"), host="a")
    for number in range(300):
        table = tables.make_host(table, table.host, 1 - number % 2)
        table = seats.mute(table, table.host, 1, muted=True)
        table, _ = seats.recover_seat(
            table, f"b{number}", table.chairs[1].recovery or "", recovery="next"
        )
    assert len(table.hosts) == 1
    assert len(table.muted) == seats.MAX_REMEMBERED
    assert table.locked, "forgotten people can't sit down"
    table = replace(table, locked=False)
    for number in range(300):
        table = seats.remember_removed(table, f"r{number}")
    assert (len(table.removed), table.locked) == (seats.MAX_REMEMBERED, True)


def test_a_seat_changes_hands_a_limited_number_of_times() -> None:
    table = start_table("ab")
    for number in range(1, seats.MAX_HOLDERS_PER_SEAT):
        table, _ = seats.recover_seat(
            table, f"b{number}", table.chairs[1].recovery or "", recovery="next"
        )
    assert (
        reason_of(lambda: seats.recover_seat(table, "new", "next", recovery="next"))
        is ServerReason.TABLE_LOCKED
    )
    # It may go back to a device that had it before.
    assert seats.recover_seat(table, "b1", "next", recovery="next")[0].held_by("b1") == (1,)
    assert len(table.hosts) == 1


def test_removed_person_cannot_sit_down_again() -> None:
    table = seats.request_removal(
        replace(make_table(persons="ab"), host="a"), "a", 1, {"a", "b"}, 0
    )

    def sit(at: Table) -> Table:
        return seats.sit(at, "b", 1, name="b", recovery="r")

    assert reason_of(lambda: sit(table)) is ServerReason.REMOVED
    assert sit(tables.readmit_everyone(table, "a")).held_by("b") == (1,)
    assert reason_of(lambda: tables.readmit_everyone(table, "b")) is ServerReason.NOT_HOST


def test_locked_table_admits_nobody_new() -> None:
    table = tables.set_lock(replace(make_table(persons="a"), host="a"), "a", locked=True)

    def sit(holder: str, at: Table = table) -> Table:
        return seats.sit(at, holder, 1, name=holder, recovery="r")

    assert reason_of(lambda: sit("b")) is ServerReason.TABLE_LOCKED
    assert sit("a").held_by("a") == (0, 1)
    moved, _ = seats.recover_seat(table, "a2", "recover a", recovery="next")
    assert moved.held_by("a2") == (0,), "a seat can still move"
    assert sit("b", tables.set_lock(table, "a", locked=False)).held_by("b") == (1,)
    assert reason_of(lambda: tables.set_lock(table, "b", locked=False)) is ServerReason.NOT_HOST


def test_agreement_about_a_match_cannot_change_while_it_runs() -> None:
    table = start_table()
    for changed in (
        {"turn_seconds": 10},
        {"away_seconds": 10},
        {"away_seconds": None},
        {"bot_level": "first-steps"},
        {"bot_seconds": 0.1},
        {"aids": False},
    ):
        agreement = replace(table.agreement, **changed)
        refused = reason_of(lambda to=agreement: tables.set_agreement(table, "a", to))  # type: ignore[misc]
        assert refused is ServerReason.TABLE_RUNNING
    chatty = tables.set_agreement(table, "a", replace(table.agreement, chat=True, listed=True))
    assert chatty.agreement.chat
    left = seats.leave(table, "b", 1, 0)
    assert (
        reason_of(lambda: seats.add_bot(left, "a", 1, "first-steps")) is ServerReason.TABLE_RUNNING
    )


def test_mute_holds_wherever_the_person_sits() -> None:
    table = replace(make_table(persons="aab"), host="b")
    table = seats.mute(table, "b", 0, muted=True)
    assert [chair.muted for chair in table.chairs] == [True, True, False, False]
    assert reason_of(lambda: tables.add_talk(table, "a", reaction="clap")) is ServerReason.MUTED
    table = seats.leave(seats.leave(table, "a", 0, 0), "a", 1, 0)
    table = seats.sit(table, "a", 3, name="a", recovery="recover a")
    assert table.chairs[3].muted
    moved, _ = seats.recover_seat(table, "a2", "recover a", recovery="next")
    assert reason_of(lambda: tables.add_talk(moved, "a2", reaction="clap")) is ServerReason.MUTED
    assert not seats.mute(moved, "b", 3, muted=False).chairs[3].muted


def test_mute_holds_on_a_seat_that_somebody_else_gives_away() -> None:
    table = replace(make_table(persons="aab"), host="b")
    table = seats.mute(table, "b", 0, muted=True)
    given, _ = seats.recover_seat(table, "a", "recover b", recovery="next")
    assert given.chairs[2].muted


def test_a_recovery_code_works_once() -> None:
    table, _ = seats.recover_seat(make_table(persons="ab"), "a2", "recover a", recovery="next")
    assert (
        reason_of(lambda: seats.recover_seat(table, "x", "recover a", recovery="r"))
        is ServerReason.BAD_CODE
    )
    # The answer was lost, and the same device asks again. It gets another code.
    again, seat = seats.recover_seat(table, "a2", "recover a", recovery="another")
    assert (seat, again.held_by("a2"), again.chairs[0].recovery) == (0, (0,), "another")
    third, _ = seats.recover_seat(again, "a3", "another", recovery="r")
    assert (third.held_by("a2"), third.held_by("a3")) == ((), (0,))


def test_seat_changes_in_a_match_are_announced() -> None:
    table = start_table()
    here = {"a", "b", "c"}
    steps: list[Callable[[Table], Table]] = [
        lambda old: seats.start_stand_in(old, 1, 0),
        lambda old: seats.take_back(old, "b", 1),
        lambda old: seats.recover_seat(old, "b2", "recover b", recovery="r")[0],
        lambda old: seats.leave(old, "b2", 1, 0),
        lambda old: seats.sit(old, "d", 1, name="d", recovery="r"),
        lambda old: seats.request_removal(old, "a", 2, here | {"d"}, 0),
        lambda old: seats.request_removal(old, "d", 2, here | {"d"}, 0),
        lambda old: seats.rename(old, "a", 0, "A"),
    ]
    for step in steps:
        table = seats.with_lines_about_seat_changes(table, step(table))
    assert [(line.seat, line.change, line.name) for line in table.talk] == [
        (1, "stand_in", "b"),
        (1, "back", "b"),
        (1, "moved", "b"),
        (1, "left", "b"),
        (1, "sat_down", "d"),
        (2, "removed", "c"),
    ]


def test_players_may_react_and_write_if_the_host_lets_them() -> None:
    quiet = make_table(persons="ab")
    talking = tables.add_talk(tables.add_talk(quiet, "b", reaction="clap"), "a", reaction="wow")
    assert [(line.number, line.seat, line.reaction) for line in talking.talk] == [
        (1, 1, "clap"),
        (2, 0, "wow"),
    ]
    with pytest.raises(Illegal) as caught:
        tables.add_talk(quiet, "a", text="hello")
    assert caught.value.reason is ServerReason.NO_CHAT
    chatty = tables.set_agreement(quiet, "h", Agreement(chat=True))
    assert tables.add_talk(chatty, "a", text="hello").talk[0].text == "hello"


def test_muted_players_and_spectators_cannot_talk() -> None:
    table = seats.mute(make_table(persons="ab"), "h", 1, muted=True)
    for holder, reason in (("b", ServerReason.MUTED), ("x", Reason.NOT_YOUR_SEAT)):
        with pytest.raises(Illegal) as caught:
            tables.add_talk(table, holder, reaction="clap")
        assert caught.value.reason is reason


def test_only_the_last_lines_of_talk_are_kept() -> None:
    table = make_table(persons="a")
    for _ in range(tables.MAX_TALK_LINES + 5):
        table = tables.add_talk(table, "a", reaction="heart")
    assert len(table.talk) == tables.MAX_TALK_LINES
    assert table.talk[-1].number == tables.MAX_TALK_LINES + 5


def test_agreement_sets_the_level_of_stand_ins() -> None:
    table = tables.set_agreement(make_table(persons="ab"), "h", Agreement(bot_level="easy"))
    started = tables.start(table, "h", without_free=True)
    assert started.acting_bot_level(0) is None
    assert seats.start_stand_in(started, 0, 0).acting_bot_level(0) == "easy"
