"""The companion for people who have the box: a game of each, reloaded in the middle and offline."""

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.page.conftest import PHONE, NewPage
from tests.page.player import Player, translate

CALM: Any = {"reduced_motion": "reduce"}
NAMES = ("Ola", "Max", "Hana")
KEPT = "() => JSON.parse(localStorage.getItem('pytlik.companion.ubongo')).now"
ALL_KEPT = """async () => {
  if (navigator.serviceWorker.controller?.state !== 'activated') return false;
  const worker = await (await fetch('/sw.js')).text();
  const shell = JSON.parse(/^const SHELL = (.*);$/m.exec(worker)[1]);
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  const wanted = ['/', ...shell, ...loaded.filter((name) => name.includes('/assets/'))];
  const kept = wanted.map((file) => caches.match(new URL(file, origin), { ignoreVary: true }));
  return (await Promise.all(kept)).every(Boolean);
}"""
"""The service worker answers for the page, and keeps its whole list and what the page has loaded,
in whatever order."""
POINTS = {"ruby": 4, "sapphire": 3, "emerald": 2, "amber": 1}


def start_game(player: Player, *names: str) -> None:
    for number, name in enumerate(names, 1):
        if number > 2:
            player.button("page.pass.add").click()
        player.field("page.pass.player", n=number).fill(name)
    player.button("page.pass.begin").click()


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^{name} "))


def in_bag(player: Player, gems: int) -> None:
    expect(player.text("page.ubongo.inBag", n=gems)).to_be_attached()


def purse(page: Page, seat: int) -> dict[str, int]:
    """As the page has kept it."""
    held: list[dict[str, int]] = page.evaluate(KEPT)["held"]
    return {gem: n for gem, n in held[seat].items() if n}


def has(page: Page, seat: int, *, gems: int) -> None:
    """So many gems are kept for somebody, and their points are shown."""
    own = purse(page, seat)
    assert sum(own.values()) == gems
    points = sum(n * POINTS[gem] for gem, n in own.items())
    expect(card(page, NAMES[seat])).to_contain_text(translate("page.ubongo.points", n=points))


def test_a_phone_on_its_side_shows_all_that_is_tapped_while_the_sand_runs(
    new_page: NewPage,
) -> None:
    player = Player(new_page("/companion/ubongo", viewport=(844, 390), touch=True, **CALM))
    start_game(player, *NAMES, "Jan")
    player.button("page.companion.draw").click()
    player.button("page.companion.turn").click()
    for key in ("page.companion.pause", "page.companion.close"):
        expect(player.button(key)).to_be_in_viewport(ratio=1)
    for name in (*NAMES, "Jan"):
        expect(card(player.page, name)).to_be_in_viewport(ratio=1)


def test_ubongo(new_page: NewPage) -> None:
    player = Player(new_page("/", **CALM))
    page = player.page
    player.named("link", "page.companion.link").click()
    page.get_by_role("link", name=re.compile(translate("page.first.ubongo.title"))).click()
    # From now on sand runs when the test says so, and never else.
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    start_game(player, *NAMES)
    player.sees("page.ubongo.round", round=1, rounds=9)
    player.button("page.companion.draw").click()
    colours = {colour: translate(f"page.ubongo.colour.{colour}") for colour in page.evaluate(
        KEPT)["tokens"]}  # fmt: skip
    assert len(colours) == 4
    for name, colour in zip(NAMES, colours.values(), strict=False):
        expect(card(page, name)).to_contain_text(colour)

    player.button("page.companion.turn").click()
    page.clock.fast_forward(20_000)
    timer = page.get_by_role("timer")
    expect(timer).to_have_text("0:40")
    card(page, "Max").click()
    has(page, 1, gems=2)
    in_bag(player, 35)
    won = purse(page, 1)
    # Not Max, as it turns out: what is taken back and done again brings the same gem.
    player.button("page.companion.back").click()
    in_bag(player, 36)
    card(page, "Hana").click()
    assert purse(page, 2) == won

    # A pause lasts, whatever happens to the page.
    player.button("page.companion.pause").click()
    page.clock.fast_forward(100_000)
    page.reload()
    expect(timer).to_have_text("0:40")
    has(page, 2, gems=2)
    player.button("page.companion.goOn").click()
    player.sees("page.companion.line.solving")
    page.clock.fast_forward(41_000)
    player.sees("page.companion.line.over")
    player.button("page.companion.next").click()
    # One has drawn, and the amber that nobody got has come.
    in_bag(player, 36)

    # Nobody is in time; in the second chance one is, and that is the end of it.
    player.sees("page.ubongo.round", round=2, rounds=9)
    player.button("page.companion.turn").click()
    page.clock.fast_forward(61_000)
    player.button("page.companion.second").click()
    card(page, "Ola").click()
    has(page, 0, gems=1)
    player.sees("page.companion.line.over")
    player.button("page.companion.next").click()
    in_bag(player, 37)

    for number in range(3, 10):
        player.sees("page.ubongo.round", round=number, rounds=9)
        player.button("page.companion.turn").click()
        card(page, "Hana").click()
        # Whatever is drawn, Hana has more.
        if number == 3:
            card(page, "Ola").click()
        player.button("page.companion.close").click()
        last = number == 9
        player.button("page.companion.result" if last else "page.companion.next").click()
    points = [sum(n * POINTS[gem] for gem, n in purse(page, seat).items()) for seat in range(3)]
    assert points[2] > points[0] > points[1] == 0
    expect(page.get_by_role("heading", level=2)).to_have_text(
        translate("page.ubongo.end.one", name="Hana")
    )
    expect(page.get_by_role("row").filter(has_text="Ola").get_by_role("cell").last).to_have_text(
        str(points[0])
    )
    # Starting anew can be taken back, too.
    player.button("page.companion.anew").click()
    player.button("page.companion.return").click()
    expect(page.get_by_role("heading", level=2)).to_contain_text("Hana")


def test_ubongo_of_equals_is_decided(new_page: NewPage) -> None:
    player = Player(new_page("/companion/ubongo", **CALM))
    page = player.page
    start_game(player, *NAMES)
    for number in range(1, 10):
        player.button("page.companion.turn").click()
        player.button("page.companion.close").click()
        player.button("page.companion.result" if number == 9 else "page.companion.next").click()
    player.sees("page.ubongo.deciding")
    player.sees("page.ubongo.tie")
    player.button("page.companion.draw").click()
    player.button("page.ubongo.go").click()
    expect(page.get_by_role("timer")).to_have_count(0)
    page.reload()
    card(page, "Max").click()
    expect(page.get_by_role("heading", level=2)).to_have_text(
        translate("page.ubongo.end.one", name="Max")
    )


def test_unikat(new_page: NewPage) -> None:
    player = Player(new_page("/rules/unikat", viewport=PHONE, touch=True, **CALM))
    page = player.page
    player.named("link", "page.companion.title").click()
    player.field("page.lobby.unikat.starter").select_option(index=2)
    player.field("page.lobby.unikat.next").select_option(
        label=translate("page.lobby.unikat.next.winner")
    )
    start_game(player, *NAMES)

    def enter(*left: int) -> None:
        for name, tiles in zip(NAMES, left, strict=False):
            group = page.get_by_role("group", name=name, exact=True)
            group.get_by_role("radio", name=str(tiles), exact=True).tap()

    player.sees("page.unikat.round", round=1, rounds=3)
    player.sees("page.lobby.sum.begins", name="Max")
    player.button("page.companion.over").click()
    enter(0, 4)
    # It says why it does nothing yet.
    player.button("page.companion.write").click(force=True)
    player.sees("page.companion.left.missing")
    # What is half written is still there.
    page.reload()
    enter(0, 4, 0)
    player.sees("page.companion.left.twoOut")
    enter(5, 4, 0)
    player.button("page.companion.write").click()
    player.sees("page.companion.leads", names="Hana")
    player.sees("page.lobby.sum.begins", name="Hana")

    # A mistake in writing is mended: all that was entered comes back.
    player.button("page.companion.back").click()
    enter(6)
    player.button("page.companion.write").click()
    for left in ((0, 3, 9), (1, 0, 2)):
        player.button("page.companion.over").click()
        enter(*left)
        player.button("page.companion.write").click()
    total = page.get_by_role("row", name=re.compile(translate("page.unikat.sheet.total")))
    expect(total.get_by_role("cell")).to_have_text(["−7", "−7", "−11"])
    player.sees("page.unikat.over.match.shared", names="Ola and Max")
    page.reload()
    player.sees("page.unikat.over.match.shared", names="Ola and Max")
    player.button("page.companion.more").click()
    player.sees("page.unikat.round", round=4, rounds=4)


def test_more_rounds_are_agreed_on_before_a_game_starts(new_page: NewPage) -> None:
    player = Player(new_page("/companion/unikat", **CALM))
    player.button("page.lobby.more", what=translate("page.lobby.unikat.rounds")).click()
    expect(player.field("page.lobby.unikat.rounds")).to_have_value("4")
    start_game(player, "Ola", "Max")
    player.sees("page.unikat.round", round=1, rounds=4)


def test_without_a_server(new_page: NewPage) -> None:
    """Whoever has been here once opens it again wherever they are."""
    page = new_page("/", service_workers="allow", may_say="ERR_INTERNET_DISCONNECTED", **CALM)
    player = Player(page)
    # Not with wait_for_function, which takes any promise for a yes.
    player.until(lambda: page.evaluate(ALL_KEPT))
    page.context.set_offline(True)
    page.goto("/companion/ubongo")
    start_game(player, "Ola", "Max")
    player.button("page.companion.turn").click()
    card(page, "Max").click()
    page.reload()
    expect(card(page, "Max")).to_contain_text(translate("page.ubongo.rank.1"))
    page.goto("/companion/unikat")
    expect(player.button("page.pass.begin")).to_be_visible()
    assert json.loads(page.evaluate("localStorage.getItem('pytlik.pass.names')")) == ["Ola", "Max"]
