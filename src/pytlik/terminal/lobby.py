"""A table on a server before the match begins: who sits there, and taking a seat."""

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Static

from pytlik.i18n import Catalogue
from pytlik.terminal.bar import Bar, Item
from pytlik.terminal.seated import Spoken, TableSeen, spoken_line
from pytlik.terminal.stage import Stage

LINES = 4
"""So much of what was said is shown."""


class LobbyScreen(Screen[None]):
    DEFAULT_CSS = """
    LobbyScreen {
        align: center middle;
        #banner { dock: top; height: auto; display: none; padding: 0 1; background: $warning;
                  color: $background; text-style: bold; }
        #banner.-shown { display: block; }
        #lobby { width: 64; max-width: 95%; height: auto; max-height: 90%; padding: 1 3;
                 background: $surface; border: round $primary; }
        #game { text-style: bold; color: $accent; padding: 0 0 1 0; }
        #chairs { height: auto; padding: 0 0 1 0; }
        #what { height: auto; color: $secondary; }
        #talk { height: auto; color: $accent; text-style: italic; }
        #status { height: auto; text-style: bold; padding: 1 0; }
        #keys { dock: bottom; background: $panel; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.table: TableSeen | None = None
        self.trouble = ""
        self.banner = ""
        self.laid_out = False
        """Whether all of the screen is there to be drawn on."""
        self.talk: list[Spoken] = []

    def compose(self) -> ComposeResult:
        yield Static(id="banner", markup=False)
        with Vertical(id="lobby"):
            yield Static(id="game", markup=False)
            yield Static(id="chairs", markup=False)
            yield Static(id="what", markup=False)
            yield Static(id="talk", markup=False)
            yield Static(id="status", markup=False)
            yield Bar(id="actions")
        yield Bar(id="keys")

    @property
    def stage(self) -> Stage:
        assert isinstance(self.app, Stage)
        return self.app

    @property
    def say(self) -> Catalogue:
        return self.stage.say

    def on_mount(self) -> None:
        # Only then all parts of it are there; or never, if the game is left in this moment.
        self.call_after_refresh(self.lay_out)

    def lay_out(self) -> None:
        self.laid_out = True
        self.redraw()

    # -------------------------------------------------------------------------------------- news

    def table_seen(self, seen: TableSeen) -> None:
        self.table, self.trouble = seen, ""
        self.show()

    def spoken(self, line: Spoken) -> None:
        self.talk.append(line)
        self.show()

    def refused(self, why: str) -> None:
        self.trouble = why
        self.show()

    def show_banner(self, text: str) -> None:
        self.banner = text
        self.show()

    # ----------------------------------------------------------------------------------- drawing

    def show(self) -> None:
        if self.laid_out:
            self.redraw()

    def redraw(self) -> None:
        say = self.say
        banner = self.query_one("#banner", Static)
        banner.update(self.banner)
        banner.set_class(bool(self.banner), "-shown")
        keys = [
            Item("^q", say("terminal.key.leave"), self.stage.leave),
            Item("F5", say("page.settings.theme"), self.stage.switch_theme),
        ]
        self.query_one("#keys", Bar).show(keys)
        if self.table is None:
            self.query_one("#status", Static).update(say("page.table.coming"))
            return
        info = self.table.table
        self.query_one("#game", Static).update(say(f"page.first.{info.game}.title"))
        self.query_one("#chairs", Static).update(self._chairs(self.table))
        fingerprint = say("play.commitment", commitment=info.commitment)
        link = str(self.stage.there.link) if self.stage.there else ""
        self.query_one("#what", Static).update(f"{link}\n{fingerprint}")
        said = [f"» {spoken_line(line, self.table.names, say)}" for line in self.talk[-LINES:]]
        self.query_one("#talk", Static).update("\n".join(said))
        self.query_one("#status", Static).update(self.trouble or self._status(self.table))
        self.query_one("#actions", Bar).show(self.actions())

    def _chairs(self, table: TableSeen) -> Text:
        say, lines = self.say, Text()
        for seat, chair in enumerate(table.table.chairs):
            if seat:
                lines.append("\n")
            if chair.kind == "free":
                lines.append("○  " + say("page.lobby.free"), style="dim")
                continue
            here = chair.kind == "bot" or chair.here
            lines.append("●  " if here else "◌  ", style="bold")
            mine = seat in table.yours
            lines.append(chair.name if mine else table.names[seat], style="bold")
            if mine:
                lines.append("  " + say("page.lobby.you_host" if table.host else "page.lobby.you"))
            elif chair.level is not None and chair.kind == "bot":
                lines.append("  " + say(f"page.lobby.level.{chair.level}"))
            elif not here:
                lines.append("  " + say("page.lobby.away"))
        return lines

    def _status(self, table: TableSeen) -> str:
        say = self.say
        if not table.yours:
            return say("page.lobby.sit.title" if self._free(table) else "page.lobby.full")
        if table.host:
            ready = self._seated(table) > 1
            return "" if ready else say("page.lobby.need_one")
        return say("page.lobby.waiting")

    def _free(self, table: TableSeen) -> bool:
        return any(chair.kind == "free" for chair in table.table.chairs)

    def _seated(self, table: TableSeen) -> int:
        return sum(chair.kind != "free" for chair in table.table.chairs)

    def actions(self) -> list[Item]:
        table, there = self.table, self.stage.there
        if table is None or there is None or table.table.phase != "lobby":
            return []
        items = []
        if not table.yours and self._free(table):
            take = self.say("page.lobby.sit.any")
            items.append(Item("Enter", take, self.stage.ask_name, strong=True))
        if table.host and self._seated(table) > 1:
            begin = self.say("page.lobby.start_with", n=self._seated(table))
            items.append(Item("Enter", begin, there.start, strong=True))
        return items[:1]

    def on_key(self, event: events.Key) -> None:
        if event.key == "f5":
            self.stage.switch_theme()
        elif event.key == "enter":
            for item in self.actions():
                if item.do:
                    item.do()
