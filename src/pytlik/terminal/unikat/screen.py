"""Unikat on the whole screen."""

import re
from textwrap import wrap
from typing import Any

from rich.text import Text
from textual.app import ComposeResult

from pytlik.game import Ready, Seat
from pytlik.i18n.formats import format_list
from pytlik.terminal.screens.game_screen import ARROW_STEPS, GameScreen
from pytlik.terminal.screens.table_notice import is_paused
from pytlik.terminal.session import MatchUpdate
from pytlik.terminal.unikat.board_widget import BoardWidget
from pytlik.terminal.unikat.chain import explain_misfit
from pytlik.terminal.unikat.round_end import describe_round_end, draw_small_tile
from pytlik.terminal.unikat.status import status_line
from pytlik.terminal.unikat.tile_row import TileRow, TileSlot
from pytlik.terminal.unikat.turn_action_items import turn_action_items
from pytlik.terminal.unikat.turn_controls import TurnControls
from pytlik.terminal.widgets.dialogs import Dialog
from pytlik.terminal.widgets.key_bar import BarItem
from pytlik.text.unikat.events import describe_event
from pytlik.text.unikat.table import RACK_LETTERS, draw_hand_sizes
from pytlik.unikat.messages import BAG, ChainLaid, MatchEnded, RoundEnded
from pytlik.unikat.model import Phase, Tile
from pytlik.unikat.view import View

TILE_CODE_MARKER = "\ue000"
"""Put before a tile's code while a line is wrapped, so that the code is as wide as the picture."""


def draw_line_with_tiles(line: str, width: int) -> Text:
    """A line about tiles, with a small picture in the place of each tile's code."""
    marked = re.sub(r"\b([0-2]{4})\b", TILE_CODE_MARKER + r"\1", line)
    text = Text()
    for part in re.split(f"{TILE_CODE_MARKER}(....)", "\n".join(wrap(marked, width))):
        text.append(draw_small_tile(Tile(part)) if re.fullmatch("[0-2]{4}", part) else part)
    return text


class UnikatScreen(GameScreen):
    DEFAULT_CSS = """
    UnikatScreen {
        &.-wide.-tall TileRow { height: 4; }
    }
    """

    def __init__(self, seat: Seat | None) -> None:
        super().__init__(seat)
        self.controls = TurnControls(self.act, self.redraw_after_change)
        self.view: View | None = None
        self.longest: ChainLaid | None = None

    def compose_game_area(self) -> ComposeResult:
        yield BoardWidget(id="board")

    def compose_lower_area(self) -> ComposeResult:
        yield TileRow(id="display")
        yield TileRow(id="rack")

    # -------------------------------------------------------------------------------------- news

    def update_match(self, update: MatchUpdate) -> None:
        before, view = self.view, update.view
        self.view = self.controls.view = view
        self.seat = view.seat
        if before is None or plan_dependencies(before) != plan_dependencies(view):
            self.controls.start_turn(view)
            self.problem = ""
        for event in update.events:
            if isinstance(event, ChainLaid):
                known = [self.longest] if self.longest else []
                self.longest = max([*known, event], key=lambda chain: len(chain.tiles))
        self.log_events(update)
        self.redraw_if_ready()
        if (
            view.phase is Phase.OVER
            and view.round
            and (before is None or not is_round_over(before))
        ):
            self.show_score_sheet()

    def describe_event(self, event: Any) -> str | None:
        if isinstance(event, RoundEnded | MatchEnded):
            return None
        line = describe_event(event, self.names, self.seat, self.translate)
        # The board shows where tiles have been laid.
        return line and re.sub(r"\b([0-2]{4}) -?\d+,-?\d+", r"\1", line)

    def wrap_event_line(self, line: str, width: int) -> Text:
        return draw_line_with_tiles(line, width)

    # ----------------------------------------------------------------------------------- drawing

    def redraw(self) -> None:
        view, turn = self.view, self.controls.turn
        if view is None:
            return
        self.query_one("#board", BoardWidget).show(turn.picture(view), self.palette)
        self._show_tile_rows(view)
        status = status_line(view, turn, self.names, self.translate)
        actions = [] if is_paused(self.table) else self.action_bar_items(view)
        accent = f"bold {self.palette.accent}"
        top = draw_hand_sizes(
            view, self.names, self.translate, mark="▶ ", accent=accent, other="bold"
        )
        self.show_common_lines(top, status, actions)

    def _show_tile_rows(self, view: View) -> None:
        turn, translate = self.controls.turn, self.translate
        down = {placed.tile for placed in turn.chain}
        slots = [
            TileSlot(letter, None if tile in down else tile, marked=tile == turn.chosen)
            for letter, tile in zip(RACK_LETTERS, self.controls.rack, strict=False)
        ]
        rack = self.query_one("#rack", TileRow)
        rack.display = bool(view.hand)
        rack.show(translate("unikat.rack"), slots, self.palette)
        slots = [
            TileSlot(str(number) if number < 10 else "", tile, marked=tile == turn.take)
            for number, tile in enumerate(view.display, 1)
        ]
        slots.append(TileSlot("0", view.bag, marked=turn.take == BAG))
        self.query_one("#display", TileRow).show(translate("unikat.display"), slots, self.palette)

    def action_bar_items(self, view: View) -> list[BarItem]:
        items = turn_action_items(view, self.controls, self.translate)
        if view.sheet:
            items.append(BarItem("v", self.translate("page.unikat.sheet"), self.show_score_sheet))
        return items

    # -------------------------------------------------------------------------------------- keys

    def game_bar_items(self) -> list[BarItem]:
        translate, turn = self.translate, self.controls.turn
        board = self.query_one("#board", BoardWidget)
        arrows = "terminal.key.place" if turn.chosen else "terminal.key.look"
        if turn.take is not None:
            arrows = "terminal.key.take"
        return [
            BarItem("←↑↓→", translate(arrows)),
            BarItem("o", translate("terminal.key.sort"), self.controls.sort_by_next_feature),
            BarItem("+", translate("page.unikat.larger"), lambda: board.zoom(1)),
            BarItem("-", translate("page.unikat.smaller"), lambda: board.zoom(-1)),
            BarItem("w", translate("terminal.key.whole"), board.show_whole_board),
            BarItem("F5", translate("page.settings.theme"), self.base_app.switch_theme),
        ]

    def help_text(self) -> str:
        return self.translate("terminal.help.unikat") + "\n\n" + self.translate("unikat.rules")

    def press_game_key(self, key: str) -> bool:
        controls, board = self.controls, self.query_one("#board", BoardWidget)
        if self.view is None:
            return False
        if key in RACK_LETTERS:
            return controls.choose_rack_tile(RACK_LETTERS.index(key))
        if len(key) == 1 and key.isdecimal():
            return controls.handle_number(int(key))
        arrow = key.removeprefix("shift+")
        if arrow in ARROW_STEPS:
            if arrow != key or not controls.move_mark(*ARROW_STEPS[arrow]):
                board.pan_cells(*ARROW_STEPS[arrow])
            return True
        commands = {
            "enter": controls.confirm,
            "space": controls.confirm,
            "l": controls.lay,
            "s": controls.swap,
            "n": controls.decline,
            "p": controls.pass_turn,
            "backspace": controls.undo,
            "u": controls.undo,
            "escape": controls.undo,
            "tab": lambda: controls.mark_next_place(1),
            "shift+tab": lambda: controls.mark_next_place(-1),
            "plus": lambda: board.zoom(1),
            "minus": lambda: board.zoom(-1),
            "w": board.show_whole_board,
            "o": controls.sort_by_next_feature,
            "v": self.show_score_sheet,
        }
        if key not in commands:
            return False
        commands[key]()
        return True

    def show_score_sheet(self) -> None:
        view, translate, app = self.view, self.translate, self.base_app
        if view is None or not view.sheet:
            return
        title, text = describe_round_end(view, self.names, translate, self.longest)
        if view.outcome is not None:
            self.show_match_end_dialog(title, text)
            return

        def go_on() -> None:
            app.close_dialog()
            app.act(Ready())

        items = [BarItem("Esc", translate("terminal.look"), app.close_dialog)]
        if view.choices.ready:
            items.insert(0, BarItem("Enter", translate("page.unikat.ready"), go_on, strong=True))
        app.open_dialog(Dialog(title, text, items))

    # ------------------------------------------------------------------------------------- mouse

    def on_tile_row_chosen(self, event: TileRow.Chosen) -> None:
        view, number = self.view, event.number
        if event.row.id == "rack":
            self.controls.choose_rack_tile(number)
        elif view is not None:
            self.controls.take(view.display[number] if number < len(view.display) else BAG)

    def on_board_widget_chosen(self, event: BoardWidget.Chosen) -> None:
        view, turn = self.view, self.controls.turn
        if self.controls.put(event.cell) or view is None:
            return
        if turn.chosen is None or turn.take is not None:
            return
        illegal = explain_misfit(view, turn.chain, turn.chosen, event.cell)
        if "features" in illegal.detail:
            clashing = [
                self.translate(f"unikat.feature.{one}") for one in illegal.detail["features"]
            ]
            features = format_list(clashing, self.translate)
            self.problem = self.translate("page.unikat.status.clash", features=features)
            self.redraw_if_ready()
        else:
            self.show_refusal(illegal.reason, illegal.detail)


def plan_dependencies(view: View) -> object:
    """What a planned turn depends on: when it changes, planning starts again."""
    return view.round, view.phase, view.to_move, view.board, view.hand, view.display


def is_round_over(view: View) -> bool:
    return view.phase is Phase.OVER
