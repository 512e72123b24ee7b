"""A page for a test that plays, and what the server sends to it."""

import json
from collections.abc import Callable
from time import monotonic
from typing import Any

from playwright.sync_api import Page, WebSocket

from pytlik.i18n import catalogue
from tests.page.conftest import TIMEOUT_MS
from tests.page.page_objects import AppPage
from tests.page.table_setup import SeatedTable

HOST = "127.0.0.1"

translate = catalogue("en")

FETCH_JS = """async ([method, path, body]) => {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch('/api' + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}"""

GIVE_UP_EVERY_CARD_JS = """(table) => {
  const address = `${location.origin.replace('http', 'ws')}/api/tables/${table}/socket`;
  const socket = new WebSocket(address);
  let asked = 0;
  socket.onmessage = ({ data }) => {
    const said = JSON.parse(data);
    if (said.kind === 'ping') socket.send(JSON.stringify({ kind: 'pong', n: said.n }));
    if (said.kind !== 'update') return;
    const { ready, solve } = said.view.choices;
    const action = ready ? { kind: 'ready' } : solve ? { kind: 'give_up' } : null;
    if (!action) return;
    const { match, seat } = said;
    socket.send(JSON.stringify({ kind: 'act', id: `other-${++asked}`, match, seat, action }));
  };
}"""


class Player(AppPage):
    """A page, and what its socket receives. It sees and acts through the page alone."""

    def __init__(self, page: Page) -> None:
        super().__init__(page, translate)
        self.view: dict[str, Any] = {}
        self.info: dict[str, Any] = {}
        """The table, as last received."""
        self.sent: list[dict[str, Any]] = []
        self.seq = 0
        """The number of events behind the newest view."""
        self.acknowledged = 0
        """The number of events when the last act was stored."""
        self.answered = 0
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._handle_frame)
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))

    def _handle_frame(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["kind"] == "update":
            self.view, self.seq = message["view"], message["seq"]
        elif message["kind"] in {"hello", "table_changed"}:
            self.info = message["table"]
        elif message["kind"] in {"done", "refused"}:
            self.answered += 1
            self.acknowledged = message.get("seq", self.acknowledged)

    @property
    def seat(self) -> int | None:
        return self.view.get("seat")

    def wait_until(self, holds: Callable[[], object]) -> None:
        """Wait until a condition on what the socket received holds."""
        give_up = monotonic() + TIMEOUT_MS / 1000
        while not holds():
            assert monotonic() < give_up, f"still waiting: {self.view}"
            self.page.wait_for_timeout(10)  # frames only arrive while Playwright waits

    @property
    def sent_acts(self) -> list[dict[str, Any]]:
        """All acts that this page has sent, including those it repeated."""
        return [message for message in self.sent if message["kind"] == "act"]

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Call the HTTP interface as this browser's person."""
        return self.page.evaluate(FETCH_JS, [method, path, body or {}])

    def tiles_in_page(self) -> set[str]:
        """All tiles anywhere in the page, visible or not."""
        found: list[str] = self.page.locator("[data-tile]").evaluate_all(
            "all => all.map(({ dataset }) => dataset.tile)"
        )
        return set(found)

    def create_table(self, game: str, *, chairs: int = 2, name: str = "Ola", **body: Any) -> str:
        """Create a table with a seat for this browser, which must be at the server's site."""
        # No bot takes over, however long it takes to get there.
        wanted = {"game": game, "chairs": chairs, "agreement": {"away_seconds": None}, **body}
        answer = self.ask("POST", "/tables", wanted)
        table: str = answer["table"]["id"]
        self.sit_down(table, name)
        return table

    def invite_friends(self, game: str, name: str = "") -> str:
        """Open a table from the first page as a newcomer, and return its link."""
        self.button("page.first.friends", within=self.game_card(game)).click()
        self.field("page.lobby.name", within=self.dialog()).fill(name)
        self.button("page.lobby.rename.done", within=self.dialog()).click()
        return self.field("page.lobby.invite.link").input_value()

    def sit_down(self, table: str, name: str) -> None:
        self.ask("POST", f"/tables/{table}/seats", {"name": name, "share": name})

    def open_table_as(self, seated: SeatedTable, address: str = "") -> None:
        """Open a table as the person who sits there."""
        cookie: Any = {"name": "pytlik", "value": seated.token, "domain": HOST, "path": "/"}
        self.page.context.add_cookies([cookie])
        self.page.goto(f"{address}/t/{seated.table}")

    def reload(self) -> None:
        """Load the page again, and forget the last view."""
        self.view = {}
        self.page.reload()

    def start_match(self, table: str) -> None:
        self.ask("POST", f"/tables/{table}/start")
        self.page.goto(f"/t/{table}")

    def give_up_every_card(self, table: str) -> None:
        """Play Ubongo without a page: always be ready, and solve nothing."""
        self.page.evaluate(GIVE_UP_EVERY_CARD_JS, table)

    # -------------------------------------------------------------------------------- the keyboard

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def focused_element(self) -> dict[str, Any]:
        """Return what has the focus: its name, tag, description and data attributes."""
        found: dict[str, Any] = self.page.evaluate(
            """() => {
              const node = document.activeElement;
              const words = node?.getAttribute('aria-label') ?? node?.textContent ?? '';
              const near = node?.getAttribute('aria-describedby');
              return {
                words: words.trim(),
                tag: node?.tagName,
                about: (near && document.getElementById(near)?.textContent) ?? '',
                ...node?.dataset,
              };
            }"""
        )
        return found

    def tab_to(self, words: str, about: str = "", key: str = "Tab") -> None:
        """Press Tab until the focus is on something whose name starts with these words."""
        for _ in range(120):
            now = self.focused_element()
            if now["words"].startswith(words) and about in now["about"]:
                return
            self.press(key)
        raise AssertionError(f"Tab does not lead to {words!r}")
