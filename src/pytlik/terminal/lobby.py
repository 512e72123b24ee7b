"""A table on a server before the match begins: who sits there, taking a seat, and a host's choices
about seats."""

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from pytlik.game import Seat
from pytlik.terminal.bar import Bar, Item
from pytlik.terminal.people import seat_items, standing
from pytlik.terminal.seated import TableSeen, spoken_line
from pytlik.terminal.summary import summary
from pytlik.terminal.table_screen import TableScreen

LINES = 4
"""So much of what was said is shown."""
FEWEST, MOST = 2, 4
"""Players."""


class Chairs(Static):
    """A line for each seat."""

    class Chosen(Message):
        def __init__(self, seat: Seat) -> None:
            super().__init__()
            self.seat = seat

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Chosen(event.y))


class LobbyScreen(TableScreen):
    DEFAULT_CSS = """
    LobbyScreen {
        align: center middle;
        #banner { dock: top; }
        #lobby { width: 72; max-width: 95%; height: auto; max-height: 100%; padding: 1 3;
                 background: $surface; border: round $primary; }
        #game { text-style: bold; color: $accent; padding: 0 0 1 0; }
        #chairs { height: auto; padding: 0 0 1 0; }
        #what { height: auto; color: $secondary; }
        #talk { height: auto; color: $accent; text-style: italic; padding: 0 0 1 0; }
        #status { height: auto; text-style: bold; padding: 0 0 1 0; }
        #actions { margin: 0 0 1 0; }
        #keys { dock: bottom; background: $panel; }
        &.-coming #game, &.-coming #chairs, &.-coming #actions, &.-coming #talk, &.-coming #what
            { display: none; }
    }
    """

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Static(id="banner", markup=False)
        with Vertical(id="lobby"):
            yield Static(id="game", markup=False)
            yield Chairs(id="chairs", markup=False)
            yield Static(id="status", markup=False)
            yield Bar(id="actions", rows=3)
            yield Static(id="talk", markup=False)
            yield Static(id="what", markup=False)
        yield Bar(id="keys")

    # -------------------------------------------------------------------------------------- news

    def table_seen(self, seen: TableSeen) -> None:
        self.trouble = ""
        super().table_seen(seen)

    # ----------------------------------------------------------------------------------- drawing

    def redraw(self) -> None:
        say, table = self.say, self.table
        self.query_one("#keys", Bar).show(self.common_keys())
        self.set_class(table is None, "-coming")
        if table is None:
            self.query_one("#status", Static).update(say("page.table.coming"))
            return
        info = table.table
        self.query_one("#game", Static).update(say(f"page.first.{info.game}.title"))
        self.query_one("#chairs", Static).update(self._chairs(table))
        self.query_one("#what", Static).update(self._what(table))
        said = [f"» {spoken_line(line, table.names, say)}" for line in self.talk[-LINES:]]
        for id, text in (
            ("#talk", "\n".join(said)),
            ("#status", self.trouble or self._status(table)),
        ):
            part = self.query_one(id, Static)
            part.update(text)
            part.display = bool(text)
        actions = self.query_one("#actions", Bar)
        actions.show(self.actions())
        actions.display = bool(actions.items)

    def _chairs(self, table: TableSeen) -> Text:
        lines = Text()
        for seat, chair in enumerate(table.table.chairs):
            if seat:
                lines.append("\n")
            # Its number is the key, where something can be done about it.
            key = str(seat + 1) if seat_items(self.stage, table, seat) else " "
            lines.append(f" {key} ", style="bold reverse" if key.strip() else "")
            if chair.kind == "free":
                lines.append("  ○  " + self.say("page.lobby.free"), style="dim")
                continue
            here = chair.kind == "bot" or chair.here
            lines.append("  ●  " if here else "  ◌  ", style="bold")
            lines.append(chair.name or table.names[seat], style="bold")
            lines.append("  " + standing(table, seat, self.say))
        return lines

    def _what(self, table: TableSeen) -> Text:
        """What will be played, where others find the table, and what its shuffle is checked by."""
        say = self.say
        text = Text(" · ".join(summary(table, say)))
        if self.stage.there is not None:
            link = say("page.lobby.invite.link")
            text.append(f"\n\n{link}: ").append(str(self.stage.there.link), style="bold")
        fingerprint = say("play.commitment", commitment=table.table.commitment)
        return text.append(f"\n{fingerprint}")

    def _status(self, table: TableSeen) -> str:
        say = self.say
        if table.host and self._seated(table) < FEWEST:
            return say("page.lobby.need_one")
        if not table.yours:
            return say("page.lobby.sit.title" if self._free(table) else "page.lobby.full")
        return "" if table.host else say("page.lobby.waiting")

    def _free(self, table: TableSeen) -> list[Seat]:
        return [seat for seat, chair in enumerate(table.table.chairs) if chair.kind == "free"]

    def _seated(self, table: TableSeen) -> int:
        return len(table.table.chairs) - len(self._free(table))

    def actions(self) -> list[Item]:
        """What can be done now, the most important first."""
        table, there, say = self.table, self.stage.there, self.say
        if table is None or there is None or table.table.phase != "lobby":
            return []
        items = []
        free, seated = self._free(table), self._seated(table)
        if not table.yours and free:
            take = say("page.lobby.sit.any")
            items.append(Item("Enter", take, self.stage.ask_name, strong=True))
        elif table.host and seated >= FEWEST:
            key = "page.lobby.start_with" if free else "page.lobby.start"
            items.append(Item("Enter", say(key, n=seated), there.start, strong=True))
        if table.host and free:
            items.append(Item("b", say("page.lobby.add_bot"), self.add_bot))
        if table.host and len(table.names) < MOST:
            items.append(Item("+", say("page.lobby.add_chair"), there.add_chair))
        return items

    def add_bot(self) -> None:
        """As strong as is agreed for bots that sit in: its seat's number changes that."""
        table, there = self.table, self.stage.there
        if table is not None and there is not None:
            level = str(table.table.agreement["bot_level"])
            there.seat_bot(self._free(table)[0], level)

    # ------------------------------------------------------------------------------ keys and mouse

    def common_keys(self) -> list[Item]:
        say = self.say
        leave = Item("^q", say("terminal.key.leave"), self.stage.leave)
        theme = Item("F5", say("page.settings.theme"), self.stage.switch_theme)
        table = self.table
        seats = [
            str(seat + 1)
            for seat in range(len(table.names) if table else 0)
            if table and seat_items(self.stage, table, seat)
        ]
        choose = [Item(" ".join(seats), say("page.lobby.seats"))] if seats else []
        return [leave, *choose, *self.speaking(), theme]

    def typed(self, key: str) -> bool:
        for item in self.actions():
            if item.name == key and item.do is not None:
                item.do()
                return True
        if len(key) == 1 and key.isdecimal() and key != "0":
            self.open_seat(int(key) - 1)
            return True
        return False

    def on_chairs_chosen(self, event: Chairs.Chosen) -> None:
        self.open_seat(event.seat)
