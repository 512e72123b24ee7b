"""What every screen of the full-screen game can count on: words, a place at a table, and dialogs
that are laid over the rest."""

import os
from typing import Any

from textual.app import App
from textual.binding import Binding

from pytlik.i18n import Catalogue
from pytlik.terminal.bar import Item
from pytlik.terminal.dialogs import Dialog, Question
from pytlik.terminal.look import THEMES, is_light
from pytlik.terminal.seated import Seated
from pytlik.terminal.there import SeatedThere


class Stage(App[None]):
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [  # noqa: RUF012 - Textual's own form
        Binding("ctrl+q", "quit", priority=True, show=False),
        Binding("ctrl+c", "quit", priority=True, show=False, system=True),
    ]

    def __init__(self, seated: Seated, say: Catalogue, *, name: str = "") -> None:
        # Without colours Textual would paint in greys, unless they are the terminal's own.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.seated = seated
        self.say = say
        self.person = name
        """How the person wants to be called at a table on a server."""
        for theme in THEMES:
            self.register_theme(theme)
        light = is_light(os.environ.get("COLORFGBG"))
        self.theme = "pytlik-light" if light else "pytlik-dark"

    @property
    def there(self) -> SeatedThere | None:
        """The table, if it is on a server."""
        return self.seated if isinstance(self.seated, SeatedThere) else None

    def leave(self) -> None:
        self.exit()

    def switch_theme(self) -> None:
        self.theme = "pytlik-dark" if self.theme == "pytlik-light" else "pytlik-light"

    def act(self, action: Any) -> None:
        self.seated.act(action)

    def why(self, reason: str, detail: dict[str, Any]) -> str:
        """A refusal in words; a server may have reasons that this program does not know."""
        key = f"reason.{reason}"
        if key not in self.say:
            return reason
        return self.say(key, **{**dict.fromkeys(self.say.fields(key), "?"), **detail})

    # ------------------------------------------------------------------------------- dialogs

    def lay_over(self, dialog: Dialog) -> None:
        _ = self.push_screen(dialog)

    def choose(self, title: str, text: str, items: list[Item]) -> None:
        """Let one of several things be chosen, by its key or a click."""
        close = Item("Esc", self.say("page.close"), self.close_dialog)
        self.lay_over(Dialog(title, text, [*items, close], column=True))

    def close_dialog(self) -> None:
        if isinstance(self.screen, Dialog):
            self.screen.put_away()

    def ask_name(self) -> None:
        """Take a seat at a table on a server."""
        if self.there is not None and self.person:
            self.there.sit(self.person)
        elif self.there is not None:
            say = self.say
            title, button = say("page.lobby.sit.title"), say("page.lobby.sit.any")
            self.lay_over(Question(title, say("page.lobby.name"), button, self.there.sit))
