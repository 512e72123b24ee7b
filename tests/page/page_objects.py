"""Page objects: where things are on the page, found by role and name inside a landmark or a dialog.

Many texts are in the document twice: a live region repeats to screen readers what toasts and tables
show, a moment later. So a search of the whole document finds one or two, depending on how fast the
machine is. Here a text is always searched in the part of the page that shows it, and nothing takes
the first of several matches: Playwright refuses ambiguous ones.
"""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from pytlik.i18n import Catalogue


class AppPage:
    """The parts that pages have in common."""

    def __init__(self, page: Page, translate: Catalogue) -> None:
        self.page = page
        self.translate = translate

    # ------------------------------------------------------------------------ parts of the page

    def main(self) -> Locator:
        """The main part; not found while it's out of reach, as behind a curtain."""
        return self.page.get_by_role("main").and_(self.page.locator(":not([inert] *)"))

    def dialog(self) -> Locator:
        """The dialog over everything else."""
        return self.page.get_by_role("dialog")

    def region(self, key: str, **fill: Any) -> Locator:
        return self.page.get_by_role("region", name=self.translate(key, **fill), exact=True)

    def game_card(self, game: str) -> Locator:
        """A game on the first page, with the ways to play it."""
        return self.region(f"page.first.{game}.title")

    def play_now(self, game: str) -> None:
        """Start a match against a bot from the first page."""
        self.button("page.first.now", within=self.game_card(game)).click()

    def table_link(self, table: str) -> Locator:
        """A table in a list of tables. Other tests may have left tables of the same game."""
        address = self.page.locator(f'[href$="/t/{table}"]')
        return self.main().get_by_role("link").and_(address)

    def pause_curtain(self) -> Locator:
        """The curtain over a paused table."""
        return self.region("page.table.paused")

    def pass_curtain(self, name: str) -> Locator:
        """The curtain that hides the table until this person has the device."""
        return self.region("page.pass.to", name=name)

    def replay_footer(self) -> Locator:
        """The footer of a replay: what just happened, and the ways back and on."""
        return self.main().locator("footer")

    # ------------------------------------------------------------------------ what is in them

    def button(self, key: str, *, within: Locator | None = None, **fill: Any) -> Locator:
        return self.by_role_and_name("button", key, within=within, **fill)

    def by_role_and_name(
        self, role: Any, key: str, *, within: Locator | None = None, **fill: Any
    ) -> Locator:
        """Elements with a role whose whole name is this text."""
        return (within or self.page).get_by_role(role, name=self.translate(key, **fill), exact=True)

    def field(self, key: str, *, within: Locator | None = None, **fill: Any) -> Locator:
        """An input, by its whole label."""
        return (within or self.page).get_by_label(self.translate(key, **fill), exact=True)

    def text(
        self, key: str, *, within: Locator | None = None, whole: bool = True, **fill: Any
    ) -> Locator:
        """The element that contains a text or, if `whole`, nothing else; in the main part by
        default."""
        return (within or self.main()).get_by_text(self.translate(key, **fill), exact=whole)

    def expect_text(
        self, key: str, *, within: Locator | None = None, whole: bool = True, **fill: Any
    ) -> None:
        expect(self.text(key, within=within, whole=whole, **fill)).to_be_visible()

    # ------------------------------------------------------------------------ at a table

    def menu_button(self, within: Locator | None = None) -> Locator:
        """Found by the start of its name, which also tells of unread messages."""
        name = starts_with_pattern(self.translate("page.table.menu"))
        return (within or self.main()).get_by_role("button", name=name)

    def open_menu(self, *parts: str) -> None:
        """Open the table's menu, and then these parts of it."""
        self.menu_button().click()
        for part in parts:
            self.button(part, within=self.dialog()).click()


RECORD_MESSAGES_JS = """
(() => {
  const places = { toast: '.toasts .toast', bubble: '.bubbles p', announcement: '#app > .unseen' };
  const record = (window.transientMessages = []);
  const last = new Map();
  const look = () => {
    for (const [kind, selector] of Object.entries(places)) {
      for (const element of document.querySelectorAll(selector)) {
        const text = element.textContent.trim();
        if (!text || last.get(element) === text) continue;
        last.set(element, text);
        record.push({ kind, text });
      }
    }
  };
  new MutationObserver(look).observe(document, {
    subtree: true, childList: true, characterData: true,
  });
})();
"""

WAS_RECORDED_JS = """([kind, text]) => window.transientMessages.some(
  (message) => message.kind === kind && message.text.includes(text),
)"""


class TransientMessages:
    """Everything that a page has shown or announced for a moment, however long ago.

    Toasts and chat bubbles disappear by themselves, and an announcement is replaced by the next,
    so a test that looked for them on the page would depend on being fast. Create this before the
    page is opened; reloading the page starts a new record.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        page.add_init_script(RECORD_MESSAGES_JS)

    def wait_for_toast(self, text: str) -> None:
        """Wait for a short message over the page: a refusal, or what somebody did."""
        self._wait_for("toast", text)

    def wait_for_bubble(self, text: str) -> None:
        """Wait for a chat message that's shown over the table."""
        self._wait_for("bubble", text)

    def wait_for_announcement(self, text: str) -> None:
        """Wait for a text for screen readers."""
        self._wait_for("announcement", text)

    def _wait_for(self, kind: str, text: str) -> None:
        self._page.wait_for_function(WAS_RECORDED_JS, arg=[kind, text])


def starts_with_pattern(text: str) -> re.Pattern[str]:
    return re.compile(f"^{re.escape(text)}")
