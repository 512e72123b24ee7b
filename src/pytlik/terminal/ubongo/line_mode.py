"""Ubongo line by line, in real time: the sand runs and the bots solve while a person types."""

import re
from collections.abc import Sequence
from typing import Any

from rich.text import Text

from pytlik.game import Illegal
from pytlik.match import AnyMatch
from pytlik.terminal.line_mode import LineGame, UnclearInput, UnknownWord
from pytlik.terminal.line_mode.terminal import Terminal
from pytlik.terminal.local import YOU
from pytlik.terminal.ubongo.solutions import find_solution
from pytlik.text.durations import format_time_left
from pytlik.text.ubongo.cards import cells_by_name, draw_card, first_cell
from pytlik.text.ubongo.table import (
    describe_gem_values,
    draw_all_cards,
    draw_table,
)
from pytlik.ubongo.hexes import Hex, Shape, flip, move_by, turn
from pytlik.ubongo.messages import (
    CountdownBegan,
    GiveUp,
    Lift,
    MatchEnded,
    MatchOpened,
    PiecePlaced,
    Place,
    RoundBegan,
    RoundEnded,
)
from pytlik.ubongo.model import SOLVING_PHASES, Deal, Phase
from pytlik.ubongo.reasons import UbongoReason
from pytlik.ubongo.view import View

SECOND_MS = 1000
COUNTDOWN_SECONDS = 3
WARNINGS_MS = (30 * SECOND_MS, 10 * SECOND_MS, 5 * SECOND_MS)
"""How much sand is left at each warning."""
ROTATION_SIXTHS = {"q": 5, "left": 5, "e": 1, "right": 1, "turn": 1}
"""How many sixths of a turn, clockwise."""
COMMANDS = {
    word: f"play.typed.{word}"
    for word in ("left", "right", "turn", "flip", "lift", "place", "give")
}
COMMANDS_WITH_PIECE = ("turn", "flip", "lift")
"""Words that may be followed by the piece they apply to: `turn 7`."""


class UbongoLineGame(LineGame[View]):
    help_text = "ubongo.help"
    rules_text = "ubongo.rules"
    commands = COMMANDS

    def __init__(self, match: AnyMatch, terminal: Terminal, names: Sequence[str]) -> None:
        super().__init__(match, terminal, names)
        self.is_stale = False
        self.turned: dict[int, Shape] = {}
        """The person's pieces as they hold them."""
        self.chosen: int | None = None

    # ----------------------------------------------------------------------------------- showing

    def render_table(self) -> Text:
        """The person's card or, once they are done with it, every card they may watch."""
        view, names, translate, fmt = self.view, self.names, self.translate, self.terminal.format
        if view.choices.solve or view.phase not in SOLVING_PHASES:
            return draw_table(view, names, translate, fmt, now=self.now, turned=self.turned)
        return draw_all_cards(view, names, translate, fmt, now=self.now)

    def describe_event(self, event: Any) -> str | None:
        # The table shows where a piece lies, and the result comes after it.
        if isinstance(event, PiecePlaced | MatchEnded):
            return None
        return super().describe_event(event)

    def handle_event(self, event: Any) -> None:
        match event:
            case MatchOpened():
                self.terminal.show(describe_gem_values(self.translate))
            case CountdownBegan():
                self.turned, self.chosen = {}, None
                self.terminal.show_translated("ubongo.countdown", n=COUNTDOWN_SECONDS)
            case RoundBegan():
                view = self.view
                self.turned = dict(view.deals[YOU].pieces) if YOU in view.deals else {}
                self.chosen = next(iter(self.turned), None)
            case RoundEnded():
                self.show_solution()
            case _:
                pass
        self.is_stale |= isinstance(event, RoundBegan | RoundEnded | PiecePlaced)

    def show_solution(self) -> None:
        """Show the solution of the person's card, if they haven't found it."""
        view = self.view
        if YOU not in view.deals or any(solution.seat == YOU for solution in view.solutions):
            return
        placed = find_solution(view.deals[YOU])
        if placed:
            self.terminal.show_translated("ubongo.solution")
            fmt = self.terminal.format
            self.terminal.show(*draw_card(view.deals[YOU], placed, fmt, rows=1))

    def next_notice(self, after: int) -> tuple[int, str] | None:
        """Count down before a round, and warn when the sand runs out."""
        view, translate = self.view, self.translate
        if view.starts is not None:
            until, key = view.starts, "ubongo.countdown"
            lefts = [2 * SECOND_MS, SECOND_MS]
        elif view.sand is not None and view.options.seconds:
            length = view.options.seconds * SECOND_MS
            until, key = view.sand, "ubongo.sand_left"
            lefts = [left for left in WARNINGS_MS if left < length]
        else:
            return None
        notices = ((until - left, translate(key, n=left // SECOND_MS)) for left in lefts)
        return next((notice for notice in notices if notice[0] > after), None)

    def continue_prompt(self) -> str:
        view = self.view
        key = "ubongo.ready.deciding" if view.deciding else "ubongo.ready"
        return self.translate(key, round=view.round + 1)

    def prompt(self) -> str:
        view, translate = self.view, self.translate
        if view.phase is Phase.COUNTDOWN:
            return ""
        time = translate("ubongo.no_timer")
        if view.sand is not None:
            time = format_time_left(view.sand, self.now)
        if not view.choices.solve:
            return translate("ubongo.prompt.watching", time=time)
        return translate("ubongo.prompt.solving", time=time, piece=self.chosen)

    # ---------------------------------------------------------------------------------- commands

    def obey(self, words: list[str]) -> None:
        """Obey the words of a line one after the other: `7 e e b3` turns piece 7 and lays it."""
        if not self.view.choices.solve:
            raise UnknownWord(words[0])
        if words[0] in ("give", "giveup"):
            self.act(GiveUp())
        else:
            self.handle_piece_words(words, self.view.deals[YOU])

    def handle_piece_words(self, words: list[str], deal: Deal) -> None:
        """Choose, turn, flip, lift and place pieces, word by word."""
        names = cells_by_name(deal.area)
        cells: list[Hex] = []
        changed = False
        for index, word in enumerate(words):
            before, after = words[index - 1] if index else "", words[index + 1 : index + 2]
            if word.isdecimal():
                if int(word) not in deal.pieces:
                    raise Illegal(UbongoReason.NOT_YOUR_PIECE, piece=int(word))
                self.chosen = int(word)
                if before in COMMANDS_WITH_PIECE:
                    self.turn_flip_or_lift(before)
                    changed = True
            elif word == "place" or (
                word in COMMANDS_WITH_PIECE and after and after[0].isdecimal()
            ):
                continue
            elif word in ROTATION_SIXTHS or word in ("f", "flip", "x", "lift"):
                self.turn_flip_or_lift(word)
                changed = True
            elif word in names:
                cells.append(names[word])
            elif re.fullmatch(r"[a-z]\d+", word):
                raise UnclearInput("ubongo.unclear.cell")
            elif self.handle_common_word(word):
                return
            else:
                raise UnknownWord(word)
        if cells:
            self.place(cells)
        else:
            self.is_stale |= changed

    def turn_flip_or_lift(self, word: str) -> None:
        """Turn, flip or lift the chosen piece."""
        if self.chosen is None:
            raise UnclearInput("ubongo.unclear.choose")
        if word in ("x", "lift"):
            self.act(Lift(self.chosen))
        elif word in ROTATION_SIXTHS:
            for _ in range(ROTATION_SIXTHS[word]):
                self.turned[self.chosen] = turn(self.turned[self.chosen])
        else:
            self.turned[self.chosen] = flip(self.turned[self.chosen])

    def place(self, cells: list[Hex]) -> None:
        """Lay the chosen piece with its mark on the only cell named, or onto all cells named."""
        if self.chosen is None:
            raise UnclearInput("ubongo.unclear.choose")
        covered: tuple[Hex, ...] = tuple(cells)
        if len(cells) == 1:
            held = self.turned[self.chosen]
            mark = first_cell(held)
            covered = move_by(held, Hex(cells[0].q - mark.q, cells[0].r - mark.r))
        self.act(Place(self.chosen, covered))
        placed = self.view.placed.get(YOU, {})
        free = [piece for piece in self.turned if piece not in placed]
        self.chosen = free[0] if free else self.chosen
