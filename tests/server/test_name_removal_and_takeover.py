"""Removing someone's name and words from everything that is stored."""

import asyncio
import io
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pytlik.bus.inprocess import InProcessBus
from pytlik.matchfile import Player
from pytlik.protocol.table_agreement import Agreement
from pytlik.server import name_removal_and_takeover
from pytlik.server.live.rooms import Rooms
from pytlik.server.lobby import Lobby
from pytlik.server.scheduling.scheduler import POLL_MS
from pytlik.server.table import rematches, seats, tables
from pytlik.server.table.table_anonymization import (
    remove_name_from_table,
    remove_names_and_words_of,
)
from pytlik.server.table.tables import Table
from pytlik.store import BoardKey, PutResult, StartPuzzle, Unavailable, backups
from pytlik.store.connect import migrate, open_store
from tests.database_servers import Postgres
from tests.server.dailies.test_ubongo_daily import DAILY_PATH as DAILY
from tests.server.dailies.test_ubongo_daily import solve_daily
from tests.server.http_site import Browser, Site, json_of, status_and_reason
from tests.server.live_server import LiveServer, server_test

NAME_TO_REMOVE = "Quetzalcoatl"
WORDS_TO_REMOVE = "xylophone"


def make_table(persons: str = "ab") -> Table:
    """A table with chat, hosted by "a", with a person on each chair."""
    chat = Agreement(chat=True)
    table = tables.create("abcdefghjk", "unikat", "a", "c" * 64, 0, chairs=2, agreement=chat)
    for seat, holder in enumerate(persons):
        name = f"name of {holder}"
        table = seats.sit(table, holder, seat, name=name, recovery=f"recover {holder}")
    return table


def play_match(table: Table) -> Table:
    return tables.finish(tables.start(table, "a"))


def names_of(table: Table) -> tuple[str, ...]:
    return tuple(chair.name for chair in table.chairs)


# ------------------------------------------------------------------------------ tables as values


def test_names_and_words_of_one_person_are_removed() -> None:
    table = tables.add_talk(make_table(), "a", text="mine")
    table = tables.add_talk(table, "b", text="theirs")
    table = tables.add_talk(table, "a", reaction="clap")
    table = play_match(table)
    after = remove_names_and_words_of(table, "a")
    assert names_of(after) == ("", "name of b")
    assert after.past == ((Player(""), Player("name of b")),)
    lines = [(line.text, line.reaction) for line in after.talk]
    assert lines == [("", None), ("theirs", None), (None, "clap")]
    assert after.held_by("a") == (0,), "the seat stays theirs"
    assert remove_names_and_words_of(after, "a") == after
    assert remove_names_and_words_of(table, "c") == table
    assert replace(after, chairs=table.chairs, talk=(), past=(), past_holders=(), speakers={}) == (
        replace(table, talk=(), past=(), past_holders=(), speakers={})
    )


def test_person_who_has_left_can_be_forgotten() -> None:
    """Even in the line about their leaving."""
    table = tables.add_talk(tables.start(make_table(), "a"), "b", text="mine")
    left = seats.with_lines_about_seat_changes(table, seats.leave(table, "b", 1, 0))
    assert left.talk[-1].name == "name of b"
    assert "b" in tables.all_holders(left)
    after = remove_names_and_words_of(left, "b")
    assert [(line.text, line.change, line.name) for line in after.talk] == [
        ("", None, None),
        (None, "left", ""),
    ]
    assert "b" not in after.speakers.values()


def test_the_next_person_on_the_seat_keeps_their_name() -> None:
    again = rematches.rematch(play_match(make_table()), "a", "d" * 64)
    again = tables.add_talk(again, "b", text="mine")
    other = seats.sit(seats.leave(again, "b", 1, 0), "c", 1, name="name of c", recovery="")
    other = tables.add_talk(other, "c", text="theirs")
    after = remove_names_and_words_of(other, "b")
    assert names_of(after) == ("name of a", "name of c")
    assert [line.text for line in after.talk] == ["", "theirs"]
    assert after.past == ((Player("name of a"), Player("")),)


def test_words_from_before_a_move_to_another_device_are_removed() -> None:
    table = tables.add_talk(
        rematches.rematch(play_match(make_table()), "a", "d" * 64), "b", text="mine"
    )
    moved, _ = seats.recover_seat(table, "b2", "recover b", recovery="")
    after = remove_names_and_words_of(moved, "b2")
    assert (after.talk[0].text, after.past[0][1].name, names_of(after)[1]) == ("", "", "")


def test_at_tables_of_older_servers_what_is_known_is_removed() -> None:
    """Older servers didn't record whose lines and matches are whose."""
    table = tables.add_talk(
        tables.add_talk(play_match(make_table()), "a", text="mine"), "b", text="theirs"
    )
    older = replace(table, speakers={}, past_holders=())
    after = remove_names_and_words_of(older, "a")
    assert [line.text for line in after.talk] == ["", "theirs"]
    assert after.past == ((Player(""), Player("name of b")),)
    again = tables.finish(tables.start(rematches.rematch(older, "a", "d" * 64), "a"))
    assert again.past_holders == ((), ("a", "b")), "the older match stays unknown"
    assert [players[0].name for players in remove_names_and_words_of(again, "a").past] == ["", ""]


def test_name_is_removed_from_everyone_who_has_it() -> None:
    table = tables.add_talk(play_match(make_table()), "a", text="mine")
    after = remove_name_from_table(table, "name of a")
    assert names_of(after) == ("", "name of b")
    assert after.past[0] == (Player(""), Player("name of b"))
    assert after.talk == table.talk, "chat lines aren't names"
    assert remove_name_from_table(table, "name of") == table


def test_speakers_are_remembered_while_their_lines_are_kept() -> None:
    table = make_table()
    for number in range(tables.MAX_TALK_LINES + 5):
        table = tables.add_talk(table, "ab"[number % 2], reaction="clap")
    assert table.speakers.keys() == {line.number for line in table.talk}
    assert msgspec.json.decode(msgspec.json.encode(table), type=Table) == table


# ------------------------------------------------------------------------------------- over HTTP


async def backup_of(site_or_url: str) -> bytes:
    """Return a backup, which contains everything that is stored."""
    async with backups.snapshot(site_or_url) as rows:
        return b"".join([line async for line in backups.backup_lines(rows)])


def add_chat_line(site: Site, table: str, holder: str, text: str) -> None:
    site.run(
        site.lobby.change(
            table.rpartition("/")[2], lambda old: tables.add_talk(old, holder, text=text)
        )
    )


def holder_at(site: Site, table: str, seat: int) -> str:
    found = site.run(site.lobby.get(table.rpartition("/")[2])).table.chairs[seat].holder
    assert found
    return str(found)


@pytest.fixture
def ola(site: Site) -> Browser:
    return site.browser()


def test_name_is_removed_from_everything_stored(site: Site, ola: Browser, tmp_path: Path) -> None:
    """Even after a backup is restored. The moves stay as they are."""
    max_ = site.browser()
    running = ola.create_table(chairs=2, agreement={"chat": True})
    over = max_.create_table(chairs=2, agreement={"chat": True})
    left = max_.create_table(chairs=2, agreement={"chat": True})
    for table in (running, over, left):
        ola.sit_down(table, NAME_TO_REMOVE)
        max_.sit_down(table, "Max")
        add_chat_line(site, table, holder_at(site, table, 0), WORDS_TO_REMOVE)
    for table, host in ((running, ola), (over, max_), (left, max_)):
        host.start_match(table)
    site.play_match_to_end(over.rpartition("/")[2])
    json_of(ola.delete(f"{left}/seats/0"))
    solve_daily(site, ola, NAME_TO_REMOVE)
    url = str(tmp_path / "0.db")
    before = asyncio.run(backup_of(url))
    assert NAME_TO_REMOVE.encode() in before
    assert WORDS_TO_REMOVE.encode() in before

    assert json_of(ola.delete("/api/me")) == {"tables": 3}
    after = asyncio.run(backup_of(url))
    assert NAME_TO_REMOVE.encode() not in after
    assert WORDS_TO_REMOVE.encode() not in after
    events = [line for line in before.splitlines() if line.startswith(b'{"table":"events"')]
    assert [line for line in after.splitlines() if line.startswith(b'{"table":"events"')] == events

    seen = json_of(max_.get(running))["table"]["chairs"]
    assert [(chair["name"], chair["kind"]) for chair in seen] == [("", "person"), ("Max", "person")]
    assert json_of(ola.get(running))["yours"] == [0]
    assert NAME_TO_REMOVE not in max_.get(f"{over}/matches/1/file").text
    assert json_of(max_.get(DAILY))["results"] == []
    assert json_of(ola.delete("/api/me")) == {"tables": 0}
    assert asyncio.run(backup_of(url)) == after

    other = str(tmp_path / "restored.db")
    migrate(other)
    asyncio.run(backups.restore(other, io.BytesIO(after)))
    assert asyncio.run(backup_of(other)) == after


def test_a_name_is_removed_at_any_number_of_tables(site: Site, ola: Browser) -> None:
    paths = [ola.create_table() for _ in range(25)]
    for path in paths:
        ola.sit_down(path, NAME_TO_REMOVE)
    assert json_of(ola.delete("/api/me")) == {"tables": 25}
    for path in paths:
        assert json_of(ola.get(path))["table"]["chairs"][0]["name"] == ""


def test_repeated_request_removes_what_is_left(
    site: Site, ola: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [ola.create_table() for _ in range(3)]
    for path in paths:
        ola.sit_down(path, NAME_TO_REMOVE)
    commit, done_before = site.store.commit, list[str]()

    async def fail_soon(*writes: Any) -> None:
        if len(done_before) == 3:
            raise Unavailable("planted")
        done_before.append(type(writes[0]).__name__)
        await commit(*writes)

    with monkeypatch.context() as unsteady:
        unsteady.setattr(site.store, "commit", fail_soon)
        assert status_and_reason(ola.delete("/api/me")) == (503, "unavailable")
    assert done_before == ["DeleteSubscriptionsOfHolder", "HideResultsOfHolder", "PutTable"]
    assert json_of(ola.delete("/api/me")) == {"tables": 2}
    names = [json_of(ola.get(path))["table"]["chairs"][0]["name"] for path in paths]
    assert names == ["", "", ""]


def test_tables_you_have_left_are_not_listed_as_yours(site: Site, ola: Browser) -> None:
    """Although the server knows that something of yours is there."""
    table = ola.create_table(chairs=2, agreement={"chat": True})
    max_ = site.browser()
    max_.sit_down(table, "Max")
    add_chat_line(site, table, holder_at(site, table, 0), WORDS_TO_REMOVE)
    json_of(max_.delete(f"{table}/seats/0"))
    assert json_of(max_.get("/api/mine")) == []
    assert json_of(max_.delete("/api/me")) == {"tables": 1}


def test_a_person_who_was_forgotten_can_take_a_name_again(site: Site, ola: Browser) -> None:
    table = ola.create_table(chairs=2)
    ola.sit_down(table, NAME_TO_REMOVE)
    json_of(ola.delete("/api/me"))
    site.browser().sit_down(table, NAME_TO_REMOVE)
    assert status_and_reason(ola.put(f"{table}/seats/0/name", {"name": NAME_TO_REMOVE})) == (
        409,
        "name_taken",
    )
    answer = json_of(ola.put(f"{table}/seats/0/name", {"name": "Another"}))
    assert answer["table"]["chairs"][0]["name"] == "Another"


def test_forgetting_a_stranger_does_nothing(site: Site) -> None:
    nobody = site.browser().delete("/api/me")
    assert json_of(nobody) == {"tables": 0}
    assert "set-cookie" not in nobody.headers


def test_requests_to_be_forgotten_are_limited(make_site: Any) -> None:
    ola = make_site(limit_scale=1).browser()
    answers = [ola.delete("/api/me") for _ in range(21)]
    assert [answer.status_code for answer in answers[:20]] == [200] * 20
    assert status_and_reason(answers[-1]) == (429, "too_fast")


def test_being_forgotten_does_not_start_a_daily_puzzle_over(site: Site, ola: Browser) -> None:
    """Their time stays, but nobody else sees it until they give a name again."""
    solve_daily(site, ola, NAME_TO_REMOVE)
    json_of(ola.delete("/api/me"))
    assert json_of(site.browser().get(DAILY))["results"] == []
    seen = json_of(ola.get(DAILY))["results"]
    assert [(each["name"], each["ms"]) for each in seen] == [("", 20_000)]
    site.now += 5_000
    answer = solve_daily(site, ola, "Another", seconds=1)
    assert [(each["name"], each["ms"]) for each in answer["results"]] == [("Another", 20_000)]


# ---------------------------------------------------------------------- while others do something


@server_test
async def test_others_see_at_once_that_a_name_is_removed(live_server: LiveServer) -> None:
    _, (ola, max_) = await live_server.create_match(agreement={"chat": True})
    await ola.send(kind="chat", text=WORDS_TO_REMOVE)
    while (await max_.wait_for("line"))["text"] != WORDS_TO_REMOVE:
        pass
    await ola.ask("DELETE", "/api/me")
    seen: dict[str, Any] = {}
    while not seen.keys() >= {"line", "table_changed"}:
        message = await max_.next_message()
        if message["kind"] == "line":
            assert (message["text"], message["name"], message["seat"]) == ("", None, 0)
            seen["line"] = message
        elif message["kind"] == "table_changed" and not message["table"]["chairs"][0]["name"]:
            seen["table_changed"] = message
    assert seen["table_changed"]["table"]["chairs"][1]["name"] == "person 1"
    late = live_server.new_person()
    await late.join(max_.match.partition(".")[0] if max_.match else "")
    hello = await late.wait_for("hello")
    assert [line["text"] for line in hello["talk"]] == [""]


@server_test
async def test_changes_by_another_process_are_noticed(
    live_server: LiveServer,
) -> None:
    """An administrator's command changes the database without sending bus messages."""
    table, (_, max_) = await live_server.create_match()
    store = await open_store(live_server.database, notify=False)
    beside = Lobby(Rooms(store, InProcessBus(), lambda: live_server.now))
    assert await name_removal_and_takeover.remove_name_everywhere(beside.rooms, "person 0") == 1
    live_server.pass_time(POLL_MS)
    while (await max_.wait_for("table_changed"))["table"]["chairs"][0]["name"]:
        pass
    await beside.delete_table(table)
    live_server.pass_time(POLL_MS)
    await max_.wait_for("table_gone")
    await store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        server: Postgres = request.getfixturevalue("postgres")
        return server.new_database()
    path = str(tmp_path / "pytlik.db")
    migrate(path)
    return path


def test_name_is_removed_despite_concurrent_changes(url: str) -> None:
    """Nothing that others do meanwhile is lost, and neither name nor words come back. One table is
    deleted."""

    async def play() -> None:
        store = await open_store(url, notify=False)
        lobby = Lobby(Rooms(store, InProcessBus(), lambda: 1))
        ids = []
        for _ in range(3):
            found = await lobby.create("unikat", "max", agreement=Agreement(chat=True))
            ids.append(found.table.id)
            for seat, (holder, name) in enumerate({"ola": NAME_TO_REMOVE, "max": "Max"}.items()):
                await lobby.change(
                    ids[-1],
                    lambda old, holder=holder, seat=seat, name=name: seats.sit(  # type: ignore[misc]
                        old, holder, seat, name=name, recovery=""
                    ),
                )
            await lobby.change(
                ids[-1], lambda old: tables.add_talk(old, "ola", text=WORDS_TO_REMOVE)
            )
        board = BoardKey("2026-11-15", "ubongo", "3")
        await store.commit(StartPuzzle(board, "ola", 1))
        await store.commit(PutResult(board, "ola", NAME_TO_REMOVE, 3, 30_000))

        def chatter(id: str, number: int) -> Any:
            return lobby.change(id, lambda old: tables.add_talk(old, "max", text=f"line {number}"))

        await asyncio.gather(
            name_removal_and_takeover.forget_person(lobby.rooms, "ola"),
            lobby.delete_table(ids[2]),
            *(chatter(id, number) for id in ids[:2] for number in range(6)),
        )
        for id in ids[:2]:
            table = (await lobby.get(id)).table
            assert {f"line {number}" for number in range(6)} <= {line.text for line in table.talk}
            assert table.held_by("ola") == (0,)
        assert await store.best_results(board, 0, 10) == []
        assert await store.table(ids[2]) is None
        await store.close()

    asyncio.run(play())
    left = asyncio.run(backup_of(url))
    assert NAME_TO_REMOVE.encode() not in left
    assert WORDS_TO_REMOVE.encode() not in left


def test_name_is_removed_from_all_tables_and_boards(url: str) -> None:
    async def play() -> int:
        store = await open_store(url, notify=False)
        lobby = Lobby(Rooms(store, InProcessBus(), lambda: 1))
        for holder in ("ola", "max"):
            id = (await lobby.create("unikat", holder)).table.id
            await lobby.change(
                id,
                lambda old, holder=holder: seats.sit(  # type: ignore[misc]
                    old, holder, 0, name=NAME_TO_REMOVE, recovery=""
                ),
            )
        await lobby.create("unikat", "eva")
        board = BoardKey("2026-11-15", "ubongo", "3")
        await store.commit(StartPuzzle(board, "eva", 1))
        await store.commit(PutResult(board, "eva", NAME_TO_REMOVE, 3, 30_000))
        changed = await name_removal_and_takeover.remove_name_everywhere(
            lobby.rooms, NAME_TO_REMOVE
        )
        await store.close()
        return changed

    assert asyncio.run(play()) == 2
    assert NAME_TO_REMOVE.encode() not in asyncio.run(backup_of(url))
