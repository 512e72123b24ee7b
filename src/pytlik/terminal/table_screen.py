"""What the screens of a table have in common, before and during a match: what stands in the way of
playing, what is said, and what can be done about seats."""

from dataclasses import replace
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.terminal.bar import Item
from pytlik.terminal.people import closing, seat_items, standing
from pytlik.terminal.seated import Spoken, TableSeen, spoken_line
from pytlik.terminal.stage import Stage
from pytlik.terminal.talk import REACTIONS, Chat

KEPT = 40
"""So much of what was said is kept, as on the server."""


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

    LEAST = Size(50, 18)
    """Columns and rows that it needs."""

    def __init__(self) -> None:
        super().__init__()
        self.table: TableSeen | None = None
        """On a server."""
        self.trouble = ""
        """What was wrong with what the person has just tried."""
        self.lost = ""
        """That the line is cut."""
        self.talk: list[Spoken] = []
        self.laid_out = False
        """Whether all of the screen is there to be drawn on."""

    # What the lobby and each game's screen do of their own; `common_keys` below is another.

    def redraw(self) -> None:
        raise NotImplementedError

    def typed(self, key: str) -> bool:
        """Whether a key means something here."""
        raise NotImplementedError

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

    def compose(self) -> ComposeResult:
        columns, rows = self.LEAST
        text = self.say("terminal.too_small", columns=columns, rows=rows)
        yield Static(text, id="small", markup=False)

    def on_resize(self, event: events.Resize) -> None:
        width, height = event.size
        self.set_class(width < self.LEAST.width or height < self.LEAST.height, "-small")

    def lay_out(self) -> None:
        self.laid_out = True
        self.watch(self.app, "theme", self.show, init=False)
        self.show()

    def show(self) -> None:
        """Draw anew, if there is anything to draw on yet."""
        if self.laid_out:
            banner = self.query_one("#banner", Static)
            text = self.lost or self.notice()
            banner.update(text)
            banner.set_class(bool(text), "-shown")
            banner.set_class(bool(self.lost), "-lost")
            self.redraw()

    # -------------------------------------------------------------------------------------- news

    def table_seen(self, seen: TableSeen) -> None:
        self.table = seen
        self.show()

    def show_banner(self, text: str) -> None:
        self.lost = text
        self.show()

    def refused(self, reason: str, detail: dict[str, Any]) -> None:
        self.trouble = self.stage.why(reason, detail)
        self.show()

    def notice(self) -> str:
        """What stands in the way of playing, or should be known of the others."""
        table, say = self.table, self.say
        if table is None or table.table.phase == "lobby":
            return ""
        info, yours = table.table, table.yours
        if info.phase == "over":
            return say("page.table.again.wait") if yours and not table.host else ""
        if self.replaced:
            return say("page.table.stand_in")
        if not yours and any(chair.kind == "free" for chair in info.chairs):
            return say("page.table.free_seat")
        others = [seat for seat in info.pausing if seat not in yours]
        if self.paused:
            return ""
        if others:
            return say("page.table.pause.wished", name=table.names[others[0]])
        if info.pausing:
            return say("page.table.pause.asked")
        away = [
            table.names[seat]
            for seat, chair in enumerate(info.chairs)
            if chair.kind == "person" and not (chair.here or chair.stand_in or seat in yours)
        ]
        if away and not info.agreement["slow"]:
            return say("page.table.away", name=away[0])
        return "" if yours else say("page.table.watching")

    @property
    def paused(self) -> bool:
        return self.table is not None and self.table.table.paused is not None

    @property
    def replaced(self) -> bool:
        """Whether a bot plays for the person."""
        table = self.table
        return table is not None and any(table.table.chairs[seat].stand_in for seat in table.yours)

    # -------------------------------------------------------------------------------------- talk

    @property
    def names(self) -> tuple[str, ...]:
        return self.table.names if self.table else ()

    def spoken(self, line: Spoken) -> None:
        again = line.number is not None and line.number in [each.number for each in self.talk]
        if again:
            self.talk = [line if each.number == line.number else each for each in self.talk]
        else:
            self.talk = [*self.talk[1 - KEPT :], line]
        self.talk = [each for each in self.talk if each.text != ""]
        if isinstance(self.app.screen, Chat):
            self.app.screen.tell(self._said())
        self.show()

    def take_over(self, talk: list[Spoken]) -> None:
        """What was said before this screen came."""
        for line in talk:
            self.spoken(replace(line, fresh=False))

    def _said(self) -> str:
        lines = [spoken_line(line, self.names, self.say) for line in self.talk]
        return "\n".join(lines) or self.say("page.table.chat.nothing")

    def speaking(self) -> list[Item]:
        """The keys for saying something, for whoever sits here and is not muted."""
        table = self.table
        if table is None or not table.yours or table.table.chairs[table.yours[0]].muted:
            return []
        items = [Item("r", self.say("page.table.react"), self.react)]
        if table.table.agreement["chat"]:
            items.append(Item("m", self.say("page.table.chat.what"), self.chat))
        return items

    def react(self) -> None:
        there = self.stage.there
        if there is None:
            return

        def item(number: int, reaction: str) -> Item:
            text = self.say(f"page.table.reaction.{reaction}")
            return Item(str(number), text, closing(self.stage, lambda: there.react(reaction)))

        items = [item(number, reaction) for number, reaction in enumerate(REACTIONS, 1)]
        self.stage.choose(self.say("page.table.react"), "", items)

    def chat(self) -> None:
        there, say = self.stage.there, self.say
        if there is not None:
            title, button = say("page.table.part.chat"), say("page.table.chat.say")
            self.stage.lay_over(Chat(title, self._said(), button, there.chat))

    # ------------------------------------------------------------------------------------- seats

    def seats(self) -> None:
        """Everyone at the table: choose somebody, to see what can be done about their seat."""
        table = self.table
        if table is None:
            return

        def item(seat: Seat, name: str) -> Item:
            text = f"{name}  ({standing(table, seat, self.say)})"
            if not seat_items(self.stage, table, seat):
                return Item("·", text)
            return Item(str(seat + 1), text, closing(self.stage, lambda: self.open_seat(seat)))

        items = [item(seat, name) for seat, name in enumerate(table.names)]
        self.stage.choose(self.say("page.lobby.seats"), "", items)

    def open_seat(self, seat: Seat) -> None:
        table = self.table
        if table is None or seat >= len(table.names):
            return
        items = seat_items(self.stage, table, seat)
        if items:
            chair = table.table.chairs[seat]
            others = chair.kind == "person" and seat not in table.yours
            text = self.say("page.lobby.free_seat.what") if others else ""
            self.stage.choose(chair.name or table.names[seat], text, items)

    # -------------------------------------------------------------------------------------- keys

    def common_keys(self) -> list[Item]:
        raise NotImplementedError

    def on_key(self, event: events.Key) -> None:
        if event.key == "f5":
            self.stage.switch_theme()
            event.stop()
            return
        for item in self.common_keys():
            if item.name == event.key and item.do is not None:
                item.do()
                event.stop()
                return
        if self.typed(event.key):
            event.stop()
