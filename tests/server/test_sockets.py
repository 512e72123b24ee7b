"""The socket of a table, from both ends: real sockets, real store, and a clock of our own."""

import asyncio
import json
import socket as sockets
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pytlik.server.hub import QUEUE, Connection
from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Hex
from tests.server.client import Client, Refusal, table_for
from tests.server.house import House, empty_database, house, opened, same_secrets, scene, start

__all__ = ["empty_database", "house", "same_secrets"]

ADMIN = "the admin's own token"
Message = dict[str, Any]


@pytest.fixture
def big_house(tmp_path: Path, empty_database: Path, same_secrets: None) -> Iterator[Any]:
    """With an administrator, and with processes for its bots."""
    yield from opened(tmp_path, empty_database, admin_token=ADMIN, bot_workers=1)


async def until(person: Client, holds: Callable[[Message], Any]) -> Message:
    """The next message of which something is so."""
    while not holds(message := await person.next()):
        pass
    return message


def changed(holds: Callable[[list[Message]], Any]) -> Callable[[Message], Any]:
    """The table has changed, and something is so of its chairs."""
    return lambda m: m["kind"] == "table_changed" and holds(m["table"]["chairs"])


async def post(person: Client, table: str, what: str, **body: Any) -> Any:
    return await person.ask("POST", f"/api/tables/{table}/{what}", body)


async def closed(person: Client) -> int | None:
    """Read to the end; how it was closed."""
    assert person.socket
    with suppress(ConnectionClosed):
        while True:
            await person.next()
    return person.socket.close_code


async def quiet(person: Client) -> list[str]:
    """The kinds of all messages that come before the answer to a question of no meaning."""
    before = len(person.received)
    await person.send(kind="sit", seat=99)
    await until(person, lambda m: m["kind"] == "refused" and m["reason"] == "not_your_seat")
    return [message["kind"] for message in person.received[before:-1]]


async def over(person: Client) -> None:
    """The table knows that the match is over, and so does the person."""
    while not any(
        message["kind"] == "table_changed" and message["table"]["phase"] == "over"
        for message in person.received
    ):
        await person.next()


def mover(people: list[Client]) -> Client:
    """Whose turn it is in Unikat."""
    (one,) = [person for person in people if person.view["to_move"] == person.seat]
    return one


def some_action(view: Any) -> Any:
    """Anything that is legal now."""
    choices = view["choices"]
    if choices["lay"]:
        tile, (cell, *_) = next(iter(choices["lay"].items()))
        return {"kind": "lay", "tiles": [[tile, *cell]]}
    for kind in ("decline", "pass", "ready"):
        if choices[kind]:
            return {"kind": kind}
    take = choices["take"][0]
    if choices["draw"]:
        return {"kind": "draw", "take": take}
    return {"kind": "swap", "give": view["hand"][0], "take": take}


def solution(person: Client) -> list[Message]:
    """The actions that solve the person's card."""
    deal = person.view["deals"][str(person.seat)]
    area = tuple(Hex(*cell) for cell in deal["area"])
    pieces = [tuple(Hex(*cell) for cell in cells) for cells in deal["pieces"].values()]
    solved = solver.first(area, pieces)
    assert solved
    return [
        {"kind": "place", "piece": int(number), "cells": cells}
        for number, cells in zip(deal["pieces"], solved, strict=True)
    ]


async def begin_round(house: House, people: list[Client]) -> None:
    """Everyone is ready, and the countdown is over."""
    for person in people:
        assert (await person.act({"kind": "ready"}))["kind"] == "done"
    await until(people[0], lambda m: m["kind"] == "update" and m["view"]["phase"] == "countdown")
    house.pass_time(3_000)
    for person in people:
        await until(person, lambda m: m["kind"] == "update" and m["view"]["phase"] == "solving")


# ------------------------------------------------------------------------------- coming in


@scene
async def test_the_first_message_says_hello(house: House) -> None:
    table, (ola, _) = await house.table()
    hello = ola.received[0]
    assert hello["kind"] == "hello"
    assert (hello["v"], hello["yours"], hello["host"], hello["now"]) == (1, [0], True, house.now)
    assert hello["table"]["id"] == table
    assert [chair["name"] for chair in hello["table"]["chairs"]] == ["person 0", "person 1"]
    chairs = (await until(ola, changed(lambda chairs: chairs[1]["here"])))["table"]["chairs"]
    assert chairs[0]["here"]


@scene
@pytest.mark.parametrize("table", ["aaaaaaaaaa", "no-table", "%2e%2e", "a" * 300])
async def test_there_is_no_such_table(house: House, table: str) -> None:
    ola = house.person()
    await ola.join(table)
    assert await closed(ola) == 4404
    assert len(house.live.hub) == 0


@scene
async def test_who_sits_down_after_connecting_sees_from_there(house: House) -> None:
    ola, max_ = house.person(), house.person()
    table = await table_for(ola, chairs=2)
    await max_.ask("GET", "/api/mine")
    for person in (ola, max_):
        await person.join(table)
        assert (await person.next())["yours"] == []
        await post(person, table, "seats", name="somebody")
    await until(max_, changed(lambda chairs: chairs[1]["kind"] == "person"))
    await start(ola, table)
    for seat, person in enumerate((ola, max_)):
        update = await person.until("update")
        assert (update["seat"], len(update["view"]["hand"])) == (seat, 10)


@scene
async def test_a_spectator_sees_what_everyone_may(house: House) -> None:
    table, people = await house.match()
    viewer = house.person()
    await viewer.join(table)
    assert (await viewer.until("hello"))["yours"] == []
    update = await viewer.until("update")
    assert (update["seat"], update["view"]["hand"]) == (None, [])
    await mover(people).act(some_action(mover(people).view))
    assert (await viewer.until("update"))["events"]
    viewer.seat = 0
    assert (await viewer.act({"kind": "pass"}))["reason"] == "not_your_seat"
    await viewer.send(kind="react", reaction="clap")
    assert (await viewer.until("refused"))["reason"] == "not_your_seat"


# ---------------------------------------------------------------------------------- acting


@scene
async def test_an_action_is_done_and_everyone_sees_it(house: House) -> None:
    _, people = await house.match()
    one = mover(people)
    other = people[1 - people.index(one)]
    done = await one.act(some_action(one.view), id="first")
    assert done["kind"] == "done"
    for person in people:
        if person.seq < done["seq"]:
            await person.until("update")
        assert (person.seq, person.view["counts"]) == (done["seq"], one.view["counts"])
    assert [m for m in other.received if m["kind"] == "update"][-1]["events"]


@scene
async def test_sent_again_it_is_answered_again_and_done_once(house: House) -> None:
    _, people = await house.match()
    one = mover(people)
    lay = some_action(one.view)
    answers = [await one.act(lay, id="again") for _ in range(3)]
    assert answers == [answers[0]] * 3
    # Another seat's command of the same name is another command.
    await people[0].send(kind="sync", seq=0, hash="")
    await people[0].until("update")
    two = people[1 - people.index(one)]
    assert (await two.act({"kind": "pass"}, id="again"))["kind"] == "refused"


@scene
async def test_refusals_name_the_command_and_the_reason(house: House) -> None:
    table, people = await house.table()
    ola = people[0]
    ola.seat = 0
    assert (await ola.act({"kind": "pass"}))["reason"] == "wrong_phase"
    await start(ola, table)
    for person in people:
        await person.until("update")
    one = mover(people)
    two = people[1 - people.index(one)]
    assert (await two.act({"kind": "pass"}, id="x"))["id"] == "x"
    for person, action, reason in [
        (two, {"kind": "pass"}, "not_your_turn"),
        (one, {"kind": "pass"}, "must_act"),
        (one, {"kind": "lay", "tiles": []}, "bad_request"),
        (one, {"kind": "lay", "tiles": [[one.view["hand"][0], 10**30, 0]]}, "touches_nothing"),
        (one, {"kind": "fly"}, "bad_request"),
        (one, 7, "bad_request"),
        (one, {"kind": "draw", "take": "bag"}, "wrong_phase"),
    ]:
        assert (await person.act(action))["reason"] in (reason, "no_tiles"), action
    one.seat = 1 - people.index(one)
    assert (await one.act({"kind": "pass"}))["reason"] == "not_your_seat"
    for id in ("", "a b", "a\0", "é", "a\n", "a" * 65):
        await one.send(kind="act", id=id, seat=0, action={"kind": "pass"})
        assert (await one.until("refused"))["reason"] == "bad_request"


@scene
async def test_one_device_is_passed_around(house: House) -> None:
    ola = house.person()
    table = await table_for(ola, chairs=3)
    for name in ("Ola", "Max"):
        await post(ola, table, "seats", name=name)
    eva = house.person()
    await post(eva, table, "seats", name="Eva")
    await ola.join(table)
    assert (await ola.until("hello"))["yours"] == [0, 1]
    await start(ola, table)
    first = await ola.until("update")
    assert first["seat"] == 0
    await ola.send(kind="sit", seat=1)
    second = await ola.until("update")
    assert (second["seat"], second["events"]) == (1, [])
    assert second["view"]["hand"] != first["view"]["hand"]
    await ola.send(kind="sit", seat=None)
    assert (await ola.until("update"))["view"]["hand"] == []
    for seat in (2, 3, -1, 10**30):
        await ola.send(kind="sit", seat=seat)
        assert (await ola.until("refused"))["reason"] == "not_your_seat"
    # Either seat can be acted for, whichever is looked from.
    ola.seat = 1
    assert (await ola.act({"kind": "pass"}))["reason"] in ("not_your_turn", "must_act")


# ----------------------------------------------------------------------------- catching up


@scene
async def test_who_is_right_is_sent_nothing_and_who_is_not_one_update(house: House) -> None:
    _, people = await house.match()
    ola = people[0]
    right = ola.received[-1]
    await ola.send(kind="sync", seq=right["seq"], hash=right["hash"])
    assert "update" not in await quiet(ola)
    for wrong in ({"hash": "wrong"}, {"seq": right["seq"] - 1}, {"seq": 10**30}):
        await ola.send(**{"kind": "sync", "seq": right["seq"], "hash": right["hash"], **wrong})
        assert (await quiet(ola)).count("update") == 1
        update = [m for m in ola.received if m["kind"] == "update"][-1]
        assert {**update, "now": 0} == {**right, "now": 0}


@scene
async def test_coming_back_is_one_whole_update(house: House) -> None:
    table, people = await house.match()
    ola = people[0]
    one = mover(people)
    await ola.socket.close()  # type: ignore[union-attr]
    if one is not ola:
        await one.act(some_action(one.view))
    back = house.person(ola.token)
    await back.join(table)
    assert (await back.next())["kind"] == "hello"
    assert (await quiet(back)).count("update") == 1
    assert back.seat == 0
    assert back.seq >= ola.seq
    (update,) = [m for m in back.received if m["kind"] == "update"]
    assert update["events"] == []


@scene
async def test_a_slow_reader_is_cut_off_and_loses_nothing(house: House) -> None:
    house.listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 4_096)
    table, (ola, max_) = await house.match()
    small = sockets.socket()
    small.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4_096)
    small.connect(("127.0.0.1", house.listener.getsockname()[1]))
    url = f"ws://127.0.0.1/api/tables/{table}/socket"
    headers = {"Authorization": f"Bearer {max_.token}"}
    await max_.socket.close()  # type: ignore[union-attr]
    await until(ola, changed(lambda chairs: not chairs[1]["here"]))
    slow = await connect(url, sock=small, additional_headers=headers, max_queue=1)
    await until(ola, changed(lambda chairs: chairs[1]["here"]))
    there = next(one for one in house.live.hub.at(table) if one.seat == 1)
    for _ in range(2_000):  # whole updates, of which none is read
        await house.live.show(there)
        await asyncio.sleep(0)
    await until(ola, changed(lambda chairs: not chairs[1]["here"]))
    assert len(house.live.hub) == 1
    with suppress(ConnectionClosed):
        while True:
            await slow.recv()
    again = house.person(max_.token)
    await again.join(table)
    update = await again.until("update")
    assert (update["seq"], update["view"]) == (max_.seq, max_.view)
    await slow.close()


def test_what_waits_for_a_connection_is_bounded() -> None:
    cut: list[bool] = []
    connection = Connection("table", None, lambda: cut.append(True))
    for _ in range(1_000):
        connection.put(b"data")
    assert (connection.overflowed, cut, len(connection._queue)) == (True, [True], 0)
    other = Connection("table", None)
    for _ in range(QUEUE):
        other.put(b"data")
    other.close()
    other.put(b"too late")
    assert not other.overflowed
    assert [asyncio.run(other.next()) for _ in range(QUEUE + 1)] == [b"data"] * QUEUE + [None]


# ----------------------------------------------------------------------------------- delay


async def pinged(person: Client) -> int:
    """Read on to a ping, and do not answer."""
    assert person.socket
    while (message := json.loads(await person.socket.recv()))["kind"] != "ping":
        pass
    n: int = message["n"]
    return n


@scene
async def test_the_delay_is_measured_shown_and_credited_up_to_a_limit(house: House) -> None:
    table, people = await house.table("ubongo")
    ola, max_ = people
    await until(max_, changed(lambda chairs: chairs[1]["lag"] == 0))
    slow = house.person(ola.token)
    await ola.socket.close()  # type: ignore[union-attr]
    await slow.join(table)
    n = await pinged(slow)
    assert n == house.now
    await slow.send(kind="pong", n=0)  # nobody asked for this
    await slow.send(kind="pong", n=n + 1)
    house.pass_time(700)
    await slow.send(kind="pong", n=n)
    shown = await until(max_, changed(lambda chairs: chairs[0]["lag"] is not None))
    assert [chair["lag"] for chair in shown["table"]["chairs"]] == [350, 0]
    await slow.send(kind="pong", n=n)  # answered already
    await start(slow, table)
    for person in (slow, max_):
        await person.until("update")
    await begin_round(house, [slow, max_])
    house.pass_time(20_000)
    for action in solution(slow):
        assert (await slow.act(action))["kind"] == "done"
    update = await until(
        max_,
        lambda m: m["kind"] == "update" and any(e["kind"] == "card_solved" for e in m["events"]),
    )
    (solved,) = [event for event in update["events"] if event["kind"] == "card_solved"]
    assert (solved["lag"], solved["at"] - solved["time"]) == (350, 250)


def test_of_several_measurements_the_least_counts() -> None:
    connection = Connection("table", None)
    assert connection.lag is None
    for round_trip in (80, 300, 60, 500):
        n = connection.ping(1_000).n
        connection.pong(n, 1_000 + round_trip)
    assert connection.lag == 30
    for _ in range(5):
        connection.pong(connection.ping(1_000).n, 1_400)
    assert connection.lag == 200
    connection.pong(connection.ping(1_000).n, 900)  # the clock was set back
    assert connection.lag == 0


# ------------------------------------------------------------------ leaving, pausing, playing on


@scene
async def test_a_bot_sits_in_and_the_person_takes_the_seat_back(house: House) -> None:
    table, people = await house.match(agreement={"away_seconds": 60})
    one = mover(people)
    seat = people.index(one)
    other = people[1 - seat]
    await one.socket.close()  # type: ignore[union-attr]
    await until(other, changed(lambda chairs: not chairs[seat]["here"]))
    house.pass_time(59_000)
    assert "update" not in await quiet(other)
    house.pass_time(2_000)
    chairs = (await until(other, changed(lambda c: c[seat]["stand_in"])))["table"]["chairs"]
    assert (chairs[seat]["level"], chairs[seat]["kind"]) == ("medium", "person")
    turn = asyncio.create_task(
        until(other, lambda m: m["kind"] == "update" and m["view"]["to_move"] != seat)
    )
    await house.hurry(turn.done, 60_000)
    back = house.person(one.token)
    await back.join(table)
    assert (await back.next())["kind"] == "hello"  # before all that follows from their coming
    chairs = (await until(other, changed(lambda c: c[seat]["here"])))["table"]["chairs"]
    if chairs[seat]["stand_in"]:
        await until(other, changed(lambda c: not c[seat]["stand_in"]))
    done = await other.act(some_action(other.view))
    await until(back, lambda m: m["kind"] == "update" and m["seq"] == done["seq"])
    house.pass_time(600_000)
    assert "update" not in await quiet(back)


@scene
async def test_who_comes_back_in_time_is_not_replaced(house: House) -> None:
    table, (ola, max_) = await house.match(agreement={"away_seconds": 60})
    await ola.socket.close()  # type: ignore[union-attr]
    await until(max_, changed(lambda chairs: not chairs[0]["here"]))
    house.pass_time(59_000)
    back = house.person(ola.token)
    await back.join(table)
    await back.until("update")
    house.pass_time(600_000)
    await quiet(max_)
    assert not any(
        chair["stand_in"]
        for message in max_.received
        if message["kind"] == "table_changed"
        for chair in message["table"]["chairs"]
    )


@scene
async def test_a_turn_that_takes_too_long_is_played_by_a_bot(house: House) -> None:
    _, people = await house.match(agreement={"turn_seconds": 30, "bot_level": "easy"})
    one = mover(people)
    seat = people.index(one)
    house.pass_time(29_000)
    assert "update" not in await quiet(one)
    house.pass_time(2_000)
    chairs = (await until(one, changed(lambda c: c[seat]["stand_in"])))["table"]["chairs"]
    assert chairs[seat]["level"] == "easy"
    turn = asyncio.create_task(
        until(one, lambda m: m["kind"] == "update" and m["view"]["to_move"] != seat)
    )
    await house.hurry(turn.done, 30_000)
    # Who acts plays again.
    assert (await one.act({"kind": "pass"}))["reason"] == "not_your_turn"
    told = [m for m in one.received if m["kind"] == "table_changed"]
    if told[-1]["table"]["chairs"][seat]["stand_in"]:
        await until(one, changed(lambda c: not c[seat]["stand_in"]))


@scene
async def test_slow_play_waits_for_days(house: House) -> None:
    day = 86_400
    _, people = await house.match(agreement={"slow": True, "turn_seconds": 2 * day})
    one = mover(people)
    seat = people.index(one)
    other = people[1 - seat]
    await one.socket.close()  # type: ignore[union-attr]
    await until(other, changed(lambda chairs: not chairs[seat]["here"]))
    house.pass_time(1_900 * day)
    assert "update" not in await quiet(other)
    house.pass_time(200 * day)
    await until(other, changed(lambda chairs: chairs[seat]["stand_in"]))


@scene
async def test_a_pause_by_agreement_stops_the_sand(house: House) -> None:
    table, people = await house.match("ubongo")
    ola, max_ = people
    await begin_round(house, people)
    sand = ola.view["sand"]
    house.pass_time(10_000)
    await post(ola, table, "pause")
    told = await until(max_, lambda m: m["kind"] == "table_changed" and m["table"]["pausing"])
    assert (told["table"]["pausing"], told["table"]["paused"]) == ([0], None)
    await post(max_, table, "pause")
    for person in people:
        told = await until(person, lambda m: m["kind"] == "table_changed" and m["table"]["paused"])
        assert told["table"]["paused"] == house.now
    assert (await ola.act({"kind": "give_up"}))["reason"] == "paused"
    house.pass_time(1_000_000)
    assert "update" not in await quiet(ola)
    for person in people:
        await post(person, table, "pause")
    for person in people:
        await until(person, lambda m: m["kind"] == "update" and m["view"]["sand"] != sand)
        assert person.view["sand"] == sand + 1_000_000
    house.pass_time(40_000)
    assert (await ola.act(solution(ola)[0]))["kind"] == "done"
    house.pass_time(10_000 + 250)
    for person in people:
        await until(person, lambda m: m["kind"] == "update" and "second" in m["view"]["phase"])


@scene
async def test_who_lost_the_seat_sees_nothing_of_it_any_more(house: House) -> None:
    table, people = await house.match(people=3)
    ola, max_, eva = people
    hand = max_.view["hand"]
    await ola.ask("DELETE", f"/api/tables/{table}/seats/1")
    gone = await until(max_, lambda m: m["kind"] == "table_changed" and m["yours"] == [])
    assert gone["table"]["chairs"][1]["stand_in"]
    update = await max_.until("update")
    assert (update["seat"], update["view"]["hand"]) == (None, [])
    await max_.send(kind="sit", seat=1)
    assert (await max_.until("refused"))["reason"] == "not_your_seat"
    max_.seat = 1
    assert (await max_.act({"kind": "pass"}))["reason"] == "not_your_seat"
    with pytest.raises(Refusal) as refused:
        await max_.ask("GET", f"/api/tables/{table}/matches/1/events?seat=1")
    assert refused.value.args == (403, "not_your_seat")
    # Whoever sits down there now has the hand that was left.
    new = house.person()
    await new.ask("GET", "/api/mine")
    await new.join(table)
    await new.until("update")
    await post(new, table, "seats", name="New", seat=1)
    update = await until(new, lambda m: m["kind"] == "update" and m["seat"] == 1)
    assert len(set(update["view"]["hand"]) & set(hand)) >= 9
    await quiet(max_)
    told = [m for m in max_.received[max_.received.index(gone) :] if m["kind"] == "update"]
    assert {m["seat"] for m in told} == {None}
    assert await quiet(eva) is not None


@scene
async def test_a_seat_that_was_lost_before_the_match_begins(house: House) -> None:
    table, (ola, max_) = await house.table()
    await max_.ask("DELETE", f"/api/tables/{table}/seats/1")
    eva = house.person()
    await post(eva, table, "seats", name="Eva", seat=1)
    await start(ola, table)
    update = await max_.until("update")
    assert (update["seat"], update["view"]["hand"]) == (None, [])


@scene
async def test_another_match_at_the_same_table(house: House) -> None:
    table, people = await house.match(options={"blocked": [1, 2]})
    playing = asyncio.gather(*(person.play() for person in people))
    await playing
    ola = people[0]
    await over(ola)
    with pytest.raises(Refusal, match="not_host"):
        await post(people[1], table, "rematch")
    await post(ola, table, "rematch")
    for seat, person in enumerate(people):
        path = f"/api/tables/{table}/seats/{seat}/share"
        await person.ask("PUT", path, {"share": f"another of {seat}"})
    await start(ola, table)
    for person in people:
        update = await until(person, lambda m: m["kind"] == "update" and m["match"].endswith(".2"))
        assert (update["events"], update["view"]["outcome"]) == ([], None)
    assert [*house.live._rooms] == [f"{table}.2"]
    assert (await mover(people).act(some_action(mover(people).view)))["kind"] == "done"
    for number in (1, 2):
        if number == 1:
            verdict = await post(ola, table, f"matches/{number}/verify")
            assert verdict == {"sound": True, "flaw": None, "event": None}
        else:
            with pytest.raises(Refusal, match="match_not_over"):
                await post(ola, table, f"matches/{number}/verify")


@scene
async def test_an_action_for_the_last_match_is_not_done_in_the_next(house: House) -> None:
    table, people = await house.match(options={"blocked": [1, 2]})
    first = mover(people)
    action = some_action(first.view)
    done = await first.act(action, id="early")
    await asyncio.gather(*(person.play() for person in people))
    ola = people[0]
    await over(ola)
    await post(ola, table, "rematch")

    async def late(id: str, match: str) -> Message:
        seat = people.index(first)
        await first.send(kind="act", id=id, seat=seat, action=action, match=match)
        return await until(first, lambda m: m.get("id") == id)

    for phase in ("lobby", "playing"):
        if phase == "playing":
            await start(ola, table)
            for person in people:
                await until(person, lambda m: m["kind"] == "update" and m["match"][-1] == "2")
        # What was done then is answered as it was then.
        assert await late("early", f"{table}.1") == done
        for match in (f"{table}.1", f"{table}.3", table, "aaaaaaaaaa.1", "nonsense"):
            refused = await late("late", match)
            assert (refused["reason"], refused["detail"]) == (
                "other_match",
                {"match": f"{table}.2"},
            )
    await first.send(kind="act", id="x", seat=0, action=action, match="é")
    assert (await first.until("refused"))["reason"] == "bad_request"
    assert len(await house.store.events(f"{table}.2")) == people[0].seq
    # Under the same id something else may be done now.
    again = mover(people)
    assert (await again.act(some_action(again.view), id="early"))["kind"] == "done"


@scene
async def test_talk(house: House) -> None:
    table, (ola, max_) = await house.table(agreement={"chat": True})
    await ola.send(kind="react", reaction="clap")
    line = await max_.until("line")
    assert (line["seat"], line["reaction"], line["text"]) == (0, "clap", None)
    await max_.send(kind="chat", text="  Ahoj\u202e,\0 Olo!\n")
    line = await ola.until("line")
    while line["text"] is None:
        line = await ola.until("line")
    assert (line["seat"], line["text"]) == (1, "Ahoj, Olo!")
    await ola.ask("PUT", f"/api/tables/{table}/seats/1/muted", {"muted": True})
    await max_.send(kind="chat", text="Hm?")
    assert (await max_.until("refused"))["reason"] == "muted"
    await ola.ask("PUT", f"/api/tables/{table}/agreement", {"chat": False})
    await ola.send(kind="chat", text="Hm.")
    assert (await ola.until("refused"))["reason"] == "no_chat"
    for bad in ("", "x" * 281):
        await ola.send(kind="chat", text=bad)
        assert (await ola.until("refused"))["reason"] == "bad_request"


# ------------------------------------------------------------------------------- whole matches


@pytest.mark.parametrize("game", ["unikat", "ubongo"])
def test_bots_alone_play_to_the_end(big_house: tuple[House, asyncio.Runner], game: str) -> None:
    house, runner = big_house

    async def played() -> None:
        screen = house.person()
        table = await table_for(screen, game, chairs=3)
        for seat, level in enumerate(("first-steps", "medium", "master")):
            await screen.ask("PUT", f"/api/tables/{table}/seats/{seat}/bot", {"level": level})
        await start(screen, table)
        for _ in range(3):  # nobody is connected
            await house.hurry(lambda now=house.now: house.now > now)  # type: ignore[misc]
        await screen.join(table)
        end = asyncio.create_task(
            until(screen, lambda m: m["kind"] == "table_changed" and m["table"]["phase"] == "over")
        )
        await house.hurry(end.done)
        assert screen.view["outcome"]
        assert (await post(screen, table, "matches/1/verify"))["sound"]
        assert house.live._rooms
        await screen.close()
        await house.quiet()
        assert not house.live._rooms

    runner.run(asyncio.wait_for(played(), 40))


@scene
async def test_people_and_bots_together(house: House) -> None:
    table, people = await house.match("unikat", people=2, bots=2)
    playing = asyncio.gather(*(person.play() for person in people))
    await house.hurry(playing.done)
    await playing
    assert people[0].view["outcome"] == people[1].view["outcome"]
    await over(people[0])
    assert (await post(people[0], table, "matches/1/verify"))["sound"]


async def race(person: Client) -> None:
    """Solve card after card, whenever there is one."""
    while not person.view["outcome"]:
        choices = person.view["choices"]
        if choices["ready"]:
            await person.act({"kind": "ready"})
        elif choices["solve"]:
            for action in solution(person):
                await person.act(action)
        if not person.view["outcome"] and not any(person.view["choices"].values()):
            await person.next()


@scene
async def test_a_race_against_bots(house: House) -> None:
    table, (ola,) = await house.match("ubongo", people=1, bots=2)
    racing = asyncio.create_task(race(ola))
    await house.hurry(racing.done)
    await racing
    await over(ola)
    assert (await post(ola, table, "matches/1/verify"))["sound"]
    assert (await ola.ask("GET", f"/api/tables/{table}/matches/1/file"))["pytlik"] == 1


def test_a_table_that_is_deleted(big_house: tuple[House, asyncio.Runner]) -> None:
    house, runner = big_house

    async def played() -> None:
        table, (ola, max_) = await house.match()
        await house.person(ADMIN).ask("DELETE", f"/api/tables/{table}")
        for person in (ola, max_):
            await person.until("table_gone")
            assert await closed(person) == 1013
        await house.quiet()
        assert not house.live._rooms

    runner.run(asyncio.wait_for(played(), 40))


@scene
async def test_what_is_due_sooner_than_thought_is_not_late(house: House) -> None:
    """The clock waits for the next deadline, and is woken up for one before it, and again."""
    clocks = house.live.clocks
    looked = asyncio.Event()
    looking, clocks._store.take_due = clocks._store.take_due, None  # type: ignore[method-assign,assignment]

    async def look(now: int, lease: int, limit: int) -> Any:
        looked.set()
        return await looking(now, lease, limit)

    clocks._store.take_due = look  # type: ignore[method-assign]
    house.pass_time(0)
    await looked.wait()
    looked.clear()
    clocks.noted({"one": house.now + 900})
    await asyncio.sleep(0)
    clocks.noted({"two": house.now})
    async with asyncio.timeout(0.5):
        await looked.wait()


# ------------------------------------------------------------------------------- what is refused


@scene
async def test_frames_that_are_no_messages(house: House) -> None:
    _, (ola, _) = await house.match()
    assert ola.socket
    frames: list[str | bytes] = [
        "",
        "null",
        "{",
        "[" * 4_000,
        '{"kind": "act", "id": "a", "seat": 0, "action": ' + "[" * 4_000 + "]" * 4_000 + "}",
        '{"kind": "nothing"}',
        '{"kind": "sit", "seat": 0, "more": 1}',
        '{"kind": "pong", "n": 1.5}',
        b"binary",
        b'{"kind": "sit", "seat": 0}',
        "\0",
        '{"kind": "chat", "text": "\\ud800"}',
    ]
    for frame in frames:
        await ola.socket.send(frame)
        refused = await ola.until("refused")
        assert (refused["id"], refused["reason"]) == (None, "bad_request"), frame
    assert "update" not in await quiet(ola)


@scene
async def test_a_frame_may_have_8_kilobytes(house: House) -> None:
    _, (ola, max_) = await house.match()
    assert ola.socket
    await ola.socket.send("x" * 8_192)
    assert (await ola.until("refused"))["reason"] == "bad_request"
    await ola.socket.send("x" * 8_193)
    assert await closed(ola) == 1009
    assert max_.socket
    await max_.socket.send("ř" * 5_000)  # bytes count, and not letters
    assert await closed(max_) == 1009


@scene
async def test_so_many_frames_in_so_much_time(house: House) -> None:
    _, (ola, max_) = await house.match()
    await quiet(ola)
    for _ in range(300):  # 100 in 20 seconds is no problem
        house.pass_time(200)
        await ola.send(kind="sit", seat=99)
        await ola.until("refused")
    for _ in range(121):
        await max_.send(kind="sit", seat=99)
    assert await closed(max_) == 1008
    assert max_.received[-1]["reason"] == "too_fast"


@scene
async def test_where_a_socket_may_come_from(house: House) -> None:
    table, (ola, _) = await house.table()
    url = house.address.replace("http", "ws") + f"/api/tables/{table}/socket"
    cookie = {"Cookie": f"pytlik={ola.token}"}
    for headers in (
        {**cookie, "Origin": "https://elsewhere.example"},
        {**cookie, "Origin": "null"},
        cookie,
        {"Origin": "https://elsewhere.example"},
        {"Authorization": "Bearer nonsense"},
        {"Authorization": "Basic b2xhOm9sYQ=="},
    ):
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, additional_headers=headers)
        assert refused.value.response.status_code == 403
    for headers in (
        {**cookie, "Origin": house.address},
        {"Authorization": f"Bearer {ola.token}"},
    ):
        async with connect(url, additional_headers=headers) as socket:
            assert json.loads(await socket.recv())["yours"] == [0]
    async with connect(url) as socket:
        assert json.loads(await socket.recv())["yours"] == []


@scene
async def test_nothing_is_compressed(house: House) -> None:
    """Lengths would tell of secrets."""
    table, _ = await house.table()
    url = house.address.replace("http", "ws") + f"/api/tables/{table}/socket"
    async with connect(url, compression="deflate") as socket:
        assert socket.request
        assert "deflate" in socket.request.headers["Sec-WebSocket-Extensions"]
        assert socket.response
        assert "Sec-WebSocket-Extensions" not in socket.response.headers
