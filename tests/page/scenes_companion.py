"""The companion for people who have the box, each state made by the steps that lead to it."""

from playwright.sync_api import expect

from tests.page.stage import NAMES
from tests.page.visit import Visit, heading, scene


def begun(visit: Visit, game: str, players: int) -> None:
    """A new game of people who have names."""
    visit.open("/companion")
    heading(visit, visit.say("page.companion.title"))
    for each in ("unikat", "ubongo"):
        visit.page.evaluate(f"localStorage.removeItem('pytlik.companion.{each}')")
    visit.page.evaluate("(names) => localStorage.setItem('pytlik.pass.names', names)", "[]")
    visit.open(f"/companion/{game}")
    for number in range(1, players + 1):
        visit.press("page.pass.add")
        player = visit.page.get_by_label(visit.say("page.pass.player", n=number), exact=True)
        player.fill(NAMES[number - 1])
    visit.press("page.pass.begin")


def call(visit: Visit, *names: str) -> None:
    for name in names:
        visit.page.get_by_role("button", name=name).click()


def solving(visit: Visit, players: int = 4) -> None:
    begun(visit, "ubongo", players)
    visit.press("page.companion.draw")
    visit.press("page.companion.turn")


@scene
def companion(visit: Visit) -> None:
    """With a game that goes on."""
    begun(visit, "unikat", 2)
    visit.open("/companion")
    expect(visit.page.get_by_text(visit.say("page.companion.open"))).to_be_visible()


@scene
def companion_setup_ubongo(visit: Visit) -> None:
    begun(visit, "ubongo", 4)
    visit.press("page.companion.anew")
    visit.see("button", "page.companion.return")


@scene
def companion_setup_unikat(visit: Visit) -> None:
    begun(visit, "unikat", 3)
    visit.press("page.companion.anew")
    visit.see("button", "page.companion.return")


@scene
def companion_ubongo_draw(visit: Visit) -> None:
    begun(visit, "ubongo", 3)
    visit.see("button", "page.companion.draw")


@scene
def companion_ubongo_ready(visit: Visit) -> None:
    begun(visit, "ubongo", 4)
    visit.press("page.companion.draw")
    visit.see("button", "page.companion.turn")


@scene
def companion_ubongo_solving(visit: Visit) -> None:
    """The sand stands still, so that it is the same in every picture."""
    solving(visit)
    call(visit, NAMES[2])
    visit.press("page.companion.pause")
    visit.see("button", "page.companion.goOn")


@scene
def companion_ubongo_nobody(visit: Visit) -> None:
    solving(visit)
    visit.press("page.companion.close")
    visit.see("button", "page.companion.second")


@scene
def companion_ubongo_over(visit: Visit) -> None:
    solving(visit)
    call(visit, NAMES[2], NAMES[0], NAMES[3], NAMES[1])
    visit.see("button", "page.companion.next")


@scene
def companion_ubongo_end(visit: Visit) -> None:
    begun(visit, "ubongo", 4)
    for number in range(9):
        visit.press("page.companion.draw")
        visit.press("page.companion.turn")
        call(visit, NAMES[1], *NAMES[2 + number % 2 : 4])
        visit.press("page.companion.close")
        visit.press("page.companion.result" if number == 8 else "page.companion.next")
    heading2 = visit.page.get_by_role("heading", level=2)
    expect(heading2).to_have_text(visit.say("page.ubongo.end.one", name=NAMES[1]))


def write(visit: Visit, *left: int) -> None:
    visit.press("page.companion.over")
    for name, tiles in zip(NAMES, left, strict=False):
        group = visit.page.get_by_role("group", name=name, exact=True)
        group.get_by_role("radio", name=str(tiles), exact=True).check()
    visit.press("page.companion.write")


@scene
def companion_unikat(visit: Visit) -> None:
    begun(visit, "unikat", 4)
    write(visit, 0, 6, 10, 3)
    write(visit, 4, 2, 0, 1)
    visit.see("button", "page.companion.over")


@scene
def companion_unikat_entry(visit: Visit) -> None:
    begun(visit, "unikat", 4)
    visit.press("page.companion.over")
    visit.see("button", "page.companion.write")


@scene
def companion_unikat_end(visit: Visit) -> None:
    begun(visit, "unikat", 3)
    write(visit, 0, 6, 10)
    write(visit, 4, 2, 0)
    write(visit, 3, 0, 5)
    visit.see("button", "page.companion.more")
