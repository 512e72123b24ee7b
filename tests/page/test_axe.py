"""axe finds nothing wrong on any page in any state, in light, dark and high contrast."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import PHONE, TIMEOUT_MS, NewPage
from tests.page.page_texts import catalogue_for
from tests.page.scenes import SCENE_GROUPS, SCENES, Visit, start_visit
from tests.page.table_setup import TableSetup
from tests.page.visit import wait_until_still
from tests.server.server_process import ServerProcess

AXE_SCRIPT = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

# All of axe's rules, except the experimental ones.
ALL_RULES: dict[str, Any] = {"resultTypes": ["violations"]}

# The rules about colours.
CONTRAST_RULES = {**ALL_RULES, "runOnly": ["color-contrast", "link-in-text-block"]}

COLOUR_SCHEMES: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light", "contrast": "no-preference"},
    "dark": {"color_scheme": "dark", "contrast": "no-preference"},
    "light, high contrast": {"color_scheme": "light", "contrast": "more"},
    "dark, high contrast": {"color_scheme": "dark", "contrast": "more"},
}

RUN_AXE_JS = "async (asked) => (await axe.run(document, asked)).violations"


def find_violations(page: Page) -> Iterator[str]:
    # The page's policy forbids foreign scripts, so this one goes through the debugger.
    page.evaluate(AXE_SCRIPT.read_text(encoding="utf-8"))
    for look, media in COLOUR_SCHEMES.items():
        page.emulate_media(**media)
        wait_until_still(page)
        for violation in page.evaluate(
            RUN_AXE_JS, ALL_RULES if look == "light" else CONTRAST_RULES
        ):
            for node in violation["nodes"]:
                why = node["failureSummary"].replace("\n", " ")
                yield f"{look}: {violation['id']}: {node['html'][:160]}: {why[:300]}"
    page.emulate_media(**COLOUR_SCHEMES["light"])


@pytest.mark.every_page
@pytest.mark.parametrize("group", SCENE_GROUPS)
def test_axe_finds_no_violations(new_page: NewPage, table_setup: TableSetup, group: str) -> None:
    visit = start_visit(new_page, table_setup, viewport=PHONE)
    page = visit.page
    found = []
    for scene in SCENES:
        if scene.group == group:
            scene.show(visit)
            visit.wait_until_still()
            found += [f"{scene.name}: {each}" for each in find_violations(page)]
    assert not found, "\n".join(found)


def test_private_server_page_has_no_violations(new_page: NewPage, tmp_path: Path) -> None:
    with ServerProcess(str(tmp_path / "private.db"), passphrase="a word among friends") as private:
        page = new_page("/", address=private.address, may_say="status of 40[13]")
        heading = page.get_by_role("heading", name=catalogue_for("en")("page.missing.door.title"))
        expect(heading).to_be_visible()
        found = list(find_violations(page))
    assert not found, "\n".join(found)


def test_gone_table_page_has_no_violations(new_page: NewPage, tmp_path: Path) -> None:
    token = "of the administrator"
    with (
        ServerProcess(str(tmp_path / "own.db"), admin_token=token) as own,
        TableSetup(own) as table_setup,
    ):
        page = new_page(None, address=own.address, may_say="status of 404")
        visit = Visit(page, table_setup, catalogue_for("en"))
        seated = table_setup.create_lobby("unikat", 2)
        visit.open_table(seated)
        visit.wait_for("button", "page.lobby.start_with", n=2)
        address = f"{own.address}/api/tables/{seated.table}"
        headers = {"authorization": f"Bearer {token}"}
        answer = httpx.delete(address, headers=headers, timeout=TIMEOUT_MS / 1000)
        assert answer.is_success, answer.text
        heading = page.get_by_role("heading", name=catalogue_for("en")("page.missing.gone.title"))
        expect(heading).to_be_visible()
        found = list(find_violations(page))
    assert not found, "\n".join(found)
