"""The full-screen game: what is told by a table is shown, what is done here is asked of it."""

from typing import assert_never

from textual.screen import Screen

from pytlik.i18n import Catalogue
from pytlik.terminal.bar import Item
from pytlik.terminal.dialogs import Dialog, Question
from pytlik.terminal.lobby import LobbyScreen
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
from pytlik.terminal.stage import Stage
from pytlik.terminal.ubongo_screen import UbongoScreen
from pytlik.terminal.unikat_screen import UnikatScreen

SCREENS: dict[str, type[UnikatScreen | UbongoScreen]] = {
    "unikat": UnikatScreen,
    "ubongo": UbongoScreen,
}


class PlayApp(Stage):
    def __init__(self, seated: Seated, say: Catalogue, *, name: str = "") -> None:
        super().__init__(seated, say, name=name)
        self.game_screen: UnikatScreen | UbongoScreen | None = None
        self.lobby: LobbyScreen | None = None
        self.table: TableSeen | None = None
        """On a server."""
        self.early: Refused | None = None
        """What was refused before there was a table to say it at: a code that is wrong."""

    def on_mount(self) -> None:
        self.title = "Pytlik"
        if self.there is not None:
            self.lobby = LobbyScreen()
            _ = self.push_screen(self.lobby)
        self.run_worker(self.seated.run(self.hear), exclusive=True)

    # ---------------------------------------------------------------------------------- news

    def hear(self, news: News) -> None:
        if not self.is_running:
            return  # the person has left, and there is nothing to draw on any more
        match news:
            case Seen():
                self._game(news).take(news)
                self._say_early()
                self.early = None
            case Refused():
                self._refused(news)
            case TableSeen():
                self._table(news)
                if news.yours:
                    self.early = None
                elif news.table.phase == "lobby":
                    # Each time: what comes at once, such as that we are connected, is no answer.
                    self._say_early()
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

    def _game(self, seen: Seen) -> UnikatScreen | UbongoScreen:
        view = seen.view
        if self.game_screen is None:
            self.game_screen = SCREENS[view.game](view.seat)
            self._on_top(self.game_screen)
            if self.table is not None:
                self.game_screen.table_seen(self.table)
            if self.lobby is not None:
                self.game_screen.take_over(self.lobby.talk)
            self.lobby = None
        return self.game_screen

    def _on_top(self, screen: Screen[None]) -> None:
        while len(self.screen_stack) > 1:
            _ = self.pop_screen()
        _ = self.push_screen(screen)

    def _table(self, seen: TableSeen) -> None:
        before, self.table = self.table, seen
        # The next match may have begun before we were told of its lobby.
        another = before is not None and before.table.match != seen.table.match
        if seen.table.phase == "lobby" or another:
            game, self.game_screen = self.game_screen, None
            if self.lobby is None:
                self.lobby = LobbyScreen()
                self._on_top(self.lobby)
            self.lobby.table_seen(seen)
            if game is not None:
                self.lobby.take_over(game.talk)
        else:
            for screen in (self.game_screen, self.lobby):
                if screen is not None:
                    screen.table_seen(seen)

    def _refused(self, refused: Refused) -> None:
        if self.there is not None and self.table is None:
            self.early = refused
            return
        screen = self.game_screen or self.lobby
        if screen is not None:
            screen.refused(refused.reason, refused.detail)

    def _say_early(self) -> None:
        if self.early is not None:
            self._refused(self.early)

    def _banner(self, text: str) -> None:
        for screen in (self.game_screen, self.lobby):
            if screen is not None:
                screen.show_banner(text)

    def _end(self, title: str, text: str) -> None:
        leave = Item("Enter", self.say("terminal.key.leave"), self.leave, strong=True)
        self.lay_over(Dialog(title, text, [leave], keep=True))

    def _ask_passphrase(self, *, wrong: bool) -> None:
        there, say = self.there, self.say
        assert there is not None
        text = say("reason.wrong_passphrase") if wrong else say("page.missing.door.text")
        title, button = say("page.missing.door.title"), say("page.missing.door.enter")
        question = Question(title, text, button, there.enter, secret=True, keep=True)
        self.lay_over(question)
