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
from pytlik.terminal.widgets.bar import BarItem, do_item
from pytlik.terminal.widgets.chat import ChatDialog

BANNER_SECONDS = 1
"""How often the banner is drawn again, because it may count down."""


class TableScreen(Screen[None]):
    AUTO_FOCUS = ""

    DEFAULT_CSS = """
    TableScreen {
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
        """What was wrong with what the person has just tried."""
        self.lost_text = ""
        """That the connection is lost."""
        self.chat_log = ChatLog()
        self._laid_out = False
        self._banner = ("", False)
        """What the banner shows, and whether that is that the connection is lost."""

    # Each kind of screen has its own of these. They can't be abstract methods: Textual has its own
    # metaclass, which doesn't go together with abc's.

    def redraw(self) -> None:
        raise NotImplementedError

    def press_key(self, key: str) -> bool:
        """Do what a key stands for; whether it means something here."""
        raise NotImplementedError

    def bar_items(self) -> Sequence[BarItem]:
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
        # Its parts are only there after the first refresh.
        self.call_after_refresh(self._lay_out_unless_left)
        self.set_interval(BANNER_SECONDS, self._show_banner)

    def _lay_out_unless_left(self) -> None:
        if not self._is_left:
            self._laid_out = True
            self.lay_out()

    @property
    def _is_left(self) -> bool:
        """Whether its parts are gone. Timers and delayed calls may still come then: the lobby
        between two matches may even be left before it is drawn."""
        return self not in self.app.screen_stack

    @property
    def is_laid_out(self) -> bool:
        """Whether all parts of the screen are there to be drawn on."""
        return self._laid_out and not self._is_left

    def compose(self) -> ComposeResult:
        columns, rows = self.MINIMUM_SIZE
        text = self.translate("terminal.too_small", columns=columns, rows=rows)
        yield Static(text, id="small", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        least = self.MINIMUM_SIZE
        too_small = event.size.width < least.width or event.size.height < least.height
        self.set_class(too_small, "-small")

    def lay_out(self) -> None:
        self.watch(self.app, "theme", self.show, init=False)
        self.show()

    def show(self) -> None:
        """Draw the screen anew, if there is anything to draw on yet."""
        self._show_banner()
        if self.is_laid_out:
            self.redraw()

    def _show_banner(self) -> None:
        """Show what stands in the way, if it has changed: it may count the seconds."""
        if not self.is_laid_out:
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
        self.show()

    def show_refusal(self, reason: str, detail: dict[str, Any]) -> None:
        self.problem = self.base_app.describe_refusal(reason, detail)
        self.show()

    def add_chat_line(self, line: ChatLine) -> None:
        self.chat_log.add(line)
        if isinstance(self.app.screen, ChatDialog):
            self.app.screen.update_text(self.chat_log.text(self.names, self.translate))
        self.show()

    def on_key(self, event: events.Key) -> None:
        if event.key == "f5":
            self.base_app.switch_theme()
            event.stop()
        elif do_item(self.bar_items(), event.key) or self.press_key(event.key):
            event.stop()
