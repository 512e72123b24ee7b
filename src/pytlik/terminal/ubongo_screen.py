"""Ubongo on the whole screen, in real time."""

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size
from textual.widgets import Digits, Static

from pytlik.game import Ready, Seat
from pytlik.i18n import Catalogue
from pytlik.terminal.bar import Item
from pytlik.terminal.card import LOOK, CardField, Tray
from pytlik.terminal.dialogs import Dialog
from pytlik.terminal.hold import Hold, taken_up
from pytlik.terminal.screen import GameScreen
from pytlik.terminal.seated import Seen
from pytlik.terminal.story import told
from pytlik.terminal.watching import Shown, cards
from pytlik.ubongo import kernel
from pytlik.ubongo.messages import Event, GiveUp, Lift, PieceLifted, PiecePlaced, Place
from pytlik.ubongo.model import ROUNDS, UNDER_WAY, Phase
from pytlik.ubongo.text import hourglass, players, purse, values
from pytlik.ubongo.view import View

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
TICK = 0.1
"""Seconds between looks at the clock."""
LAST_SECONDS = 10_000


class UbongoScreen(GameScreen):
    LEAST = Size(60, 20)

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
        self.view: View | None = None
        self.hold: Hold | None = None

    def compose_field(self) -> ComposeResult:
        yield Static(id="players", markup=False)
        with Horizontal(id="solving"):
            yield CardField(id="card")
            yield Tray(id="tray")
        yield Digits("", id="count")
        yield Static(id="watch", markup=False)

    def compose_lower(self) -> ComposeResult:
        yield from ()

    def on_mount(self) -> None:
        self.set_interval(TICK, self.tick)

    # ---------------------------------------------------------------------------------- news

    def take(self, seen: Seen) -> None:
        before, self.view = self.view, seen.view
        view: View = seen.view
        self.seat = view.seat
        self._hold_pieces(before, view)
        if seen.events:
            self.trouble = ""
        self.tell_events(seen)
        self.show()
        if view.outcome is not None and (before is None or before.outcome is None):
            self.show_end()

    def _hold_pieces(self, before: View | None, view: View) -> None:
        """Take up the pieces of a new card, and the next one when one has been laid."""
        if self.seat is None or self.seat not in view.deals or not view.choices.solve:
            self.hold = None
            return
        deal, placed = view.deals[self.seat], view.placed.get(self.seat, {})
        if self.hold is None or self.hold.deal != deal:
            self.hold = taken_up(deal)
            if self.hold.chosen in placed:
                self.hold = self.hold.next_piece(placed)
            return
        lay = before.placed.get(self.seat, {}) if before else {}
        if self.hold.chosen in placed and self.hold.chosen not in lay:
            self.hold = self.hold.next_piece(placed)

    def told(self, event: Event) -> str | None:
        if isinstance(event, PiecePlaced | PieceLifted):
            return None  # it is seen on the card
        return told(event, self.names, self.seat, self.say)

    # ------------------------------------------------------------------------------- drawing

    @property
    def placed(self) -> dict[int, tuple[object, ...]]:
        if self.view is None or self.seat is None:
            return {}
        return dict(self.view.placed.get(self.seat, {}))

    def redraw(self) -> None:
        view = self.view
        if view is None:
            return
        self.set_class(view.phase is Phase.COUNTDOWN, "-counting")
        watching = view.phase is not Phase.COUNTDOWN and not view.choices.solve
        self.set_class(watching, "-watching")
        rows = players(view, self.names, self.say, LOOK)
        everyone = self.query_one("#players", Static)
        everyone.styles.height = len(rows)
        everyone.update(Text("\n").join(rows), layout=False)
        seat = self.seat
        if view.choices.solve and seat is not None:
            placed = view.placed.get(seat, {})
            shown = self.query_one("#card", CardField)
            shown.show(view.deals[seat], placed, self.hold, self.shades)
            self.query_one("#tray", Tray).show(self.hold, placed, self.shades)
        elif watching:
            self.query_one("#watch", Static).update(self._watched(view))
        self.tick()

    def tick(self) -> None:
        """What the clock changes."""
        view = self.view
        if view is None or not self.laid_out:
            return
        now = self.stage.seated.now()
        if view.phase is Phase.COUNTDOWN and view.starts is not None:
            left = max(-(-(view.starts - now) // 1000), 0)
            self.query_one("#count", Digits).update(str(left))
        status = self.table_status() or status_line(view, self.names, now, self.say)
        self.show_common(self._top(view, now), status, self.actions())

    def _top(self, view: View, now: int) -> Text:
        say, shades = self.say, self.shades
        line = Text(no_wrap=True, overflow="ellipsis")
        if view.deciding:
            line.append(say("ubongo.deciding"), style="bold")
        elif view.round:
            line.append(say("ubongo.round", round=view.round, rounds=ROUNDS), style="bold")
        else:
            line.append(say("page.first.ubongo.title"), style="bold")
        if view.phase is Phase.SECOND_CHANCE:
            line.append("  " + say("ubongo.second_chance"), style=f"bold {shades.warning}")
        if view.phase in UNDER_WAY:
            last = view.sand is not None and view.sand - now <= LAST_SECONDS
            sand = hourglass(view, now, say, LOOK).plain
            line.append("  " + sand, style=f"bold {shades.warning if last else shades.accent}")
        gems = purse(view.books.display, say, LOOK)
        if gems:
            line.append(f"  {say('ubongo.display')} ").append(gems)
        return line

    def _watched(self, view: View) -> Text:
        """All cards that may be looked at; and how one's own is filled, if that was not found."""
        if not view.deals:
            return Text(self.say("page.ubongo.explain") + "\n\n" + values(self.say))
        room = self.query_one("#field").size
        shown = [self._shown(view, seat) for seat in view.deals]
        return cards(shown, room.width - 2, room.height - view.players - 1)

    def _shown(self, view: View, seat: Seat) -> Shown:
        deal, placed = view.deals[seat], view.placed.get(seat, {})
        solved = any(solution.seat == seat for solution in view.solutions)
        if seat == self.seat and not solved and view.phase not in UNDER_WAY:
            found = kernel.first(deal.area, list(deal.pieces.values()))
            if found is not None:
                solution = dict(zip(deal.pieces, found, strict=True))
                return Shown(self.say("ubongo.solution"), deal, solution)
        return Shown(self.names[seat], deal, placed)

    def actions(self) -> list[Item]:
        view, say = self.view, self.say
        if view is None or self.paused:
            return []
        if view.choices.ready:
            key = "page.ubongo.readyNext" if view.round else "page.ubongo.ready"
            return [Item("Enter", say(key), self.enter, strong=True)]
        if view.choices.solve and self.hold is not None:
            lies = self.hold.chosen in self.placed
            lay = Item("Enter", say("terminal.key.lay"), self.enter, strong=True)
            lift = Item("⌫", say("page.ubongo.takeOff"), self.lift)
            return [
                lift if lies else lay,
                Item("q", say("terminal.key.left"), lambda: self.turn(-1)),
                Item("e", say("terminal.key.right"), lambda: self.turn(1)),
                Item("f", say("terminal.key.flip"), self.flip),
                Item("g", say("page.ubongo.giveUp"), self.ask_give_up),
            ]
        if view.outcome is not None:
            return [Item("v", say("page.ubongo.end.points"), self.show_end)]
        return []

    def keys(self) -> list[Item]:
        say = self.say
        theme = Item("F5", say("page.settings.theme"), self.stage.switch_theme)
        if self.hold is None:
            return [theme]
        return [
            Item(f"1–{len(self.hold.forms)}", say("terminal.key.piece")),
            Item("←↑↓→", say("terminal.key.move")),
            Item("⌫", say("terminal.key.lift"), self.lift),
            theme,
        ]

    def help_text(self) -> str:
        rules = self.say("ubongo.rules") + "\n" + values(self.say)
        return self.say("terminal.help.ubongo") + "\n\n" + rules

    # ---------------------------------------------------------------------------------- keys

    def played(self, key: str) -> bool:
        if key in ("enter", "space"):
            self.enter()
            return True
        if key == "v" and self.view is not None and self.view.outcome is not None:
            self.show_end()
            return True
        if self.hold is None:
            return False
        if key in ARROWS:
            self.holding(self.hold.step(*ARROWS[key]))
            return True
        if len(key) == 1 and key.isdecimal():
            return self.choose_number(int(key))
        commands = {
            "q": lambda: self.turn(-1),
            "e": lambda: self.turn(1),
            "f": self.flip,
            "x": self.lift,
            "backspace": self.lift,
            "tab": lambda: self.next_piece(1),
            "shift+tab": lambda: self.next_piece(-1),
            "g": self.ask_give_up,
        }
        if key not in commands:
            return False
        commands[key]()
        return True

    def holding(self, hold: Hold) -> None:
        self.hold, self.trouble = hold, ""
        self.show()

    def choose_number(self, number: int) -> bool:
        assert self.hold is not None
        pieces = list(self.hold.forms)
        if not 1 <= number <= len(pieces):
            return False
        self.holding(self.hold.choose(pieces[number - 1]))
        return True

    def next_piece(self, step: int) -> None:
        if self.hold is not None and self.view is not None and self.seat is not None:
            placed = self.view.placed.get(self.seat, {})
            self.holding(self.hold.next_piece(placed, step))

    def turn(self, sixths: int) -> None:
        if self.hold is not None:
            self.holding(self.hold.turned(sixths))

    def flip(self) -> None:
        if self.hold is not None:
            self.holding(self.hold.flipped())

    # ------------------------------------------------------------------------------- actions

    def enter(self) -> None:
        view = self.view
        if view is None:
            return
        if view.choices.ready:
            self.stage.act(Ready())
        elif self.hold is not None:
            if self.hold.chosen in self.placed:
                self.lift()
            else:
                self.stage.act(Place(self.hold.chosen, self.hold.cells()))

    def lift(self) -> None:
        if self.hold is not None:
            self.stage.act(Lift(self.hold.chosen))

    def ask_give_up(self) -> None:
        say = self.say
        items = [
            Item("g", say("page.ubongo.giveUp.yes"), self.give_up, strong=True),
            Item("Esc", say("page.ubongo.giveUp.no"), self.stage.close_dialog),
        ]
        title, text = say("page.ubongo.giveUp.title"), say("page.ubongo.giveUp.what")
        self.stage.lay_over(Dialog(title, text, items))

    def give_up(self) -> None:
        self.stage.close_dialog()
        self.stage.act(GiveUp())

    def show_end(self) -> None:
        view, say = self.view, self.say
        if view is None or view.outcome is None:
            return
        best = sorted(range(view.players), key=lambda seat: -view.points[seat])
        width = max(map(len, self.names)) + 2
        text = Text()
        for seat in best:
            star = "★ " if seat in view.outcome.winners else "  "
            text.append(star + self.names[seat].ljust(width), style="bold")
            text.append(say("ubongo.points", n=view.points[seat]).rjust(12) + "   ")
            text.append(purse(view.books.held[seat], say, LOOK)).append("\n")
        if view.deciding:
            text.append("\n" + say("page.ubongo.end.deciding"))
        self.show_ending(end_title(view, self.names, say), text)

    # ----------------------------------------------------------------------------- the mouse

    def on_card_field_pointed(self, event: CardField.Pointed) -> None:
        if self.hold is not None and event.cell != self.hold.at:
            self.hold = self.hold.over(event.cell)
            self.show()

    def on_card_field_chosen(self, event: CardField.Chosen) -> None:
        if self.hold is None or self.view is None or self.seat is None:
            return
        if event.button == 3:
            self.flip()
            return
        placed = self.view.placed.get(self.seat, {})
        lying = next((piece for piece, cells in placed.items() if event.cell in cells), None)
        if lying is not None:
            self.holding(self.hold.over(event.cell).choose(lying))
            self.lift()
        else:
            self.holding(self.hold.over(event.cell))
            self.enter()

    def on_card_field_turned(self, event: CardField.Turned) -> None:
        self.turn(event.step)

    def on_tray_chosen(self, event: Tray.Chosen) -> None:
        if self.hold is not None:
            self.holding(self.hold.choose(event.piece))


def end_title(view: View, names: Sequence[str], say: Catalogue) -> str:
    assert view.outcome is not None
    winners = view.outcome.winners
    if winners == (view.seat,):
        return say("page.ubongo.end.you") + "  " + say("play.cheer")
    if len(winners) > 1:
        return say("page.ubongo.end.shared", names=", ".join(names[seat] for seat in winners))
    return say("page.ubongo.end.one", name=names[winners[0]])


def status_line(view: View, names: Sequence[str], now: int, say: Catalogue) -> str:
    """What is happening, in one short line."""
    if view.outcome is not None:
        return end_title(view, names, say)
    if view.phase is Phase.COUNTDOWN:
        return say("page.ubongo.coverAll")
    if view.phase is Phase.READY:
        if view.choices.ready:
            return say("page.ubongo.tie") if view.deciding else ready_line(view, say)
        waited = [names[seat] for seat in view.playing if seat not in view.ready]
        return say("page.ubongo.waitingFor", names=", ".join(waited))
    if not view.choices.solve:
        if view.seat is None:
            return say("page.ubongo.lookingOn")
        return say("page.ubongo.notInIt" if view.seat not in view.playing else "terminal.done")
    left = None if view.sand is None else max(-(-(view.sand - now) // 1000), 0)
    if left is not None and left * 1000 <= LAST_SECONDS:
        return say("page.ubongo.lastSeconds", n=left)
    if view.deciding:
        return say("page.ubongo.line.deciding")
    if view.phase is Phase.SECOND_CHANCE:
        return say("page.ubongo.line.second")
    assert view.seat is not None
    return say("page.ubongo.line.solve", n=len(view.deals[view.seat].pieces))


def ready_line(view: View, say: Catalogue) -> str:
    if not view.round:
        return say("page.ubongo.coverAll")
    return say("page.ubongo.roundOver", round=view.round)
