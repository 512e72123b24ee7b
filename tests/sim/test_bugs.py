"""A test of the tests: the simulation finds bugs that are planted in the server."""

import pytest

from tests.sim.__main__ import MAX_SEEDS_PER_BUG, find_seed
from tests.sim.bugs import BUGS
from tests.sim.simulation import simulate
from tests.sim.test_simulation import WORLDS

LIKELY_SEEDS = {
    "acknowledge_before_commit": 0,
    "take_a_conflict_for_a_success": 1,
    "write_again_after_a_lost_answer": 48,
    "forget_the_id_of_a_command": 0,
    "refuse_what_is_sent_again": 3,
    "write_deadlines_after_the_events": 1,
    "believe_the_clock_of_each_worker": 159,
    "let_shares_count_backwards": 1,
    "let_anybody_act_for_anybody": 0,
    "deal_from_the_secret_of_another_match": 58,
    "let_people_act_in_a_pause": 58,
    "end_the_deadline_of_a_result_before_writing_it": 69,
    "overwrite_what_others_changed_in_a_circle": 308,
    "fire_deadlines_on_every_worker": 1,
    "drop_a_deadline_when_it_is_taken": 1,
    "let_time_pass_while_nobody_can_act": 9,
    "move_clocks_once_for_each_worker": 47,
    "end_downtime_before_moving_the_sand": 14,
    "end_a_turn_without_looking_again": 106,
    "let_anybody_fill_a_log": 0,
    "let_sand_run_in_a_pause": 14,
    "forget_the_clock_of_a_seat_that_changes_hands": 5,
    "set_deadlines_without_looking_again": 39,
    "look_only_once_at_a_seat_that_changes_hands": 86,
    "let_a_match_end_unnoticed": 12,
    "wait_for_whoever_is_here": 3,
    "let_bots_play_where_nobody_is": 14,
    "jump_with_the_database_clock": 1,
    "let_every_worker_have_its_own_time": 0,
    "delete_what_is_old_by_a_clock_that_has_jumped": 22,
    "rely_on_bus_messages": 10,
    "ignore_bus_messages_for_tables": 0,
    "show_a_stale_view_after_a_reconnect": 25,
    "show_everyone_the_same": 1,
    "tell_events_as_they_are": 0,
    "leave_a_lost_seat_in_sight": 1,
    "drop_what_a_slow_client_has_no_room_for": 4,
    "answer_from_an_old_table": 0,
    "go_on_with_a_table_from_before_an_outage": 8,
    "never_reap_a_worker": 0,
    "forget_who_comes_while_the_store_is_away": 0,
    "stop_retrying_after_three_failures": 66,
    "store_a_secret_after_its_rematch": 41,
    "store_a_secret_before_its_rematch": 41,
    "call_a_match_by_the_number_of_the_next": 12,
    "save_a_state_under_the_number_before_it": 1,
    "let_a_bot_go_on_for_who_comes_back": 71,
    "let_a_bot_go_on_for_who_acts": 6,
    "show_the_table_and_no_hand_to_who_comes_back": 12,
    "play_for_who_is_alone": 47,
    "let_one_player_decide_that_a_bot_plays": 42,
    "give_half_a_clock_back": 12,
    "count_what_was_done_in_earlier_rounds": 1,
    "credit_whatever_delay_a_line_shows": 4,
    "count_down_while_the_sand_runs": 11,
    "begin_a_turn_anew_when_a_seat_changes_hands": 16,
    "do_what_is_due_and_not_end_it": 1,
    "let_bots_try_in_a_countdown": 59,
    "look_only_now_and_then_for_what_is_due": 15,
    "skip_the_time_of_people": 37,
    "lose_an_event_between_two_pages": 13,
    "delete_tables_that_were_just_laid": 5,
    "count_a_match_only_for_who_has_won_it": 62,
    "leave_half_a_crowd_behind": 46,
    "show_the_old_view_from_a_new_seat": 1,
    "leave_people_at_a_table_that_is_gone": 42,
    "leave_on_pages_what_was_taken_back": 42,
    "keep_a_room_open_after_a_failure": 27,
    "remove_somebody_because_one_other_wants_it": 17,
    "let_a_recovery_code_work_twice": 1,
    "pause_because_one_wants_it": 0,
    "begin_another_match_because_one_wants_it": 12,
    "keep_votes_about_who_was_back": 679,
}
"""Where to look for each bug first, to save time: `python -m tests.sim --bugs` prints these seeds.
After a change of the server or of the simulation, another one may find it."""


def test_every_bug_has_its_seed() -> None:
    assert set(LIKELY_SEEDS) == set(BUGS)


@pytest.mark.parametrize("name", sorted(BUGS))
def test_a_planted_bug_is_found(name: str) -> None:
    seed = find_seed(name, first=LIKELY_SEEDS[name])
    assert seed is not None, f"none of {MAX_SEEDS_PER_BUG} worlds finds it"
    if seed >= WORLDS:  # those before are tests of their own
        simulate(seed)
