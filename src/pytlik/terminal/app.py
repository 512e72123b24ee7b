"""The full-screen game: what is told by a table is shown, what is done here is asked of it."""

import os
from typing import Any, assert_never

from textual.app import App
from textual.binding import Binding

from pytlik.game import Ready
from pytlik.i18n import Catalogue
from pytlik.terminal.bar import Item
from pytlik.terminal.dialogs import Dialog, Question, keys_and_words
from pytlik.terminal.lobby import LobbyScreen
from pytlik.terminal.look import THEMES, is_light
from pytlik.terminal.screen import GameScreen
from pytlik.terminal.seated import (
    Ended,
    LineBack,
    LineCut,
    News,
    PassphraseNeeded,
    Refused,
    Seated,
    Seen,
    Spoken,
    TableSeen,
)
from pytlik.terminal.sheet import unikat_end
from pytlik.terminal.there import SeatedThere
from pytlik.terminal.ubongo_screen import UbongoScreen
from pytlik.terminal.unikat_screen import UnikatScreen

SCREENS: dict[str, type[UnikatScreen | UbongoScreen]] = {
    "unikat": UnikatScreen,
    "ubongo": UbongoScreen,
}


class PlayApp(App[None]):
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
        self.game_screen: GameScreen | None = None
        self.lobby: LobbyScreen | None = None
        self.table: TableSeen | None = None
        for theme in THEMES.values():
            self.register_theme(theme)
        light = is_light(os.environ.get("COLORFGBG"))
        self.theme = "pytlik-light" if light else "pytlik-dark"

    @property
    def there(self) -> SeatedThere | None:
        """The table, if it is on a server."""
        return self.seated if isinstance(self.seated, SeatedThere) else None

    def on_mount(self) -> None:
        self.title = "Pytlik"
        if self.there is not None:
            self.lobby = LobbyScreen()
            _ = self.push_screen(self.lobby)
        self.run_worker(self.seated.run(self.hear), exclusive=True)

    def leave(self) -> None:
        self.exit()

    def switch_theme(self) -> None:
        self.theme = "pytlik-dark" if self.theme == "pytlik-light" else "pytlik-light"
        if self.game_screen is not None:
            self.game_screen.show()

    def act(self, action: Any) -> None:
        self.seated.act(action)

    def why(self, reason: str, detail: dict[str, Any]) -> str:
        """A refusal in words; a server may have reasons that this program does not know."""
        key = f"reason.{reason}"
        if key not in self.say:
            return reason
        return self.say(key, **{**dict.fromkeys(self.say.fields(key), "?"), **detail})

    # ---------------------------------------------------------------------------------- news

    def hear(self, news: News) -> None:
        match news:
            case Seen():
                self._game(news).take(news)
            case Refused(reason, detail):
                self._refused(reason, detail)
            case TableSeen():
                self._table(news)
            case Spoken():
                for screen in (self.game_screen, self.lobby):
                    if screen is not None:
                        screen.spoken(news)
            case LineCut(unsaved, known):
                self._banner(self._lost(unsaved, known=known))
            case LineBack():
                self._banner("")
            case PassphraseNeeded(wrong):
                self._ask_passphrase(wrong=wrong)
            case Ended(title, text):
                self._end(self.say(title), self.say(text))
            case _:
                assert_never(news)

    def _lost(self, unsaved: int, *, known: bool) -> str:
        """That the line is cut, and what is safe."""
        if unsaved:
            lost = self.say("page.table.lost.unsaved", n=unsaved)
        else:
            lost = self.say("page.table.lost.saved" if known else "terminal.offline")
        return f"{lost} {self.say('terminal.again')}"

    def _game(self, seen: Seen) -> GameScreen:
        view = seen.view
        if self.game_screen is None:
            self.game_screen = SCREENS[view.game](view.seat)
            self._on_top(self.game_screen)
            self.lobby = None
            if self.table is not None:
                self.game_screen.table_seen(self.table)
        return self.game_screen

    def _on_top(self, screen: GameScreen | LobbyScreen) -> None:
        while len(self.screen_stack) > 1:
            _ = self.pop_screen()
        _ = self.push_screen(screen)

    def _table(self, seen: TableSeen) -> None:
        self.table = seen
        if seen.table.phase == "lobby":
            self.game_screen = None
            if self.lobby is None:
                self.lobby = LobbyScreen()
                self._on_top(self.lobby)
            self.lobby.table_seen(seen)
        else:
            for screen in (self.game_screen, self.lobby):
                if screen is not None:
                    screen.table_seen(seen)

    def _refused(self, reason: str, detail: dict[str, Any]) -> None:
        if self.game_screen is not None:
            self.game_screen.refused(reason, detail)
        elif self.lobby is not None:
            self.lobby.refused(self.why(reason, detail))

    def _banner(self, text: str) -> None:
        for screen in (self.game_screen, self.lobby):
            if screen is not None:
                screen.show_banner(text)

    def _end(self, title: str, text: str) -> None:
        leave = Item("Enter", self.say("terminal.key.leave"), self.leave, strong=True)
        self.lay_over(Dialog(title, text, [leave], keep=True))

    # ------------------------------------------------------------------------------- dialogs

    def lay_over(self, dialog: Dialog) -> None:
        _ = self.push_screen(dialog)

    def close_dialog(self) -> None:
        if isinstance(self.screen, Dialog):
            self.screen.put_away()

    def show_help(self, screen: GameScreen) -> None:
        close = Item("Esc", self.say("page.close"), self.close_dialog)
        self.lay_over(
            Dialog(self.say("terminal.key.help"), keys_and_words(screen.help_text()), [close])
        )

    def show_sheet(self, screen: UnikatScreen) -> None:
        view = screen.view
        assert view is not None
        title, text = unikat_end(view, screen.names, self.say, screen.longest)
        items = [Item("Esc", self.say("terminal.look"), self.close_dialog)]
        if view.choices.ready:
            items.insert(0, Item("Enter", self.say("page.unikat.ready"), self._go_on, strong=True))
        if view.outcome is not None:
            items.append(Item("^q", self.say("terminal.key.leave"), self.leave))
        self.lay_over(Dialog(title, text, items))

    def _go_on(self) -> None:
        self.close_dialog()
        self.act(Ready())

    def ask_name(self) -> None:
        there = self.there
        if there is None:
            return
        if self.person:
            there.sit(self.person)
            return
        say = self.say
        title, button = say("page.lobby.sit.title"), say("page.lobby.sit.any")
        self.lay_over(Question(title, say("page.lobby.name"), button, self._sit))

    def _sit(self, name: str) -> None:
        if self.there is not None:
            self.there.sit(name)

    def _ask_passphrase(self, *, wrong: bool) -> None:
        there, say = self.there, self.say
        assert there is not None
        text = say("reason.wrong_passphrase") if wrong else say("page.missing.door.text")
        title, button = say("page.missing.door.title"), say("page.missing.door.enter")
        question = Question(title, text, button, there.enter, secret=True, keep=True)
        self.lay_over(question)
