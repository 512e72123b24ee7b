"""axe finds nothing on any page in any state, in light, dark and high contrast."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import PATIENCE, PHONE, NewPage
from tests.page.scenes import GROUPS, SCENES, Visit, visiting
from tests.page.stage import Stage
from tests.page.visit import wait_until_still
from tests.page.words import catalogue_for
from tests.server.server_process import ServerProcess

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

# Everything that axe knows, but for its experiments.
ALL: dict[str, Any] = {"resultTypes": ["violations"]}

# What depends on the colours.
CONTRAST = {**ALL, "runOnly": ["color-contrast", "link-in-text-block"]}

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light", "contrast": "no-preference"},
    "dark": {"color_scheme": "dark", "contrast": "no-preference"},
    "light, high contrast": {"color_scheme": "light", "contrast": "more"},
    "dark, high contrast": {"color_scheme": "dark", "contrast": "more"},
}

RUN = "async (asked) => (await axe.run(document, asked)).violations"


def violations(page: Page) -> Iterator[str]:
    # The page's policy forbids scripts of others: this one comes by the debugger.
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for look, media in LOOKS.items():
        page.emulate_media(**media)
        wait_until_still(page)
        for violation in page.evaluate(RUN, ALL if look == "light" else CONTRAST):
            for node in violation["nodes"]:
                why = node["failureSummary"].replace("\n", " ")
                yield f"{look}: {violation['id']}: {node['html'][:160]}: {why[:300]}"
    page.emulate_media(**LOOKS["light"])


@pytest.mark.every_page
@pytest.mark.parametrize("group", GROUPS)
def test_axe_finds_nothing(new_page: NewPage, stage: Stage, group: str) -> None:
    visit = visiting(new_page, stage, viewport=PHONE)
    page = visit.page
    found = []
    for scene in SCENES:
        if scene.group == group:
            scene.show(visit)
            visit.wait_until_still()
            found += [f"{scene.name}: {each}" for each in violations(page)]
    assert not found, "\n".join(found)


def test_nor_at_a_private_server(new_page: NewPage, tmp_path: Path) -> None:
    with ServerProcess(str(tmp_path / "private.db"), passphrase="a word among friends") as private:
        page = new_page("/", address=private.address, may_say="status of 40[13]")
        heading = page.get_by_role("heading", name=catalogue_for("en")("page.missing.door.title"))
        expect(heading).to_be_visible()
        found = list(violations(page))
    assert not found, "\n".join(found)


def test_nor_where_a_table_is_gone(new_page: NewPage, tmp_path: Path) -> None:
    token = "of the administrator"
    with ServerProcess(str(tmp_path / "own.db"), admin_token=token) as own, Stage(own) as stage:
        page = new_page(None, address=own.address, may_say="status of 404")
        visit = Visit(page, stage, catalogue_for("en"))
        seated = stage.lobby("unikat", 2)
        visit.open_table(seated)
        visit.wait_for("button", "page.lobby.start_with", n=2)
        address = f"{own.address}/api/tables/{seated.table}"
        headers = {"authorization": f"Bearer {token}"}
        answer = httpx.delete(address, headers=headers, timeout=PATIENCE / 1000)
        assert answer.is_success, answer.text
        heading = page.get_by_role("heading", name=catalogue_for("en")("page.missing.gone.title"))
        expect(heading).to_be_visible()
        found = list(violations(page))
    assert not found, "\n".join(found)
