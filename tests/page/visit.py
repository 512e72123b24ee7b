"""A visitor to the page, and the scenes that can be shown to them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Locator, Page, expect

from pytlik.i18n import Catalogue
from tests.page import page_texts
from tests.page.conftest import NewPage
from tests.page.page_objects import AppPage
from tests.page.table_setup import SeatedTable, TableSetup

ALLOWED_CONSOLE_TEXT = r"status of 404 .*(/nowhere/at/all|/2222222222)\)"
"""What the console says when the page looks for something that doesn't exist."""


SHARED_TABLES: dict[tuple[TableSetup, str], SeatedTable] = {}


class Visit(AppPage):
    """A visitor to the page, and the texts that they read."""

    def __init__(self, page: Page, table_setup: TableSetup, translate: Catalogue) -> None:
        super().__init__(page, translate)
        self.table_setup = table_setup

    def open(self, path: str, seated: SeatedTable | None = None) -> None:
        """Open a page as the person who sits there, or as a newcomer."""
        self.page.context.clear_cookies()
        if seated:
            cookie: Any = {"name": "pytlik", "value": seated.token, "url": self.table_setup.address}
            self.page.context.add_cookies([cookie])
        self.page.goto(path)

    def shared_table(self, name: str, lay: Callable[[], SeatedTable]) -> SeatedTable:
        """Return a table that is set up once for several scenes. No clock may run there."""
        key = (self.table_setup, name)
        if key not in SHARED_TABLES:
            SHARED_TABLES[key] = lay()
        return SHARED_TABLES[key]

    def open_table(self, seated: SeatedTable) -> None:
        self.open(f"/t/{seated.table}", seated)

    def wait_for(self, role: Any, key: str, *, within: Locator | None = None, **fill: Any) -> None:
        """Wait for an element with a text as its name."""
        expect(self.by_role_and_name(role, key, within=within, **fill)).to_be_visible()

    def press(self, key: str, *, within: Locator | None = None, **fill: Any) -> None:
        self.button(key, within=within, **fill).click()

    def switch_language(self, lang: str) -> "Visit":
        """Go on in another language, as if it had been chosen in another window."""
        self.set_language(lang)
        self.page.evaluate("dispatchEvent(new StorageEvent('storage', { key: 'pytlik.settings' }))")
        self.page.wait_for_function("(lang) => document.documentElement.lang === lang", arg=lang)
        return Visit(self.page, self.table_setup, page_texts.catalogue_for(lang))

    def set_language(self, lang: str) -> None:
        """Set the language of the next page that is opened."""
        self.page.evaluate(
            """(language) => {
              const kept = JSON.parse(localStorage.getItem('pytlik.settings') ?? '{}');
              localStorage.setItem('pytlik.settings', JSON.stringify({ ...kept, language }));
            }""",
            lang,
        )

    def wait_until_still(self) -> None:
        wait_until_still(self.page)


WAIT_UNTIL_STILL_JS = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const moving = () => document.getAnimations().filter(
    // The sand of an hourglass runs as long as it has to.
    ({ id, effect, playState }) =>
      id !== 'sand' &&
      playState !== 'finished' &&
      effect?.getComputedTiming().iterations !== Infinity,
  );
  await frame();
  await frame();
  // What ends may let something else begin.
  for (let found = moving(); found.length; found = moving()) {
    found.forEach((animation) => animation.finish());
    await frame();
  }
  await frame();
}"""


def wait_until_still(page: Page) -> None:
    """Wait until nothing moves, by finishing every animation that has an end."""
    page.evaluate(WAIT_UNTIL_STILL_JS)


def start_visit(new_page: NewPage, table_setup: TableSetup, lang: str = "en", **more: Any) -> Visit:
    """Start a visit in a language, with reduced motion."""
    calm: Any = {"reduced_motion": "reduce"}
    page = new_page(
        None, locale=page_texts.LOCALES[lang], may_say=ALLOWED_CONSOLE_TEXT, **calm, **more
    )
    if lang == page_texts.LONG_LANGUAGE:
        page_texts.serve_long_texts(page)
    return Visit(page, table_setup, page_texts.catalogue_for(lang))


ShowScene = Callable[[Visit], None]


@dataclass(frozen=True)
class Scene:
    name: str
    show: ShowScene = field(repr=False)
    fills_window: bool = False
    """Whether it fills the window, so that the page itself never scrolls."""

    @property
    def group(self) -> str:
        return self.name.partition("-")[0]


SCENES: list[Scene] = []


def register_scene(show: ShowScene) -> ShowScene:
    """Register a page to read, which may be longer than the window."""
    SCENES.append(Scene(show.__name__.replace("_", "-"), show))
    return show


def register_window_scene(show: ShowScene) -> ShowScene:
    """Register a table, or anything else that fills the window."""
    SCENES.append(Scene(show.__name__.replace("_", "-"), show, fills_window=True))
    return show


def wait_for_heading(visit: Visit, text: str | None = None) -> None:
    """Wait for the page with this heading, or with any."""
    found = visit.page.get_by_role("heading", level=1)
    expect(found if text is None else found.filter(has_text=text)).not_to_have_count(0)
