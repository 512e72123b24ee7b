"""Scenes share a server with other tests: they find their own tables among others."""

from playwright.sync_api import expect

from tests.page.conftest import NewPage
from tests.page.scenes import scenes_pages_and_lobby, start_visit
from tests.page.table_setup import TableSetup


def test_scenes_find_their_tables_among_others(new_page: NewPage, table_setup: TableSetup) -> None:
    others = [table_setup.create_lobby(game, 3, listed=True).table for game in ("unikat", "ubongo")]
    visit = start_visit(new_page, table_setup)
    scenes_pages_and_lobby.read_listed_tables(visit)
    for table in others:
        expect(visit.table_link(table)).to_be_visible()
    scenes_pages_and_lobby.read_my_tables(visit)
    scenes_pages_and_lobby.read_home(visit)
