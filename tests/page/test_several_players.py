"""Several people at one table, on several devices or on one; and what they type stays text."""

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, expect

from pytlik.ubongo.model import Phase
from tests.page.conftest import PHONE, NewPage
from tests.page.page_objects import TransientMessages
from tests.page.page_player import Player
from tests.page.scripted_play import play_cards_until, play_until_rounds_over
from tests.page.table_setup import NAMES, TableSetup
from tests.page.ubongo_player import UbongoPlayer, solution
from tests.page.unikat_player import TouchPlayer, UnikatPlayer

HTML_NAME = "<b onclick=x>&lt;i</b>"
HTML_IMAGE_NAME = "<img src=x onerror=run>"
SCRIPT_TEXT = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"


def tiles_open_to_all(player: Player) -> set[str]:
    """The tiles that everyone may see."""
    return {stone[2] for stone in player.view["board"]} | set(player.view["display"])


def take_turns(players: Sequence[UnikatPlayer], actions: int, *onlookers: UnikatPlayer) -> None:
    """Take this many actions; everyone sees each of them, and nobody sees another's hand."""
    for _ in range(actions):
        mover = players[players[0].view["to_move"]]
        mover.wait_for_turn()
        mover.act()
        for player in (*players, *onlookers):
            player.wait_until(
                lambda player=player, mover=mover: all(  # type: ignore[misc]
                    player.view[what] == mover.view[what]
                    for what in ("board", "to_move", "phase", "counts")
                )
            )
            expect(player.filled_cells()).to_have_count(len(mover.view["board"]))
        for player in (*players, *onlookers):
            own = set(player.view["hand"]) if player in players else set()
            expect(player.rack_tiles().and_(player.page.locator("[data-tile]"))).to_have_count(
                len(own)
            )
            assert player.tiles_in_page() <= tiles_open_to_all(player) | own


def test_two_browsers_play_by_invitation_link(new_page: NewPage) -> None:
    host = UnikatPlayer(new_page(None, reduced_motion="reduce")).open("/")
    link = host.invite_friends("unikat", "Max")
    guest = UnikatPlayer(new_page(None, reduced_motion="reduce")).open(link)
    game = guest.translate("page.first.unikat.title")
    guest.expect_text("page.lobby.sit.invited", name="Max", game=game)
    seats = guest.region("page.lobby.seats")
    guest.expect_text("page.lobby.host", within=seats, whole=False)
    guest.field("page.lobby.name").fill(HTML_NAME)
    guest.button("page.lobby.sit.any").click()
    expect(host.region("page.lobby.seats").get_by_text(HTML_NAME, exact=True)).to_be_visible()
    host.button("page.lobby.start_with", n=2).click()
    for player in (host, guest):
        player.wait_until(lambda player=player: player.view)  # type: ignore[misc]
    take_turns([host, guest], 3)
    players = host.by_role_and_name("list", "page.unikat.players")
    expect(players.get_by_text(HTML_NAME, exact=True)).to_be_visible()
    expect_no_script_ran(host)


def test_unnamed_guests_are_numbered(new_page: NewPage) -> None:
    """No two people at a table may have names that look alike."""
    host = UnikatPlayer(new_page(None, reduced_motion="reduce")).open("/")
    link = host.invite_friends("unikat")
    seats = host.region("page.lobby.seats")
    expect(seats.get_by_text(host.translate("page.lobby.guest"), exact=True)).to_be_visible()
    for n in (2, 3):
        guest = UnikatPlayer(new_page(None, reduced_motion="reduce")).open(link)
        guest.button("page.lobby.sit.any").click()
        name = host.translate("page.lobby.guest_number", n=n)
        expect(seats.get_by_text(name, exact=True)).to_be_visible()


def test_television_and_two_phones(new_page: NewPage) -> None:
    """Somebody with only the link watches too; names and chat are only text to everyone."""
    screen = UnikatPlayer(new_page(None, reduced_motion="reduce"))
    on_screen = TransientMessages(screen.page)
    screen.open("/")
    screen.button("page.first.screen", within=screen.game_card("unikat")).click()
    screen.page.wait_for_url("**/screen/*")
    table = screen.page.url.rpartition("/")[2]
    calm: Any = {"viewport": PHONE, "touch": True, "reduced_motion": "reduce"}
    phones = [TouchPlayer(new_page(None, **calm)) for _ in range(2)]
    on_phone = TransientMessages(phones[1].page)
    for phone in phones:
        phone.open(f"/t/{table}")
    for phone, name in zip(phones, (HTML_NAME, HTML_IMAGE_NAME), strict=True):
        phone.field("page.lobby.name").fill(name)
        phone.press_button("page.lobby.sit.any")
        expect(screen.main().get_by_text(name, exact=True)).to_be_visible()
    choices = {"away_seconds": None, "chat": True}
    screen.ask("PUT", f"/tables/{table}/agreement", choices)
    phones[1].expect_text("page.lobby.waiting_for", name=HTML_NAME)
    phones[0].press_button("page.lobby.start_with", n=2)
    for player in (screen, *phones):
        player.wait_until(lambda player=player: player.view)  # type: ignore[misc]
    watcher = UnikatPlayer(new_page(None, reduced_motion="reduce")).open(f"/t/{table}")
    watcher.wait_until(lambda: watcher.view)
    watcher.expect_text("page.table.watching")
    take_turns(phones, 3, screen, watcher)

    for player in (screen, watcher):
        assert player.seat is None
        assert player.view["hand"] == []
        expect(player.by_role_and_name("toolbar", "page.unikat.rack")).to_have_count(0)
    phones[0].open_menu("page.table.part.chat")
    phones[0].field("page.table.chat.what").fill(SCRIPT_TEXT)
    phones[0].press_button("page.table.chat.say")
    for messages in (on_screen, on_phone):
        messages.wait_for_bubble(SCRIPT_TEXT)
        messages.wait_for_announcement(SCRIPT_TEXT)
    lines = phones[0].by_role_and_name("list", "page.table.part.chat")
    expect(lines.get_by_text(SCRIPT_TEXT)).to_be_visible()
    expect(lines.get_by_text(HTML_NAME)).to_be_visible()
    watcher.open(f"/replay/{table}/1")
    watcher.button("page.replay.last").click()
    for player in (screen, *phones, watcher):
        for name in (HTML_NAME, HTML_IMAGE_NAME):
            expect(player.main()).to_contain_text(name)
        expect_no_script_ran(player)


def test_spectator_sees_no_pieces(new_page: NewPage, table_setup: TableSetup) -> None:
    """In Ubongo, pieces are private until the round is over."""
    solving = play_cards_until(
        lambda state: state.phase is Phase.SOLVING and bool(state.placed.get(0))
    )
    seated = table_setup.create_match("ubongo", 2, solving, seconds=600)
    watcher = UbongoPlayer(new_page(None, reduced_motion="reduce"))
    watcher.page.goto(f"/t/{seated.table}")
    watcher.wait_until(lambda: watcher.view)
    watcher.expect_text("page.table.watching")
    watcher.expect_text("page.ubongo.lookingOn")
    assert watcher.seat is None
    assert not any(watcher.view["placed"].values())
    expect(watcher.card()).to_have_count(0)


class SharedDevicePlayer(UnikatPlayer):
    """One device that two people share."""

    def expect_curtain(self, name: str) -> None:
        """It hides every hand, even from the page's source."""
        expect(
            self.button("page.pass.reveal", within=self.pass_curtain(name), name=name)
        ).to_be_visible()
        self.wait_until(lambda: self.view and self.seat is None)
        expect(self.rack_tiles()).to_have_count(0)
        assert self.tiles_in_page() <= tiles_open_to_all(self)

    def lift_curtain(self, name: str) -> set[str]:
        self.button("page.pass.reveal", within=self.pass_curtain(name), name=name).click()
        self.wait_until(lambda: self.seat is not None)
        expect(self.rack_tiles()).to_have_count(len(self.view["hand"]))
        return set(self.view["hand"])


def test_one_device_is_passed_around(new_page: NewPage) -> None:
    player = SharedDevicePlayer(new_page(None, reduced_motion="reduce")).open("/")
    player.button("page.first.pass", within=player.game_card("unikat")).click()
    names = ["Ola", HTML_NAME]
    for number, name in enumerate(names, 1):
        player.field("page.pass.player", n=number).fill(name)
    player.button("page.lobby.more", what=player.translate("page.lobby.unikat.rounds")).click()
    player.button("page.pass.begin").click()
    player.wait_until(lambda: player.view)
    assert player.view["options"]["rounds"] == 2
    for _ in range(3):
        mover = player.view["to_move"]
        player.expect_curtain(names[mover])
        hand = player.lift_curtain(names[mover])
        assert player.seat == mover
        assert player.tiles_in_page() == tiles_open_to_all(player) | hand
        while player.view["to_move"] == mover:
            player.wait_for_turn()
            player.act()
    player.expect_curtain(names[player.view["to_move"]])
    mover = player.view["to_move"]
    player.reload()
    player.expect_curtain(names[mover])
    expect_no_script_ran(player)


def test_shared_device_reopened_between_rounds_goes_on(
    new_page: NewPage, table_setup: TableSetup
) -> None:
    passed = table_setup.create_match("unikat", 2, play_until_rounds_over(1), rounds=3, passed=True)
    player = SharedDevicePlayer(new_page(None, reduced_motion="reduce"))
    player.open_table_as(passed)
    player.button("page.unikat.ready").click()
    # One of them says it for everyone.
    player.wait_until(lambda: player.view["round"] == 2)
    player.expect_curtain(NAMES[player.view["to_move"]])


class SharedDeviceSolver(UbongoPlayer):
    """One device on which everyone solves the same puzzle, one after the other."""

    @property
    def deal(self) -> object:
        return self.view["deals"]["0"]

    def press_when_armed(self, button: Locator) -> str:
        """Press a button once it's enabled: right after a touch it ignores fingers, to prevent
        mistakes. Return what can be read right afterwards, before any time has passed."""
        expect(button).to_have_attribute("aria-disabled", "false")
        read: str = button.evaluate(
            """async (button) => {
              button.click();
              for (let n = 0; n < 9; n++) await null;
              return document.querySelector('main:not([inert] *)').innerText;
            }"""
        )
        return read


def test_ubongo_on_one_device(new_page: NewPage, table_setup: TableSetup) -> None:
    player = SharedDeviceSolver(new_page(None, reduced_motion="reduce"))
    messages = TransientMessages(player.page)
    player.page.goto("/")
    player.button("page.first.pass", within=player.game_card("ubongo")).click()
    for number, name in enumerate(("Ola", "Jan"), 1):
        player.field("page.pass.player", n=number).fill(name)
    # No time limit, since the test may take long.
    player.by_role_and_name("radio", "page.lobby.ubongo.untimed", within=player.dialog()).check()
    rounds = player.by_role_and_name("group", "page.lobby.ubongo.rounds", within=player.dialog())
    rounds.get_by_role("radio", name="3").check()
    player.button("page.pass.begin").click()
    for name in ("Ola", "Jan"):
        expect(player.button("page.pass.start", name=name)).to_be_visible()
        expect(player.card()).to_have_count(0)
        # Nobody sees the card before the countdown is over and their time runs.
        start = player.button("page.pass.start", name=name)
        assert player.translate("page.ubongo.coverAll") in player.press_when_armed(start)
        expect(player.card()).to_be_visible()
        first, *others = solution(player.deal).items()
        player.place_piece(*first)
        player.reload()
        player.expect_on_card(first[0])
        # A touch by accident ends nothing.
        player.button("page.pass.give_up").click()
        player.button("page.ubongo.giveUp.no").click()
        for number, cells in others:
            player.place_piece(number, cells)
        messages.wait_for_announcement(player.translate("page.pass.solved", name=name))
    player.press_when_armed(player.button("page.pass.hand_out"))
    player.wait_until(lambda: player.view["phase"] == "ready")
    expect(player.button("page.ubongo.readyNext")).to_be_visible()
    # Nobody waits for anyone, and there was no connection whose delay could be credited.
    for key in ("page.ubongo.state.waiting", "page.ubongo.waitingFor", "page.ubongo.credit"):
        words = player.translate(key, names="", n="").strip(" ()")
        expect(player.main()).not_to_contain_text(words)
    table = player.page.url.rpartition("/")[2]
    solved = [
        event["seat"] for event in table_setup.events(table) if event["kind"] == "card_solved"
    ]
    assert sorted(solved) == [0, 1]
    assert player.view["options"]["rounds"] == 3


def test_time_runs_out_on_one_device(new_page: NewPage) -> None:
    player = SharedDeviceSolver(new_page(None, reduced_motion="reduce"))
    messages = TransientMessages(player.page)
    player.page.goto("/")
    player.button("page.first.pass", within=player.game_card("ubongo")).click()
    player.button("page.pass.begin").click()
    player.page.wait_for_url("**/t/*")
    # Shorter than anyone can choose, so that the test needn't wait for it.
    table = player.page.url.rpartition("/")[2]
    player.page.evaluate("(key) => localStorage.setItem(key, '1')", f"pytlik.race.seconds.{table}")
    player.reload()
    for number in (1, 2):
        name = player.translate("page.pass.player", n=number)
        player.press_when_armed(player.button("page.pass.start", name=name))
        messages.wait_for_announcement(player.translate("page.ubongo.said.sand"))
    player.press_when_armed(player.button("page.pass.go_on"))
    expect(player.button("page.ubongo.readyNext")).to_be_visible()
    # Running out of time isn't giving up.
    expect(player.main()).to_contain_text(player.translate("page.ubongo.state.unsolved"))
    expect(player.main()).not_to_contain_text(player.translate("page.ubongo.state.gaveUp"))


def expect_no_script_ran(player: Player) -> None:
    assert not re.search(r"run|[<>]", player.page.title())
    assert player.page.locator("[onclick], [onerror], img[src=x]").count() == 0
