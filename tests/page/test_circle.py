"""A circle, from starting it on the first page to taking a seat at one of its tables."""

from playwright.sync_api import expect

from tests.page.conftest import NewPage
from tests.page.scenes import start_visit
from tests.page.scripted_play import play_until_rounds_over
from tests.page.table_setup import TableSetup


def test_circle_is_started_joined_and_gets_a_table(
    new_page: NewPage, table_setup: TableSetup
) -> None:
    ola, max_ = start_visit(new_page, table_setup), start_visit(new_page, table_setup)
    ola.open("/")
    ola.press("page.circle.start", within=ola.region("page.circle.mine"))
    ola.field("page.circle.name", within=ola.dialog()).fill("Family")
    ola.field("page.lobby.name", within=ola.dialog()).fill("Ola")
    ola.press("page.circle.start", within=ola.dialog())
    expect(ola.page.get_by_role("heading", level=1)).to_have_text("Family")
    ola.expect_text("page.circle.none")

    circle = ola.page.url
    max_.open(circle)
    max_.field("page.lobby.name").fill("Max")
    max_.press("page.circle.join")
    members = max_.region("page.circle.members")
    expect(members.get_by_text("Max", exact=True)).to_be_visible()
    expect(max_.button("page.circle.join")).to_have_count(0)

    ola.page.get_by_role(
        "button", name=ola.translate("page.first.unikat.title"), exact=True
    ).click()
    ola.expect_text("page.circle.counts", name="Family", whole=False)
    table = ola.page.url.rpartition("/")[2]
    max_.page.reload()
    max_.table_link(table).click()
    max_.press("page.lobby.sit.any")
    seats = max_.region("page.lobby.seats")
    expect(seats.get_by_text("Ola", exact=True)).to_be_visible()
    max_.expect_text("page.circle.counts", name="Family", whole=False)

    ola.page.goto("/")
    mine = ola.region("page.circle.mine").get_by_role("link")
    expect(mine).to_contain_text(ola.translate("page.circle.count", n=2))


def test_members_are_renamed_leave_and_are_removed(
    new_page: NewPage, table_setup: TableSetup
) -> None:
    seated = table_setup.create_circle(0)
    other = seated._replace(token=seated.others[0])
    first, second = start_visit(new_page, table_setup), start_visit(new_page, table_setup)
    first.open(f"/circle/{seated.table}", other)
    members = first.region("page.circle.members")
    first.press("page.lobby.rename", within=members)
    first.field("page.lobby.name", within=first.dialog()).fill("Kim")
    first.press("page.lobby.rename.done", within=first.dialog())
    expect(members.get_by_text("Kim", exact=True)).to_be_visible()
    first.press("page.circle.leave", within=members)
    first.press("page.circle.leave", within=first.dialog())
    first.wait_for("button", "page.first.now", within=first.game_card("unikat"))

    second.open(f"/circle/{seated.table}", seated)
    listed = second.region("page.circle.members").get_by_role("listitem")
    expect(listed).to_have_count(3)
    second.press("page.circle.remove", within=second.region("page.circle.members"), name="Ярослава")
    second.press("page.circle.remove", within=second.dialog(), name="Ярослава")
    expect(listed).to_have_count(2)


def test_circle_is_renamed_and_linked_after_a_match(
    new_page: NewPage, table_setup: TableSetup
) -> None:
    circle = table_setup.create_circle(0)
    played = table_setup.create_match("unikat", 2, play_until_rounds_over(1), circle=circle)
    keeper = start_visit(new_page, table_setup)
    keeper.open(f"/circle/{circle.table}", circle)
    keeper.press("page.circle.rename")
    keeper.field("page.circle.name", within=keeper.dialog()).fill("Sunday evenings")
    keeper.press("page.circle.rename", within=keeper.dialog())
    title = keeper.page.get_by_role("heading", level=1)
    expect(title).to_have_text("Sunday evenings")

    keeper.open_table(played)
    keeper.main().get_by_role("link", name="Sunday evenings", exact=True).click()
    expect(title).to_have_text("Sunday evenings")
    keeper.page.wait_for_url(f"**/circle/{circle.table}")
