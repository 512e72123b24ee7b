"""Scripts for matches in which everything happens that can happen at a table."""

import itertools
from collections.abc import Awaitable, Callable

import msgspec

from pytlik.chance import from_text
from pytlik.game import Seat
from pytlik.server.match.bot_pool import think
from pytlik.ubongo.bots import find_places
from pytlik.ubongo.model import Phase
from pytlik.unikat.view import View as UnikatView
from tests.server.live_server import LiveServer
from tests.server.people_at_table import solving_actions, wait_for_message, wait_until_over
from tests.server.scripted_match import ScriptedMatch
from tests.server.sent_record import SentRecord

ScriptStep = Callable[[], Awaitable[None]]


# ---------------------------------------------------------------------------------------- Unikat


async def play_unikat_opening(live_server: LiveServer, record: SentRecord) -> ScriptedMatch:
    """A few turns of Unikat, chosen to reveal as much as possible."""
    match = ScriptedMatch(live_server, record, "unikat")
    host, other = match.host, match.other
    await match.set_up_match({0: host, 1: host, 2: other}, bots=1, starter=0)
    await match.send_chat()
    for step in range(4):
        await play_unikat_step(match, step)
    await match.reconnect(host)
    await match.request_everything()
    await match.move_seat(2)
    for step in range(4, 8):
        await play_unikat_step(match, step)
    return match


async def play_unikat_match(live_server: LiveServer, record: SentRecord) -> ScriptedMatch:
    """One device for two seats, one for the third (and later another), and a bot on the fourth."""
    match = ScriptedMatch(live_server, record, "unikat")
    host, other = match.host, match.other
    await match.set_up_match({0: host, 1: host, 2: other}, bots=1, rounds=2)
    moments: dict[int, ScriptStep] = {
        1: match.send_chat,
        2: match.request_everything,
        3: lambda: match.reconnect(host),
        5: lambda: match.leave_to_bot(other),
        9: lambda: match.reconnect(other),
        10: match.pause,
        11: lambda: match.move_seat(2),
    }
    for step in itertools.count():
        if match.rules.outcome(await match.state()):
            break
        if step in moments:
            await moments[step]()
        await play_unikat_step(match, step)
    return match


async def play_unikat_step(match: ScriptedMatch, step: int) -> None:
    state = await match.seen_state()
    if match.rules.outcome(state):
        return
    seat = match.rules.awaited(state)[0]
    if not match.is_person_connected(seat):
        seq = match.viewer.seq
        await match.pass_time_until(lambda _: match.viewer.seq > seq)
        return
    if step % 4 == 0:  # a refusal must not reveal anything either
        for give in ("0000", "1111", "2222"):
            for action in (
                {"kind": "swap", "give": give, "take": "bag"},
                {"kind": "lay", "tiles": [[give, 0, 1]]},
                {"kind": "draw", "take": give},
            ):
                if give not in (*state.hands[seat], *state.display):
                    assert (await match.act(seat, action))["kind"] == "refused"
    person = match.people[seat]
    if person.seat != seat:
        await person.send(kind="sit", seat=seat)
        await wait_for_message(person, lambda m: m["kind"] == "update" and m["seat"] == seat)
    choices = person.view["choices"]
    if choices["decline"] and step % 2:
        await match.act_and_expect_done(seat, {"kind": "decline"})
    elif choices["draw"] and "bag" in choices["take"] and state.round == 1:
        await match.act_and_expect_done(seat, {"kind": "draw", "take": "bag"})
    elif choices["swap"] and "bag" in choices["take"] and step % 5 == 0:
        await match.act_and_expect_done(
            seat, {"kind": "swap", "give": person.view["hand"][0], "take": "bag"}
        )
    else:
        view = msgspec.convert(person.view, UnikatView, str_keys=True)
        stream = from_text(f"{seat} {step}").stream("")
        await match.act_and_expect_done(seat, think("unikat", view, "easy", stream)[0][1])


# ---------------------------------------------------------------------------------------- Ubongo


async def start_round(match: ScriptedMatch) -> None:
    """Make everyone ready, request everything during the countdown, and wait until it ends."""
    state = await match.state()
    for seat in state.playing:
        if match.is_person_connected(seat):
            await match.act_and_expect_done(seat, {"kind": "ready"})
    await match.pass_time_until(lambda view: view["phase"] == "countdown")
    if state.round == 1:
        await match.request_everything()
        await match.reconnect(match.viewer)
    await match.pass_time_until(lambda view: view["phase"] == "solving")


async def place_and_lift(match: ScriptedMatch, seat: Seat, times: int) -> None:
    """Place a piece in several places and lift it again."""
    deal = (await match.state()).deals[seat]
    number, piece = min(deal.pieces.items())
    fits = sorted(find_places(deal, piece))
    for turn in range(times):
        cells = fits[(3 * turn + 1) % len(fits)]
        await match.act_and_expect_done(seat, {"kind": "place", "piece": number, "cells": cells})
    refused = await match.act(seat, {"kind": "place", "piece": number, "cells": [[99, 99]]})
    assert refused["kind"] == "refused"
    await match.act_and_expect_done(seat, {"kind": "lift", "piece": number})


async def solve_card(match: ScriptedMatch, seat: Seat) -> None:
    for action in solving_actions(match.people[seat]):
        await match.act_and_expect_done(seat, action)


async def play_ubongo_opening(live_server: LiveServer, record: SentRecord) -> ScriptedMatch:
    """The beginning of a race: both players try a few things, and one gives up."""
    match = ScriptedMatch(live_server, record, "ubongo")
    await match.set_up_match({0: match.host, 1: match.other})
    await start_round(match)
    await place_and_lift(match, 1, 2)
    await place_and_lift(match, 0, 1)
    await match.act_and_expect_done(0, {"kind": "give_up"})
    await place_and_lift(match, 1, 2)
    await match.request_everything()
    return match


async def play_two_ubongo_rounds(live_server: LiveServer, record: SentRecord) -> ScriptedMatch:
    """Two rounds with two people. In the first both solve; in the second nobody does until one
    solves in the second chance."""
    match = ScriptedMatch(live_server, record, "ubongo")
    host, other = match.host, match.other
    await match.set_up_match({0: host, 1: other})
    await match.send_chat()
    await start_round(match)
    await place_and_lift(match, 1, 3)
    await place_and_lift(match, 0, 2)
    await match.pause()
    await match.reconnect(host)
    await solve_card(match, 0)
    await place_and_lift(match, 1, 2)  # players who are done may watch
    await solve_card(match, 1)
    await match.pass_time_until(lambda view: view["phase"] == "ready")
    await start_round(match)
    await place_and_lift(match, 0, 1)
    await match.act_and_expect_done(0, {"kind": "give_up"})
    await place_and_lift(match, 1, 2)  # players who gave up may not watch: there is a second chance
    await match.reconnect(host)
    await match.request_everything()
    await match.move_seat(1)
    await match.pass_time_until(lambda view: view["phase"] == "second_chance")
    await place_and_lift(match, 0, 2)
    await place_and_lift(match, 1, 2)
    await solve_card(match, 1)
    await match.pass_time_until(lambda view: view["phase"] == "ready")
    return match


async def play_ubongo_with_bot(live_server: LiveServer, record: SentRecord) -> ScriptedMatch:
    """A whole match with a bot, and with a player who leaves for some rounds."""
    match = ScriptedMatch(live_server, record, "ubongo")
    host, other = match.host, match.other
    await match.set_up_match({0: host, 1: other}, bots=1, seconds=30)
    while not match.rules.outcome(state := await match.state()):
        if state.phase is not Phase.READY:
            break
        number = state.round + 1
        if number == 3:
            await match.leave_to_bot(other)
        if number == 6:
            await match.reconnect(other)
        await start_round(match)
        for seat in (await match.state()).playing:
            if match.is_person_connected(seat):
                await place_and_lift(match, seat, 1)
                if number % 3 == 0:
                    await match.act_and_expect_done(seat, {"kind": "give_up"})
                elif (seat + number) % 2:
                    await solve_card(match, seat)
        await match.pass_time_until(lambda view: view["phase"] in ("ready", "over"))
    return match


async def play_ubongo_tie(live_server: LiveServer, record: SentRecord) -> ScriptedMatch:
    """Nobody solves anything, so everyone is tied and a last round decides. Then another match
    begins."""
    match = ScriptedMatch(live_server, record, "ubongo")
    host, other = match.host, match.other
    await match.set_up_match({0: host, 1: other}, seconds=None)
    for number in range(1, 10):
        await start_round(match)
        for seat in (0, 1):
            if number % 4 == 1:
                await place_and_lift(match, seat, 2)
            await match.act_and_expect_done(seat, {"kind": "give_up"})
    assert (await match.state()).deciding
    await start_round(match)
    await place_and_lift(match, 1, 2)
    await solve_card(match, 0)
    await match.pass_time_until(lambda view: view["outcome"] is not None)
    return match


async def play_rematch(match: ScriptedMatch) -> None:
    """Everything about a finished match is revealed, but nothing about the next one at the same
    table."""
    await wait_until_over(match.viewer)
    assert await match.viewer.refusal_of("GET", f"{match.path}/matches/1/file") is None
    await match.request_everything()
    await match.host.ask("POST", f"{match.path}/rematch", {})
    match.number = 2
    await match.request_everything()
    for seat, person in match.people.items():
        body = {"share": f"another share of {seat}"}
        await person.ask("PUT", f"{match.path}/seats/{seat}/share", body)
    await match.start_match()
    await match.request_everything()
    for person in (match.host, match.viewer):
        assert await person.refusal_of("GET", f"{match.path}/matches/1/file") is None
        refused = await person.refusal_of("GET", f"{match.path}/matches/2/file")
        assert refused == "match_not_over"
