"""What the screens of both games have in common: the lines about what has happened, the status, the
keys, and the curtain of a pause."""

from textwrap import wrap
from typing import Any

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import RichLog, Static

from pytlik.game import Seat
from pytlik.terminal.bar import Bar, Item
from pytlik.terminal.dialogs import Dialog, keys_and_words
from pytlik.terminal.look import DARK, LIGHT, Shades
from pytlik.terminal.seated import Seen, Spoken, TableSeen, spoken_line
from pytlik.terminal.table_screen import TableScreen
from pytlik.terminal.talk import Bubbles

STORY = 37
"""How wide the story's lines are."""
LONG = 10_000
"""Longer than any line."""
KEPT = 200
"""So many lines about what has happened are kept."""
KEYS = 15
"""In the texts about keys, what they do begins here."""


class GameScreen(TableScreen):
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (112, "-wide")]  # noqa: RUF012 - Textual's own form
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-tall")]  # noqa: RUF012

    DEFAULT_CSS = """
    GameScreen {
        layout: vertical;
        layers: table above;
        #top { height: 1; padding: 0 1; background: $panel; }
        #middle { height: 1fr; }
        #field { width: 1fr; }
        #story { width: 40; padding: 0 1; background: $surface; scrollbar-size-vertical: 1;
                 overflow: hidden auto; display: none; }
        #told { height: 1; padding: 0 1; color: $secondary; }
        #lower { height: auto; }
        #curtain { height: 1fr; width: 100%; text-align: center; content-align: center middle;
                   display: none; }
        #status { height: 1; padding: 0 1; text-style: bold; }
        #keys { background: $panel; }
        &.-wide #story { display: block; }
        &.-wide #told { display: none; }
        &.-wide Bubbles { margin: 1 42 1 1; }
        &.-paused #curtain { display: block; }
        &.-paused #middle, &.-paused #lower, &.-paused #told { display: none; }
    }
    """

    def __init__(self, seat: Seat | None) -> None:
        super().__init__()
        self.seat = seat
        self.players: tuple[str, ...] = ()
        self.lines: list[tuple[Text, Text]] = []
        """What has happened: each as one line, and as long as it is in the story's column."""
        self.ending: Dialog | None = None
        """How the match has ended, and what can be done then."""
        self._drawn: object = None
        """What stands in the lines, so that nothing is drawn twice."""

    # What a game's own screen does.

    def compose_field(self) -> ComposeResult:
        raise NotImplementedError

    def compose_lower(self) -> ComposeResult:
        raise NotImplementedError

    def take(self, seen: Seen) -> None:
        raise NotImplementedError

    def told(self, event: Any) -> str | None:
        raise NotImplementedError

    def pictured(self, line: str, width: int) -> Text:
        """A line about what has happened, in lines of so many columns."""
        return Text("\n".join(wrap(line, width)))

    def help_text(self) -> str:
        """Lines of a key and what it does, an empty line, and the rules."""
        raise NotImplementedError

    def played(self, key: str) -> bool:
        """Whether a key means something in the game."""
        raise NotImplementedError

    def keys(self) -> list[Item]:
        raise NotImplementedError

    # ------------------------------------------------------------------------------- on the screen

    @property
    def names(self) -> tuple[str, ...]:
        return self.table.names if self.table else self.players

    @property
    def shades(self) -> Shades:
        return DARK if self.app.current_theme.dark else LIGHT

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Static(id="banner", markup=False)
        yield Static(id="top")
        with Horizontal(id="middle"):
            with Vertical(id="field"):
                yield from self.compose_field()
            yield RichLog(id="story", wrap=True, max_lines=KEPT, auto_scroll=True, min_width=20)
        yield Static(id="told", markup=False)
        with Vertical(id="lower"):
            yield from self.compose_lower()
        yield Static(id="curtain", markup=False)
        yield Static(id="status", markup=False)
        yield Bar(id="actions", rows=2)
        yield Bar(id="keys")
        yield Bubbles()

    def lay_out(self) -> None:
        story = self.query_one("#story", RichLog)
        story.can_focus = False
        for _, line in self.lines:
            story.write(line)
        super().lay_out()

    def show_common(self, top: Text, status: str, actions: list[Item]) -> None:
        told = self.lines[-1][0] if self.lines else Text()
        shown = Text(self.trouble or status, no_wrap=True, overflow="ellipsis")
        shown.stylize(self.shades.warning if self.trouble else self.shades.accent)
        offered = [*actions, *self._table_actions()]
        # The game's most important key, then the table's, and then what may be left out.
        own = [] if self.paused else self.keys()
        help_, leave, *table = self._always()
        keys = [help_, leave, *own[:1], *table, *own[1:]]
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
        self.players = seen.names
        for event in seen.events:
            line = self.told(event)
            if line is not None:
                self.tell(line)

    def spoken(self, line: Spoken) -> None:
        text = spoken_line(line, self.names, self.say)
        self.tell(f"» {text}", f"italic {self.shades.accent}")
        if line.fresh and self.laid_out:
            self.query_one(Bubbles).add(text)
        super().spoken(line)

    # -------------------------------------------------------------------------- a table elsewhere

    def table_seen(self, seen: TableSeen) -> None:
        old = (self.table or seen).table
        for seat, chair in enumerate(seen.table.chairs):
            left = chair.kind == "person" and old.chairs[seat].here and not chair.here
            if left and seat not in seen.yours:
                self.tell(self.say("page.table.away", name=seen.names[seat]))
        super().table_seen(seen)
        if self.ending is not None and self.app.screen is self.ending:
            self.ending.offer(self.after())

    def show(self) -> None:
        self.set_class(self.paused, "-paused")
        if self.laid_out and self.paused:
            self.query_one("#curtain", Static).update(self._curtain())
        super().show()

    def _curtain(self) -> Text:
        """In a pause nobody sees the table: nobody thinks on while the clocks stand still."""
        say, table = self.say, self.table
        assert table is not None
        text = Text(say("page.table.paused") + "\n\n", style="bold")
        text.append(say("page.table.paused.what"), style="not bold")
        ready = [table.names[seat] for seat in table.table.pausing]
        if ready:
            text.append("\n\n" + say("page.table.paused.ready", names=", ".join(ready)))
        return text

    def table_status(self) -> str | None:
        """What matters more than the game."""
        return self.say("page.table.paused") if self.paused else None

    def _table_actions(self) -> list[Item]:
        table, there, say = self.table, self.stage.there, self.say
        if table is None or there is None:
            return []
        if table.table.phase == "over":
            again = Item("F4", say("page.table.again"), there.play_again, strong=True)
            return [again] if table.host else []
        items: list[Item] = []
        if self.replaced:
            items.append(Item("F2", say("page.table.take_back"), there.take_back, strong=True))
        free = any(chair.kind == "free" for chair in table.table.chairs)
        if not table.yours and free:
            items.append(Item("F2", say("page.table.sit"), self.stage.ask_name, strong=True))
        if table.yours:
            items.append(self._pause_item(table))
        return items

    def _pause_item(self, table: TableSeen) -> Item:
        mine = any(seat in table.table.pausing for seat in table.yours)
        wished = bool(table.table.pausing)
        if self.paused:
            key = "page.table.paused.wait" if mine else "page.table.paused.go_on"
        elif mine:
            key = "page.table.pause.no_longer"
        else:
            key = "page.table.pause.agree" if wished else "page.table.pause.ask"
        strong = not mine and (self.paused or wished)
        return Item("F3", self.say(key), self.pause, strong=strong)

    def pause(self) -> None:
        table, there = self.table, self.stage.there
        if table and there:
            mine = any(seat in table.table.pausing for seat in table.yours)
            there.pause(wanted=not mine)

    def show_ending(self, title: str, text: Text) -> None:
        self.ending = Dialog(title, text, self.after())
        self.stage.lay_over(self.ending)

    def after(self) -> list[Item]:
        """What can be done when a match is over."""
        return [
            *self._table_actions(),
            Item("Esc", self.say("terminal.look"), self.stage.close_dialog),
            Item("^q", self.say("terminal.key.leave"), self.stage.leave),
        ]

    # -------------------------------------------------------------------------------------- keys

    def _always(self) -> list[Item]:
        items = [
            Item("?", self.say("terminal.key.help"), self.show_help),
            Item("^q", self.say("terminal.key.leave"), self.stage.leave),
            *self.speaking(),
        ]
        if self.table is not None:
            items.append(Item("F6", self.say("page.lobby.seats"), self.seats))
        return items

    def common_keys(self) -> list[Item]:
        return [*self._table_actions(), *self._always()]

    def typed(self, key: str) -> bool:
        if key in ("question_mark", "f1"):
            self.show_help()
            return True
        return not self.paused and self.played(key)

    def show_help(self) -> None:
        close = Item("Esc", self.say("page.close"), self.stage.close_dialog)
        keys, _, rest = self.help_text().partition("\n\n")
        # What is the table's, and not the game's.
        more = [*self._table_actions(), *self._always()[2:]]
        table = [(item.key, item.text) for item in more]
        lines = [(line[:KEYS].strip(), line[KEYS:]) for line in keys.splitlines()]
        text = keys_and_words([*lines, *table], rest)
        self.stage.lay_over(Dialog(self.say("terminal.key.help"), text, [close]))
