"""A table on a server before the match starts: who sits there, and what the host can choose."""

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from pytlik.game import Seat
from pytlik.games import GAMES
from pytlik.terminal.screens.agreement_summary import summarize_options_and_agreement
from pytlik.terminal.screens.base_table_screen import BaseTableScreen
from pytlik.terminal.screens.chat_log import chat_bar_items
from pytlik.terminal.screens.seat_menu import describe_seat, open_seat_menu, seat_menu_items
from pytlik.terminal.session import TableUpdate, format_chat_line
from pytlik.terminal.widgets.key_bar import BarItem, KeyBar, run_item_with_key

SHOWN_CHAT_LINES = 4


class ChairList(Static):
    """A line for each seat."""

    class Chosen(Message):
        def __init__(self, seat: Seat) -> None:
            super().__init__()
            self.seat = seat

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Chosen(event.y))


class LobbyScreen(BaseTableScreen):
    DEFAULT_CSS = """
    LobbyScreen {
        align: center middle;
        #banner { dock: top; }
        #lobby { width: 72; max-width: 95%; height: auto; max-height: 100%; padding: 1 3;
                 background: $surface; border: round $primary; }
        #game { text-style: bold; color: $accent; padding: 0 0 1 0; }
        #chairs { height: auto; padding: 0 0 1 0; }
        #summary { height: auto; color: $secondary; }
        #chat { height: auto; color: $accent; text-style: italic; padding: 0 0 1 0; }
        #status { height: auto; text-style: bold; padding: 0 0 1 0; }
        #actions { margin: 0 0 1 0; }
        #keys { dock: bottom; background: $panel; }
        &.-loading #game, &.-loading #chairs, &.-loading #actions, &.-loading #chat,
        &.-loading #summary { display: none; }
    }
    """

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Static(id="banner", markup=False)
        with Vertical(id="lobby"):
            yield Static(id="game", markup=False)
            yield ChairList(id="chairs", markup=False)
            yield Static(id="status", markup=False)
            yield KeyBar(id="actions", rows=3)
            yield Static(id="chat", markup=False)
            yield Static(id="summary", markup=False)
        yield KeyBar(id="keys")

    def update_table(self, update: TableUpdate) -> None:
        self.problem = ""
        super().update_table(update)

    # ----------------------------------------------------------------------------------- drawing

    def redraw(self) -> None:
        translate, table = self.translate, self.table
        self.query_one("#keys", KeyBar).show(self.non_game_bar_items())
        self.set_class(table is None, "-loading")
        if table is None:
            self.query_one("#status", Static).update(translate("page.table.coming"))
            return
        title = translate(f"page.first.{table.table.game}.title")
        self.query_one("#game", Static).update(title)
        self.query_one("#chairs", Static).update(self._draw_chairs(table))
        self.query_one("#summary", Static).update(self._draw_summary(table))
        lines = self.chat_log.lines[-SHOWN_CHAT_LINES:]
        chat = "\n".join(f"» {format_chat_line(line, table.names, translate)}" for line in lines)
        for id, text in (("#chat", chat), ("#status", self.problem or self._status_line(table))):
            part = self.query_one(id, Static)
            part.update(text)
            part.display = bool(text)
        actions = self.query_one("#actions", KeyBar)
        actions.show(self.action_bar_items())
        actions.display = bool(actions.items)

    def _draw_chairs(self, table: TableUpdate) -> Text:
        lines = Text()
        for seat, chair in enumerate(table.table.chairs):
            if seat:
                lines.append("\n")
            # A seat's number is its key, if it has a menu.
            key = str(seat + 1) if seat_menu_items(self.base_app, table, seat) else " "
            lines.append(f" {key} ", style="bold reverse" if key.strip() else "")
            if chair.kind == "free":
                lines.append("  ○  " + self.translate("page.lobby.free"), style="dim")
                continue
            here = chair.kind == "bot" or chair.here
            lines.append("  ●  " if here else "  ◌  ", style="bold")
            lines.append(chair.name or table.names[seat], style="bold")
            lines.append("  " + describe_seat(table, seat, self.translate))
        return lines

    def _draw_summary(self, table: TableUpdate) -> Text:
        """What will be played, where others find the table, and how its shuffle is verified."""
        translate, remote = self.translate, self.base_app.remote
        text = Text(" · ".join(summarize_options_and_agreement(table, translate)))
        if remote is not None:
            link = translate("page.lobby.invite.link")
            text.append(f"\n\n{link}: ").append(str(remote.link), style="bold")
        fingerprint = translate("play.commitment", commitment=table.table.commitment)
        return text.append(f"\n{fingerprint}")

    def _status_line(self, table: TableUpdate) -> str:
        translate, free = self.translate, free_seats(table)
        fewest = GAMES[table.table.game].players[0]
        if table.decides_start and len(table.names) - len(free) < fewest:
            return translate("page.lobby.need_one")
        if not table.yours:
            return translate("page.lobby.sit.title" if free else "page.lobby.full")
        if table.decides_start:
            return ""
        # Someone sits here, so there is a person who may start.
        assert table.seat_that_may_start is not None
        return translate("page.lobby.waiting_for", name=table.names[table.seat_that_may_start])

    # -------------------------------------------------------------------------------------- keys

    def action_bar_items(self) -> list[BarItem]:
        """What can be done now, the most important first."""
        app, table, translate = self.base_app, self.table, self.translate
        remote = app.remote
        if table is None or remote is None or table.table.phase != "lobby":
            return []
        players = GAMES[table.table.game].players
        items = []
        free = free_seats(table)
        seated = len(table.names) - len(free)
        if not table.yours and free:
            items.append(
                BarItem("Enter", translate("page.lobby.sit.any"), app.take_seat, strong=True)
            )
        elif table.decides_start and seated >= players[0]:
            text = translate("page.lobby.start_with" if free else "page.lobby.start", n=seated)
            items.append(BarItem("Enter", text, remote.player_api.start_match, strong=True))
        if table.host and free:
            # At the level agreed on for stand-ins; the seat's menu can change it.
            level = str(table.table.agreement["bot_level"])

            def add_bot() -> None:
                remote.host_api.seat_bot(free[0], level)

            items.append(BarItem("b", translate("page.lobby.add_bot"), add_bot))
        if table.host and len(table.names) < players[-1]:
            items.append(BarItem("+", translate("page.lobby.add_chair"), remote.host_api.add_chair))
        return items

    def non_game_bar_items(self) -> list[BarItem]:
        app, translate, table = self.base_app, self.translate, self.table
        seats = [
            str(seat + 1)
            for seat in range(len(self.names))
            if table and seat_menu_items(app, table, seat)
        ]
        return [
            BarItem("^q", translate("terminal.key.leave"), app.leave),
            *([BarItem(" ".join(seats), translate("page.lobby.seats"))] if seats else []),
            *chat_bar_items(app, table, self.chat_log),
            BarItem("F5", translate("page.settings.theme"), app.switch_theme),
        ]

    def press_key(self, key: str) -> bool:
        if run_item_with_key(self.action_bar_items(), key):
            return True
        if len(key) == 1 and key.isdecimal() and key != "0":
            open_seat_menu(self.base_app, self.table, int(key) - 1)
            return True
        return False

    def on_chair_list_chosen(self, event: ChairList.Chosen) -> None:
        open_seat_menu(self.base_app, self.table, event.seat)


def free_seats(table: TableUpdate) -> list[Seat]:
    return [seat for seat, chair in enumerate(table.table.chairs) if chair.kind == "free"]
