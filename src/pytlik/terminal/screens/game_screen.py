"""What the games' screens share, besides their frame: news, actions, keys and help.

A game provides a subclass and says where it is (`Game.shows["screen"]`).
"""

from typing import Any

from pytlik.terminal.screens.chat_log import chat_bar_items
from pytlik.terminal.screens.game_frame import GameFrame
from pytlik.terminal.screens.seat_menu import open_seat_list
from pytlik.terminal.screens.table_bar_items import table_bar_items
from pytlik.terminal.screens.table_notice import is_paused
from pytlik.terminal.session import MatchUpdate
from pytlik.terminal.widgets.dialogs import Dialog, key_table
from pytlik.terminal.widgets.key_bar import BarItem

ARROW_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
"""Keys, and how far they go across and down."""
HELP_KEY_WIDTH = 15
"""In the help texts, what a key does starts at this column."""


class GameScreen(GameFrame):
    # Each game overrides these. `BaseTableScreen` says why they aren't abstract methods.

    def update_match(self, update: MatchUpdate) -> None:
        """Take the new view, and show it."""
        raise NotImplementedError

    def describe_event(self, event: Any) -> str | None:
        raise NotImplementedError

    def help_text(self) -> str:
        """Lines of a key and what it does, an empty line, and the rules."""
        raise NotImplementedError

    def press_game_key(self, key: str) -> bool:
        """Do what a key stands for. Returns whether it means something in the game."""
        raise NotImplementedError

    def game_bar_items(self) -> list[BarItem]:
        """The game's keys, the most important first."""
        raise NotImplementedError

    # ----------------------------------------------------------------- what a game's controls use

    def act(self, action: Any) -> None:
        self.base_app.act(action)

    def redraw_after_change(self) -> None:
        """Show what the person has changed, and clear the previous problem."""
        self.problem = ""
        self.redraw_if_ready()

    # -------------------------------------------------------------------------------------- news

    def log_events(self, update: MatchUpdate) -> None:
        self.names = update.names
        for event in update.events:
            line = self.describe_event(event)
            if line is not None:
                self.event_log.add(line)

    # -------------------------------------------------------------------------------------- keys

    def fixed_bar_items(self) -> list[BarItem]:
        app = self.base_app
        items = [
            BarItem("?", self.translate("terminal.key.help"), self.show_help),
            BarItem("^q", self.translate("terminal.key.leave"), app.leave),
            *chat_bar_items(app, self.table, self.chat_log),
        ]
        if self.table is not None:
            seats = self.translate("page.lobby.seats")
            items.append(BarItem("F6", seats, lambda: open_seat_list(app, self.table)))
        return items

    def bottom_bar_items(self) -> list[BarItem]:
        # The game's most important key, then the table's, and then what may be left out.
        own = [] if is_paused(self.table) else self.game_bar_items()
        help_, leave, *others = self.fixed_bar_items()
        return [help_, leave, *own[:1], *others, *own[1:]]

    def non_game_bar_items(self) -> list[BarItem]:
        return [*table_bar_items(self.base_app, self.table), *self.fixed_bar_items()]

    def press_key(self, key: str) -> bool:
        if key in ("question_mark", "f1"):
            self.show_help()
            return True
        return not is_paused(self.table) and self.press_game_key(key)

    def show_help(self) -> None:
        app = self.base_app
        close = BarItem("Esc", self.translate("page.close"), app.close_dialog)
        keys, _, rules = self.help_text().partition("\n\n")
        lines = [
            (line[:HELP_KEY_WIDTH].strip(), line[HELP_KEY_WIDTH:]) for line in keys.splitlines()
        ]
        # The keys of the table follow those of the game.
        items = [*table_bar_items(app, self.table), *self.fixed_bar_items()[2:]]
        text = key_table([*lines, *((item.key, item.text) for item in items)], rules)
        app.open_dialog(Dialog(self.translate("terminal.key.help"), text, [close]))
