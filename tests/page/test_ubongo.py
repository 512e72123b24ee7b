"""A whole game of Ubongo in real browsers, nine rounds: by mouse, by touch on a phone, by keys; and
what the last moments of one look like."""

import pytest
from playwright.sync_api import expect

from pytlik.ubongo.model import Phase, State
from tests.page.asking import ME, ubongo_until
from tests.page.conftest import PHONE, NewPage
from tests.page.stage import NAMES, Stage
from tests.page.ubongo_player import (
    KeySolver,
    TouchSolver,
    UbongoPlayer,
    play_together,
    solution,
)

OPTIONS = {"pieces": 3, "seconds": 600}

REMEMBER = """(texts) => {
  window.seen = [];
  const look = () => {
    for (const { textContent } of document.querySelectorAll('main strong, main h2')) {
      const text = textContent.trim();
      if (texts.includes(text) && !window.seen.includes(text)) window.seen.push(text);
    }
  };
  const changes = { childList: true, characterData: true, subtree: true };
  new MutationObserver(look).observe(document.body, changes);
}"""
"""Keep these headings in the order in which they are shown, however short that is."""


@pytest.mark.every_page
def test_a_whole_game(new_page: NewPage) -> None:
    """The countdowns alone take half a minute: one game for all three."""
    mouse = UbongoPlayer(new_page("/settings", reduced_motion="reduce"))
    finger = TouchSolver(new_page("/settings", viewport=PHONE, touch=True, reduced_motion="reduce"))
    keys = KeySolver(new_page("/settings", reduced_motion="reduce"))
    players = [mouse, finger, keys]
    table = mouse.lays_table("ubongo", chairs=3, options=OPTIONS)
    finger.sits(table, "Jan")
    keys.sits(table, "Eva")
    mouse.begins(table)
    for player in players[1:]:
        player.page.goto(f"/t/{table}")
    play_together(players)
    for player in players:
        expect(player.page.get_by_role("row")).to_have_count(4)
        assert player.view["outcome"]["winners"] == [0]
    expect(mouse.button("page.table.again")).to_be_visible()
    mouse.sees("page.ubongo.end.you")
    finger.sees("page.ubongo.end.one", name="Ola")
    keys.sees("page.table.again.wait")


def test_the_last_to_solve_is_heard_before_the_round_and_the_game_are_over(
    new_page: NewPage, stage: Stage
) -> None:
    def last_piece(state: State) -> bool:
        """In the ninth round the other is done, and I have one piece left."""
        mine = state.placed.get(ME, {})
        return state.round == 9 and len(state.settled) == 1 and len(mine) == 2

    me = KeySolver(new_page(None, reduced_motion="reduce"))
    me.comes(stage.match("ubongo", 2, ubongo_until(last_piece), seconds=600))
    me.until_solving()
    moments = [
        "Ubongo!",
        me.say("page.ubongo.roundOver", round=9),
        me.say("page.ubongo.end.one", name=NAMES[1]),
    ]
    me.page.evaluate(REMEMBER, moments)
    pieces = solution(me.deal)
    left = next(number for number in pieces if str(number) not in me.view["placed"][str(ME)])
    me.put(left, pieces[left])
    expect(me.button("page.table.again")).to_be_visible()
    assert me.page.evaluate("seen") == moments


def test_whoever_found_no_solution_may_see_one(new_page: NewPage, stage: Stage) -> None:
    def over(state: State) -> bool:
        return state.round == 1 and state.phase is Phase.READY

    me = UbongoPlayer(new_page(None, reduced_motion="reduce"))
    me.comes(stage.match("ubongo", 2, ubongo_until(over, gives_up=ME), seconds=600))
    me.until(lambda: me.view)
    card = me.named("img", "page.ubongo.cardOf", name=NAMES[ME], card=me.deal["card"])
    expect(card).to_have_text("")
    show = me.button("page.ubongo.showSolution")
    show.click()
    for piece in me.deal["pieces"]:
        expect(card.get_by_text(piece, exact=True)).to_have_count(1)
    show.click()
    expect(card).to_have_text("")
