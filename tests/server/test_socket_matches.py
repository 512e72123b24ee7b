"""Whole matches over sockets, with people and bots, and a rematch."""

import asyncio

import pytest

from tests.server.client import Refusal, create_table
from tests.server.live_server import TIMEOUT_SECONDS, LiveServer, server_test, start_match
from tests.server.people_at_table import (
    Message,
    any_legal_action,
    person_to_move,
    post_to_table,
    solve_all_cards,
    wait_for_message,
    wait_until_over,
)


@pytest.mark.parametrize("game", ["unikat", "ubongo"])
def test_bots_alone_finish_a_match(
    live_server_with_bot_processes: tuple[LiveServer, asyncio.Runner], game: str
) -> None:
    live_server, runner = live_server_with_bot_processes

    async def play() -> None:
        screen = live_server.new_person()
        table = await create_table(screen, game, chairs=3)
        for seat, level in enumerate(("first-steps", "medium", "master")):
            await screen.ask("PUT", f"/api/tables/{table}/seats/{seat}/bot", {"level": level})
        await start_match(screen, table)
        await screen.join(table)
        end = asyncio.create_task(
            wait_for_message(
                screen, lambda m: m["kind"] == "table_changed" and m["table"]["phase"] == "over"
            )
        )
        await live_server.skip_time_until(end.done)
        assert screen.view["outcome"]
        assert (await post_to_table(screen, table, "matches/1/verify"))["sound"]
        assert live_server.open_matches
        await screen.close()
        await live_server.wait_until_quiet()
        assert not live_server.open_matches

    runner.run(asyncio.wait_for(play(), TIMEOUT_SECONDS))


@server_test
async def test_people_and_bots_finish_a_match(live_server: LiveServer) -> None:
    table, people = await live_server.create_match("unikat", people=2, bots=2)
    playing = asyncio.gather(*(person.play() for person in people))
    await live_server.skip_time_until(playing.done)
    await playing
    assert people[0].view["outcome"] == people[1].view["outcome"]
    await wait_until_over(people[0])
    assert (await post_to_table(people[0], table, "matches/1/verify"))["sound"]


@server_test
async def test_a_race_against_bots(live_server: LiveServer) -> None:
    table, (ola,) = await live_server.create_match("ubongo", people=1, bots=2)
    racing = asyncio.create_task(solve_all_cards(ola))
    await live_server.skip_time_until(racing.done)
    await racing
    await wait_until_over(ola)
    assert (await post_to_table(ola, table, "matches/1/verify"))["sound"]
    assert (await ola.ask("GET", f"/api/tables/{table}/matches/1/file"))["pytlik"] == 1


@server_test
async def test_another_match_at_the_same_table(live_server: LiveServer) -> None:
    table, people = await live_server.create_match(options={"blocked": [1, 2]})
    playing = asyncio.gather(*(person.play() for person in people))
    await playing
    ola = people[0]
    await wait_until_over(ola)
    with pytest.raises(Refusal, match="not_host"):
        await post_to_table(people[1], table, "rematch")
    await post_to_table(ola, table, "rematch")
    for seat, person in enumerate(people):
        path = f"/api/tables/{table}/seats/{seat}/share"
        await person.ask("PUT", path, {"share": f"another of {seat}"})
    await start_match(ola, table)
    for person in people:
        update = await wait_for_message(
            person, lambda m: m["kind"] == "update" and m["match"].endswith(".2")
        )
        assert (update["events"], update["view"]["outcome"]) == ([], None)
    assert live_server.open_matches == [f"{table}.2"]
    assert (await person_to_move(people).act(any_legal_action(person_to_move(people).view)))[
        "kind"
    ] == "done"
    for number in (1, 2):
        if number == 1:
            verdict = await post_to_table(ola, table, f"matches/{number}/verify")
            assert verdict == {"sound": True, "flaw": None, "event": None, "first_game": False}
        else:
            with pytest.raises(Refusal, match="match_not_over"):
                await post_to_table(ola, table, f"matches/{number}/verify")


@server_test
async def test_action_for_the_last_match_is_refused_in_the_next(
    live_server: LiveServer,
) -> None:
    table, people = await live_server.create_match(options={"blocked": [1, 2]})
    first = person_to_move(people)
    action = any_legal_action(first.view)
    done = await first.act(action, id="early")
    await asyncio.gather(*(person.play() for person in people))
    ola = people[0]
    await wait_until_over(ola)
    await post_to_table(ola, table, "rematch")

    async def send_late(id: str, match: str) -> Message:
        seat = people.index(first)
        await first.send(kind="act", id=id, seat=seat, action=action, match=match)
        return await wait_for_message(first, lambda m: m.get("id") == id)

    for phase in ("lobby", "playing"):
        if phase == "playing":
            await start_match(ola, table)
            for person in people:
                await wait_for_message(
                    person, lambda m: m["kind"] == "update" and m["match"][-1] == "2"
                )
        # A command of the first match is answered as it was then.
        assert await send_late("early", f"{table}.1") == done
        for match in (f"{table}.1", f"{table}.3", table, "aaaaaaaaaa.1", "nonsense"):
            refused = await send_late("late", match)
            assert (refused["reason"], refused["detail"]) == (
                "other_match",
                {"match": f"{table}.2"},
            )
    await first.send(kind="act", id="x", seat=0, action=action, match="é")
    assert (await first.wait_for("refused"))["reason"] == "bad_request"
    assert len(await live_server.store.events(f"{table}.2")) == people[0].seq
    # The same id may stand for something else now.
    again = person_to_move(people)
    assert (await again.act(any_legal_action(again.view), id="early"))["kind"] == "done"
