"""The companion for people who have the box: a game of each, reloaded in the middle and offline."""

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import PHONE, NewPage
from tests.page.page_player import Player, translate

REDUCED_MOTION: Any = {"reduced_motion": "reduce"}
NAMES = ("Ola", "Max", "Hana")
SAVED_GAME_JS = "() => JSON.parse(localStorage.getItem('pytlik.companion.ubongo')).now"
IS_SAVED_OFFLINE_JS = """async () => {
  if (navigator.serviceWorker.controller?.state !== 'activated') return false;
  const worker = await (await fetch('/sw.js')).text();
  const shell = JSON.parse(/^const SHELL = (.*);$/m.exec(worker)[1]);
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  const wanted = ['/', ...shell, ...loaded.filter((name) => name.includes('/assets/'))];
  const kept = wanted.map((file) => caches.match(new URL(file, origin), { ignoreVary: true }));
  return (await Promise.all(kept)).every(Boolean);
}"""
"""The service worker controls the page, and has cached its whole list and what the page loaded, in
any order."""
GEM_POINTS = {"ruby": 4, "sapphire": 3, "emerald": 2, "amber": 1}


def enter_names_and_start(player: Player, *names: str) -> None:
    for number, name in enumerate(names, 1):
        if number > 2:
            player.button("page.pass.add").click()
        player.field("page.pass.player", n=number).fill(name)
    player.button("page.pass.begin").click()


def player_card(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^{name} "))


def expect_gems_in_bag(player: Player, gems: int) -> None:
    expect(player.text("page.ubongo.inBag", n=gems)).to_be_attached()


def saved_gems(page: Page, seat: int) -> dict[str, int]:
    """Return the gems that the page has saved for a seat."""
    held: list[dict[str, int]] = page.evaluate(SAVED_GAME_JS)["held"]
    return {gem: n for gem, n in held[seat].items() if n}


def expect_gems_of(page: Page, seat: int, *, gems: int) -> None:
    """Expect this many gems saved for a seat, and their points shown."""
    own = saved_gems(page, seat)
    assert sum(own.values()) == gems
    points = sum(n * GEM_POINTS[gem] for gem, n in own.items())
    expect(player_card(page, NAMES[seat])).to_contain_text(
        translate("page.ubongo.points", n=points)
    )


def test_phone_on_its_side_shows_all_buttons_while_the_sand_runs(
    new_page: NewPage,
) -> None:
    player = Player(
        new_page("/companion/ubongo", viewport=(844, 390), touch=True, **REDUCED_MOTION)
    )
    enter_names_and_start(player, *NAMES, "Jan")
    player.button("page.companion.draw").click()
    player.button("page.companion.turn").click()
    for key in ("page.companion.pause", "page.companion.close"):
        expect(player.button(key)).to_be_in_viewport(ratio=1)
    for name in (*NAMES, "Jan"):
        expect(player_card(player.page, name)).to_be_in_viewport(ratio=1)


def test_ubongo(new_page: NewPage) -> None:
    player = Player(new_page("/", **REDUCED_MOTION))
    page = player.page
    player.by_role_and_name("link", "page.companion.link").click()
    page.get_by_role("link", name=re.compile(translate("page.first.ubongo.title"))).click()
    # From now on the sand only runs when the test says so.
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    enter_names_and_start(player, *NAMES)
    player.expect_text("page.ubongo.round", round=1, rounds=9)
    player.button("page.companion.draw").click()
    colours = {colour: translate(f"page.ubongo.colour.{colour}") for colour in page.evaluate(
        SAVED_GAME_JS)["tokens"]}  # fmt: skip
    assert len(colours) == 4
    for name, colour in zip(NAMES, colours.values(), strict=False):
        expect(player_card(page, name)).to_contain_text(colour)

    player.button("page.companion.turn").click()
    page.clock.fast_forward(20_000)
    timer = page.get_by_role("timer")
    expect(timer).to_have_text("0:40")
    player_card(page, "Max").click()
    expect_gems_of(page, 1, gems=2)
    expect_gems_in_bag(player, 35)
    won = saved_gems(page, 1)
    # It wasn't Max, as it turns out: undoing that and calling again draws the same gem.
    player.button("page.companion.back").click()
    expect_gems_in_bag(player, 36)
    player_card(page, "Hana").click()
    assert saved_gems(page, 2) == won

    # A pause lasts, whatever happens to the page.
    player.button("page.companion.pause").click()
    page.clock.fast_forward(100_000)
    page.reload()
    expect(timer).to_have_text("0:40")
    expect_gems_of(page, 2, gems=2)
    player.button("page.companion.goOn").click()
    player.expect_text("page.companion.line.solving")
    page.clock.fast_forward(41_000)
    player.expect_text("page.companion.line.over")
    player.button("page.companion.next").click()
    # One gem was drawn, and the amber that nobody won was put in.
    expect_gems_in_bag(player, 36)

    # Nobody is in time. In the second chance one player is, which ends the round.
    player.expect_text("page.ubongo.round", round=2, rounds=9)
    player.button("page.companion.turn").click()
    page.clock.fast_forward(61_000)
    player.button("page.companion.second").click()
    player_card(page, "Ola").click()
    expect_gems_of(page, 0, gems=1)
    player.expect_text("page.companion.line.over")
    player.button("page.companion.next").click()
    expect_gems_in_bag(player, 37)

    for number in range(3, 10):
        player.expect_text("page.ubongo.round", round=number, rounds=9)
        player.button("page.companion.turn").click()
        player_card(page, "Hana").click()
        # Whatever is drawn, Hana has more.
        if number == 3:
            player_card(page, "Ola").click()
        player.button("page.companion.close").click()
        last = number == 9
        player.button("page.companion.result" if last else "page.companion.next").click()
    points = [
        sum(n * GEM_POINTS[gem] for gem, n in saved_gems(page, seat).items()) for seat in range(3)
    ]
    assert points[2] > points[0] > points[1] == 0
    expect(page.get_by_role("heading", level=2)).to_have_text(
        translate("page.ubongo.end.one", name="Hana")
    )
    expect(page.get_by_role("row").filter(has_text="Ola").get_by_role("cell").last).to_have_text(
        str(points[0])
    )
    # Starting anew can be undone, too.
    player.button("page.companion.anew").click()
    player.button("page.companion.return").click()
    expect(page.get_by_role("heading", level=2)).to_contain_text("Hana")


def test_ubongo_tie_is_decided(new_page: NewPage) -> None:
    player = Player(new_page("/companion/ubongo", **REDUCED_MOTION))
    page = player.page
    enter_names_and_start(player, *NAMES)
    for number in range(1, 10):
        player.button("page.companion.turn").click()
        player.button("page.companion.close").click()
        player.button("page.companion.result" if number == 9 else "page.companion.next").click()
    player.expect_text("page.ubongo.deciding")
    player.expect_text("page.ubongo.tie")
    player.button("page.companion.draw").click()
    player.button("page.ubongo.go").click()
    expect(page.get_by_role("timer")).to_have_count(0)
    page.reload()
    player_card(page, "Max").click()
    expect(page.get_by_role("heading", level=2)).to_have_text(
        translate("page.ubongo.end.one", name="Max")
    )


def test_unikat(new_page: NewPage) -> None:
    player = Player(new_page("/rules/unikat", viewport=PHONE, touch=True, **REDUCED_MOTION))
    page = player.page
    player.by_role_and_name("link", "page.companion.title").click()
    player.field("page.lobby.unikat.starter").select_option(index=2)
    player.field("page.lobby.unikat.next").select_option(
        label=translate("page.lobby.unikat.next.winner")
    )
    enter_names_and_start(player, *NAMES)

    def enter(*left: int) -> None:
        for name, tiles in zip(NAMES, left, strict=False):
            group = page.get_by_role("group", name=name, exact=True)
            group.get_by_role("radio", name=str(tiles), exact=True).tap()

    player.expect_text("page.unikat.round", round=1, rounds=3)
    player.expect_text("page.lobby.sum.begins", name="Max")
    player.button("page.companion.over").click()
    enter(0, 4)
    # It says why it does nothing yet.
    player.button("page.companion.write").click(force=True)
    player.expect_text("page.companion.left.missing")
    # A half-filled form survives a reload.
    page.reload()
    enter(0, 4, 0)
    player.expect_text("page.companion.left.twoOut")
    enter(5, 4, 0)
    player.button("page.companion.write").click()
    player.expect_text("page.companion.leads", names="Hana")
    player.expect_text("page.lobby.sum.begins", name="Hana")

    # A mistake can be corrected: everything that was entered comes back.
    player.button("page.companion.back").click()
    enter(6)
    player.button("page.companion.write").click()
    for left in ((0, 3, 9), (1, 0, 2)):
        player.button("page.companion.over").click()
        enter(*left)
        player.button("page.companion.write").click()
    total = page.get_by_role("row", name=re.compile(translate("page.unikat.sheet.total")))
    expect(total.get_by_role("cell")).to_have_text(["−7", "−7", "−11"])
    player.expect_text("page.unikat.over.match.shared", names="Ola and Max")
    page.reload()
    player.expect_text("page.unikat.over.match.shared", names="Ola and Max")
    player.button("page.companion.more").click()
    player.expect_text("page.unikat.round", round=4, rounds=4)


def test_more_rounds_can_be_chosen_before_a_game_starts(new_page: NewPage) -> None:
    player = Player(new_page("/companion/unikat", **REDUCED_MOTION))
    player.button("page.lobby.more", what=translate("page.lobby.unikat.rounds")).click()
    expect(player.field("page.lobby.unikat.rounds")).to_have_value("4")
    enter_names_and_start(player, "Ola", "Max")
    player.expect_text("page.unikat.round", round=1, rounds=4)


def test_companion_works_offline(new_page: NewPage) -> None:
    """Anyone who has been here once can open it again anywhere."""
    page = new_page(
        "/", service_workers="allow", may_say="ERR_INTERNET_DISCONNECTED", **REDUCED_MOTION
    )
    player = Player(page)
    # Not with wait_for_function, which takes any promise for true.
    player.wait_until(lambda: page.evaluate(IS_SAVED_OFFLINE_JS))
    page.context.set_offline(True)
    page.goto("/companion/ubongo")
    enter_names_and_start(player, "Ola", "Max")
    player.button("page.companion.turn").click()
    player_card(page, "Max").click()
    page.reload()
    expect(player_card(page, "Max")).to_contain_text(translate("page.ubongo.rank.1"))
    page.goto("/companion/unikat")
    expect(player.button("page.pass.begin")).to_be_visible()
    assert json.loads(page.evaluate("localStorage.getItem('pytlik.pass.names')")) == ["Ola", "Max"]
