"""Ubongo on the whole screen, in real time."""

from typing import Any

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.widgets import Digits, Static

from pytlik.game import Seat
from pytlik.terminal.screens.game_screen import GameScreen
from pytlik.terminal.screens.table_notice import is_paused
from pytlik.terminal.session import MatchUpdate
from pytlik.terminal.ubongo.card import CardWidget
from pytlik.terminal.ubongo.card_grid import WatchedCard, draw_cards
from pytlik.terminal.ubongo.piece_controls import PieceControls
from pytlik.terminal.ubongo.solutions import find_solution
from pytlik.terminal.ubongo.status import result_text, result_title, seconds_until, status_line
from pytlik.terminal.ubongo.tray import Tray
from pytlik.terminal.widgets.bar import BarItem
from pytlik.terminal.widgets.dialogs import Dialog
from pytlik.text.layout import TextFormat
from pytlik.text.ubongo.events import describe_event
from pytlik.text.ubongo.table import (
    LAST_SECONDS_MS,
    draw_gems,
    gem_values,
    hourglass,
    player_lines,
)
from pytlik.ubongo.messages import GiveUp, PieceLifted, PiecePlaced
from pytlik.ubongo.model import ROUNDS, UNDER_WAY, Phase
from pytlik.ubongo.view import View

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
TICK_SECONDS = 0.1
FORMAT = TextFormat()


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
        self.controls = PieceControls(self.act, self.show_change)

    @property
    def view(self) -> View | None:
        return self.controls.view

    def act(self, action: Any) -> None:
        self.base_app.act(action)

    def show_change(self) -> None:
        self.problem = ""
        self.show()

    def compose_field(self) -> ComposeResult:
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
        before, view = self.view, update.view
        self.seat = view.seat
        self.controls.update(view)
        if update.events:
            self.problem = ""
        self.describe_events(update)
        self.show()
        if view.outcome is not None and (before is None or before.outcome is None):
            self.show_result()

    def describe_event(self, event: Any) -> str | None:
        if isinstance(event, PiecePlaced | PieceLifted):
            return None  # The card shows it.
        return describe_event(event, self.names, self.seat, self.say)

    # ----------------------------------------------------------------------------------- drawing

    def redraw(self) -> None:
        view, controls = self.view, self.controls
        if view is None:
            return
        is_counting = view.phase is Phase.COUNTDOWN
        is_watching = not is_counting and not view.choices.solve
        self.set_class(is_counting, "-counting")
        self.set_class(is_watching, "-watching")
        rows = player_lines(view, self.names, self.say, FORMAT)
        players = self.query_one("#players", Static)
        players.styles.height = len(rows)
        players.update(Text("\n").join(rows), layout=False)
        if view.choices.solve and self.seat is not None:
            deal, placed, held = view.deals[self.seat], controls.placed, controls.held
            self.query_one("#card", CardWidget).show(deal, placed, held, self.palette)
            self.query_one("#tray", Tray).show(held, placed, self.palette)
        elif is_watching:
            self.query_one("#watch", Static).update(self._draw_watched(view))
        self.tick()

    def tick(self) -> None:
        """Show what changes with time."""
        view = self.view
        if view is None or not self.is_laid_out:
            return
        now = self.base_app.session.now()
        if view.phase is Phase.COUNTDOWN and view.starts is not None:
            self.query_one("#count", Digits).update(str(seconds_until(view.starts, now)))
        status = status_line(view, self.names, now, self.say)
        actions = [] if is_paused(self.table) else self.action_items(view)
        self.show_common(self._draw_top(view, now), status, actions)

    def _draw_top(self, view: View, now: int) -> Text:
        say, palette = self.say, self.palette
        if view.deciding:
            title = say("ubongo.deciding")
        elif view.round:
            title = say("ubongo.round", round=view.round, rounds=ROUNDS)
        else:
            title = say("page.first.ubongo.title")
        line = Text(no_wrap=True, overflow="ellipsis").append(title, style="bold")
        if view.phase is Phase.SECOND_CHANCE:
            line.append("  " + say("ubongo.second_chance"), style=f"bold {palette.warning}")
        if view.phase in UNDER_WAY:
            is_last = view.sand is not None and view.sand - now <= LAST_SECONDS_MS
            sand = hourglass(view, now, say, FORMAT).plain
            style = f"bold {palette.warning if is_last else palette.accent}"
            line.append("  " + sand, style=style)
        gems = draw_gems(view.books.display, say, FORMAT)
        if gems:
            line.append(f"  {say('ubongo.display')} ").append(gems)
        return line

    def _draw_watched(self, view: View) -> Text:
        """Every card that may be seen; and how one's own is solved, if that wasn't found."""
        if not view.deals:
            return Text(self.say("page.ubongo.explain") + "\n\n" + gem_values(self.say))
        room = self.query_one("#field").size
        cards = [self._watched_card(view, seat) for seat in view.deals]
        return draw_cards(cards, room.width - 2, room.height - view.players - 1)

    def _watched_card(self, view: View, seat: Seat) -> WatchedCard:
        deal = view.deals[seat]
        solved = any(solution.seat == seat for solution in view.solutions)
        if seat == self.seat and not solved and view.phase not in UNDER_WAY:
            solution = find_solution(deal)
            if solution is not None:
                return WatchedCard(self.say("ubongo.solution"), deal, solution)
        return WatchedCard(self.names[seat], deal, view.placed.get(seat, {}))

    # -------------------------------------------------------------------------------------- keys

    def action_items(self, view: View) -> list[BarItem]:
        say, controls = self.say, self.controls
        if view.choices.ready:
            key = "page.ubongo.readyNext" if view.round else "page.ubongo.ready"
            return [BarItem("Enter", say(key), controls.confirm, strong=True)]
        if view.choices.solve and controls.held is not None:
            is_placed = controls.held.chosen in controls.placed
            lay = BarItem("Enter", say("terminal.key.lay"), controls.confirm, strong=True)
            lift = BarItem("⌫", say("page.ubongo.takeOff"), controls.lift)
            return [
                lift if is_placed else lay,
                BarItem("q", say("terminal.key.left"), lambda: controls.turn(-1)),
                BarItem("e", say("terminal.key.right"), lambda: controls.turn(1)),
                BarItem("f", say("terminal.key.flip"), controls.flip),
                BarItem("g", say("page.ubongo.giveUp"), self.ask_give_up),
            ]
        if view.outcome is not None:
            return [BarItem("v", say("page.ubongo.end.points"), self.show_result)]
        return []

    def game_items(self) -> list[BarItem]:
        say, controls = self.say, self.controls
        theme = BarItem("F5", say("page.settings.theme"), self.base_app.switch_theme)
        if controls.held is None:
            return [theme]
        return [
            BarItem(f"1–{len(controls.held.shapes)}", say("terminal.key.piece")),
            BarItem("←↑↓→", say("terminal.key.move")),
            BarItem("⌫", say("terminal.key.lift"), controls.lift),
            theme,
        ]

    def help_text(self) -> str:
        rules = self.say("ubongo.rules") + "\n" + gem_values(self.say)
        return self.say("terminal.help.ubongo") + "\n\n" + rules

    def press_game_key(self, key: str) -> bool:
        controls = self.controls
        if key in ("enter", "space"):
            controls.confirm()
            return True
        if key == "v" and self.view is not None and self.view.outcome is not None:
            self.show_result()
            return True
        if controls.held is None:
            return False
        if key in ARROWS:
            controls.step(*ARROWS[key])
            return True
        if len(key) == 1 and key.isdecimal():
            return controls.choose_number(int(key))
        commands = {
            "q": lambda: controls.turn(-1),
            "e": lambda: controls.turn(1),
            "f": controls.flip,
            "x": controls.lift,
            "backspace": controls.lift,
            "tab": lambda: controls.choose_next(1),
            "shift+tab": lambda: controls.choose_next(-1),
            "g": self.ask_give_up,
        }
        if key not in commands:
            return False
        commands[key]()
        return True

    def ask_give_up(self) -> None:
        say, app = self.say, self.base_app

        def give_up() -> None:
            app.close_dialog()
            app.act(GiveUp())

        items = [
            BarItem("g", say("page.ubongo.giveUp.yes"), give_up, strong=True),
            BarItem("Esc", say("page.ubongo.giveUp.no"), app.close_dialog),
        ]
        title, text = say("page.ubongo.giveUp.title"), say("page.ubongo.giveUp.what")
        app.open_dialog(Dialog(title, text, items))

    def show_result(self) -> None:
        view, names, say = self.view, self.names, self.say
        if view is not None and view.outcome is not None:
            self.show_ending(result_title(view, names, say), result_text(view, names, say))

    # ------------------------------------------------------------------------------------- mouse

    def on_card_widget_pointed(self, event: CardWidget.Pointed) -> None:
        held = self.controls.held
        if held is not None and event.cell != held.at:
            self.controls.held = held.move_to(event.cell)
            self.show()

    def on_card_widget_chosen(self, event: CardWidget.Chosen) -> None:
        if event.button == 3:
            self.controls.flip()
        else:
            self.controls.click(event.cell)

    def on_card_widget_turned(self, event: CardWidget.Turned) -> None:
        self.controls.turn(event.step)

    def on_tray_chosen(self, event: Tray.Chosen) -> None:
        self.controls.choose(event.piece)
