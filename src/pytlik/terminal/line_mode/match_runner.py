"""Plays a match line by line: a person types, bots and the clock act, and every event is
described."""

from collections.abc import Sequence
from typing import Any

from pytlik.game import Illegal
from pytlik.match import AnyMatch
from pytlik.terminal.line_mode import LineGame, UnclearInput, UnknownWord
from pytlik.terminal.line_mode.terminal import Terminal
from pytlik.terminal.line_mode.vocabulary import Vocabulary
from pytlik.terminal.local import YOU
from pytlik.terminal.local.bot_turns import BotTurns
from pytlik.text import find_game_text


class MatchRunner:
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
        """Play a whole match. Raises Quit, or EOFError at the end of the input."""
        self._show_new_events()
        while self._match.outcome is None:
            for decision in self._bot_turns.pending_decisions():
                self._bot_turns.set_plan(decision, decision.think())
            self._wait_then_act()
            self._bot_turns.do_automatic_actions(self._line_game.now)
            self._show_new_events()
        self._line_game.show_table()
        self._line_game.show_result()

    def _wait_then_act(self) -> None:
        """Wait for a line or for whatever is due next (deadline, bot, notice), then handle it."""
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
            game.show_table()
        is_automatic = self._match.game.automatic_action(game.view) is not None
        return self._terminal.ask(game.continue_prompt() if is_automatic else game.prompt(), until)

    def _handle_line(self, line: str) -> None:
        game, translate = self._line_game, self._line_game.translate
        typed = line.lower().replace(";", " ").split()
        words = [self._vocabulary.to_english_command(word) for word in typed]
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
            self._terminal.show_translated("play.unknown", word=as_typed.get(str(unknown), unknown))
        except UnclearInput as unclear:
            text = str(unclear)
            self._terminal.show(translate(text) if text in translate else text)
        except Illegal as illegal:
            for text in game.describe_refusal(illegal):
                self._show_line(text)

    def _show_new_events(self) -> None:
        """Print what has happened since the last call."""
        events = self._match.masked_events(YOU, self._described)
        self._described = len(self._match.events)
        for event in events:
            line = self._line_game.describe_event(event)
            if line:
                self._show_line(line)
            self._line_game.handle_event(event)

    def _show_line(self, line: str) -> None:
        """Print a line, with small pictures in it if the game draws them."""
        text = find_game_text(self._match.game)
        self._terminal.show(text.draw_line(line, self._terminal.format) if text else line)


def play_match(match: AnyMatch, terminal: Terminal, names: Sequence[str]) -> None:
    """Play with the game's own line mode. Raises LookupError for a game without one."""
    line_game: LineGame[Any] = match.game.load("lines")(match, terminal, names)
    MatchRunner(line_game).play()
