"""Scenes share a server with other tests: they find their own tables among those of others."""

from playwright.sync_api import expect

from tests.page.conftest import NewPage
from tests.page.scenes import scenes_read, visiting
from tests.page.stage import Stage


def test_lists_of_tables_may_hold_tables_of_others(new_page: NewPage, stage: Stage) -> None:
    others = [stage.lobby(game, 3, listed=True).table for game in ("unikat", "ubongo")]
    visit = visiting(new_page, stage)
    scenes_read.read_tables(visit)
    for table in others:
        expect(visit.table_link(table)).to_be_visible()
    scenes_read.read_mine(visit)
    scenes_read.read_first(visit)
