"""Somebody who looks at the page, and a list of scenes to show to them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Locator, Page, expect

from pytlik.i18n import Catalogue
from tests.page import words
from tests.page.conftest import NewPage
from tests.page.page_objects import AppPage
from tests.page.stage import Seated, Stage

MAY_SAY = r"status of 404 .*(/nowhere/at/all|/2222222222)\)"
"""What the console says where something is looked for that is not there."""


LAID: dict[tuple[Stage, str], Seated] = {}


class Visit(AppPage):
    """Somebody who looks at the page, and the words that they read."""

    def __init__(self, page: Page, stage: Stage, translate: Catalogue) -> None:
        super().__init__(page, translate)
        self.stage = stage

    def open(self, path: str, seated: Seated | None = None) -> None:
        """As whoever sits there, or as somebody who was never here."""
        self.page.context.clear_cookies()
        if seated:
            cookie: Any = {"name": "pytlik", "value": seated.token, "url": self.stage.address}
            self.page.context.add_cookies([cookie])
        self.page.goto(path)

    def shared_table(self, name: str, lay: Callable[[], Seated]) -> Seated:
        """A table that several scenes only look at is laid once. No clock may run there."""
        key = (self.stage, name)
        if key not in LAID:
            LAID[key] = lay()
        return LAID[key]

    def open_table(self, seated: Seated) -> None:
        self.open(f"/t/{seated.table}", seated)

    def wait_for(self, role: Any, key: str, *, within: Locator | None = None, **fill: Any) -> None:
        """Wait for something that has a text as its name."""
        expect(self.named(role, key, within=within, **fill)).to_be_visible()

    def press(self, key: str, *, within: Locator | None = None, **fill: Any) -> None:
        self.button(key, within=within, **fill).click()

    def switch_language(self, lang: str) -> "Visit":
        """Go on in another language, chosen in another window."""
        self.set_language(lang)
        self.page.evaluate("dispatchEvent(new StorageEvent('storage', { key: 'pytlik.settings' }))")
        self.page.wait_for_function("(lang) => document.documentElement.lang === lang", arg=lang)
        return Visit(self.page, self.stage, words.catalogue_for(lang))

    def set_language(self, lang: str) -> None:
        """The next page that is opened will be in this language."""
        self.page.evaluate(
            """(language) => {
              const kept = JSON.parse(localStorage.getItem('pytlik.settings') ?? '{}');
              localStorage.setItem('pytlik.settings', JSON.stringify({ ...kept, language }));
            }""",
            lang,
        )

    def wait_until_still(self) -> None:
        wait_until_still(self.page)


SETTLED = """async () => {
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
    """Until nothing moves any more: all that has a beginning and an end is at its end."""
    page.evaluate(SETTLED)


def visiting(new_page: NewPage, stage: Stage, lang: str = "en", **more: Any) -> Visit:
    """Somebody who reads a language, and for whom nothing moves."""
    calm: Any = {"reduced_motion": "reduce"}
    page = new_page(None, locale=words.LOCALES[lang], may_say=MAY_SAY, **calm, **more)
    if lang == words.LONG:
        words.serve_long_texts(page)
    return Visit(page, stage, words.catalogue_for(lang))


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


def wait_for_heading(visit: Visit, text: str | None = None) -> None:
    """The page with this heading is there, or any."""
    found = visit.page.get_by_role("heading", level=1)
    expect(found if text is None else found.filter(has_text=text)).not_to_have_count(0)
