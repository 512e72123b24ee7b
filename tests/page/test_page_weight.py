"""The first page is light, and no page's layout shifts while it loads."""

import re
from collections import Counter
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page import page_texts
from tests.page.conftest import PHONE, TIMEOUT_MS, NewPage
from tests.page.page_objects import AppPage
from tests.page.scenes import read_home, start_visit, ubongo_solving, unikat_first_turn
from tests.page.table_setup import TableSetup
from tests.page.visit import wait_until_still

MAX_SCRIPT_BYTES, MAX_TOTAL_BYTES = 90_000, 200_000
"""Bytes over the network, compressed."""

MAX_LAYOUT_SHIFT = 0.01
"""Browsers call up to 0.1 good."""

# Watches from before anything is drawn.
WATCH_LAYOUT_SHIFT_JS = """
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });
"""


class Traffic:
    """The bytes that come for each address a page requests from now on, with all headers."""

    def __init__(self, page: Page) -> None:
        self.bytes_of: Counter[str] = Counter()
        self._page = page
        self._waiting: dict[str, str] = {}
        devtools = page.context.new_cdp_session(page)
        devtools.on("Network.requestWillBeSent", self._note_request)
        devtools.on("Network.loadingFinished", self._note_response)
        devtools.on("Network.loadingFailed", self._note_response)
        devtools.send("Network.enable")

    def _note_request(self, event: Any) -> None:
        self._waiting[event["requestId"]] = event["request"]["url"]

    def _note_response(self, event: Any) -> None:
        address = self._waiting.pop(event["requestId"], "")
        self.bytes_of[address] += int(event.get("encodedDataLength", 0))

    def wait_until_idle(self) -> None:
        """Wait until no request is pending, and the page has nothing left to do that makes one."""
        give_up = monotonic() + TIMEOUT_MS / 1000
        while True:
            self._page.evaluate(WAIT_UNTIL_IDLE_JS)
            if not self._waiting:
                return
            assert monotonic() < give_up, f"still waiting: {self._waiting}"


WAIT_UNTIL_IDLE_JS = """async () => {
  if (document.readyState !== 'complete')
    await new Promise((done) => addEventListener('load', done, { once: true }));
  await document.fonts.ready;
  await new Promise((done) => requestIdleCallback(done));
}"""


@pytest.mark.parametrize("locale", ["en-GB", "uk-UA"])
def test_first_page_is_light(new_page: NewPage, locale: str) -> None:
    page = new_page(None, viewport=PHONE, locale=locale, touch=True)
    traffic = Traffic(page)
    page.goto("/")
    for game in ("unikat", "ubongo"):
        expect(AppPage(page, page_texts.catalogue_for(locale[:2])).game_card(game)).to_be_visible()
    traffic.wait_until_idle()
    bytes_of = traffic.bytes_of
    script = sum(size for address, size in bytes_of.items() if re.search(r"\.js$", address))
    assert bytes_of
    assert 0 < script <= MAX_SCRIPT_BYTES, bytes_of
    assert sum(bytes_of.values()) <= MAX_TOTAL_BYTES, bytes_of


@pytest.mark.parametrize("scene", [unikat_first_turn, ubongo_solving])
def test_table_page_names_all_its_files(
    new_page: NewPage, table_setup: TableSetup, scene: Any
) -> None:
    """None has to wait for another, each is used, and each is requested once. So is the table's
    description."""
    visit = start_visit(new_page, table_setup, viewport=PHONE, touch=True)
    # Files for later are loaded when the browser is idle: never, in this test.
    visit.page.add_init_script("window.requestIdleCallback = () => 0")
    requests: Counter[str] = Counter()
    visit.page.on("request", lambda request: requests.update([request.url]))
    scene(visit)
    used = {address for address in requests if re.search(r"/assets/.*\.(js|css)$", address)}
    named = set(visit.page.evaluate(NAMED_ASSETS_JS))
    assert used == named
    assert {requests[address] for address in used} == {1}
    table = visit.page.evaluate("location.pathname").removeprefix("/t/")
    times = [n for address, n in requests.items() if address.endswith(f"/api/tables/{table}")]
    assert times == [1]


NAMED_ASSETS_JS = """async () => {
  const html = await (await fetch(location.href)).text();
  const page = new DOMParser().parseFromString(html, 'text/html');
  return [...page.querySelectorAll('script[src], link[href*="/assets/"]')].map(
    (element) => new URL(element.getAttribute('src') ?? element.getAttribute('href'),
                         location.href).href,
  );
}"""


@pytest.mark.parametrize("scene", [read_home, unikat_first_turn, ubongo_solving])
def test_layout_does_not_shift(new_page: NewPage, table_setup: TableSetup, scene: Any) -> None:
    visit = start_visit(new_page, table_setup, viewport=PHONE, touch=True)
    visit.page.add_init_script(WATCH_LAYOUT_SHIFT_JS)
    traffic = Traffic(visit.page)
    scene(visit)
    traffic.wait_until_idle()
    wait_until_still(visit.page)
    assert visit.page.evaluate("window.shifted") < MAX_LAYOUT_SHIFT
