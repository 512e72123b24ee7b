"""Ubongo in the terminal, in real time: the sand runs and the bots solve while a person types."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pytlik.cli.terminal import Quit, Terminal, Unclear
from pytlik.game import Expire, Illegal, Ready
from pytlik.terminal.rivals import Rivals
from pytlik.terminal.story import told
from pytlik.terminal.table import YOU, Table
from pytlik.ubongo import kernel
from pytlik.ubongo.hexes import Hex, Shape, flip, moved, turn
from pytlik.ubongo.messages import (
    GiveUp,
    Lift,
    MatchEnded,
    PiecePlaced,
    Place,
    RoundBegan,
    RoundEnded,
)
from pytlik.ubongo.model import Deal, Phase
from pytlik.ubongo.reasons import UbongoReason
from pytlik.ubongo.text import (
    UNDER_WAY,
    Look,
    card,
    cell_names,
    everyone,
    first_cell,
    left_of,
    screen,
    values,
)
from pytlik.ubongo.view import View

SECOND = 1000
WARNINGS = (30 * SECOND, 10 * SECOND, 5 * SECOND)
"""How much sand is left when a warning comes."""
TURNS = {"q": 5, "left": 5, "e": 1, "right": 1, "turn": 1}
"""How many sixths of a turn, clockwise."""


def play(table: Table, terminal: Terminal) -> None:
    """A whole match. Raises Quit, or EOFError when nobody types any more."""
    Evening(table, terminal).play()


@dataclass
class Evening:
    """A match as one person goes through it, and what the bots are going to do."""

    table: Table
    terminal: Terminal
    turned: dict[int, Shape] = field(default_factory=dict)
    """The person's pieces as they hold them."""
    chosen: int | None = None
    rivals: Rivals = field(init=False)
    heard: int = 0
    """How many events have been told."""
    said_until: int = 0
    """Up to which moment what the clock had to say has been said."""

    def __post_init__(self) -> None:
        self.rivals = Rivals(self.table)

    @property
    def view(self) -> View:
        seen: View = self.table.view(YOU)
        return seen

    @property
    def now(self) -> int:
        return self.terminal.clock.now()

    def play(self) -> None:
        self.terminal.show(values(self.terminal.say))
        while not self.table.over:
            if self.view.phase is Phase.READY:
                self.get_ready()
            else:
                self.pass_time()

    # -------------------------------------------------------------------------- the clock

    def get_ready(self) -> None:
        """The person says when; the bots are always ready."""
        view = self.view
        self.rivals.forget()
        self.turned, self.chosen = {}, None
        if YOU in view.playing:
            key = "ubongo.ready.deciding" if view.deciding else "ubongo.ready"
            prompt = self.terminal.say(key, round=view.round + 1)
            while line := self.terminal.ask(prompt):
                self.anytime(line.lower().split()[0])
        for seat in view.playing:
            self.table.act(seat, Ready(), self.now)
        self.said_until = self.now
        self.terminal.tell("ubongo.countdown", n=3)

    def pass_time(self) -> None:
        """Wait for a line, or for the next thing that happens by itself; then do that."""
        due = self.table.deadline()
        bot = self.rivals.due
        tick = next(self.ticks(), None)
        until = min((moment for moment in (due, bot, tick) if moment is not None), default=None)
        line = None
        if until is None or self.now < until:
            line = self.terminal.ask(self.prompt(), until)
        if line is not None:
            self.obey(line.lower().split())
        elif due is not None and self.now >= due:
            self.table.act(None, Expire(), self.now)
        elif bot is not None and self.now >= bot:
            self.rivals.move(self.now)
        elif tick is not None and self.now >= tick:
            self.say_tick(tick)
        self.tell()

    def ticks(self) -> Iterator[int]:
        """The moments at which the clock will say something."""
        view = self.view
        if view.starts is not None:
            moments = [view.starts - left * SECOND for left in (2, 1)]
        elif view.sand is not None and view.options.seconds:
            length = view.options.seconds * SECOND
            moments = [view.sand - left for left in WARNINGS if left < length]
        else:
            moments = []
        return (moment for moment in moments if moment > self.said_until)

    def say_tick(self, tick: int) -> None:
        view = self.view
        self.said_until = tick
        if view.starts is not None:
            self.terminal.tell("ubongo.countdown", n=(view.starts - tick) // SECOND)
        elif view.sand is not None:
            self.terminal.tell("ubongo.sand_left", n=(view.sand - tick) // SECOND)

    # --------------------------------------------------------------------------- telling

    def tell(self) -> None:
        """Say what has happened since the last time, and show the card where that matters."""
        names, say = self.table.names, self.terminal.say
        show, end = False, ""
        for event in self.table.masked(self.heard):
            line = told(event, names, YOU, say) or ""
            if isinstance(event, MatchEnded):
                end = line
            elif line and not isinstance(event, PiecePlaced):
                self.terminal.show(line)
            if isinstance(event, RoundBegan):
                self.begin_round()
            elif isinstance(event, RoundEnded):
                self.show_solution()
            show |= isinstance(event, RoundBegan | RoundEnded | PiecePlaced)
        self.heard = len(self.table.events)
        if show:
            self.show()
        if end:
            self.terminal.show(end)
            if self.view.outcome and YOU in self.view.outcome.winners:
                self.terminal.tell("play.cheer.plain" if self.terminal.plain else "play.cheer")

    def begin_round(self) -> None:
        view = self.view
        self.said_until = self.now
        self.turned = dict(view.deals[YOU].pieces) if YOU in view.deals else {}
        self.chosen = next(iter(self.turned), None)
        for seat, thought in self.rivals.thoughts(view):
            self.rivals.intend(seat, thought())

    @property
    def look(self) -> Look:
        return Look(self.terminal.plain, self.terminal.width, self.terminal.height)

    def show(self) -> None:
        """The person's card; for who is done with it, all that may be watched."""
        view, names, say, now = self.view, self.table.names, self.terminal.say, self.now
        if view.choices.solve or view.phase not in UNDER_WAY:
            text = screen(view, names, say, self.look, now=now, turned=self.turned)
        else:
            text = everyone(view, names, say, self.look, now=now)
        self.terminal.show("", text)

    def show_solution(self) -> None:
        """A round that went by without the person's card solved leaves no riddle behind."""
        view = self.view
        if YOU not in view.deals or any(solution.seat == YOU for solution in view.solutions):
            return
        deal = view.deals[YOU]
        found = kernel.first(deal.area, list(deal.pieces.values()))
        if found:
            self.terminal.tell("ubongo.solution")
            lying = dict(zip(deal.pieces, found, strict=True))
            for line in card(deal, lying, self.look, rows=1):
                self.terminal.show(line)

    def prompt(self) -> str:
        view, say = self.view, self.terminal.say
        if view.phase is Phase.COUNTDOWN:
            return ""
        time = left_of(view.sand, self.now) if view.sand is not None else say("ubongo.no_timer")
        if not view.choices.solve:
            return say("ubongo.prompt.watching", time=time)
        return say("ubongo.prompt.solving", time=time, piece=self.chosen)

    # ------------------------------------------------------------------------- commands

    def obey(self, words: list[str]) -> None:
        if not words:
            return
        if not self.view.choices.solve:
            self.anytime(words[0])
            return
        try:
            self.do(words, self.view.deals[YOU])
        except Unclear as unclear:
            self.terminal.tell(str(unclear))
        except Illegal as illegal:
            self.terminal.show(self.terminal.say(f"reason.{illegal.reason}", **illegal.detail))

    def anytime(self, word: str) -> None:
        match word:
            case "quit":
                raise Quit
            case "help" | "?":
                self.terminal.tell("ubongo.help")
            case "rules":
                self.terminal.tell("ubongo.rules")
            case "show":
                self.show()
            case _:
                self.terminal.tell("play.unknown", word=word)

    def do(self, words: list[str], deal: Deal) -> None:
        """Obey the words of a line one after the other: `7 e e b3` turns piece 7 and lays it."""
        names = cell_names(deal.area)
        if words[0] == "give" or words[0] == "giveup":
            self.table.act(YOU, GiveUp(), self.now)
            return
        changed = False
        cells: list[Hex] = []
        for index, word in enumerate(words):
            if word == "place":
                continue
            if word.isdecimal():
                if int(word) not in deal.pieces:
                    raise Illegal(UbongoReason.NOT_YOUR_PIECE, piece=int(word))
                self.chosen = int(word)
                # A piece alone is chosen, and `turn 7`, `flip 7`, `lift 7` say it afterwards.
                if index and words[index - 1] in ("turn", "flip", "lift"):
                    changed |= self.handle(words[index - 1])
            elif (
                word in ("turn", "flip", "lift")
                and index + 1 < len(words)
                and (words[index + 1].isdecimal())
            ):
                continue
            elif word in TURNS or word in ("f", "flip", "x", "lift"):
                changed |= self.handle(word)
            elif word in names:
                cells.append(names[word])
            elif re.fullmatch(r"[a-z]\d+", word):
                raise Unclear("ubongo.unclear.cell")
            else:
                self.anytime(word)
                return
        if cells:
            self.place(cells)
        elif changed:
            self.show()

    def handle(self, word: str) -> bool:
        """Turn, flip or lift the chosen piece; whether it is to be seen again."""
        if self.chosen is None:
            raise Unclear("ubongo.unclear.choose")
        if word in ("x", "lift"):
            self.table.act(YOU, Lift(self.chosen), self.now)
        elif word in TURNS:
            for _ in range(TURNS[word]):
                self.turned[self.chosen] = turn(self.turned[self.chosen])
        else:
            self.turned[self.chosen] = flip(self.turned[self.chosen])
        return True

    def place(self, cells: list[Hex]) -> None:
        """Lay the chosen piece, as it is held with its mark on a cell, or onto all cells named."""
        if self.chosen is None:
            raise Unclear("ubongo.unclear.choose")
        lying: tuple[Hex, ...] = tuple(cells)
        if len(cells) == 1:
            held = self.turned[self.chosen]
            mark = first_cell(held)
            lying = moved(held, Hex(cells[0].q - mark.q, cells[0].r - mark.r))
        self.table.act(YOU, Place(self.chosen, lying), self.now)
        view = self.view
        left = [piece for piece in self.turned if piece not in view.placed.get(YOU, {})]
        self.chosen = left[0] if left else self.chosen
