"""The first page is light, and nothing on it jumps."""

import re
from collections import Counter
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page import words
from tests.page.conftest import PATIENCE, PHONE, NewPage
from tests.page.page_objects import AppPage
from tests.page.scenes import read_first, ubongo_solving, unikat_one, visiting
from tests.page.stage import Stage
from tests.page.visit import wait_until_still

SCRIPT, ALL = 90_000, 200_000
"""Bytes over the network, compressed."""

SHIFT = 0.01
"""What browsers call good is up to 0.1."""

# From the beginning, and before anything is drawn.
WATCH = """
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });
"""


class Traffic:
    """All that a page asks for, from now on: how many bytes came for each address, with all
    headers."""

    def __init__(self, page: Page) -> None:
        self.bytes_of: Counter[str] = Counter()
        self._page = page
        self._waiting: dict[str, str] = {}
        devtools = page.context.new_cdp_session(page)
        devtools.on("Network.requestWillBeSent", self._ask)
        devtools.on("Network.loadingFinished", self._finish)
        devtools.on("Network.loadingFailed", self._finish)
        devtools.send("Network.enable")

    def _ask(self, event: Any) -> None:
        self._waiting[event["requestId"]] = event["request"]["url"]

    def _finish(self, event: Any) -> None:
        address = self._waiting.pop(event["requestId"], "")
        self.bytes_of[address] += int(event.get("encodedDataLength", 0))

    def wait_until_idle(self) -> None:
        """Until nothing is on its way, and the page has nothing left to do that asks for more."""
        give_up = monotonic() + PATIENCE / 1000
        while True:
            self._page.evaluate(IDLE)
            if not self._waiting:
                return
            assert monotonic() < give_up, f"still waiting: {self._waiting}"


IDLE = """async () => {
  if (document.readyState !== 'complete')
    await new Promise((done) => addEventListener('load', done, { once: true }));
  await document.fonts.ready;
  await new Promise((done) => requestIdleCallback(done));
}"""


@pytest.mark.parametrize("locale", ["en-GB", "uk-UA"])
def test_the_first_page_is_light(new_page: NewPage, locale: str) -> None:
    page = new_page(None, viewport=PHONE, locale=locale, touch=True)
    traffic = Traffic(page)
    page.goto("/")
    for game in ("unikat", "ubongo"):
        expect(AppPage(page, words.catalogue_for(locale[:2])).game_card(game)).to_be_visible()
    traffic.wait_until_idle()
    bytes_of = traffic.bytes_of
    script = sum(size for address, size in bytes_of.items() if re.search(r"\.js$", address))
    assert bytes_of
    assert 0 < script <= SCRIPT, bytes_of
    assert sum(bytes_of.values()) <= ALL, bytes_of


@pytest.mark.parametrize("scene", [unikat_one, ubongo_solving])
def test_a_table_names_its_files_at_once(new_page: NewPage, stage: Stage, scene: Any) -> None:
    """So that none waits for another; and each of them is used, and comes once."""
    visit = visiting(new_page, stage, viewport=PHONE, touch=True)
    # What is only needed later is loaded when there is nothing else to do: never, in this test.
    visit.page.add_init_script("window.requestIdleCallback = () => 0")
    asked: Counter[str] = Counter()
    visit.page.on("request", lambda request: asked.update([request.url]))
    scene(visit)
    used = {address for address in asked if re.search(r"/assets/.*\.(js|css)$", address)}
    named = set(visit.page.evaluate(NAMED))
    assert used == named
    assert {asked[address] for address in used} == {1}


NAMED = """async () => {
  const html = await (await fetch(location.href)).text();
  const page = new DOMParser().parseFromString(html, 'text/html');
  return [...page.querySelectorAll('script[src], link[href*="/assets/"]')].map(
    (element) => new URL(element.getAttribute('src') ?? element.getAttribute('href'),
                         location.href).href,
  );
}"""


@pytest.mark.parametrize("scene", [read_first, unikat_one, ubongo_solving])
def test_nothing_jumps(new_page: NewPage, stage: Stage, scene: Any) -> None:
    visit = visiting(new_page, stage, viewport=PHONE, touch=True)
    visit.page.add_init_script(WATCH)
    traffic = Traffic(visit.page)
    scene(visit)
    traffic.wait_until_idle()
    wait_until_still(visit.page)
    assert visit.page.evaluate("window.shifted") < SHIFT
