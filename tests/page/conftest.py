"""Fixtures for tests of the page: a server of its own, a real browser, and pages in it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from pytlik.server.responses.page_files import STATIC_FOLDER
from tests.page.browser import FLAGS, find_chromium
from tests.page.table_setup import TableSetup
from tests.server.server_process import ServerProcess

TIMEOUT_MS = 120_000
"""Milliseconds that a test waits for anything: the machine may be busy with others."""

expect.set_options(timeout=TIMEOUT_MS)

SERVICE_WORKER_BLOCKED = "^Service Worker registration blocked by Playwright"
"""What the console says when a page may not have a service worker: installing one takes longer than
showing the page, and most tests never need it."""

PHONE = (390, 844)
DESKTOP = (1440, 900)


class NewPage(Protocol):
    def __call__(
        self,
        path: str | None = "/",
        *,
        viewport: tuple[int, int] = DESKTOP,
        locale: str = "en-GB",
        touch: bool = False,
        address: str | None = None,
        may_say: str = "",
        **more: Any,
    ) -> Page:
        """Open a page at `path` (or nowhere, if None), as a visitor who was never here before.

        Any warning or error in its console fails the test, unless it matches the pattern `may_say`.
        `more` goes to Playwright's new_context(). Without `service_workers="allow"`, the page
        stores nothing for use without a server.
        """


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=find_chromium(), args=list(FLAGS), timeout=TIMEOUT_MS
        )
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One server for all tests of a run: each creates its own tables."""
    assert (STATIC_FOLDER / "index.html").exists(), "the page is not built: `make setup` builds it"
    folder: Path = tmp_path_factory.mktemp("page")
    # Bots think in a thread: their processes give way to everyone else, and so would wait forever
    # on a machine that is busy with something else.
    quick = {"bot_pause": "0", "bot_workers": "0"}
    with ServerProcess(str(folder / "page.db"), log=folder / "server.log", **quick) as running:
        yield running


@pytest.fixture(scope="session")
def table_setup(server: ServerProcess) -> Iterator[TableSetup]:
    """Sets up tables on the server."""
    with TableSetup(server) as opened:
        yield opened


@pytest.fixture
def new_page(browser: Browser, server: ServerProcess) -> Iterator[NewPage]:
    contexts = []
    complaints: list[str] = []

    def make(
        path: str | None = "/",
        *,
        viewport: tuple[int, int] = DESKTOP,
        locale: str = "en-GB",
        touch: bool = False,
        address: str | None = None,
        may_say: str = "",
        **more: Any,
    ) -> Page:
        width, height = viewport
        context = browser.new_context(
            base_url=address or server.address,
            viewport={"width": width, "height": height},
            locale=locale,
            has_touch=touch,
            is_mobile=touch,
            **{"service_workers": "block", **more},
        )
        contexts.append(context)
        context.set_default_timeout(TIMEOUT_MS)
        page = context.new_page()

        def note_complaint(kind: str, text: str) -> None:
            if not re.search(
                f"{SERVICE_WORKER_BLOCKED}|{may_say}" if may_say else SERVICE_WORKER_BLOCKED, text
            ):
                complaints.append(f"{kind}: {text}")

        def note_console_message(message: ConsoleMessage) -> None:
            if message.type in {"error", "warning"}:
                note_complaint(message.type, f"{message.text} ({message.location.get('url', '')})")

        page.on("console", note_console_message)
        page.on("pageerror", lambda error: note_complaint("thrown", str(error)))
        if path is not None:
            page.goto(path)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not complaints, "\n".join(complaints)
