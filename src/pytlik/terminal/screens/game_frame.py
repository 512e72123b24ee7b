"""The frame around a game: the top line, the lines about events, the status, bars, and pauses."""

from textwrap import wrap

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import RichLog, Static

from pytlik.game import Seat
from pytlik.terminal.screens.base_table_screen import BaseTableScreen
from pytlik.terminal.screens.event_log import MAX_EVENT_LINES, EventLog
from pytlik.terminal.screens.table_bar_items import match_over_bar_items, table_bar_items
from pytlik.terminal.screens.table_notice import draw_pause_curtain, is_paused
from pytlik.terminal.session import ChatLine, TableUpdate, format_chat_line
from pytlik.terminal.widgets.chat import ChatBubbles
from pytlik.terminal.widgets.dialogs import Dialog
from pytlik.terminal.widgets.key_bar import BarItem, KeyBar
from pytlik.terminal.widgets.theme import DARK, LIGHT, Palette


class GameFrame(BaseTableScreen):
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
        self.event_log = EventLog(self.wrap_event_line)
        self.ending: Dialog | None = None
        """The dialog about the match's result."""
        self._drawn: object = None
        """What the lines show now, so that nothing is drawn twice."""

    # Each game overrides these. `BaseTableScreen` says why they aren't abstract methods.

    def compose_game_area(self) -> ComposeResult:
        """The widgets of the game."""
        raise NotImplementedError

    def compose_lower_area(self) -> ComposeResult:
        """The widgets below the latest event."""
        yield from ()

    def wrap_event_line(self, line: str, width: int) -> Text:
        """A line about an event, wrapped at `width` columns."""
        return Text("\n".join(wrap(line, width)))

    def bottom_bar_items(self) -> list[BarItem]:
        """The items of the bar at the bottom, the most important first."""
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
                yield from self.compose_game_area()
            yield RichLog(
                id="events", wrap=True, max_lines=MAX_EVENT_LINES, auto_scroll=True, min_width=20
            )
        yield Static(id="latest", markup=False)
        with Vertical(id="lower"):
            yield from self.compose_lower_area()
        yield Static(id="curtain", markup=False)
        yield Static(id="status", markup=False)
        yield KeyBar(id="actions", rows=2)
        yield KeyBar(id="keys")
        yield ChatBubbles()

    def start_drawing(self) -> None:
        self.event_log.attach_column(self.query_one("#events", RichLog))
        super().start_drawing()

    def redraw_if_ready(self) -> None:
        self.set_class(is_paused(self.table), "-paused")
        if self.is_ready_to_draw and self.table is not None and is_paused(self.table):
            self.query_one("#curtain", Static).update(
                draw_pause_curtain(self.table, self.translate)
            )
        super().redraw_if_ready()

    def show_common_lines(self, top: Text, status: str, actions: list[BarItem]) -> None:
        """Show the lines that every game has, if they have changed."""
        if is_paused(self.table):
            status, actions = self.translate("page.table.paused"), []
        line = Text(self.problem or status, no_wrap=True, overflow="ellipsis")
        line.stylize(self.palette.warning if self.problem else self.palette.accent)
        actions = [*actions, *table_bar_items(self.base_app, self.table)]
        keys = self.bottom_bar_items()
        texts = tuple((item.key, item.text, item.strong) for item in (*actions, *keys))
        latest = self.event_log.latest_line
        # While the sand runs this is called several times a second.
        if (top, latest, line, texts) == self._drawn:
            return
        self._drawn = (top, latest, line, texts)
        # Each is always one line, so nothing else has to move.
        self.query_one("#top", Static).update(top, layout=False)
        self.query_one("#latest", Static).update(latest, layout=False)
        self.query_one("#status", Static).update(line, layout=False)
        self.query_one("#actions", KeyBar).show(actions)
        self.query_one("#keys", KeyBar).show(keys)

    # -------------------------------------------------------------------------------------- news

    def add_chat_line(self, line: ChatLine) -> None:
        text = format_chat_line(line, self.names, self.translate)
        self.event_log.add(f"» {text}", f"italic {self.palette.accent}")
        if line.fresh and self.is_ready_to_draw:
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
            self.ending.set_items(match_over_bar_items(self.base_app, update))

    def show_match_end_dialog(self, title: str, text: Text) -> None:
        self.ending = Dialog(title, text, match_over_bar_items(self.base_app, self.table))
        self.base_app.open_dialog(self.ending)
