"""Plays a match line by line: a person types, bots and the clock act, and all is described."""

from collections.abc import Sequence
from typing import Any

from pytlik.game import Illegal
from pytlik.match import AnyMatch
from pytlik.terminal.lines import LineGame, Unclear, UnknownWord
from pytlik.terminal.lines.terminal import Terminal
from pytlik.terminal.lines.vocabulary import Vocabulary
from pytlik.terminal.local import YOU
from pytlik.terminal.local.bot_turns import BotTurns
from pytlik.text import find_text


class Driver:
    def __init__(self, line_game: LineGame[Any]) -> None:
        self._line_game = line_game
        self._match = line_game.match
        self._terminal = line_game.terminal
        self._bot_turns = BotTurns(self._match)
        self._vocabulary = Vocabulary(line_game.commands, line_game.translate)
        self._described = 0
        """How many events have been described."""
        self._noticed = 0
        """The moment of the latest notice."""

    def play(self) -> None:
        """Play a whole match. Raises Quit, or EOFError when nobody types any more."""
        self._describe_events()
        while self._match.outcome is None:
            for thought in self._bot_turns.thoughts():
                self._bot_turns.set_plan(thought, thought.think())
            self._take_step()
            self._bot_turns.do_automatic_actions(self._line_game.now)
            self._describe_events()
        self._line_game.show()
        self._line_game.show_result()

    def _take_step(self) -> None:
        """Wait for a line, or for the next thing that happens by itself; then do that."""
        game, match = self._line_game, self._match
        deadline, notice = match.deadline, game.next_notice(self._noticed)
        step = self._bot_turns.next_step(game.now)
        moments = [deadline, notice and notice[0], step and step.moment]
        until = min((moment for moment in moments if moment is not None), default=None)
        line = None
        if until is None or game.now < until:
            line = self._ask(until)
        if line is not None:
            self._handle_line(line)
        elif deadline is not None and game.now >= deadline:
            match.expire(now=game.now)
        elif step is not None and game.now >= step.moment:
            self._bot_turns.act(step, game.now)
        elif notice is not None and game.now >= notice[0]:
            self._noticed, text = notice
            self._terminal.show(text)

    def _ask(self, until: int | None) -> str | None:
        game = self._line_game
        if game.is_stale:
            game.show()
        is_automatic = self._match.game.automatic_action(game.view) is not None
        return self._terminal.ask(game.ready_prompt() if is_automatic else game.prompt(), until)

    def _handle_line(self, line: str) -> None:
        game, translate = self._line_game, self._line_game.translate
        typed = line.lower().replace(";", " ").split()
        words = [self._vocabulary.find_command(word) for word in typed]
        automatic = self._match.game.automatic_action(game.view)
        try:
            if not words:
                if automatic is not None:
                    game.act(automatic)
            elif game.handle_common_word(words[0]):
                pass
            elif automatic is not None:
                raise UnknownWord(words[0])  # noqa: TRY301 - as games do it
            else:
                game.obey(words)
        except UnknownWord as unknown:
            as_typed = dict(zip(words, typed, strict=True))
            self._terminal.show_text("play.unknown", word=as_typed.get(str(unknown), unknown))
        except Unclear as unclear:
            text = str(unclear)
            self._terminal.show(translate(text) if text in translate else text)
        except Illegal as illegal:
            for text in game.describe_refusal(illegal):
                self._show_line(text)

    def _describe_events(self) -> None:
        """Say what has happened since the last time."""
        events = self._match.masked_events(YOU, self._described)
        self._described = len(self._match.events)
        for event in events:
            line = self._line_game.describe_event(event)
            if line:
                self._show_line(line)
            self._line_game.handle_event(event)

    def _show_line(self, line: str) -> None:
        """A line, with pictures in it where the game has some."""
        text = find_text(self._match.game)
        self._terminal.show(text.draw_line(line, self._terminal.format) if text else line)


def play_match(match: AnyMatch, terminal: Terminal, names: Sequence[str]) -> None:
    """Play with the game's own line mode. Raises LookupError for a game without one."""
    line_game: LineGame[Any] = match.game.load("lines")(match, terminal, names)
    Driver(line_game).play()
