"""Unikat on the whole screen."""

import re
from collections.abc import Sequence
from textwrap import wrap

from rich.text import Text
from textual.app import ComposeResult

from pytlik.game import Ready, Seat
from pytlik.i18n import Catalogue
from pytlik.terminal.bar import Item
from pytlik.terminal.board import BoardField
from pytlik.terminal.chain import earns_bonus, why_not
from pytlik.terminal.dialogs import Dialog
from pytlik.terminal.screen import GameScreen
from pytlik.terminal.seated import Seen
from pytlik.terminal.sheet import unikat_end, won
from pytlik.terminal.shelf import Shelf, Spot
from pytlik.terminal.story import told
from pytlik.terminal.tiles import SIZES, tile_row
from pytlik.terminal.turn import Turn, towards
from pytlik.unikat.messages import BAG, ChainLaid, Decline, Event, MatchEnded, Pass, RoundEnded
from pytlik.unikat.model import FEATURES, Cell, Phase, Tile
from pytlik.unikat.text import LETTERS
from pytlik.unikat.view import View

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


TILE = "\ue000"
"""Stands before a tile's code in a line that is being broken: so it is as wide as its picture."""


def pictured(line: str, width: int) -> Text:
    """A line about tiles, with a small picture in the place of each tile's code."""
    marked = re.sub(r"\b([0-2]{4})\b", TILE + r"\1", line)
    text = Text()
    for part in re.split(f"{TILE}(....)", "\n".join(wrap(marked, width))):
        if re.fullmatch("[0-2]{4}", part):
            for picture in tile_row(Tile(part), 0, SIZES[1]):
                text.append(picture.text, style=picture.style)
        else:
            text.append(part)
    return text


class UnikatScreen(GameScreen):
    DEFAULT_CSS = """
    UnikatScreen {
        &.-wide.-tall Shelf { height: 4; }
    }
    """

    def __init__(self, seat: Seat | None) -> None:
        super().__init__(seat)
        self.view: View | None = None
        self.turn = Turn()
        self.sorting = 0
        self.longest: ChainLaid | None = None

    def compose_field(self) -> ComposeResult:
        yield BoardField(id="board")

    def compose_lower(self) -> ComposeResult:
        yield Shelf(id="stock")
        yield Shelf(id="rack")

    # ---------------------------------------------------------------------------------- news

    def take(self, seen: Seen) -> None:
        before, self.view = self.view, seen.view
        view: View = seen.view
        self.seat = view.seat
        if before is None or moment(before) != moment(view):
            self.turn = Turn()
            self.trouble = ""
            if view.choices.draw:
                self.turn = self.turn.taking(view, view.choices.take[0])
        for event in seen.events:
            self._remember(event)
        self.tell_events(seen)
        self.show()
        if view.phase is Phase.OVER and view.round and (before is None or not over(before)):
            self.show_sheet()

    def _remember(self, event: Event) -> None:
        if isinstance(event, ChainLaid) and (
            self.longest is None or len(event.tiles) > len(self.longest.tiles)
        ):
            self.longest = event

    def told(self, event: Event) -> str | None:
        if isinstance(event, RoundEnded | MatchEnded):
            return None
        line = told(event, self.names, self.seat, self.say)
        # Where tiles have been laid is seen on the board.
        return line and re.sub(r"\b([0-2]{4}) -?\d+,-?\d+", r"\1", line)

    def pictured(self, line: str, width: int) -> Text:
        return pictured(line, width)

    # ------------------------------------------------------------------------------- drawing

    def order(self) -> list[Tile]:
        """The rack, sorted by one feature first."""
        assert self.view is not None
        return sorted(self.view.hand, key=lambda tile: (tile[self.sorting], tile))

    def redraw(self) -> None:
        view = self.view
        if view is None:
            return
        self.query_one("#board", BoardField).show(self.turn.board(view), self.shades)
        self._show_rack(view)
        self._show_stock(view)
        status = self.table_status() or status_line(view, self.turn, self.names, self.say)
        self.show_common(self._top(view), status, self.actions())

    def _top(self, view: View) -> Text:
        line = Text(no_wrap=True, overflow="ellipsis")
        if view.options.rounds > 1:
            rounds = view.options.rounds
            line.append(self.say("unikat.round", round=view.round, rounds=rounds) + "   ")
        for seat, name in enumerate(self.names):
            to_move = view.phase is not Phase.OVER and seat == view.to_move
            style = f"bold {self.shades.accent}" if to_move else "bold"
            line.append(f"{'▶ ' if to_move else ''}{name} {view.counts[seat]}", style=style)
            line.append("   ")
        return line

    def _show_rack(self, view: View) -> None:
        down = {placed.tile for placed in self.turn.chain}
        spots = [
            Spot(letter, None if tile in down else tile, marked=tile == self.turn.chosen)
            for letter, tile in zip(LETTERS, self.order(), strict=False)
        ]
        shelf = self.query_one("#rack", Shelf)
        shelf.display = bool(view.hand)
        shelf.show(self.say("unikat.rack"), spots, self.shades)

    def _show_stock(self, view: View) -> None:
        take = self.turn.take
        spots = [
            Spot(str(number) if number < 10 else "", tile, marked=tile == take)
            for number, tile in enumerate(view.display, 1)
        ]
        spots.append(Spot("0", view.bag, marked=take == BAG))
        self.query_one("#stock", Shelf).show(self.say("unikat.display"), spots, self.shades)

    def actions(self) -> list[Item]:
        """What can be done now, the most important first."""
        view, turn, say = self.view, self.turn, self.say
        if view is None or self.paused:
            return []
        can = view.choices
        items: list[Item] = []
        if turn.chain:
            last = len(turn.chain) == len(view.hand)
            key = "page.unikat.layLast" if last else "page.unikat.lay"
            items.append(Item("l", say(key, n=len(turn.chain)), self.lay, strong=True))
        if turn.action(view) is not None:
            items.append(Item("Enter", self._taking_text(view), self.enter, strong=True))
        elif turn.marked is not None:
            strong = not turn.chain
            items.append(Item("Enter", say("terminal.key.put"), self.enter, strong=strong))
        if (can.lay or can.swap) and turn.chosen is None:
            strong = turn == Turn()
            items.append(Item(self._letters(view), say("terminal.key.tile"), strong=strong))
        if turn != Turn() and not can.draw:
            items.append(Item("⌫", say("page.unikat.takeBack"), self.back))
        if can.swap and turn.take is None and not turn.chain:
            items.append(Item("s", say("terminal.key.swap"), self.swap))
        if can.decline and not turn.chain:
            items.append(Item("n", say("page.unikat.decline"), self.decline))
        if can.pass_:
            items.append(Item("p", say("page.unikat.pass"), self.pass_turn, strong=True))
        if can.ready:
            items.append(Item("Enter", say("page.unikat.ready"), self.enter, strong=True))
        if view.sheet:
            items.append(Item("v", say("page.unikat.sheet"), self.show_sheet))
        return items

    def _letters(self, view: View) -> str:
        """The keys of the rack's tiles."""
        last = LETTERS[len(view.hand) - 1]
        return "a" if last == "a" else f"a–{last}"

    def _taking_text(self, view: View) -> str:
        bag = self.turn.take == BAG
        if view.choices.draw:
            return self.say("page.coach.drawBag" if bag else "page.unikat.status.draw")
        return self.say("page.unikat.swapBag" if bag else "page.unikat.swapOpen")

    def keys(self) -> list[Item]:
        say = self.say
        board = self.query_one("#board", BoardField)
        arrows = "terminal.key.place" if self.turn.chosen else "terminal.key.look"
        if self.turn.take is not None:
            arrows = "terminal.key.take"
        return [
            Item("←↑↓→", say(arrows)),
            Item("o", say("terminal.key.sort"), self.sort),
            Item("+", say("page.unikat.larger"), lambda: board.zoom(1)),
            Item("-", say("page.unikat.smaller"), lambda: board.zoom(-1)),
            Item("w", say("terminal.key.whole"), board.show_whole),
            Item("F5", say("page.settings.theme"), self.stage.switch_theme),
        ]

    def help_text(self) -> str:
        return self.say("terminal.help.unikat") + "\n\n" + self.say("unikat.rules")

    # ---------------------------------------------------------------------------------- keys

    def played(self, key: str) -> bool:
        view = self.view
        if view is None:
            return False
        if key in LETTERS:
            return self.choose(LETTERS.index(key))
        if key in ARROWS:
            return self.arrow(*ARROWS[key])
        if key.startswith("shift+") and key.removeprefix("shift+") in ARROWS:
            self.query_one("#board", BoardField).pan_cells(*ARROWS[key.removeprefix("shift+")])
            return True
        if len(key) == 1 and key.isdecimal():
            return self.number(int(key))
        board = self.query_one("#board", BoardField)
        commands = {
            "enter": self.enter,
            "space": self.enter,
            "l": self.lay,
            "s": self.swap,
            "n": self.decline,
            "p": self.pass_turn,
            "backspace": self.back,
            "u": self.back,
            "escape": self.back,
            "tab": lambda: self.next_place(1),
            "shift+tab": lambda: self.next_place(-1),
            "plus": lambda: board.zoom(1),
            "minus": lambda: board.zoom(-1),
            "w": board.show_whole,
            "o": self.sort,
            "v": self.show_sheet,
        }
        if key not in commands:
            return False
        commands[key]()
        return True

    def think(self, turn: Turn) -> None:
        """Show another turn that is thought about."""
        self.turn, self.trouble = turn, ""
        self.show()

    def choose(self, number: int) -> bool:
        order = self.order()
        if self.view is None or number >= len(order):
            return False
        self.think(self.turn.choose(self.view, order[number]))
        return True

    def arrow(self, across: int, down: int) -> bool:
        view, turn = self.view, self.turn
        assert view is not None
        if turn.take is not None and view.choices.take:
            self._next_take(across or down)
        elif turn.marked is not None:
            self.think(turn.mark(towards(turn.places(view), turn.marked, across, down)))
        else:
            self.query_one("#board", BoardField).pan_cells(across, down)
        return True

    def next_place(self, step: int) -> None:
        view, turn = self.view, self.turn
        assert view is not None
        places = turn.places(view)
        if turn.take is not None:
            self._next_take(step)
        elif turn.marked in places:
            at = (places.index(turn.marked) + step) % len(places)
            self.think(turn.mark(places[at]))

    def _next_take(self, step: int) -> None:
        view = self.view
        assert view is not None
        takes = [take for take in view.choices.take if take != self.turn.chosen]
        at = takes.index(self.turn.take) if self.turn.take in takes else 0
        self.think(self.turn.taking(view, takes[(at + step) % len(takes)]))

    def number(self, number: int) -> bool:
        """One of the numbered places; or a tile of the stock, with 0 for the bag."""
        view, turn = self.view, self.turn
        assert view is not None
        if turn.take is not None or turn.chosen is None:
            if number > len(view.display):
                return False
            self.take_from(view.display[number - 1] if number else BAG)
            return True
        places = turn.places(view)
        if not 1 <= number <= len(places):
            return False
        self.think(turn.put(view, places[number - 1]))
        return True

    # ------------------------------------------------------------------------------- actions

    def enter(self) -> None:
        view, turn = self.view, self.turn
        if view is None:
            return
        action = turn.action(view)
        if action is not None:
            self.stage.act(action)
        elif turn.marked is not None:
            self.think(turn.put(view, turn.marked))
        elif view.choices.ready:
            self.stage.act(Ready())

    def lay(self) -> None:
        action = self.turn.lay()
        if action is not None:
            self.stage.act(action)

    def swap(self) -> None:
        view, turn = self.view, self.turn
        if view is None or not view.choices.swap or turn.chain:
            return
        if turn.action(view) is not None:
            self.enter()
            return
        self.think(turn.taking(view, next(take for take in view.choices.take)))

    def take_from(self, take: str) -> None:
        """A draw is done at once; a swap only when it is said again."""
        view, turn = self.view, self.turn
        if view is None or take not in view.choices.take:
            return
        after = turn.taking(view, take)
        if view.choices.draw or (after == turn and turn.action(view) is not None):
            self.turn = after
            self.enter()
        else:
            self.think(after)

    def back(self) -> None:
        if self.view is not None and not self.view.choices.draw:
            self.think(self.turn.back())

    def decline(self) -> None:
        if self.view is not None and self.view.choices.decline and not self.turn.chain:
            self.stage.act(Decline())

    def pass_turn(self) -> None:
        if self.view is not None and self.view.choices.pass_:
            self.stage.act(Pass())

    def sort(self) -> None:
        self.sorting = (self.sorting + 1) % len(FEATURES)
        self.show()

    def show_sheet(self) -> None:
        view, say = self.view, self.say
        if view is None or not view.sheet:
            return
        title, text = unikat_end(view, self.names, say, self.longest)
        if view.outcome is not None:
            self.show_ending(title, text)
            return
        items = [Item("Esc", say("terminal.look"), self.stage.close_dialog)]
        if view.choices.ready:
            items.insert(0, Item("Enter", say("page.unikat.ready"), self._go_on, strong=True))
        self.stage.lay_over(Dialog(title, text, items))

    def _go_on(self) -> None:
        self.stage.close_dialog()
        self.stage.act(Ready())

    # ----------------------------------------------------------------------------- the mouse

    def on_shelf_chosen(self, event: Shelf.Chosen) -> None:
        view = self.view
        if view is None:
            return
        if event.shelf.id == "rack":
            self.choose(event.number)
        else:
            at = event.number
            self.take_from(view.display[at] if at < len(view.display) else BAG)

    def on_board_field_chosen(self, event: BoardField.Chosen) -> None:
        view, turn, cell = self.view, self.turn, event.cell
        if view is None:
            return
        laid = {placed.cell: placed.tile for placed in turn.chain}
        if cell in laid:
            self.think(turn.back_to(laid[cell]))
        elif cell in turn.places(view):
            self.think(turn.put(view, cell))
        elif turn.chosen is not None and turn.take is None:
            self._explain(view, turn.chosen, cell)

    def _explain(self, view: View, tile: Tile, cell: Cell) -> None:
        illegal = why_not(view, self.turn.chain, tile, cell)
        if "features" in illegal.detail:
            clashing = (self.say(f"unikat.feature.{one}") for one in illegal.detail["features"])
            self.trouble = self.say("page.unikat.status.clash", features=", ".join(clashing))
            self.show()
        else:
            self.refused(illegal.reason, illegal.detail)


def moment(view: View) -> object:
    """What a turn that is thought about rests on."""
    return view.round, view.phase, view.to_move, view.board, view.hand, view.display


def over(view: View) -> bool:
    return view.phase is Phase.OVER


def status_line(view: View, turn: Turn, names: Sequence[str], say: Catalogue) -> str:
    """What is happening, in one short line."""
    if view.phase is Phase.OVER:
        if view.outcome is None and view.ready and not view.choices.ready:
            waited = [names[seat] for seat in range(view.players) if seat not in view.ready]
            return say("page.unikat.over.waiting", names=", ".join(waited))
        if view.outcome is not None:
            return won(view.outcome.winners, view.seat, names, say)
        return say("page.unikat.status.over")
    if view.to_move != view.seat:
        doing = {Phase.BONUS: "doubles", Phase.DRAW: "draws"}.get(view.phase, "thinks")
        return say(f"page.unikat.status.{doing}", name=names[view.to_move])
    return own_status(view, turn, say)


def own_status(view: View, turn: Turn, say: Catalogue) -> str:
    can = view.choices
    if can.draw:
        return say("page.unikat.status.draw")
    if turn.take is not None:
        return say(f"page.unikat.status.{'sure' if turn.chosen else 'give'}")
    if turn.chosen is not None:
        places = turn.places(view)
        if places:
            return say("page.unikat.status.place") + "  " + say("page.unikat.places", n=len(places))
        only = can.swap and not turn.chain
        return say(f"page.unikat.status.{'onlySwap' if only else 'nowhere'}")
    if turn.chain:
        earned = earns_bonus(view, turn.chain)
        return say(f"page.unikat.status.{'earned' if earned else 'chain'}")
    if can.decline:
        return say("page.unikat.status.bonus")
    if can.pass_:
        return say("page.unikat.status.pass")
    return say(f"page.unikat.status.{'act' if can.lay else 'swap'}")
