"""Bots at a table in this process: when they think, and when they act."""

from pytlik.game import Ready
from pytlik.games import UBONGO, UNIKAT
from pytlik.match import AnyMatch, Match
from pytlik.matchfile import Player
from pytlik.terminal.local import YOU
from pytlik.terminal.local.bot_turns import BotTurns
from pytlik.ubongo.model import Phase
from pytlik.unikat.messages import Pass
from pytlik.unikat.model import Options

UNIKAT_PLAYERS = (Player("Anna"), Player("Ola", "easy"), Player("Max", "hard"))


def unikat_match_at_bot_turn() -> AnyMatch:
    """A match in which it's the turn of Ola, a bot."""
    return Match.new(UNIKAT, UNIKAT_PLAYERS, seed="x", options=Options(starter=1))


def test_bot_decides_once_and_acts_no_earlier_than_planned() -> None:
    match = unikat_match_at_bot_turn()
    bots = BotTurns(match)
    assert bots.next_step(0) is None
    (decision,) = bots.pending_decisions()
    bots.set_plan(decision, decision.think(), not_before=800)
    assert bots.pending_decisions() == []
    step = bots.next_step(0)
    assert step is not None
    assert (step.moment, step.seat) == (800, 1)
    events = len(match.events)
    bots.act(step, 800)
    assert len(match.events) > events
    # The next action needs a new decision.
    assert bots.next_step(800) is None


def test_refused_step_is_not_retried_before_an_event() -> None:
    match = unikat_match_at_bot_turn()
    bots = BotTurns(match)
    (decision,) = bots.pending_decisions()
    bots.set_plan(decision, ((0, Pass()),))
    step = bots.next_step(0)
    assert step is not None
    bots.act(step, 0)
    assert bots.next_step(10_000) is None


def test_bots_are_ready_when_the_person_is() -> None:
    match = Match.new(UBONGO, UNIKAT_PLAYERS, seed="x")
    bots = BotTurns(match)
    bots.do_automatic_actions(0)
    assert match.awaited == (0, 1, 2)
    match.act(YOU, Ready())
    bots.do_automatic_actions(0)
    assert match.view(YOU).phase is Phase.COUNTDOWN


def test_round_is_planned_once_and_the_plan_is_followed() -> None:
    match = Match.new(UBONGO, UNIKAT_PLAYERS[1:], seed="x")
    bots = BotTurns(match)
    for seat in match.awaited:
        match.act(seat, Ready())
    match.expire()
    decisions = bots.pending_decisions()
    assert [decision.seat for decision in decisions] == [0, 1]
    for decision in decisions:
        bots.set_plan(decision, decision.think())
    now = match.now
    while match.view(0).phase is Phase.SOLVING and (step := bots.next_step(now)):
        now = max(now, step.moment)
        bots.act(step, now)
        assert bots.pending_decisions() == []
    assert any(match.view(0).placed.values())
