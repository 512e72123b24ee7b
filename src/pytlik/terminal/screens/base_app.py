"""What every screen can rely on: texts, a session, and dialogs on top."""

import os
from typing import Any

from textual.app import App
from textual.binding import Binding

from pytlik.i18n import Catalogue
from pytlik.terminal.remote.session import RemoteSession
from pytlik.terminal.session import Session
from pytlik.terminal.widgets.dialogs import Dialog, Question
from pytlik.terminal.widgets.key_bar import BarItem
from pytlik.terminal.widgets.theme import THEMES, is_light_terminal
from pytlik.text.refusals import describe_refusal


class BaseApp(App[None]):
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [  # noqa: RUF012 - Textual's own form
        Binding("ctrl+q", "quit", priority=True, show=False),
        Binding("ctrl+c", "quit", priority=True, show=False, system=True),
    ]

    def __init__(self, session: Session, translate: Catalogue, *, name: str = "") -> None:
        # Without colours Textual would paint in greys, unless they are the terminal's own.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.session = session
        self.translate = translate
        self.person_name = name
        """What the person wants to be called at a table on a server."""
        for theme in THEMES:
            self.register_theme(theme)
        light = is_light_terminal(os.environ.get("COLORFGBG"))
        self.theme = "pytlik-light" if light else "pytlik-dark"

    @property
    def remote(self) -> RemoteSession | None:
        """The session, if the table is on a server."""
        return self.session if isinstance(self.session, RemoteSession) else None

    def leave(self) -> None:
        self.exit()

    def switch_theme(self) -> None:
        self.theme = "pytlik-dark" if self.theme == "pytlik-light" else "pytlik-light"

    def act(self, action: Any) -> None:
        self.session.act(action)

    def describe_refusal(self, reason: str, detail: dict[str, Any]) -> str:
        return describe_refusal(reason, detail, self.translate)

    # ----------------------------------------------------------------------------------- dialogs

    def open_dialog(self, dialog: Dialog) -> None:
        _ = self.push_screen(dialog)

    def open_menu(self, title: str, text: str, items: list[BarItem]) -> None:
        """Let the person choose one of several things, by its key or with a click."""
        close = BarItem("Esc", self.translate("page.close"), self.close_dialog)
        self.open_dialog(Dialog(title, text, [*items, close], column=True))

    def close_dialog(self) -> None:
        if isinstance(self.screen, Dialog):
            self.screen.close_dialog()

    def take_seat(self) -> None:
        """Sit down at a table on a server. Asks for a name if it isn't known."""
        if self.remote is None:
            return
        sit_down = self.remote.player_api.sit_down
        if self.person_name:
            sit_down(self.person_name)
        else:
            translate = self.translate
            title, button = translate("page.lobby.sit.title"), translate("page.lobby.sit.any")
            self.open_dialog(Question(title, translate("page.lobby.name"), button, sit_down))
