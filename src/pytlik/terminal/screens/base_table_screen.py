"""What the lobby and the games' screens share: the banner, the chat, and keys."""

from collections.abc import Sequence
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from pytlik.i18n import Catalogue
from pytlik.terminal.screens.base_app import BaseApp
from pytlik.terminal.screens.chat_log import ChatLog
from pytlik.terminal.screens.table_notice import table_notice
from pytlik.terminal.session import ChatLine, TableUpdate
from pytlik.terminal.widgets.chat import ChatDialog
from pytlik.terminal.widgets.key_bar import BarItem, run_item_with_key

BANNER_REFRESH_SECONDS = 1
"""How often the banner is drawn again, because it may count down."""


class BaseTableScreen(Screen[None]):
    AUTO_FOCUS = ""

    DEFAULT_CSS = """
    BaseTableScreen {
        #banner { height: auto; display: none; padding: 0 1; background: $surface;
                  color: $accent; text-style: bold; }
        #banner.-shown { display: block; }
        #banner.-lost { background: $warning; color: $background; }
        #small { display: none; width: 100%; height: 100%; padding: 1 2; }
        &.-small > * { display: none !important; }
        &.-small > #small { display: block !important; }
    }
    """

    MINIMUM_SIZE = Size(50, 18)

    def __init__(self) -> None:
        super().__init__()
        self.table: TableUpdate | None = None
        """The table, if it is on a server."""
        self.names: tuple[str, ...] = ()
        self.problem = ""
        """What was wrong with the person's latest attempt."""
        self.lost_text = ""
        """Says that the connection is lost; empty if it isn't."""
        self.chat_log = ChatLog()
        self._is_layout_finished = False
        self._banner = ("", False)
        """What the banner shows, and whether that's a lost connection."""

    # Each kind of screen overrides these. They can't be abstract methods, because Textual's
    # metaclass doesn't work with abc's.

    def redraw(self) -> None:
        raise NotImplementedError

    def press_key(self, key: str) -> bool:
        """Do what a key stands for. Returns whether it means something here."""
        raise NotImplementedError

    def non_game_bar_items(self) -> Sequence[BarItem]:
        """What can be done besides playing."""
        raise NotImplementedError

    @property
    def base_app(self) -> BaseApp:
        assert isinstance(self.app, BaseApp)
        return self.app

    @property
    def translate(self) -> Catalogue:
        return self.base_app.translate

    # ------------------------------------------------------------------------------------ layout

    def on_mount(self) -> None:
        # The widgets exist only after the first refresh.
        self.call_after_refresh(self._start_drawing_unless_closed)
        self.set_interval(BANNER_REFRESH_SECONDS, self._show_banner)

    def _start_drawing_unless_closed(self) -> None:
        if not self._is_closed:
            self._is_layout_finished = True
            self.start_drawing()

    @property
    def _is_closed(self) -> bool:
        """Whether the widgets are gone. Timers and delayed calls may still fire: the lobby between
        two matches can even be closed before it is drawn."""
        return self not in self.app.screen_stack

    @property
    def is_ready_to_draw(self) -> bool:
        """Whether all widgets of the screen exist, so that they can be drawn."""
        return self._is_layout_finished and not self._is_closed

    def compose(self) -> ComposeResult:
        columns, rows = self.MINIMUM_SIZE
        text = self.translate("terminal.too_small", columns=columns, rows=rows)
        yield Static(text, id="small", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        least = self.MINIMUM_SIZE
        too_small = event.size.width < least.width or event.size.height < least.height
        self.set_class(too_small, "-small")

    def start_drawing(self) -> None:
        self.watch(self.app, "theme", self.redraw_if_ready, init=False)
        self.redraw_if_ready()

    def redraw_if_ready(self) -> None:
        """Redraw the screen, if its widgets exist yet."""
        self._show_banner()
        if self.is_ready_to_draw:
            self.redraw()

    def _show_banner(self) -> None:
        """Show what stands in the way of playing, if that has changed: it may count the seconds."""
        if not self.is_ready_to_draw:
            return
        notice = table_notice(self.table, self.translate, self.base_app.session.now())
        shown = (self.lost_text or notice, bool(self.lost_text))
        if shown == self._banner:
            return
        self._banner = text, is_lost = shown
        banner = self.query_one("#banner", Static)
        banner.update(text)
        banner.set_class(bool(text), "-shown")
        banner.set_class(is_lost, "-lost")

    # -------------------------------------------------------------------------------------- news

    def update_table(self, update: TableUpdate) -> None:
        self.table, self.names = update, update.names
        self.redraw_if_ready()

    def show_refusal(self, reason: str, detail: dict[str, Any]) -> None:
        self.problem = self.base_app.describe_refusal(reason, detail)
        self.redraw_if_ready()

    def add_chat_line(self, line: ChatLine) -> None:
        self.chat_log.add(line)
        if isinstance(self.app.screen, ChatDialog):
            self.app.screen.update_text(self.chat_log.text(self.names, self.translate))
        self.redraw_if_ready()

    def on_key(self, event: events.Key) -> None:
        if event.key == "f5":
            self.base_app.switch_theme()
            event.stop()
        elif run_item_with_key(self.non_game_bar_items(), event.key) or self.press_key(event.key):
            event.stop()
