"""Actions over a socket: done or refused, matched by id, and done once."""

from tests.server.client import table_for
from tests.server.live_server import LiveServer, server_test, start_match
from tests.server.people import person_to_move, post, some_action


@server_test
async def test_an_action_is_done_and_everyone_sees_it(live_server: LiveServer) -> None:
    _, people = await live_server.match()
    one = person_to_move(people)
    other = people[1 - people.index(one)]
    done = await one.act(some_action(one.view), id="first")
    assert done["kind"] == "done"
    for person in people:
        if person.seq < done["seq"]:
            await person.until("update")
        assert (person.seq, person.view["counts"]) == (done["seq"], one.view["counts"])
    assert [m for m in other.received if m["kind"] == "update"][-1]["events"]


@server_test
async def test_everyone_is_told_whom_the_match_waits_for(live_server: LiveServer) -> None:
    table, people = await live_server.match()
    viewer = live_server.person()
    await viewer.join(table)
    before = await viewer.until("update")
    assert before["awaited"] == [before["view"]["to_move"]]
    await person_to_move(people).act(some_action(person_to_move(people).view))
    after = await viewer.until("update")
    assert after["awaited"] == [after["view"]["to_move"]]


@server_test
async def test_sent_again_it_is_answered_again_and_done_once(live_server: LiveServer) -> None:
    _, people = await live_server.match()
    one = person_to_move(people)
    lay = some_action(one.view)
    answers = [await one.act(lay, id="again") for _ in range(3)]
    assert answers == [answers[0]] * 3
    # A command of another seat with the same id is another command.
    await people[0].send(kind="sync", seq=0, hash="")
    await people[0].until("update")
    two = people[1 - people.index(one)]
    assert (await two.act({"kind": "pass"}, id="again"))["kind"] == "refused"


@server_test
async def test_refusals_name_the_command_and_the_reason(live_server: LiveServer) -> None:
    table, people = await live_server.table()
    ola = people[0]
    ola.seat = 0
    assert (await ola.act({"kind": "pass"}))["reason"] == "wrong_phase"
    await start_match(ola, table)
    for person in people:
        await person.until("update")
    one = person_to_move(people)
    two = people[1 - people.index(one)]
    assert (await two.act({"kind": "pass"}, id="x"))["id"] == "x"
    for person, action, reason in [
        (two, {"kind": "pass"}, "not_your_turn"),
        (one, {"kind": "pass"}, "must_act"),
        (one, {"kind": "lay", "tiles": []}, "no_tiles"),
        (one, {"kind": "lay", "tiles": [[one.view["hand"][0], 10**30, 0]]}, "touches_nothing"),
        (one, {"kind": "fly"}, "bad_request"),
        (one, 7, "bad_request"),
        (one, {"kind": "draw", "take": "bag"}, "wrong_phase"),
    ]:
        assert (await person.act(action))["reason"] == reason, action
    one.seat = 1 - people.index(one)
    assert (await one.act({"kind": "pass"}))["reason"] == "not_your_seat"
    for id in ("", "a b", "a\0", "é", "a\n", "a" * 65):
        await one.send(kind="act", id=id, seat=0, action={"kind": "pass"})
        assert (await one.until("refused"))["reason"] == "bad_request"


@server_test
async def test_one_device_is_passed_around(live_server: LiveServer) -> None:
    ola = live_server.person()
    table = await table_for(ola, chairs=3)
    for name in ("Ola", "Max"):
        await post(ola, table, "seats", name=name)
    eva = live_server.person()
    await post(eva, table, "seats", name="Eva")
    await ola.join(table)
    assert (await ola.until("hello"))["yours"] == [0, 1]
    await start_match(ola, table)
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
    # Either seat can act, whichever one the person watches from.
    reasons = ["not_your_turn"] * 3
    reasons[ola.view["to_move"]] = "must_act"
    for seat in (0, 1):
        ola.seat = seat
        assert (await ola.act({"kind": "pass"}))["reason"] == reasons[seat]
