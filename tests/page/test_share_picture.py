"""A finished match as a picture."""

import struct

from playwright.sync_api import expect

from tests.page.conftest import NewPage
from tests.page.scenes import start_visit
from tests.page.scripted_play import play_cards_until
from tests.page.table_setup import NAMES, TableSetup

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def test_picture_of_a_match_ranks_everyone(new_page: NewPage, table_setup: TableSetup) -> None:
    ask = play_cards_until(lambda state: bool(state.winners), gives_up=2)
    seated = table_setup.create_match("ubongo", 3, ask, seconds=600, bots="medium")
    points = table_setup.events(seated.table)[-1]["points"]
    best = sorted(range(3), key=lambda seat: -points[seat])
    assert len(set(points)) == 3, "all places are different"

    visit = start_visit(new_page, table_setup)
    visit.open_table(seated)
    visit.press("page.lobby.invite.share")
    bot = visit.translate("page.bot.name.medium")
    names = [NAMES[0], bot, f"{bot}\u00a02"]
    rows = [
        f"{place}. {names[seat]}: {visit.translate('page.ubongo.points', n=points[seat])}"
        for place, seat in enumerate(best, 1)
    ]
    described = "; ".join([visit.translate("page.first.ubongo.title"), *rows])
    expect(visit.dialog().get_by_role("img")).to_have_attribute("alt", described)
    with visit.page.expect_download() as download:
        visit.press("page.daily.picture", within=visit.dialog())
    assert download.value.suggested_filename == f"pytlik-ubongo-{seated.table}.1.png"
    content = download.value.path().read_bytes()
    assert content.startswith(PNG_SIGNATURE)
    assert struct.unpack(">II", content[16:24]) == (1080, 1080)
