"""The frame around a game: the top line, the lines about events, the status, bars, and pauses."""

from textwrap import wrap

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import RichLog, Static

from pytlik.game import Seat
from pytlik.terminal.screens.event_log import MOST_LINES, EventLog
from pytlik.terminal.screens.table_actions import ending_items, table_items
from pytlik.terminal.screens.table_notice import is_paused, pause_curtain
from pytlik.terminal.screens.table_screen import TableScreen
from pytlik.terminal.session import ChatLine, TableUpdate, format_chat_line
from pytlik.terminal.widgets.bar import Bar, BarItem
from pytlik.terminal.widgets.chat import ChatBubbles
from pytlik.terminal.widgets.dialogs import Dialog
from pytlik.terminal.widgets.theme import DARK, LIGHT, Palette


class GameFrame(TableScreen):
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (112, "-wide")]  # noqa: RUF012 - Textual's own form
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-tall")]  # noqa: RUF012

    DEFAULT_CSS = """
    GameFrame {
        layout: vertical;
        layers: table above;
        #top { height: 1; padding: 0 1; background: $panel; }
        #middle { height: 1fr; }
        #field { width: 1fr; }
        #events { width: 40; padding: 0 1; background: $surface; scrollbar-size-vertical: 1;
                  overflow: hidden auto; display: none; }
        #latest { height: 1; padding: 0 1; color: $secondary; }
        #lower { height: auto; }
        #curtain { height: 1fr; width: 100%; text-align: center; content-align: center middle;
                   display: none; }
        #status { height: 1; padding: 0 1; text-style: bold; }
        #keys { background: $panel; }
        &.-wide #events { display: block; }
        &.-wide #latest { display: none; }
        &.-wide ChatBubbles { margin: 1 42 1 1; }
        &.-paused #curtain { display: block; }
        &.-paused #middle, &.-paused #lower, &.-paused #latest { display: none; }
    }
    """

    def __init__(self, seat: Seat | None) -> None:
        super().__init__()
        self.seat = seat
        self.event_log = EventLog(self.draw_line)
        self.ending: Dialog | None = None
        """How the match has ended, and what can be done then."""
        self._drawn: object = None
        """What the lines show, so that nothing is drawn twice."""

    # Each game has its own of these. `TableScreen` says why they aren't abstract methods.

    def compose_field(self) -> ComposeResult:
        """The widgets of the game."""
        raise NotImplementedError

    def compose_lower(self) -> ComposeResult:
        """The widgets below the latest event."""
        yield from ()

    def draw_line(self, line: str, width: int) -> Text:
        """A line about an event, wrapped at so many columns."""
        return Text("\n".join(wrap(line, width)))

    def key_items(self) -> list[BarItem]:
        """The keys for the last line, the most important first."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------ layout

    @property
    def palette(self) -> Palette:
        return DARK if self.app.current_theme.dark else LIGHT

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Static(id="banner", markup=False)
        yield Static(id="top")
        with Horizontal(id="middle"):
            with Vertical(id="field"):
                yield from self.compose_field()
            yield RichLog(
                id="events", wrap=True, max_lines=MOST_LINES, auto_scroll=True, min_width=20
            )
        yield Static(id="latest", markup=False)
        with Vertical(id="lower"):
            yield from self.compose_lower()
        yield Static(id="curtain", markup=False)
        yield Static(id="status", markup=False)
        yield Bar(id="actions", rows=2)
        yield Bar(id="keys")
        yield ChatBubbles()

    def lay_out(self) -> None:
        self.event_log.attach(self.query_one("#events", RichLog))
        super().lay_out()

    def show(self) -> None:
        self.set_class(is_paused(self.table), "-paused")
        if self.is_laid_out and self.table is not None and is_paused(self.table):
            self.query_one("#curtain", Static).update(pause_curtain(self.table, self.translate))
        super().show()

    def show_common(self, top: Text, status: str, actions: list[BarItem]) -> None:
        """Show the lines that every game has, if they have changed."""
        if is_paused(self.table):
            status, actions = self.translate("page.table.paused"), []
        line = Text(self.problem or status, no_wrap=True, overflow="ellipsis")
        line.stylize(self.palette.warning if self.problem else self.palette.accent)
        actions = [*actions, *table_items(self.base_app, self.table)]
        keys = self.key_items()
        texts = tuple((item.key, item.text, item.strong) for item in (*actions, *keys))
        latest = self.event_log.latest
        # While the sand runs this is called several times a second.
        if (top, latest, line, texts) == self._drawn:
            return
        self._drawn = (top, latest, line, texts)
        # Each is one line, whatever it says, so nothing else has to move.
        self.query_one("#top", Static).update(top, layout=False)
        self.query_one("#latest", Static).update(latest, layout=False)
        self.query_one("#status", Static).update(line, layout=False)
        self.query_one("#actions", Bar).show(actions)
        self.query_one("#keys", Bar).show(keys)

    # -------------------------------------------------------------------------------------- news

    def add_chat_line(self, line: ChatLine) -> None:
        text = format_chat_line(line, self.names, self.translate)
        self.event_log.add(f"» {text}", f"italic {self.palette.accent}")
        if line.fresh and self.is_laid_out:
            self.query_one(ChatBubbles).add(text)
        super().add_chat_line(line)

    def update_table(self, update: TableUpdate) -> None:
        old = (self.table or update).table
        for seat, chair in enumerate(update.table.chairs):
            has_left = chair.kind == "person" and old.chairs[seat].here and not chair.here
            if has_left and seat not in update.yours:
                self.event_log.add(self.translate("page.table.away", name=update.names[seat]))
        super().update_table(update)
        if self.ending is not None and self.app.screen is self.ending:
            self.ending.set_items(ending_items(self.base_app, update))

    def show_ending(self, title: str, text: Text) -> None:
        self.ending = Dialog(title, text, ending_items(self.base_app, self.table))
        self.base_app.open_dialog(self.ending)
