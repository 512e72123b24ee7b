"""Every page of ours in every state, each by a way that a person could have come to it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Locator, Page, expect

from pytlik.i18n import Catalogue
from pytlik.ubongo.model import Phase as UbongoPhase
from pytlik.ubongo.model import State as UbongoState
from pytlik.unikat.model import Phase as UnikatPhase
from tests.page import words
from tests.page.asking import ME, my_phase, my_turn, rounds_over, ubongo_until
from tests.page.conftest import NewPage
from tests.page.stage import Seated, Stage

MAY_SAY = r"status of 404 .*(/nowhere/at/all|/2222222222)\)|^Service Worker .* blocked"
"""What the console says where something is looked for that is not there; and about us."""


@dataclass(frozen=True)
class Visit:
    """Somebody who looks at the page, and the words that they read."""

    page: Page
    stage: Stage
    say: Catalogue

    def open(self, path: str, seated: Seated | None = None) -> None:
        """As whoever sits there, or as somebody who was never here."""
        self.page.context.clear_cookies()
        if seated:
            cookie: Any = {"name": "pytlik", "value": seated.token, "url": self.stage.address}
            self.page.context.add_cookies([cookie])
        self.page.goto(path)

    def table(self, seated: Seated) -> None:
        self.open(f"/t/{seated.table}", seated)

    def see(self, role: Any, key: str, **fill: Any) -> Locator:
        """Wait for something that has a text as its name."""
        found = self.page.get_by_role(role, name=self.say(key, **fill), exact=True).first
        expect(found).to_be_visible()
        return found

    def press(self, key: str, role: Any = "button", **fill: Any) -> None:
        self.see(role, key, **fill).click()

    def settle(self) -> None:
        """Until nothing moves any more."""
        self.page.evaluate(
            """async () => {
              const frame = () => new Promise((done) => requestAnimationFrame(done));
              await frame();
              await frame();
              for (const each of document.getAnimations()) {
                if (each.effect?.getComputedTiming().iterations !== Infinity) each.finish();
              }
              await frame();
            }"""
        )


def visiting(new_page: NewPage, stage: Stage, lang: str = "en", **more: Any) -> Visit:
    """Somebody who reads a language, and for whom nothing moves."""
    # What lies between the page and the server would go on with the texts that it knows.
    calm: Any = {"reduced_motion": "reduce", "service_workers": "block"}
    page = new_page(None, locale=words.LOCALES[lang], may_say=MAY_SAY, **calm, **more)
    if lang == words.LONG:
        words.speak_long(page)
    return Visit(page, stage, words.say(lang))


Show = Callable[[Visit], None]


@dataclass(frozen=True)
class Scene:
    name: str
    show: Show = field(repr=False)
    still: bool = False
    """It fills the window, and the page itself never scrolls."""

    @property
    def group(self) -> str:
        return self.name.partition("-")[0]


SCENES: list[Scene] = []


def scene(show: Show) -> Show:
    """A page that is read: it may be longer than the window."""
    SCENES.append(Scene(show.__name__.replace("_", "-"), show))
    return show


def still(show: Show) -> Show:
    """A table, or whatever else fills the window."""
    SCENES.append(Scene(show.__name__.replace("_", "-"), show, still=True))
    return show


def heading(visit: Visit, text: str | None = None) -> None:
    """The page with this heading is there, or any."""
    found = visit.page.get_by_role("heading", level=1)
    expect(found if text is None else found.filter(has_text=text)).not_to_have_count(0)


# ---------------------------------------------------------------------------------- pages to read


@scene
def read_first(visit: Visit) -> None:
    """With a table that goes on."""
    visit.open("/", visit.stage.match("unikat", 2, my_turn(1)))
    visit.see("button", "page.first.now")
    visit.see("link", "page.first.all_mine")


@scene
def read_first_new(visit: Visit) -> None:
    visit.open("/")
    visit.see("button", "page.first.now")


@scene
def read_pass_around(visit: Visit) -> None:
    visit.open("/")
    visit.page.get_by_role("button", name=visit.say("page.first.pass")).last.click()
    visit.see("button", "page.pass.begin")


@scene
def read_settings(visit: Visit) -> None:
    visit.open("/settings")
    heading(visit, visit.say("page.settings.title"))


@scene
def read_mine(visit: Visit) -> None:
    visit.open("/mine", visit.stage.match("unikat", 3, my_turn(1)))
    visit.page.get_by_text(visit.say("page.tables.yours")).first.wait_for()


@scene
def read_mine_none(visit: Visit) -> None:
    visit.open("/mine")
    visit.see("link", "page.mine.begin")


@scene
def read_tables(visit: Visit) -> None:
    visit.stage.lobby("ubongo", 3, listed=True)
    visit.open("/tables")
    visit.page.get_by_text(visit.say("page.first.ubongo.title")).first.wait_for()


@scene
def read_rules_unikat(visit: Visit) -> None:
    visit.open("/rules/unikat")
    heading(visit, visit.say("page.rules.unikat.heading"))


@scene
def read_rules_ubongo(visit: Visit) -> None:
    visit.open("/rules/ubongo")
    heading(visit, visit.say("page.rules.ubongo.heading"))


@scene
def read_missing(visit: Visit) -> None:
    visit.open("/nowhere/at/all")
    heading(visit, visit.say("page.missing.title"))


@scene
def read_missing_table(visit: Visit) -> None:
    visit.open("/t/2222222222")
    heading(visit, visit.say("page.missing.table.title"))


@scene
def read_daily_unikat(visit: Visit) -> None:
    visit.open("/daily/unikat")
    heading(visit)


@scene
def read_daily_ubongo(visit: Visit) -> None:
    visit.open("/daily/ubongo")
    visit.see("button", "page.daily.start")


# ------------------------------------------------------------------------------------------ lobby


@scene
def lobby_host(visit: Visit) -> None:
    visit.table(visit.stage.lobby("unikat", 2))
    visit.see("button", "page.lobby.start_with", n=2)
    expect(visit.page.get_by_role("img", name=visit.say("page.lobby.qr"))).to_be_visible()


@scene
def lobby_guest(visit: Visit) -> None:
    visit.open(f"/t/{visit.stage.lobby('ubongo', 3).table}")
    visit.see("button", "page.lobby.sit.any")


@scene
def lobby_choices_unikat(visit: Visit) -> None:
    visit.table(visit.stage.lobby("unikat", 2))
    visit.press("page.lobby.change")
    expect(visit.page.get_by_role("dialog")).to_be_visible()


@scene
def lobby_choices_ubongo(visit: Visit) -> None:
    visit.table(visit.stage.lobby("ubongo", 2))
    visit.press("page.lobby.change")
    expect(visit.page.get_by_role("dialog")).to_be_visible()


@scene
def lobby_powers(visit: Visit) -> None:
    visit.table(visit.stage.lobby("unikat", 2))
    visit.press("page.lobby.powers")
    visit.see("button", "page.lobby.make_host")


@scene
def lobby_screen(visit: Visit) -> None:
    seated = visit.stage.lobby("unikat", 2)
    visit.open(f"/screen/{seated.table}", seated)
    heading(visit)
    visit.see("button", "page.lobby.add_bot")


# ----------------------------------------------------------------------------------------- unikat


def unikat(visit: Visit, seated: Seated) -> None:
    visit.table(seated)
    expect(visit.page.get_by_role("grid", name=visit.say("page.unikat.board"))).to_be_visible()


def rack(visit: Visit) -> Locator:
    return visit.page.get_by_role("toolbar", name=visit.say("page.unikat.rack")).get_by_role(
        "button"
    )


def choose(visit: Visit) -> None:
    """A tile that fits somewhere."""
    fits = visit.say("page.unikat.cell.fits", x="", y="").partition(",")[0]
    places = visit.page.get_by_role("gridcell", name=re.compile(f"^{re.escape(fits)}"))
    expect(rack(visit).first).to_be_visible()
    for tile in rack(visit).all():
        tile.click()
        if places.count():
            return
    raise AssertionError("nothing fits")


def draft(visit: Visit) -> None:
    choose(visit)
    visit.page.keyboard.press("KeyN")
    visit.page.keyboard.press("Enter")
    visit.see("button", "page.unikat.takeBack")


@still
def unikat_one(visit: Visit) -> None:
    """The first turn, with all that one can hold."""
    unikat(visit, visit.stage.match("unikat", 4, my_turn(1), starter=ME))
    expect(rack(visit)).to_have_count(10)


@still
def unikat_one_draft(visit: Visit) -> None:
    unikat_one(visit)
    draft(visit)


@still
def unikat_sixty(visit: Visit) -> None:
    unikat(visit, visit.stage.match("unikat", 3, my_turn(60)))
    tiles = visit.page.get_by_role("gridcell").and_(visit.page.locator("[data-tile]"))
    expect(tiles).to_have_count(60)


@still
def unikat_sixty_chosen(visit: Visit) -> None:
    unikat_sixty(visit)
    choose(visit)


@still
def unikat_sixty_draft(visit: Visit) -> None:
    unikat_sixty(visit)
    draft(visit)


@still
def unikat_swap(visit: Visit) -> None:
    unikat_one(visit)
    rack(visit).first.click()
    visit.press("page.unikat.bag", n=37)
    visit.see("button", "page.unikat.swapBag")


@still
def unikat_clash(visit: Visit) -> None:
    """A tile where it does not fit."""
    unikat_one(visit)
    empty = visit.say("page.unikat.cell.empty", x="", y="").partition(",")[0]
    free = visit.page.get_by_role("gridcell", name=re.compile(f"^{re.escape(empty)}"))
    for tile in rack(visit).all():
        tile.click()
        if free.count():
            break
    free.first.focus()
    visit.page.keyboard.press("Enter")
    visit.page.get_by_text(
        re.compile(f"^{re.escape(visit.say('page.unikat.status.clash', features=''))}")
    ).wait_for()


@still
def unikat_draw(visit: Visit) -> None:
    unikat(visit, visit.stage.match("unikat", 3, my_phase(UnikatPhase.DRAW)))
    visit.page.get_by_text(visit.say("page.unikat.status.draw")).first.wait_for()


@still
def unikat_bonus(visit: Visit) -> None:
    unikat(visit, visit.stage.match("unikat", 3, my_phase(UnikatPhase.BONUS), rounds=3))
    visit.see("button", "page.unikat.decline")


@still
def unikat_tools(visit: Visit) -> None:
    unikat_sixty(visit)
    visit.press("page.unikat.tools")
    expect(visit.page.get_by_role("dialog")).to_be_visible()


@still
def unikat_menu(visit: Visit) -> None:
    unikat_one(visit)
    visit.press("page.table.menu")
    visit.see("button", "page.table.part.people")


def part_of_menu(name: str) -> None:
    def show(visit: Visit) -> None:
        unikat_menu(visit)
        visit.press(f"page.table.part.{name}")
        visit.see("button", "page.table.menu.back")

    SCENES.append(Scene(f"unikat-menu-{name}", show, still=True))


for each in ("people", "chat", "invite", "settings", "seat", "leave"):
    part_of_menu(each)


@still
def unikat_paused(visit: Visit) -> None:
    unikat(visit, visit.stage.match("unikat", 3, my_turn(1), paused=True))
    visit.see("button", "page.table.paused.go_on")


@still
def unikat_watched(visit: Visit) -> None:
    """By somebody who has only the link."""
    visit.open(f"/t/{visit.stage.match('unikat', 4, my_turn(1)).table}")
    visit.page.get_by_text(visit.say("page.table.watching")).first.wait_for()


@still
def unikat_screen(visit: Visit) -> None:
    visit.open(f"/screen/{visit.stage.match('unikat', 3, my_turn(60)).table}")
    expect(visit.page.get_by_role("grid", name=visit.say("page.unikat.board"))).to_be_visible()


@still
def unikat_round_end(visit: Visit) -> None:
    unikat(visit, visit.stage.match("unikat", 4, rounds_over(1), rounds=3))
    visit.see("button", "page.unikat.ready")


@still
def unikat_match_end(visit: Visit) -> None:
    unikat(visit, visit.stage.match("unikat", 4, rounds_over(3), rounds=3))
    visit.see("button", "page.table.again")


@still
def unikat_fair(visit: Visit) -> None:
    unikat_match_end(visit)
    visit.press("page.table.fair")
    visit.page.get_by_text(visit.say("page.table.fair.sound")).wait_for()


@still
def unikat_replay(visit: Visit) -> None:
    seated = visit.stage.match("unikat", 3, rounds_over(1))
    visit.open(f"/replay/{seated.table}/1", seated)
    visit.press("page.replay.last")
    visit.page.get_by_text(visit.say("page.replay.over")).first.wait_for()


@still
def unikat_coach(visit: Visit) -> None:
    seated = visit.stage.match("unikat", 3, rounds_over(1))
    visit.open(f"/replay/{seated.table}/1", seated)
    visit.see("button", "page.replay.next")
    # On a desk the coach is there; on a phone it comes with a button.
    opens = visit.page.get_by_role("button", name=visit.say("page.coach.title"), exact=True)
    if opens.is_visible():
        opens.click()
    visit.press("page.coach.ask")
    misses = visit.page.get_by_role("heading", name=visit.say("page.coach.misses"))
    misses.wait_for(timeout=60_000)
    visit.page.locator("button.miss:visible").first.click()
    visit.see("button", "page.coach.shown.best")


@still
def unikat_daily(visit: Visit) -> None:
    visit.open("/daily/unikat")
    visit.page.get_by_label(visit.say("page.daily.name")).fill("Ola")
    visit.press("page.daily.unikat.start")
    grid = visit.page.get_by_role("grid", name=visit.say("page.unikat.board"))
    grid.wait_for(timeout=60_000)


@still
def unikat_lesson(visit: Visit) -> None:
    visit.open("/learn/unikat")
    expect(visit.page.get_by_role("grid", name=visit.say("page.unikat.board"))).to_be_visible()


# ----------------------------------------------------------------------------------------- ubongo


def solving(state: UbongoState) -> bool:
    """In the third round, when two have called already and I have begun."""
    under_way = state.phase is UbongoPhase.SOLVING and bool(state.placed.get(ME))
    return state.round == 3 and under_way and len(state.settled) == 2


def ubongo(visit: Visit, stop: Callable[[UbongoState], bool], **more: Any) -> Seated:
    players, gives_up = more.pop("players", 4), more.pop("gives_up", None)
    ask = ubongo_until(stop, gives_up=gives_up, nobody=more.pop("nobody", False))
    return visit.stage.match("ubongo", players, ask, **{"seconds": 600, **more})


def solve(visit: Visit, seated: Seated) -> None:
    visit.table(seated)
    visit.see("grid", "page.ubongo.yourCard")


@still
def ubongo_ready(visit: Visit) -> None:
    visit.table(ubongo(visit, lambda state: state.round == 0))
    visit.see("button", "page.ubongo.ready")


@still
def ubongo_countdown(visit: Visit) -> None:
    visit.table(ubongo(visit, lambda state: state.phase is UbongoPhase.COUNTDOWN, ahead=600_000))
    visit.page.get_by_text(visit.say("page.ubongo.coverAll")).wait_for()


@still
def ubongo_solving(visit: Visit) -> None:
    solve(visit, ubongo(visit, solving))


@still
def ubongo_solving_four(visit: Visit) -> None:
    """With four pieces, of which one is chosen."""
    solve(visit, ubongo(visit, solving, pieces=4))
    pieces = visit.page.get_by_role("group", name=visit.say("page.ubongo.pieces"))
    pieces.get_by_role("button").last.click()


@still
def ubongo_solving_two(visit: Visit) -> None:
    """Two at the table, and less time than a minute."""
    begun = ubongo(
        visit, lambda state: state.phase is UbongoPhase.SOLVING, players=2, seconds=60, ahead=200
    )
    solve(visit, begun)


@still
def ubongo_give_up(visit: Visit) -> None:
    ubongo_solving(visit)
    visit.press("page.ubongo.giveUp")
    visit.see("button", "page.ubongo.giveUp.yes")


@still
def ubongo_gems(visit: Visit) -> None:
    ubongo_solving(visit)
    visit.page.get_by_role("button", name=visit.say("page.ubongo.values.open")).click()
    expect(visit.page.get_by_role("dialog")).to_be_visible()


@still
def ubongo_second_chance(visit: Visit) -> None:
    solve(visit, ubongo(visit, lambda state: state.phase is UbongoPhase.SECOND_CHANCE, nobody=True))


@still
def ubongo_watching(visit: Visit) -> None:
    """I gave up, the others go on."""
    visit.table(ubongo(visit, lambda state: ME in state.gave_up, gives_up=ME))
    visit.page.get_by_text(visit.say("page.ubongo.said.youGaveUp")).first.wait_for()


@still
def ubongo_watched(visit: Visit) -> None:
    """By somebody who has only the link."""
    visit.open(f"/t/{ubongo(visit, solving).table}")
    visit.page.get_by_text(visit.say("page.table.watching")).first.wait_for()


@still
def ubongo_screen(visit: Visit) -> None:
    visit.open(f"/screen/{ubongo(visit, solving).table}")
    visit.see("timer", "page.ubongo.hourglass")


@still
def ubongo_round_end(visit: Visit) -> None:
    over = ubongo(
        visit, lambda state: state.phase is UbongoPhase.READY and state.round == 3, gives_up=2
    )
    visit.table(over)
    visit.see("button", "page.ubongo.readyNext")


@still
def ubongo_match_end(visit: Visit) -> None:
    visit.table(ubongo(visit, lambda state: bool(state.winners), gives_up=2))
    visit.see("button", "page.table.again")


@still
def ubongo_replay(visit: Visit) -> None:
    seated = ubongo(visit, lambda state: bool(state.winners), gives_up=2)
    visit.open(f"/replay/{seated.table}/1", seated)
    visit.see("button", "page.replay.next")


@still
def ubongo_lesson(visit: Visit) -> None:
    visit.open("/learn/ubongo")
    visit.see("grid", "page.ubongo.yourCard")


@still
def ubongo_practice(visit: Visit) -> None:
    visit.open("/practice")
    visit.see("grid", "page.ubongo.yourCard")


@still
def ubongo_practice_choices(visit: Visit) -> None:
    ubongo_practice(visit)
    visit.press("page.practice.chosen.easy", n=3)
    visit.see("button", "page.practice.play")


@still
def ubongo_daily(visit: Visit) -> None:
    visit.open("/daily/ubongo")
    visit.page.get_by_role("textbox").fill("Ola")
    visit.press("page.daily.start")
    visit.see("grid", "page.ubongo.yourCard")


GROUPS = sorted({scene.group for scene in SCENES})
