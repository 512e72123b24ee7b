"""A test of the tests: the simulation finds the bugs that are planted in the server."""

import pytest

from tests.sim.__main__ import MAX_SEEDS_PER_BUG, find_seed
from tests.sim.bugs import BUGS
from tests.sim.simulation import simulate
from tests.sim.test_simulation import WORLDS

LIKELY_SEEDS = {
    "acknowledge_before_commit": 0,
    "treat_conflict_as_success": 1,
    "repeat_write_after_lost_answer": 48,
    "forget_command_ids": 0,
    "refuse_resent_commands": 3,
    "commit_deadlines_after_events": 1,
    "trust_each_workers_own_clock": 159,
    "mix_shares_in_reverse_order": 1,
    "let_anyone_act_for_any_seat": 0,
    "deal_from_secret_of_another_match": 58,
    "allow_actions_during_pause": 58,
    "end_result_deadline_before_storing_result": 69,
    "overwrite_concurrent_circle_changes": 308,
    "fire_deadlines_on_every_worker": 1,
    "delete_deadlines_when_taken": 1,
    "run_clocks_during_downtime": 9,
    "move_clocks_once_per_worker": 47,
    "end_downtime_before_moving_sand": 14,
    "end_turn_without_rechecking": 106,
    "ignore_action_limits": 0,
    "run_sand_during_pause": 14,
    "forget_clocks_when_seat_changes_hands": 5,
    "set_deadlines_without_rechecking": 39,
    "recheck_only_once_when_seat_changes_hands": 86,
    "store_no_deadline_for_end_of_match": 12,
    "replace_returned_player_when_away_clock_ends": 3,
    "let_bots_play_at_empty_tables": 14,
    "jump_with_database_clock": 1,
    "give_each_worker_its_own_time": 0,
    "delete_old_tables_by_database_clock": 22,
    "never_catch_up_on_missed_bus_messages": 10,
    "ignore_bus_messages_about_tables": 0,
    "show_stale_view_after_reconnect": 25,
    "send_everyone_the_same_view": 1,
    "send_unmasked_events": 0,
    "keep_showing_lost_seat": 1,
    "drop_messages_to_slow_clients": 4,
    "answer_from_outdated_table": 0,
    "use_table_from_before_outage": 8,
    "never_remove_dead_workers": 0,
    "forget_arrivals_during_store_outage": 0,
    "stop_retrying_after_three_failures": 66,
    "store_secret_after_rematch": 41,
    "store_secret_before_rematch": 41,
    "give_finished_match_the_next_number": 12,
    "save_state_under_previous_seq": 1,
    "keep_stand_in_when_player_returns": 71,
    "keep_stand_in_when_player_acts": 6,
    "hide_hand_from_returning_player": 12,
    "let_stand_in_play_for_lone_player": 47,
    "let_one_vote_call_stand_in": 42,
    "give_returning_player_half_the_turn_time": 12,
    "count_actions_of_earlier_rounds": 1,
    "credit_any_measured_delay": 4,
    "run_sand_during_countdown": 11,
    "restart_turn_clock_when_seat_changes_hands": 16,
    "never_end_recheck_deadlines": 1,
    "let_bots_act_during_countdown": 59,
    "never_wake_scheduler": 15,
    "skip_time_while_people_solve": 37,
    "lose_events_between_pages": 13,
    "delete_new_tables": 5,
    "count_matches_only_for_winners": 62,
    "update_only_first_batch_of_spectators": 46,
    "show_old_view_after_seat_change": 1,
    "keep_people_at_deleted_table": 42,
    "keep_retracted_lines_on_pages": 42,
    "keep_room_open_after_failure": 27,
    "remove_player_on_one_vote": 17,
    "let_recovery_code_work_twice": 1,
    "pause_on_one_vote": 0,
    "start_rematch_on_one_vote": 12,
    "keep_stand_in_votes_after_return": 679,
}
"""The seed to try first for each bug, to save time. `python -m tests.sim --bugs` prints them. After
a change to the server or the simulation, another seed may find it."""


def test_every_planted_bug_has_a_likely_seed() -> None:
    assert set(LIKELY_SEEDS) == set(BUGS)


@pytest.mark.parametrize("name", sorted(BUGS))
def test_finds_planted_bug(name: str) -> None:
    seed = find_seed(name, first=LIKELY_SEEDS[name])
    assert seed is not None, f"none of {MAX_SEEDS_PER_BUG} worlds finds it"
    if seed >= WORLDS:  # test_simulation.py covers the lower ones
        simulate(seed)
