"""Playing line by line, for terminals without a full screen and people who prefer lines.

A game is played this way through a class of its own, derived from `LineGame` and named in the
game's `shows`:

    NIM = Game(name="nim", ..., shows={"lines": "nim.lines:NimLines"})

It needs three methods. `render_table` returns what the person sees, `prompt` asks them for
something, and `obey` does what they typed:

    from pytlik.terminal.line_mode import LineGame, UnknownWord

    class NimLines(LineGame[View]):
        def render_table(self) -> str:
            return f"{self.view.stones} stones are left."

        def prompt(self) -> str:
            return "How many do you take?"

        def obey(self, words: list[str]) -> None:
            if not words[0].isdecimal():
                raise UnknownWord(words[0])
            self.act(Take(int(words[0])))

The rest is handled for it (see `match_runner`): bots and the clock act, events are described,
refusals are explained, and "quit", "show", "help" and "rules" are understood. If a game has a
`GameText` (see pytlik.text), it describes the events; otherwise override `describe_event`.
`commands` names the texts of the game's own commands, so people can type them in their language.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from rich.text import Text

from pytlik.game import Illegal
from pytlik.match import AnyMatch
from pytlik.terminal.line_mode.terminal import Terminal
from pytlik.terminal.local import YOU
from pytlik.text import find_game_text
from pytlik.text.refusals import describe_refusal

V = TypeVar("V")


class Quit(Exception):
    """The person wants to stop."""


class UnclearInput(Exception):
    """What was typed makes no sense here. The message, or its key in the catalogue, says what to
    type instead."""


class UnknownWord(Exception):
    """A word that means nothing in this game."""


class LineGame(ABC, Generic[V]):
    """A match as one person plays it, on the first seat against bots."""

    help_text: str | None = None
    """What can be typed: a text, or its key in the catalogue."""
    rules_text: str | None = None
    """A summary of the rules, in the same form."""
    commands: ClassVar[Mapping[str, str]] = {}
    """The game's commands, with the keys of their texts in the catalogue: `obey` gets the command,
    whichever language it's typed in."""

    def __init__(self, match: AnyMatch, terminal: Terminal, names: Sequence[str]) -> None:
        self.match = match
        self.terminal = terminal
        self.translate = terminal.translate
        self.names = tuple(names)
        self.is_stale = True
        """Whether the table has changed since it was shown."""

    @property
    def view(self) -> V:
        view: V = self.match.view(YOU)
        return view

    @property
    def now(self) -> int:
        return self.terminal.clock.now()

    # --------------------------------------------------------------- what a game must provide

    @abstractmethod
    def render_table(self) -> Text | str:
        """What the person sees now."""

    @abstractmethod
    def prompt(self) -> str:
        """Ask for something, in one short line; empty if the person can only wait."""

    @abstractmethod
    def obey(self, words: list[str]) -> None:
        """Do what was typed, in lower case, with commands in English. May raise UnknownWord,
        UnclearInput (which says what would help), and Illegal as `act` does."""

    # --------------------------------------------------------------- what a game may override

    def continue_prompt(self) -> str:
        """Ask for Enter before something that needs no decision, usually the next round."""
        return self.translate("play.next_round")

    def describe_event(self, event: Any) -> str | None:
        """The line about an event; None if there is nothing to say."""
        text = find_game_text(self.match.game)
        return text.describe_event(event, self.names, YOU, self.translate) if text else None

    def describe_refusal(self, illegal: Illegal) -> list[str]:
        return [describe_refusal(illegal.reason, illegal.detail, self.translate)]

    def handle_event(self, event: Any) -> None:  # noqa: ARG002 - others look at it
        """React to an event that has just been described."""
        self.is_stale = True

    def next_notice(self, after: int) -> tuple[int, str] | None:  # noqa: ARG002
        """The next thing to announce, such as how much time is left, and when (ms)."""
        return None

    def show_result(self) -> None:
        """Say how the match has ended."""
        line = LineGame.describe_event(self, self.match.masked_events(YOU, -1)[0])
        if line:
            self.terminal.show(line)
        if self.match.outcome and YOU in self.match.outcome.winners:
            self.terminal.show_translated(
                "play.cheer.plain" if self.terminal.plain else "play.cheer"
            )

    # ---------------------------------------------------------------- what a game can call

    def act(self, action: Any) -> None:
        """Do something for the person. Raises Illegal, and then nothing has changed."""
        self.match.act(YOU, action, now=self.now)

    def show_table(self) -> None:
        self.is_stale = False
        self.terminal.show("", self.render_table())

    def handle_common_word(self, word: str) -> bool:
        """Handle a word that works at every prompt. Returns whether it is one."""
        texts = {"help": self.help_text, "?": self.help_text, "rules": self.rules_text}
        if word == "quit":
            raise Quit
        if word == "show":
            self.show_table()
        elif text := texts.get(word):
            self.terminal.show(self.translate(text) if text in self.translate else text)
        else:
            return False
        return True
