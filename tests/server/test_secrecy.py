"""Nobody sees what they may not (U18, G16) in all that leaves the server while whole matches are
played over sockets. Every frame and every answer is compared with what its recipient may know at
that moment, as `seat_knowledge.py` derives it from the log. So are log lines and metrics, which may
reveal nothing of a table at all. `test_secrecy_planted.py` shows that leaks would be found.

Backups and exports of the store reach nobody through the server:
`ScriptedMatch.ask_for_everything` asks for everything the server answers, and finds new routes by
itself.
"""

from tests.server import scripted_matches
from tests.server.scripted_matches import Play, empty_database, play, same_secrets
from tests.server.witness import SentRecord

__all__ = ["empty_database", "play", "same_secrets"]


def happened(book: SentRecord) -> set[str]:
    """The kinds of events in all of a book's matches."""
    return {type(event).__name__ for truth in book.truths.values() for event in truth.events}


def test_a_match_of_unikat_and_another_at_the_same_table(play: Play) -> None:
    """Two rounds: one device for two seats, a seat that moves, a stand-in, a bot, a spectator."""
    book = play(scripted_matches.unikat, then=scripted_matches.play_rematch)
    assert set(book.leaks()) == set()
    assert happened(book) >= {
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
    first, second = book.truths.values()
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
        assert book.checked[kind] >= least, kind


def test_two_rounds_of_ubongo_with_a_second_chance(play: Play) -> None:
    book = play(scripted_matches.duel)
    assert set(book.leaks()) == set()
    assert happened(book) >= {
        "CardSolved",
        "ClocksShifted",
        "PieceLifted",
        "PiecePlaced",
        "SandRanOut",
        "SeatGaveUp",
        "SecondChanceBegan",
        "SolutionSettled",
    }
    assert book.checked["update"] > 150
    assert book.checked["refused"] > 8


def test_a_match_of_ubongo_with_a_bot_and_a_stand_in(play: Play) -> None:
    book = play(scripted_matches.race)
    assert set(book.leaks()) == set()
    (truth,) = book.truths.values()
    assert truth.states[-1].round >= 9
    assert happened(book) >= {"GemTaken", "MatchEnded", "PiecePlaced"}
    placed = {e.seat for e in truth.events if type(e).__name__ == "PiecePlaced"}
    assert placed == {0, 1, 2}


def test_a_deciding_round_of_ubongo_and_another_match(play: Play) -> None:
    book = play(scripted_matches.tie, then=scripted_matches.play_rematch)
    assert set(book.leaks()) == set()
    assert happened(book) >= {"CardSolved", "MatchEnded", "TieFound"}
    assert len(book.truths) == 2
