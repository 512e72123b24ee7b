"""The full-screen program: it shows a session's news and passes on the person's actions."""

from typing import assert_never

from textual.screen import Screen

from pytlik.games import GAMES
from pytlik.i18n import Catalogue
from pytlik.terminal.screens.base_app import BaseApp
from pytlik.terminal.screens.base_table_screen import BaseTableScreen
from pytlik.terminal.screens.game_screen import GameScreen
from pytlik.terminal.screens.lobby import LobbyScreen
from pytlik.terminal.session import (
    ChatLine,
    Connected,
    ConnectionLost,
    MatchUpdate,
    News,
    PassphraseNeeded,
    Refused,
    Session,
    SessionEnded,
    TableUpdate,
)
from pytlik.terminal.widgets.dialogs import Dialog, Question
from pytlik.terminal.widgets.key_bar import BarItem


class PlayApp(BaseApp):
    def __init__(self, session: Session, translate: Catalogue, *, name: str = "") -> None:
        super().__init__(session, translate, name=name)
        self.game_screen: GameScreen | None = None
        self.lobby: LobbyScreen | None = None
        self.table: TableUpdate | None = None
        """The table, if it is on a server."""
        self.postponed_refusal: Refused | None = None
        """A refusal, for example of a wrong code, that came before there was a screen to show it
        on."""

    def on_mount(self) -> None:
        self.title = "Pytlik"
        if self.remote is not None:
            self.lobby = LobbyScreen()
            _ = self.push_screen(self.lobby)
        self.run_worker(self.session.run(self.handle_news), exclusive=True)

    @property
    def table_screens(self) -> list[BaseTableScreen]:
        return [screen for screen in (self.game_screen, self.lobby) if screen is not None]

    def handle_news(self, news: News) -> None:
        if not self.is_running:
            return  # The person has left, and nothing can be drawn any more.
        match news:
            case MatchUpdate():
                self._find_or_open_game_screen(news).update_match(news)
                self._show_postponed_refusal()
                self.postponed_refusal = None
            case Refused():
                self._show_refusal(news)
            case TableUpdate():
                self._update_table(news)
                if news.yours:
                    self.postponed_refusal = None
                elif news.table.phase == "lobby":
                    # Shown again with each update, because the first ones don't answer it.
                    self._show_postponed_refusal()
            case ChatLine():
                for screen in self.table_screens:
                    screen.add_chat_line(news)
            case ConnectionLost():
                self._show_connection_banner(self._describe_lost_connection(news))
            case Connected():
                self._show_connection_banner("")
            case PassphraseNeeded(wrong):
                self._ask_passphrase(wrong=wrong)
            case SessionEnded(title, text):
                leave = BarItem(
                    "Enter", self.translate("terminal.key.leave"), self.leave, strong=True
                )
                self.open_dialog(
                    Dialog(self.translate(title), self.translate(text), [leave], stays=True)
                )
            case _:
                assert_never(news)

    # ----------------------------------------------------------------------------------- screens

    def _find_or_open_game_screen(self, update: MatchUpdate) -> GameScreen:
        if self.game_screen is None:
            self.game_screen = GAMES[update.view.game].load("screen")(update.view.seat)
            self._switch_to(self.game_screen)
            if self.table is not None:
                self.game_screen.update_table(self.table)
            if self.lobby is not None:
                self._move_chat(self.lobby, self.game_screen)
            self.lobby = None
        return self.game_screen

    def _update_table(self, update: TableUpdate) -> None:
        before, self.table = self.table, update
        # The next match may have started before we heard of its lobby.
        is_next = before is not None and before.table.match != update.table.match
        if update.table.phase != "lobby" and not is_next:
            for screen in self.table_screens:
                screen.update_table(update)
            return
        game, self.game_screen = self.game_screen, None
        if self.lobby is None:
            self.lobby = LobbyScreen()
            self._switch_to(self.lobby)
        self.lobby.update_table(update)
        if game is not None:
            self._move_chat(game, self.lobby)

    def _switch_to(self, screen: Screen[None]) -> None:
        while len(self.screen_stack) > 1:
            _ = self.pop_screen()
        _ = self.push_screen(screen)

    def _move_chat(self, old: BaseTableScreen, new: BaseTableScreen) -> None:
        for line in old.chat_log.copy_as_old_lines():
            new.add_chat_line(line)

    # ----------------------------------------------------------------------------------- trouble

    def _show_refusal(self, refused: Refused) -> None:
        if self.remote is not None and self.table is None:
            self.postponed_refusal = refused
        elif self.table_screens:
            self.table_screens[0].show_refusal(refused.reason, refused.detail)

    def _show_postponed_refusal(self) -> None:
        if self.postponed_refusal is not None:
            self._show_refusal(self.postponed_refusal)

    def _describe_lost_connection(self, lost: ConnectionLost) -> str:
        """Say that the connection is lost, and what has been saved."""
        if lost.unsaved:
            text = self.translate("page.table.lost.unsaved", n=lost.unsaved)
        else:
            text = self.translate(
                "page.table.lost.saved" if lost.table_known else "terminal.offline"
            )
        return f"{text} {self.translate('terminal.again')}"

    def _show_connection_banner(self, text: str) -> None:
        for screen in self.table_screens:
            screen.lost_text = text
            screen.redraw_if_ready()

    def _ask_passphrase(self, *, wrong: bool) -> None:
        remote, translate = self.remote, self.translate
        assert remote is not None
        text = (
            translate("reason.wrong_passphrase") if wrong else translate("page.missing.door.text")
        )
        title, button = translate("page.missing.door.title"), translate("page.missing.door.enter")
        enter = remote.admission.enter_passphrase
        self.open_dialog(Question(title, text, button, enter, secret=True, stays=True))
