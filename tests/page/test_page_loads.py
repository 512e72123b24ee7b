"""The page loads at any address, without messages in its console."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pytlik.server.responses.page_files import PAGE_PREFIXES
from tests.page import page_texts
from tests.page.conftest import DESKTOP, PHONE, NewPage
from tests.server.server_process import ServerProcess

WITH_SERVICE_WORKER: Any = {"service_workers": "allow"}
"""With the worker that keeps the page for use without a server."""


def expect_page_not_empty(page: Page) -> None:
    """Expect something to read."""
    expect(page.get_by_role("main")).to_have_text(re.compile(r"\S"))


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP])
def test_first_page_loads(new_page: NewPage, viewport: tuple[int, int]) -> None:
    page = new_page("/", viewport=viewport, touch=viewport == PHONE, **WITH_SERVICE_WORKER)
    expect_page_not_empty(page)
    assert page.title()


@pytest.mark.parametrize("lang", ["de", "uk"])
def test_both_games_are_visible_on_a_small_phone(new_page: NewPage, lang: str) -> None:
    page = new_page("/", viewport=(360, 640), locale=page_texts.LOCALES[lang], touch=True)
    translate = page_texts.catalogue_for(lang)
    for game in ("unikat", "ubongo"):
        card = page.get_by_role("region", name=translate(f"page.first.{game}.title"))
        expect(card.get_by_role("button", name=translate("page.first.now"))).to_be_in_viewport(
            ratio=1
        )


@pytest.mark.parametrize("first", PAGE_PREFIXES)
def test_every_address_loads(new_page: NewPage, first: str) -> None:
    # There's no such table, and the browser logs every failed request.
    page = new_page(f"/{first}/unikat", may_say="status of 404|403", **WITH_SERVICE_WORKER)
    expect_page_not_empty(page)


def test_unknown_address_shows_a_page(new_page: NewPage) -> None:
    page = new_page("/nowhere/at/all", may_say="status of 404", **WITH_SERVICE_WORKER)
    expect_page_not_empty(page)


def test_page_loads_behind_a_proxy_at_a_path(new_page: NewPage, tmp_path: Path) -> None:
    with ServerProcess(str(tmp_path / "proxied.db"), base_path="/games") as running:
        page = new_page("/games/settings", address=running.address, **WITH_SERVICE_WORKER)
        expect_page_not_empty(page)
        assert page.evaluate("document.documentElement.dataset.base") == "/games"
        # Until the worker is ready it loads files, and complains if the server is gone.
        scope = page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)")
        assert scope == f"{running.address}/games/"
        page.close()


def test_link_opens_a_page_at_its_top(new_page: NewPage) -> None:
    page = new_page("/", viewport=PHONE, touch=True)
    translate = page_texts.catalogue_for("en")
    page.get_by_role("link", name=translate("page.settings.title"), exact=True).tap()
    # The focus moves there without scrolling.
    expect(page.get_by_role("main")).to_be_focused()
    heading = page.get_by_role("heading", name=translate("page.settings.title"), exact=True)
    expect(heading).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
