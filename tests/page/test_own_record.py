"""What a browser remembers of the matches played in it."""

import json
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.page.conftest import NewPage
from tests.page.scenes import start_visit
from tests.page.scripted_play import play_until_i_lost
from tests.page.table_setup import TableSetup
from tests.page.visit import Visit

IS_MATCH_COUNTED_JS = (
    "() => JSON.parse(localStorage.getItem('pytlik.record'))?.matches.length === 1"
)


def lose_match(visit: Visit, table_setup: TableSetup) -> None:
    """Lose a match against a bot."""
    visit.open_table(table_setup.create_match("unikat", 2, play_until_i_lost, bots="hard"))
    visit.wait_for("button", "page.table.again")
    visit.page.wait_for_function(IS_MATCH_COUNTED_JS)


def record_card(visit: Visit) -> Locator:
    """The card on the first page."""
    return visit.region("page.record.title").get_by_role("button")


def test_record_counts_matches_and_moves_to_another_browser(
    new_page: NewPage, table_setup: TableSetup, tmp_path: Path
) -> None:
    old = start_visit(new_page, table_setup)
    old.open("/")
    expect(record_card(old)).to_have_text(old.translate("page.record.empty"))
    lose_match(old, table_setup)
    old.page.reload()
    old.wait_for("button", "page.table.again")
    old.page.goto("/")
    games, wins = old.translate("page.record.games", n=1), old.translate("page.record.wins", n=0)
    expect(record_card(old)).to_have_text(f"{games} · {wins}")

    record_card(old).click()
    vega = old.dialog().get_by_role("listitem").filter(has_text=old.translate("page.bot.name.hard"))
    expect(vega).to_contain_text(old.translate("page.record.won", won=0, all=1))
    with old.page.expect_download() as download:
        old.press("page.record.export", within=old.dialog())
    file = tmp_path / "record.json"
    download.value.save_as(file)
    assert len(json.loads(file.read_text())["matches"]) == 1

    new = start_visit(new_page, table_setup)
    new.open("/")
    record_card(new).click()
    chosen = new.field("page.record.import", within=new.dialog())
    (tmp_path / "other.json").write_text("{}")
    chosen.set_input_files(tmp_path / "other.json")
    new.expect_text("page.record.wrong", within=new.dialog())
    chosen.set_input_files(file)
    new.expect_text("page.record.imported", within=new.dialog(), n=1)
    new.button("page.close", within=new.dialog()).click()
    expect(record_card(new)).to_have_text(f"{games} · {wins}")
