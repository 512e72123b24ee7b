"""Actions over a socket: done or refused, matched by id, and done once."""

from tests.server.client import create_table
from tests.server.live_server import LiveServer, server_test, start_match
from tests.server.people_at_table import any_legal_action, person_to_move, post_to_table


@server_test
async def test_an_action_is_done_and_everyone_sees_it(live_server: LiveServer) -> None:
    _, people = await live_server.create_match()
    one = person_to_move(people)
    other = people[1 - people.index(one)]
    done = await one.act(any_legal_action(one.view), id="first")
    assert done["kind"] == "done"
    for person in people:
        if person.seq < done["seq"]:
            await person.wait_for("update")
        assert (person.seq, person.view["counts"]) == (done["seq"], one.view["counts"])
    assert [m for m in other.received if m["kind"] == "update"][-1]["events"]


@server_test
async def test_updates_name_the_awaited_seats(live_server: LiveServer) -> None:
    table, people = await live_server.create_match()
    viewer = live_server.new_person()
    await viewer.join(table)
    before = await viewer.wait_for("update")
    assert before["awaited"] == [before["view"]["to_move"]]
    await person_to_move(people).act(any_legal_action(person_to_move(people).view))
    after = await viewer.wait_for("update")
    assert after["awaited"] == [after["view"]["to_move"]]


@server_test
async def test_resent_action_is_answered_again_and_done_once(live_server: LiveServer) -> None:
    _, people = await live_server.create_match()
    one = person_to_move(people)
    lay = any_legal_action(one.view)
    answers = [await one.act(lay, id="again") for _ in range(3)]
    assert answers == [answers[0]] * 3
    # A command of another seat with the same id is another command.
    await people[0].send(kind="sync", seq=0, hash="")
    await people[0].wait_for("update")
    two = people[1 - people.index(one)]
    assert (await two.act({"kind": "pass"}, id="again"))["kind"] == "refused"


@server_test
async def test_refusals_name_the_command_and_the_reason(live_server: LiveServer) -> None:
    table, people = await live_server.create_table()
    ola = people[0]
    ola.seat = 0
    assert (await ola.act({"kind": "pass"}))["reason"] == "wrong_phase"
    await start_match(ola, table)
    for person in people:
        await person.wait_for("update")
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
        assert (await one.wait_for("refused"))["reason"] == "bad_request"


@server_test
async def test_one_device_can_hold_several_seats(live_server: LiveServer) -> None:
    ola = live_server.new_person()
    table = await create_table(ola, chairs=3)
    for name in ("Ola", "Max"):
        await post_to_table(ola, table, "seats", name=name)
    eva = live_server.new_person()
    await post_to_table(eva, table, "seats", name="Eva")
    await ola.join(table)
    assert (await ola.wait_for("hello"))["yours"] == [0, 1]
    await start_match(ola, table)
    first = await ola.wait_for("update")
    assert first["seat"] == 0
    await ola.send(kind="sit", seat=1)
    second = await ola.wait_for("update")
    assert (second["seat"], second["events"]) == (1, [])
    assert second["view"]["hand"] != first["view"]["hand"]
    await ola.send(kind="sit", seat=None)
    assert (await ola.wait_for("update"))["view"]["hand"] == []
    for seat in (2, 3, -1, 10**30):
        await ola.send(kind="sit", seat=seat)
        assert (await ola.wait_for("refused"))["reason"] == "not_your_seat"
    # Either seat can act, whichever one the person watches from.
    reasons = ["not_your_turn"] * 3
    reasons[ola.view["to_move"]] = "must_act"
    for seat in (0, 1):
        ola.seat = seat
        assert (await ola.act({"kind": "pass"}))["reason"] == reasons[seat]
