"""Tables as values: what the routes don't reach."""

import msgspec
import pytest
from msgspec.structs import replace

from pytlik.game import Illegal, Malformed, Reason
from pytlik.server import seats, tables
from pytlik.server.tables import Chair, Table


def made(game: str = "unikat", persons: str = "", **fields: object) -> Table:
    """A table of the host "h", with a person a chair."""
    table = tables.create("abcdefghjk", game, "h", "c" * 64, 0, **fields)  # type: ignore[arg-type]
    for seat, holder in enumerate(persons):
        table = seats.sit(table, holder, seat, name=holder, recovery=f"recover {holder}")
    return table


def test_a_table_survives_the_store() -> None:
    table = made(persons="ab", options={"rounds": 2})
    table = seats.add_code(table, "a", 0, "hash", 0)
    assert msgspec.json.decode(msgspec.json.encode(table), type=Table) == table


def test_there_is_no_such_game() -> None:
    with pytest.raises(Malformed):
        made("chess")


def test_options_that_speak_of_seats_follow_them() -> None:
    table = made("ubongo", "ab", options={"handicap": [3, 4, 5, 3]})
    table = seats.leave(seats.sit(table, "c", 3, name="c", recovery=""), "a", 0, 0)
    begun = tables.start(table, "h", without_free=True)
    assert begun.chosen.handicap == (4, 3)
    table = made(persons="ab", options={"starter": 3})
    assert tables.start(table, "h", without_free=True).chosen.starter is None


def test_a_pause_comes_when_the_last_one_who_does_not_want_it_is_gone() -> None:
    table = tables.start(made(persons="abc"), "h", without_free=True)
    for holder in "ab":
        table = tables.want_pause(table, holder, 5)
    assert table.paused is None
    assert seats.leave(table, "c", 2, 7).paused == 7
    assert seats.stand_in(table, 2, 8).paused == 8
    # One of those who want it leaves: c alone is asked.
    left = seats.leave(table, "a", 0, 9)
    assert (left.paused, left.pausing) == (None, (1,))


def test_a_bot_sits_in_only_for_a_person_in_a_match() -> None:
    lobby = made(persons="ab")
    assert seats.stand_in(lobby, 0, 0) is lobby
    begun = tables.start(seats.add_bot(lobby, "h", 2, "hard"), "h", without_free=True)
    assert seats.stand_in(begun, 2, 0) is begun
    away = seats.stand_in(begun, 0, 0)
    assert away.automatic(0)
    assert away.players[0].bot is None
    assert away.players[2].bot == "hard"
    with pytest.raises(Illegal) as refused:
        seats.stand_in(begun, 7, 0)
    assert refused.value.reason is Reason.NO_SUCH_SEAT


def test_a_rematch_seats_nobody_on_chairs_that_were_left() -> None:
    table = tables.start(made(persons="abc"), "h", without_free=True)
    table = seats.stand_in(seats.leave(table, "c", 2, 0), 0, 0)
    again = tables.rematch(tables.finish(table), "h", "d" * 64)
    assert again.chairs[2] == Chair()
    assert not again.chairs[0].stand_in
    assert again.past == (table.players,)


def test_a_host_who_holds_two_seats_moves_one_and_stays_host() -> None:
    table = replace(made(persons="aa"), host="a")
    table, _ = seats.recover(table, "b", "recover a")
    assert (table.held_by("a"), table.held_by("b"), table.host) == ((1,), (0,), "a")
    table, _ = seats.recover(replace(table), "b", "recover a")
    assert table.held_by(None) == ()


def test_who_sits_may_react_and_write_where_the_host_lets_them() -> None:
    quiet = made(persons="ab")
    said = tables.say(tables.say(quiet, "b", reaction="clap"), "a", reaction="wow")
    assert [(line.number, line.seat, line.reaction) for line in said.talk] == [
        (1, 1, "clap"),
        (2, 0, "wow"),
    ]
    with pytest.raises(Illegal) as caught:
        tables.say(quiet, "a", text="hello")
    assert caught.value.reason is Reason.NO_CHAT
    chatty = tables.set_agreement(quiet, "h", tables.Agreement(chat=True))
    assert tables.say(chatty, "a", text="hello").talk[0].text == "hello"


def test_who_is_muted_or_only_looks_on_says_nothing() -> None:
    table = seats.mute(made(persons="ab"), "h", 1, muted=True)
    for holder, reason in (("b", Reason.MUTED), ("x", Reason.NOT_YOUR_SEAT)):
        with pytest.raises(Illegal) as caught:
            tables.say(table, holder, reaction="clap")
        assert caught.value.reason is reason


def test_only_the_last_words_are_kept() -> None:
    table = made(persons="a")
    for _ in range(tables.LINES + 5):
        table = tables.say(table, "a", reaction="heart")
    assert len(table.talk) == tables.LINES
    assert table.talk[-1].number == tables.LINES + 5


def test_the_level_of_a_bot_that_sits_in_is_agreed() -> None:
    table = tables.set_agreement(made(persons="ab"), "h", tables.Agreement(bot_level="easy"))
    begun = tables.start(table, "h", without_free=True)
    assert begun.automatic(0) is None
    assert seats.stand_in(begun, 0, 0).automatic(0) == "easy"
