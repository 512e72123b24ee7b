"""What the screens of both games have in common: the lines about what has happened, the banner, the
status, the keys, and a line to say something."""

from collections.abc import Callable
from textwrap import wrap
from typing import Any

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Input, RichLog, Static

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.terminal.bar import Bar, Item
from pytlik.terminal.dialogs import Dialog, keys_and_words
from pytlik.terminal.look import DARK, LIGHT, Shades
from pytlik.terminal.seated import Seen, Spoken, TableSeen, spoken_line
from pytlik.terminal.stage import Stage

STORY = 37
"""How wide the story's lines are."""
LONG = 10_000
"""Longer than any line."""
KEPT = 200
"""So many lines about what has happened are kept."""


class GameScreen(Screen[None]):
    # Keys are the game's, unless somebody is typing something to say.
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (112, "-wide")]  # noqa: RUF012 - Textual's own form
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-tall")]  # noqa: RUF012

    DEFAULT_CSS = """
    GameScreen {
        layout: vertical;
        #banner { height: auto; display: none; padding: 0 1; background: $warning;
                  color: $background; text-style: bold; }
        #banner.-shown { display: block; }
        #top { height: 1; padding: 0 1; background: $panel; }
        #middle { height: 1fr; }
        #field { width: 1fr; }
        #story { width: 40; padding: 0 1; background: $surface; scrollbar-size-vertical: 1;
                 overflow: hidden auto; display: none; }
        #told { height: 1; padding: 0 1; color: $secondary; }
        #status { height: 1; padding: 0 1; text-style: bold; }
        #keys { background: $panel; }
        #chat { height: 1; border: none; display: none; padding: 0 1; background: $surface; }
        #chat.-shown { display: block; }
        &.-wide #story { display: block; }
        &.-wide #told { display: none; }
    }
    """

    def __init__(self, seat: Seat | None) -> None:
        super().__init__()
        self.seat = seat
        self.names: tuple[str, ...] = ()
        self.lines: list[tuple[Text, Text]] = []
        """What has happened: each as one line, and as long as it is in the story's column."""
        self.table: TableSeen | None = None
        """On a server."""
        self.trouble: str = ""
        """What was wrong with what the person has just tried."""
        self.banner = ""
        self.laid_out = False
        """Whether all of the screen is there to be drawn on."""
        self._drawn: object = None
        """What stands in the lines, so that nothing is drawn twice."""

    # What a game's own screen does.

    def compose_field(self) -> ComposeResult:
        raise NotImplementedError

    def compose_lower(self) -> ComposeResult:
        raise NotImplementedError

    def take(self, seen: Seen) -> None:
        raise NotImplementedError

    def redraw(self) -> None:
        raise NotImplementedError

    def typed(self, key: str) -> bool:
        """Whether a key means something here."""
        raise NotImplementedError

    def told(self, event: Any) -> str | None:
        raise NotImplementedError

    def pictured(self, line: str, width: int) -> Text:
        """A line about what has happened, in lines of so many columns."""
        return Text("\n".join(wrap(line, width)))

    def help_text(self) -> str:
        raise NotImplementedError

    def keys(self) -> list[Item]:
        raise NotImplementedError

    # ------------------------------------------------------------------------------- on the screen

    @property
    def stage(self) -> Stage:
        assert isinstance(self.app, Stage)
        return self.app

    @property
    def say(self) -> Catalogue:
        return self.stage.say

    @property
    def shades(self) -> Shades:
        return DARK if self.app.current_theme.dark else LIGHT

    def compose(self) -> ComposeResult:
        yield Static(id="banner", markup=False)
        yield Static(id="top")
        with Horizontal(id="middle"):
            with Vertical(id="field"):
                yield from self.compose_field()
            yield RichLog(id="story", wrap=True, max_lines=KEPT, auto_scroll=True, min_width=20)
        yield Static(id="told", markup=False)
        yield from self.compose_lower()
        yield Static(id="status", markup=False)
        yield Bar(id="actions")
        yield Input(id="chat", placeholder="", max_length=280)
        yield Bar(id="keys")

    def on_mount(self) -> None:
        # Only then all parts of it are there; or never, if the game is left in this moment.
        self.call_after_refresh(self.lay_out)

    def lay_out(self) -> None:
        self.laid_out = True
        chat = self.query_one("#chat", Input)
        chat.placeholder = self.say("page.table.chat.what")
        story = self.query_one("#story", RichLog)
        story.can_focus = False
        for _, line in self.lines:
            story.write(line)
        self.show_banner(self.banner)
        self.set_focus(None)
        self.watch(self.app, "theme", self.show, init=False)
        self.redraw()

    def show(self) -> None:
        """Draw anew, if there is anything to draw on yet."""
        if self.laid_out:
            self.redraw()

    def show_common(self, top: Text, status: str, actions: list[Item]) -> None:
        told = self.lines[-1][0] if self.lines else Text()
        shown = Text(self.trouble or status, no_wrap=True, overflow="ellipsis")
        shown.stylize(self.shades.warning if self.trouble else self.shades.accent)
        common = [
            Item("?", self.say("terminal.key.help"), self.show_help),
            Item("^q", self.say("terminal.key.leave"), self.stage.leave),
        ]
        if self._may_chat:
            common.insert(0, Item("m", self.say("page.table.chat.what"), self.open_chat))
        offered = [*actions, *self._table_actions()]
        keys = [*common, *self.keys()]
        # Asked several times a second, while the sand runs.
        words = tuple((item.key, item.text, item.strong) for item in (*offered, *keys))
        if (top, told, shown, words) == self._drawn:
            return
        self._drawn = (top, told, shown, words)
        # Each is one line, whatever stands in it: nothing else has to move.
        self.query_one("#top", Static).update(top, layout=False)
        self.query_one("#told", Static).update(told, layout=False)
        self.query_one("#status", Static).update(shown, layout=False)
        self.query_one("#actions", Bar).show(offered)
        self.query_one("#keys", Bar).show(keys)

    # ------------------------------------------------------------------------------------- story

    def tell(self, line: str, style: str = "") -> None:
        short, long = self.pictured(line, LONG), self.pictured(line, STORY)
        for text in (short, long):
            text.stylize_before(style)
        self.lines = [*self.lines[1 - KEPT :], (short, long)]
        if self.laid_out:
            self.query_one("#story", RichLog).write(long)

    def tell_events(self, seen: Seen) -> None:
        self.names = seen.names
        for event in seen.events:
            line = self.told(event)
            if line is not None:
                self.tell(line)

    def spoken(self, line: Spoken) -> None:
        text = spoken_line(line, self.names, self.say)
        self.tell(f"» {text}", f"italic {self.shades.accent}")
        self.show()

    def refused(self, reason: str, detail: dict[str, Any]) -> None:
        self.trouble = self.stage.why(reason, detail)
        self.show()

    # -------------------------------------------------------------------------- a table elsewhere

    def show_banner(self, text: str) -> None:
        self.banner = text
        if self.laid_out:
            banner = self.query_one("#banner", Static)
            banner.update(text)
            banner.set_class(bool(text), "-shown")

    def table_seen(self, seen: TableSeen) -> None:
        before, self.table, self.names = self.table, seen, seen.names
        for seat, chair in enumerate(seen.table.chairs):
            if seat in seen.yours:
                continue
            old = before.table if before else seen.table
            if seat in seen.table.pausing and seat not in old.pausing and not self.paused:
                self.tell(self.say("page.table.pause.wished", name=seen.names[seat]))
            if chair.kind == "person" and old.chairs[seat].here and not chair.here:
                self.tell(self.say("page.table.away", name=seen.names[seat]))
        self.show()

    @property
    def paused(self) -> bool:
        return self.table is not None and self.table.table.paused is not None

    @property
    def _may_chat(self) -> bool:
        table = self.table
        return bool(table and table.yours and table.table.agreement.get("chat"))

    def table_status(self) -> str | None:
        """What matters more than the game."""
        if self.paused:
            return self.say("page.table.paused")
        return self.say("page.table.stand_in") if self._replaced else None

    @property
    def _replaced(self) -> bool:
        """Whether a bot plays for the person."""
        table = self.table
        return table is not None and any(table.table.chairs[seat].stand_in for seat in table.yours)

    def _table_actions(self) -> list[Item]:
        table = self.table
        there = self.stage.there
        if table is None or there is None:
            return []
        items: list[Item] = []
        chairs = table.table.chairs
        if self._replaced:
            items.append(Item("F2", self.say("page.table.take_back"), there.take_back, strong=True))
        free = any(chair.kind == "free" for chair in chairs)
        if not table.yours and free and table.table.phase == "playing":
            items.append(Item("F2", self.say("page.table.sit"), self.stage.ask_name, strong=True))
        if table.yours and table.table.phase == "playing":
            mine = any(seat in table.table.pausing for seat in table.yours)
            if self.paused:
                key = "page.table.paused.wait" if mine else "page.table.paused.go_on"
            elif mine:
                key = "page.table.pause.no_longer"
            else:
                wished = bool(table.table.pausing)
                key = "page.table.pause.agree" if wished else "page.table.pause.ask"
            items.append(Item("F3", self.say(key), self.pause))
        if table.host and table.table.phase == "over":
            again = self.say("page.table.again")
            items.append(Item("F4", again, there.play_again, strong=True))
        return items

    def pause(self) -> None:
        table, there = self.table, self.stage.there
        if table and there:
            mine = any(seat in table.table.pausing for seat in table.yours)
            there.pause(wanted=not mine)

    # -------------------------------------------------------------------------------------- keys

    def on_key(self, event: events.Key) -> None:
        if self.query_one("#chat", Input).has_focus:
            if event.key == "escape":
                self.close_chat()
                event.stop()
            return
        for item in self._table_actions():
            if item.key.lower() == event.key and item.do:
                item.do()
                event.stop()
                return
        common: dict[str, Callable[[], object]] = {
            "question_mark": self.show_help,
            "f1": self.show_help,
            "f5": self.stage.switch_theme,
        }
        if self._may_chat:
            common["m"] = self.open_chat
        if event.key in common:
            common[event.key]()
            event.stop()
        elif self.typed(event.key):
            event.stop()

    def show_help(self) -> None:
        close = Item("Esc", self.say("page.close"), self.stage.close_dialog)
        text = keys_and_words(self.help_text())
        self.stage.lay_over(Dialog(self.say("terminal.key.help"), text, [close]))

    def open_chat(self) -> None:
        chat = self.query_one("#chat", Input)
        chat.add_class("-shown")
        chat.focus()

    def close_chat(self) -> None:
        chat = self.query_one("#chat", Input)
        chat.value = ""
        chat.remove_class("-shown")
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        there = self.stage.there
        if event.value.strip() and there is not None:
            there.chat(event.value.strip())
        self.close_chat()
