"""Unikat line by line: a person builds a chain step by step and commits it."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from rich.text import Text

from pytlik.game import Illegal
from pytlik.match import AnyMatch
from pytlik.terminal.line_mode import LineGame, UnclearInput, UnknownWord
from pytlik.terminal.line_mode.terminal import Terminal
from pytlik.terminal.local import YOU
from pytlik.terminal.unikat.chain import earns_bonus, fitting_places, parse_cell
from pytlik.terminal.unikat.line_mode_turn import PAN_STEPS, LineModeTurn, parse_take
from pytlik.text.unikat.board import Draft
from pytlik.text.unikat.table import (
    describe_feature_clash,
    draw_score_sheet,
    draw_table,
    status_line,
)
from pytlik.text.unikat.tiles import describe_tile
from pytlik.unikat.messages import (
    BAG,
    ChainLaid,
    Decline,
    Draw,
    Lay,
    MatchEnded,
    Pass,
    RoundEnded,
    Swap,
)
from pytlik.unikat.model import FEATURES, Cell, Phase, Placement, Tile
from pytlik.unikat.reasons import UnikatReason
from pytlik.unikat.view import View

COMMANDS = {
    "lay": "page.unikat.typed.lay",
    "swap": "page.unikat.typed.swap",
    "draw": "page.unikat.typed.take",
    "bag": "page.unikat.typed.bag",
    "done": "page.unikat.typed.done",
    "pass": "page.unikat.typed.pass",
    "undo": "play.typed.undo",
    "score": "play.typed.score",
    "sort": "play.typed.sort",
    **{feature: f"play.typed.{feature}" for feature in FEATURES},
    "pan": "play.typed.pan",
    **{way: f"play.typed.{way}" for way in PAN_STEPS},
    "centre": "play.typed.centre",
}
"""The page understands the first six too, where a move is typed."""
SHORT_FORMS = {
    "u": "undo",
    "l": "lay",
    "s": "swap",
    "take": "draw",
    "done": "decline",
    "?": "help",
    "q": "quit",
}


class UnikatLineGame(LineGame[View]):
    help_text = "unikat.help"
    rules_text = "unikat.rules"
    commands = COMMANDS

    def __init__(self, match: AnyMatch, terminal: Terminal, names: Sequence[str]) -> None:
        super().__init__(match, terminal, names)
        self.turn = LineModeTurn()

    # ----------------------------------------------------------------------------------- showing

    def render_table(self) -> Text:
        view, turn = self.view, self.turn
        return draw_table(
            view,
            self.names,
            self.translate,
            self.terminal.format,
            draft=turn.draft,
            order=turn.sorted_rack(view),
            pan=turn.pan,
        )

    def show_table(self) -> None:
        super().show_table()
        if self.view.phase is Phase.OVER:
            show_round_end(self)

    def describe_event(self, event: Any) -> str | None:
        # The end of a round is shown with the score sheet.
        ends = isinstance(event, RoundEnded | MatchEnded)
        return None if ends else super().describe_event(event)

    def describe_refusal(self, illegal: Illegal) -> list[str]:
        lines = super().describe_refusal(illegal)
        if illegal.reason is UnikatReason.UNLIKE_NEIGHBOUR:
            lines.append(describe_feature_clash(illegal.detail, self.translate))
        return lines

    def handle_event(self, event: Any) -> None:
        super().handle_event(event)
        self.turn.reset()

    def prompt(self) -> str:
        translate, view, draft = self.translate, self.view, self.turn.draft
        if not draft.chain:
            if draft.chosen:
                return translate("unikat.prompt.place", tile=describe_tile(draft.chosen, translate))
            return status_line(view, self.names, translate)
        prompt = translate("unikat.prompt.lay", n=len(draft.chain))
        if len(draft.chain) == len(view.hand):
            return prompt + " " + translate("unikat.prompt.wins")
        return prompt + (
            " " + translate("unikat.prompt.bonus") if earns_bonus(view, draft.chain) else ""
        )

    # ---------------------------------------------------------------------------------- commands

    def obey(self, words: list[str]) -> None:
        first, rest = SHORT_FORMS.get(words[0], words[0]), words[1:]
        actions: dict[str, Callable[[], None]] = {
            "lay": lambda: self.lay(rest),
            "swap": lambda: self.swap(rest),
            "draw": lambda: self.take_tile(rest),
            "bag": lambda: self.take_tile([BAG]),
            "decline": lambda: self.act(Decline()),
            "pass": lambda: self.act(Pass()),
        }
        changes: dict[str, Callable[[], None]] = {
            "undo": self.turn.undo,
            "sort": lambda: self.turn.sort(rest),
            "pan": lambda: self.turn.move_window(rest),
            "centre": lambda: self.turn.move_window([]),
            "center": lambda: self.turn.move_window([]),
        }
        if first in actions:
            actions[first]()
        elif first in changes:
            changes[first]()
            self.is_stale = True
        elif re.fullmatch(r"[a-j]|[0-2]{4}", first):
            self.choose_tile(self.turn.parse_tile(first, self.view), rest)
        elif first.isdecimal():
            self.handle_number(int(first))
        else:
            raise UnknownWord(first)

    def handle_common_word(self, word: str) -> bool:
        word = SHORT_FORMS.get(word, word)
        if word != "score":
            return super().handle_common_word(word)
        sheet = draw_score_sheet(self.view, self.names, self.translate, self.terminal.format)
        self.terminal.show(sheet)
        return True

    def choose_tile(self, tile: Tile, rest: list[str]) -> None:
        """Choose a tile, and put it down if a place is given too."""
        view, chain = self.view, self.turn.draft.chain
        if view.phase is Phase.DRAW:
            raise UnclearInput("unikat.unclear.draw")
        is_down = any(placed.tile == tile for placed in chain)
        places = () if is_down else fitting_places(view, chain, tile)
        if rest and (cell := parse_cell(rest[0])):
            self.add_to_chain(tile, cell)
        elif not places:
            key = "unikat.fits_nowhere_next" if chain else "unikat.fits_nowhere"
            self.terminal.show_translated(key, tile=describe_tile(tile, self.translate))
        else:
            self.turn.draft, self.is_stale = Draft(chain, tile, places), True
            if rest and rest[0].isdecimal():
                self.handle_number(int(rest[0]))

    def handle_number(self, number: int) -> None:
        """Handle a number on its own: a tile of the display if one must be drawn, otherwise a
        place."""
        draft = self.turn.draft
        if self.view.phase is Phase.DRAW:
            self.take_tile([str(number)])
        elif draft.chosen is None:
            raise UnclearInput("unikat.unclear.choose")
        elif not 1 <= number <= len(draft.places):
            raise UnclearInput("unikat.unclear.place")
        else:
            self.add_to_chain(draft.chosen, draft.places[number - 1])

    def add_to_chain(self, tile: Tile, cell: Cell) -> None:
        """Add a tile to the chain, if the rules would let it be laid."""
        chain = (*self.turn.draft.chain, Placement(tile, cell.x, cell.y))
        self.match.check(YOU, Lay(chain), now=self.now)
        self.turn.draft, self.is_stale = Draft(chain), True

    def lay(self, rest: list[str]) -> None:
        """Commit the chain, or one that is typed as a whole: `lay c 1,0 d 2,0`."""
        view, chain = self.view, self.turn.draft.chain
        if rest:
            if len(rest) % 2:
                raise UnclearInput("unikat.unclear.lay")
            pairs = zip(rest[::2], rest[1::2], strict=True)
            chain = tuple(self.turn.parse_placement(word, where, view) for word, where in pairs)
        elif not chain and view.phase is not Phase.DRAW:
            raise UnclearInput("unikat.unclear.choose")
        self.act(Lay(chain))

    def swap(self, rest: list[str]) -> None:
        if len(rest) != 2:
            raise UnclearInput("unikat.unclear.swap")
        give, take = rest
        view = self.view
        self.act(Swap(self.turn.parse_tile(give, view), parse_take(take, view)))

    def take_tile(self, rest: list[str]) -> None:
        if len(rest) != 1:
            raise UnclearInput("unikat.unclear.draw")
        self.act(Draw(parse_take(rest[0], self.view)))


def show_round_end(lines: UnikatLineGame) -> None:
    """Show who has won, the score sheet, and the longest chain."""
    view, names, translate, terminal = lines.view, lines.names, lines.translate, lines.terminal
    terminal.show("", status_line(view, names, translate))
    terminal.show(draw_score_sheet(view, names, translate, terminal.format))
    chains = [event for event in lines.match.masked_events(YOU) if isinstance(event, ChainLaid)]
    if chains:
        best = max(chains, key=lambda event: len(event.tiles))
        terminal.show_translated("unikat.longest", name=names[best.seat], n=len(best.tiles))
