"""Nobody sees what they may not (U18, G16) in anything that leaves the server while whole matches
are played over sockets. Every frame and every answer is compared with what its recipient may know
at that moment, as `seat_knowledge.py` derives it from the log. So are log lines and metrics, which
may reveal nothing of a table at all. `test_secrecy_planted_leaks.py` shows that leaks would be
found.

Backups and exports of the store reach nobody through the server:
`ScriptedMatch.request_everything` asks for everything the server answers, and finds new routes by
itself.
"""

from tests.server import match_scripts
from tests.server.recorded_play import PlayAndRecord
from tests.server.sent_record import SentRecord


def event_kinds(record: SentRecord) -> set[str]:
    """The kinds of events in all of a record's matches."""
    return {type(event).__name__ for truth in record.truths.values() for event in truth.events}


def test_a_match_of_unikat_and_another_at_the_same_table(play_and_record: PlayAndRecord) -> None:
    """Two rounds: one device for two seats, a seat that moves, a stand-in, a bot, a spectator."""
    record = play_and_record(match_scripts.play_unikat_match, then=match_scripts.play_rematch)
    assert set(record.find_leaks()) == set()
    assert event_kinds(record) >= {
        "BonusDeclined",
        "BonusEarned",
        "ChainLaid",
        "DisplayFilled",
        "MatchEnded",
        "RoundDealt",
        "RoundEnded",
        "TileDrawn",
        "TileSwapped",
    }
    first, second = record.truths.values()
    assert (first.states[-1].round, second.states[-1].round) == (2, 1)
    for kind, least in {
        "update": 500,
        "refused": 100,
        "table_changed": 20,
        "hello": 7,
        "line": 2,
        "events": 30,
        "file": 5,
        "metrics": 3,
        "log line": 100,
    }.items():
        assert record.checked[kind] >= least, kind


def test_two_rounds_of_ubongo_with_a_second_chance(play_and_record: PlayAndRecord) -> None:
    record = play_and_record(match_scripts.play_two_ubongo_rounds)
    assert set(record.find_leaks()) == set()
    assert event_kinds(record) >= {
        "CardSolved",
        "ClocksShifted",
        "PieceLifted",
        "PiecePlaced",
        "SandRanOut",
        "SeatGaveUp",
        "SecondChanceBegan",
        "SolutionSettled",
    }
    assert record.checked["update"] > 150
    assert record.checked["refused"] > 8


def test_a_match_of_ubongo_with_a_bot_and_a_stand_in(play_and_record: PlayAndRecord) -> None:
    record = play_and_record(match_scripts.play_ubongo_with_bot)
    assert set(record.find_leaks()) == set()
    (truth,) = record.truths.values()
    assert truth.states[-1].round >= 9
    assert event_kinds(record) >= {"GemTaken", "MatchEnded", "PiecePlaced"}
    placed = {e.seat for e in truth.events if type(e).__name__ == "PiecePlaced"}
    assert placed == {0, 1, 2}


def test_a_deciding_round_of_ubongo_and_another_match(play_and_record: PlayAndRecord) -> None:
    record = play_and_record(match_scripts.play_ubongo_tie, then=match_scripts.play_rematch)
    assert set(record.find_leaks()) == set()
    assert event_kinds(record) >= {"CardSolved", "MatchEnded", "TieFound"}
    assert len(record.truths) == 2
