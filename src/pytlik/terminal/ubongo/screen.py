"""Ubongo on the whole screen, in real time."""

from collections.abc import Callable
from typing import Any

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.widgets import Digits, Static

from pytlik.game import Seat
from pytlik.terminal.screens.game_screen import ARROW_STEPS, GameScreen
from pytlik.terminal.screens.table_notice import is_paused
from pytlik.terminal.session import MatchUpdate
from pytlik.terminal.ubongo.card_grid import draw_watched_cards
from pytlik.terminal.ubongo.card_widget import CardWidget
from pytlik.terminal.ubongo.piece_controls import PieceControls
from pytlik.terminal.ubongo.round_action_items import confirm_give_up, round_action_items
from pytlik.terminal.ubongo.status import (
    TEXT_FORMAT,
    countdown_end,
    draw_top_line,
    result_text,
    result_title,
    seconds_until,
    status_line,
)
from pytlik.terminal.ubongo.tray import Tray
from pytlik.terminal.widgets.key_bar import BarItem
from pytlik.text.ubongo.events import describe_event
from pytlik.text.ubongo.table import (
    describe_gem_values,
    draw_players,
)
from pytlik.ubongo.messages import PieceLifted, PiecePlaced
from pytlik.ubongo.model import SOLVING_PHASES
from pytlik.ubongo.view import View

TICK_SECONDS = 0.1


class UbongoScreen(GameScreen):
    MINIMUM_SIZE = Size(60, 20)

    DEFAULT_CSS = """
    UbongoScreen {
        #players { padding: 0 1; }
        #solving { height: 1fr; }
        #card { width: 1fr; }
        #tray { width: 34; padding: 1 0 0 2; }
        #count { height: 1fr; width: 1fr; text-align: center; content-align: center middle;
                 color: $accent; text-style: bold; display: none; }
        #watch { height: 1fr; padding: 1 1 0 1; display: none; }
        &.-counting #count { display: block; }
        &.-counting #solving { display: none; }
        &.-watching #watch { display: block; }
        &.-watching #solving { display: none; }
    }
    """

    def __init__(self, seat: Seat | None) -> None:
        super().__init__(seat)
        self.controls = PieceControls(self.act, self.redraw_after_change)
        self.view: View | None = None

    def compose_game_area(self) -> ComposeResult:
        yield Static(id="players", markup=False)
        with Horizontal(id="solving"):
            yield CardWidget(id="card")
            yield Tray(id="tray")
        yield Digits("", id="count")
        yield Static(id="watch", markup=False)

    def on_mount(self) -> None:
        self.set_interval(TICK_SECONDS, self.tick)

    # -------------------------------------------------------------------------------------- news

    def update_match(self, update: MatchUpdate) -> None:
        before, self.view = self.view, update.view
        view: View = update.view
        self.seat = view.seat
        self.controls.update(view)
        if update.events:
            self.problem = ""
        self.log_events(update)
        self.redraw_if_ready()
        if view.outcome is not None and (before is None or before.outcome is None):
            show_result_dialog(self)

    def describe_event(self, event: Any) -> str | None:
        if isinstance(event, PiecePlaced | PieceLifted):
            return None  # The card shows it.
        return describe_event(event, self.names, self.seat, self.translate)

    # ----------------------------------------------------------------------------------- drawing

    def redraw(self) -> None:
        view, controls = self.view, self.controls
        if view is None:
            return
        is_counting = countdown_end(view, self.base_app.session.now()) is not None
        is_watching = not is_counting and not view.choices.solve
        self.set_class(is_counting, "-counting")
        self.set_class(is_watching, "-watching")
        rows = draw_players(view, self.names, self.translate, TEXT_FORMAT)
        players = self.query_one("#players", Static)
        players.styles.height = len(rows)
        players.update(Text("\n").join(rows), layout=False)
        if view.choices.solve and self.seat is not None:
            deal, placed, held = view.deals[self.seat], controls.placed, controls.held
            self.query_one("#card", CardWidget).show(deal, placed, held, self.palette)
            self.query_one("#tray", Tray).show(held, placed, self.palette)
        elif is_watching:
            room = self.query_one("#field").size
            watched = draw_watched_cards(view, self.names, self.translate, room)
            self.query_one("#watch", Static).update(watched)
        self.tick()

    def tick(self) -> None:
        """Show what changes with time."""
        view = self.view
        if view is None or not self.is_ready_to_draw:
            return
        now = self.base_app.session.now()
        until = countdown_end(view, now)
        if until is not None:
            self.query_one("#count", Digits).update(str(seconds_until(until, now)))
        elif self.has_class("-counting"):  # a pause is over
            self.redraw()
            return
        status = status_line(view, self.names, now, self.translate)
        actions = [] if is_paused(self.table) else self.action_bar_items(view)
        top = draw_top_line(view, now if until is None else until, self.translate, self.palette)
        self.show_common_lines(top, status, actions)

    # -------------------------------------------------------------------------------------- keys

    def action_bar_items(self, view: View) -> list[BarItem]:
        items = round_action_items(view, self.controls, self.base_app)
        if skip := self.skip_bots_action(view):
            items.append(BarItem("s", self.translate("page.ubongo.skip"), skip))
        if view.outcome is not None:
            items.append(
                BarItem(
                    "v", self.translate("page.ubongo.end.points"), lambda: show_result_dialog(self)
                )
            )
        return items

    def skip_bots_action(self, view: View) -> Callable[[], None] | None:
        """A function that skips the bots, if only they are still solving on a server; None
        otherwise."""
        remote, table = self.base_app.remote, self.table
        if remote is None or table is None or view.seat is None or view.phase not in SOLVING_PHASES:
            return None
        done = {*view.gave_up, *(solution.seat for solution in view.solutions)}
        solving = [seat for seat in view.playing if seat not in done]
        bots_only = all(table.table.chairs[seat].kind == "bot" for seat in solving)
        return remote.player_api.skip_bots if solving and bots_only else None

    def game_bar_items(self) -> list[BarItem]:
        translate, controls = self.translate, self.controls
        theme = BarItem("F5", translate("page.settings.theme"), self.base_app.switch_theme)
        if controls.held is None:
            return [theme]
        return [
            BarItem(f"1–{len(controls.held.shapes)}", translate("terminal.key.piece")),
            BarItem("←↑↓→", translate("terminal.key.move")),
            BarItem("⌫", translate("terminal.key.lift"), controls.lift),
            theme,
        ]

    def help_text(self) -> str:
        rules = self.translate("ubongo.rules") + "\n" + describe_gem_values(self.translate)
        return self.translate("terminal.help.ubongo") + "\n\n" + rules

    def press_game_key(self, key: str) -> bool:
        controls = self.controls
        if key in ("enter", "space"):
            controls.confirm()
            return True
        if key == "v" and self.view is not None and self.view.outcome is not None:
            show_result_dialog(self)
            return True
        if key == "s" and self.view is not None and (skip := self.skip_bots_action(self.view)):
            skip()
            return True
        if controls.held is None:
            return False
        if key in ARROW_STEPS:
            controls.move_by(*ARROW_STEPS[key])
            return True
        if len(key) == 1 and key.isdecimal():
            return controls.choose_piece_by_key(int(key))
        commands: dict[str, Callable[[], None]] = {
            "q": lambda: controls.turn(-1),
            "e": lambda: controls.turn(1),
            "f": controls.flip,
            "x": controls.lift,
            "backspace": controls.lift,
            "tab": lambda: controls.choose_next(1),
            "shift+tab": lambda: controls.choose_next(-1),
            "g": lambda: confirm_give_up(self.base_app),
        }
        if key not in commands:
            return False
        commands[key]()
        return True

    # ------------------------------------------------------------------------------------- mouse

    def on_card_widget_pointed(self, event: CardWidget.Pointed) -> None:
        held = self.controls.held
        if held is not None and event.cell != held.at:
            self.controls.held = held.move_to(event.cell)
            self.redraw_if_ready()

    def on_card_widget_chosen(self, event: CardWidget.Chosen) -> None:
        if event.button == 3:
            self.controls.flip()
        else:
            self.controls.click(event.cell)

    def on_card_widget_turned(self, event: CardWidget.Turned) -> None:
        self.controls.turn(event.step)

    def on_tray_chosen(self, event: Tray.Chosen) -> None:
        self.controls.choose_piece(event.piece)


def show_result_dialog(screen: UbongoScreen) -> None:
    """Show how the match has ended."""
    view, names, translate = screen.view, screen.names, screen.translate
    if view is not None and view.outcome is not None:
        screen.show_match_end_dialog(
            result_title(view, names, translate), result_text(view, names, translate)
        )
