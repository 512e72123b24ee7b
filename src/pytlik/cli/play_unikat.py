"""Unikat in the terminal: a person builds a chain step by step and commits it, bots answer."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pytlik.cli.terminal import Quit, Terminal, Unclear
from pytlik.game import Illegal, Ready
from pytlik.terminal.chain import cell_of, earns_bonus, fits_at
from pytlik.terminal.rivals import UNIKAT_BOTS
from pytlik.terminal.story import told
from pytlik.terminal.table import YOU, Table
from pytlik.unikat.bots import BUDGET
from pytlik.unikat.drawn import Draft, Look, named, pictured
from pytlik.unikat.messages import (
    BAG,
    Action,
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
from pytlik.unikat.text import LETTERS, clash, screen, sheet, status
from pytlik.unikat.view import View

CENTRE = Cell(0, 0)
PANS = {"left": Cell(-4, 0), "right": Cell(4, 0), "up": Cell(0, -3), "down": Cell(0, 3)}
SHORT = {"u": "undo", "l": "lay", "s": "swap", "done": "decline", "?": "help", "q": "quit"}


def play(table: Table, terminal: Terminal) -> None:
    """A whole match. Raises Quit, or EOFError when nobody types any more."""
    Evening(table, terminal).play()


@dataclass
class Evening:
    """A match as one person goes through it: what they have chosen and not yet committed."""

    table: Table
    terminal: Terminal
    draft: Draft = field(default_factory=Draft)
    sorting: int = 0
    pan: Cell = CENTRE
    heard: int = field(default=0, init=False)
    """How many events have been told."""

    @property
    def view(self) -> View:
        seen: View = self.table.view(YOU)
        return seen

    def play(self) -> None:
        self.tell()
        while not self.table.over:
            view = self.view
            if view.phase is Phase.OVER:
                self.between_rounds(view)
            elif view.to_move == YOU:
                self.step()
            else:
                bot = UNIKAT_BOTS[self.table.bots[view.to_move]]
                seen: View = self.table.view(view.to_move)
                self.act(view.to_move, bot(seen, self.table.bot_stream(), BUDGET))
        self.show()
        self.show_end()

    # ------------------------------------------------------------------------------- telling

    def tell(self) -> None:
        """Say what has happened since the last time; how it all ended is said at the end."""
        for event in self.table.masked(self.heard):
            if isinstance(event, RoundEnded | MatchEnded):
                continue
            line = told(event, self.table.names, YOU, self.terminal.say)
            if line:
                self.terminal.show(pictured(line, self.look))
        self.heard = len(self.table.events)

    @property
    def look(self) -> Look:
        return Look(self.terminal.plain, self.terminal.width, self.terminal.height)

    def order(self, view: View) -> list[Tile]:
        """The rack, sorted by one feature first."""
        return sorted(view.hand, key=lambda tile: (tile[self.sorting], tile))

    def show(self) -> None:
        view, names, say = self.view, self.table.names, self.terminal.say
        order = self.order(view)
        self.terminal.show(
            "", screen(view, names, say, self.look, draft=self.draft, order=order, pan=self.pan)
        )

    def show_end(self) -> None:
        view, names, say = self.view, self.table.names, self.terminal.say
        self.terminal.show("", status(view, names, say), sheet(view, names, say, self.look))
        chains = [event for event in self.table.masked(0) if isinstance(event, ChainLaid)]
        if chains:
            best = max(chains, key=lambda event: len(event.tiles))
            self.terminal.tell("unikat.longest", name=names[best.seat], n=len(best.tiles))
        if view.outcome:
            self.terminal.show(told(self.table.masked(-1)[0], names, YOU, say) or "")
            if YOU in view.outcome.winners:
                self.terminal.show(say("play.cheer.plain" if self.look.plain else "play.cheer"))

    def between_rounds(self, view: View) -> None:
        self.show()
        self.show_end()
        while answer := self.terminal.ask(self.terminal.say("play.next_round")):
            self.anytime(answer.lower().split()[0])
        for seat in range(view.players):
            self.act(seat, Ready())

    # ------------------------------------------------------------------------------ a turn

    def step(self) -> None:
        """Show the table and ask until something is done that changes it."""
        self.show()
        while True:
            answer = self.terminal.ask(self.prompt())
            assert answer is not None
            try:
                if self.obey(answer.lower().replace(";", " ").split()):
                    return
            except Unclear as unclear:
                self.terminal.tell(str(unclear))
            except Illegal as illegal:
                self.explain(illegal)

    def prompt(self) -> str:
        say, view, chain = self.terminal.say, self.view, self.draft.chain
        if not chain:
            if self.draft.chosen:
                return say("unikat.prompt.place", tile=named(self.draft.chosen, say))
            return status(view, self.table.names, say)
        prompt = say("unikat.prompt.lay", n=len(chain))
        if len(chain) == len(view.hand):
            return prompt + " " + say("unikat.prompt.wins")
        return prompt + (" " + say("unikat.prompt.bonus") if earns_bonus(view, chain) else "")

    def explain(self, illegal: Illegal) -> None:
        say = self.terminal.say
        lines = [say(f"reason.{illegal.reason}", **illegal.detail)]
        if illegal.reason is UnikatReason.UNLIKE_NEIGHBOUR:
            lines.append(clash(illegal.detail, say))
        for line in lines:
            self.terminal.show(pictured(line, self.look))

    def act(self, seat: int, action: Action) -> bool:
        self.table.act(seat, action, self.terminal.clock.now())
        self.draft, self.pan = Draft(), CENTRE
        self.tell()
        return True

    def obey(self, words: list[str]) -> bool:
        """Do what was typed; whether the table is to be shown again."""
        if not words:
            return False
        first, rest = SHORT.get(words[0], words[0]), words[1:]
        commands: dict[str, Callable[[list[str]], bool]] = {
            "lay": self.lay,
            "swap": self.swap,
            "draw": self.draw,
            "bag": lambda _: self.draw([BAG]),
            "undo": lambda _: self.undo(),
            "decline": lambda _: self.act(YOU, Decline()),
            "pass": lambda _: self.act(YOU, Pass()),
            "sort": self.sort,
            "pan": self.move_window,
            "centre": lambda _: self.move_window([]),
            "center": lambda _: self.move_window([]),
            "show": lambda _: True,
        }
        if first in commands:
            return commands[first](rest)
        if re.fullmatch(r"[a-j]|[0-2]{4}", first):
            return self.choose(self.tile(first), rest)
        if first.isdecimal():
            return self.place(int(first))
        self.anytime(first)
        return False

    def anytime(self, word: str) -> None:
        """What can be typed whenever a line is asked for."""
        match SHORT.get(word, word):
            case "quit":
                raise Quit
            case "help":
                self.terminal.tell("unikat.help")
            case "rules":
                self.terminal.tell("unikat.rules")
            case "score":
                view, names = self.view, self.table.names
                self.terminal.show(sheet(view, names, self.terminal.say, self.look))
            case _:
                self.terminal.tell("play.unknown", word=word)

    # --------------------------------------------------------------------------- commands

    def tile(self, word: str) -> Tile:
        """A tile by its letter on the rack or by its code."""
        if re.fullmatch("[0-2]{4}", word):
            return Tile(word)
        order = self.order(self.view)
        if word not in LETTERS[: len(order)]:
            raise Unclear("unikat.unclear.tile")
        return order[LETTERS.index(word)]

    def choose(self, tile: Tile, rest: list[str]) -> bool:
        """Choose a tile, and lay it down for now if a place is given too."""
        if self.view.phase is Phase.DRAW:
            raise Unclear("unikat.unclear.draw")
        chain = self.draft.chain
        places = () if tile in (p.tile for p in chain) else fits_at(self.view, chain, tile)
        if rest and (cell := cell_of(rest[0])):
            return self.put(tile, cell)
        if not places:
            self.terminal.tell(
                "unikat.fits_nowhere_next" if chain else "unikat.fits_nowhere",
                tile=named(tile, self.terminal.say),
            )
            return False
        self.draft = Draft(chain, tile, places)
        return self.place(int(rest[0])) if rest and rest[0].isdecimal() else True

    def place(self, number: int) -> bool:
        """A number alone: a tile of the display where one is drawn, else a numbered place."""
        if self.view.phase is Phase.DRAW:
            return self.draw([str(number)])
        if self.draft.chosen is None:
            raise Unclear("unikat.unclear.choose")
        if not 1 <= number <= len(self.draft.places):
            raise Unclear("unikat.unclear.place")
        return self.put(self.draft.chosen, self.draft.places[number - 1])

    def put(self, tile: Tile, cell: Cell) -> bool:
        chain = (*self.draft.chain, Placement(tile, cell.x, cell.y))
        self.table.would(YOU, Lay(chain), self.terminal.clock.now())
        self.draft = Draft(chain)
        return True

    def undo(self) -> bool:
        """Take back the tile put down last, or let go of the chosen one."""
        if self.draft.chosen:
            self.draft = Draft(self.draft.chain)
        elif self.draft.chain:
            self.draft = Draft(self.draft.chain[:-1])
        else:
            raise Unclear("unikat.unclear.undo")
        return True

    def lay(self, rest: list[str]) -> bool:
        """Commit the chain; or one that is typed as a whole: `lay c 1,0 d 2,0`."""
        if not rest:
            if not self.draft.chain and self.view.phase is not Phase.DRAW:
                raise Unclear("unikat.unclear.choose")
            return self.act(YOU, Lay(self.draft.chain))
        if len(rest) % 2:
            raise Unclear("unikat.unclear.lay")
        chain = []
        for word, where in zip(rest[::2], rest[1::2], strict=True):
            cell = cell_of(where)
            if cell is None:
                raise Unclear("unikat.unclear.lay")
            chain.append(Placement(self.tile(word), cell.x, cell.y))
        return self.act(YOU, Lay(tuple(chain)))

    def swap(self, rest: list[str]) -> bool:
        if len(rest) != 2:
            raise Unclear("unikat.unclear.swap")
        return self.act(YOU, Swap(self.tile(rest[0]), self.take(rest[1])))

    def draw(self, rest: list[str]) -> bool:
        if len(rest) != 1:
            raise Unclear("unikat.unclear.draw")
        return self.act(YOU, Draw(self.take(rest[0])))

    def take(self, word: str) -> str:
        """What is taken: "bag", or a tile of the display by its number or its code."""
        display = self.view.display
        if word == BAG or re.fullmatch("[0-2]{4}", word):
            return word
        if word.isdecimal() and 1 <= int(word) <= len(display):
            return display[int(word) - 1]
        raise Unclear("unikat.unclear.take")

    def sort(self, rest: list[str]) -> bool:
        if len(rest) != 1 or rest[0] not in FEATURES:
            raise Unclear("unikat.unclear.sort")
        self.sorting = FEATURES.index(rest[0])
        return True

    def move_window(self, rest: list[str]) -> bool:
        if rest and rest[0] not in PANS:
            raise Unclear("unikat.unclear.pan")
        by = PANS[rest[0]] if rest else Cell(-self.pan.x, -self.pan.y)
        self.pan = Cell(self.pan.x + by.x, self.pan.y + by.y)
        return True
