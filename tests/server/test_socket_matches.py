"""Whole matches by socket, with people and bots, and another after them."""

import asyncio

import pytest

from tests.server.client import Refusal, table_for
from tests.server.house import (
    PATIENCE,
    House,
    big_house,
    empty_database,
    house,
    same_secrets,
    scene,
    start,
)
from tests.server.people import Message, mover, over, post, race, some_action, until

__all__ = ["big_house", "empty_database", "house", "same_secrets"]


@pytest.mark.parametrize("game", ["unikat", "ubongo"])
def test_bots_alone_play_to_the_end(big_house: tuple[House, asyncio.Runner], game: str) -> None:
    house, runner = big_house

    async def played() -> None:
        screen = house.person()
        table = await table_for(screen, game, chairs=3)
        for seat, level in enumerate(("first-steps", "medium", "master")):
            await screen.ask("PUT", f"/api/tables/{table}/seats/{seat}/bot", {"level": level})
        await start(screen, table)
        await screen.join(table)
        end = asyncio.create_task(
            until(screen, lambda m: m["kind"] == "table_changed" and m["table"]["phase"] == "over")
        )
        await house.hurry(end.done)
        assert screen.view["outcome"]
        assert (await post(screen, table, "matches/1/verify"))["sound"]
        assert house.open_matches
        await screen.close()
        await house.quiet()
        assert not house.open_matches

    runner.run(asyncio.wait_for(played(), PATIENCE))


@scene
async def test_people_and_bots_together(house: House) -> None:
    table, people = await house.match("unikat", people=2, bots=2)
    playing = asyncio.gather(*(person.play() for person in people))
    await house.hurry(playing.done)
    await playing
    assert people[0].view["outcome"] == people[1].view["outcome"]
    await over(people[0])
    assert (await post(people[0], table, "matches/1/verify"))["sound"]


@scene
async def test_a_race_against_bots(house: House) -> None:
    table, (ola,) = await house.match("ubongo", people=1, bots=2)
    racing = asyncio.create_task(race(ola))
    await house.hurry(racing.done)
    await racing
    await over(ola)
    assert (await post(ola, table, "matches/1/verify"))["sound"]
    assert (await ola.ask("GET", f"/api/tables/{table}/matches/1/file"))["pytlik"] == 1


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
    assert house.open_matches == [f"{table}.2"]
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
