"""The first page is light, and nothing on it jumps."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page import words
from tests.page.conftest import PHONE, NewPage
from tests.page.page_objects import AppPage
from tests.page.scenes import read_first, ubongo_solving, unikat_one, visiting
from tests.page.stage import Stage
from tests.page.visit import settle

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


LOADED = """() => {
  const isLoaded = ({ responseEnd }) => responseEnd > 0;
  return document.readyState === 'complete' && document.fonts.status === 'loaded'
    && [...document.images].every(({ complete }) => complete)
    && performance.getEntriesByType('resource').every(isLoaded);
}"""


def wait_until_loaded(page: Page) -> None:
    """Until all that the page has asked for is there."""
    page.wait_for_function(LOADED)


def sent(page: Page) -> dict[str, int]:
    """How many bytes came for each address, with all headers; from now on."""
    bytes_of: dict[str, int] = {}
    address_of: dict[str, str] = {}
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")

    def begun(event: Any) -> None:
        address_of[event["requestId"]] = event["request"]["url"]

    def done(event: Any) -> None:
        address = address_of.get(event["requestId"], "")
        bytes_of[address] = bytes_of.get(address, 0) + int(event["encodedDataLength"])

    devtools.on("Network.requestWillBeSent", begun)
    devtools.on("Network.loadingFinished", done)
    return bytes_of


@pytest.mark.parametrize("locale", ["en-GB", "uk-UA"])
def test_the_first_page_is_light(new_page: NewPage, locale: str) -> None:
    page = new_page(None, viewport=PHONE, locale=locale, touch=True, service_workers="block",
                    may_say="^Service Worker")  # fmt: skip
    bytes_of = sent(page)
    page.goto("/")
    for game in ("unikat", "ubongo"):
        expect(AppPage(page, words.say(locale[:2])).game_card(game)).to_be_visible()
    wait_until_loaded(page)
    script = sum(size for address, size in bytes_of.items() if re.search(r"\.js$", address))
    assert bytes_of
    assert 0 < script <= SCRIPT, bytes_of
    assert sum(bytes_of.values()) <= ALL, bytes_of


@pytest.mark.parametrize("scene", [read_first, unikat_one, ubongo_solving])
def test_nothing_jumps(new_page: NewPage, stage: Stage, scene: Any) -> None:
    visit = visiting(new_page, stage, viewport=PHONE, touch=True)
    visit.page.add_init_script(WATCH)
    scene(visit)
    wait_until_loaded(visit.page)
    settle(visit.page)
    assert visit.page.evaluate("window.shifted") < SHIFT
