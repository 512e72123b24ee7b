"""Rounds written out as text, so that a test reads like an example of a rule.

    table = begin_round(players=3)
    log = table.play_script('''
        at 10: seat 2 solves
        at 10.1: seat 0 solves, lag 150
        at 12: seat 1 gives up
    ''')
    assert log == dedent_lines('''
        10.000 seat 2 solves
        10.100 seat 0 solves, counted at 9.950
        10.250 seat 0 is first: sapphire from the display, ruby from the bag
        ...
    ''')

Times are seconds since the round began. Whatever is due before a line happens first; in a line that
says `wait`, nothing else happens. The bag holds only rubies unless a test says otherwise, so gems
from the bag can't be confused with gems from the display.
"""

import re
from typing import Any

import pytest
from msgspec.structs import replace

from pytlik.chance import Chance, from_text
from pytlik.game import Expire, Illegal, Opening, Ready, Seat, replay
from pytlik.ubongo.gem_ledger import purse
from pytlik.ubongo.messages import Action, Event, GiveUp, Lift, Place
from pytlik.ubongo.model import Deck, Options, Phase, Purse
from pytlik.ubongo.rules import apply, decide, open_match
from pytlik.ubongo.timing import deadline
from tests.ubongo.drawn_cards import draw_card, find_solution, make_deck
from tests.ubongo.event_lines import dedent_lines, describe_events, format_gems

CHANCE = from_text("tests")

SCRIPT_LINE = re.compile(
    r"at (?P<time>[\d.]+): "
    r"(wait|seat (?P<seat>\d) (?P<act>solves|gives up|is ready|places|lifts)( (?P<piece>\d+))?)"
    r"(, lag (?P<lag>-?\d+))?"
)


class ScriptedTable:
    """A match in progress: its state and its events."""

    def __init__(self, events: list[Event], chance: Chance = CHANCE) -> None:
        self.events = events
        self.chance = chance
        self.state = replay(apply, events)

    @property
    def now(self) -> int:
        return self.events[-1].at

    @property
    def round_start(self) -> int:
        """When the round began: times in a script count from here."""
        return self.state.began or 0

    def act(self, seat: Seat | None, action: Action, *, at: int, lag: int = 0) -> list[Event]:
        """Do an action at a time of the server's clock, and return the events."""
        events = decide(self.state, seat, action, self.chance, at, lag)
        self.state = replay(apply, events, self.state)
        self.events += events
        return events

    def refusal(
        self, seat: Seat | None, action: Action, *, at: float = 1.0, lag: int = 0
    ) -> Illegal:
        """Why an action is refused this many seconds after the round began."""
        with pytest.raises(Illegal) as caught:
            decide(self.state, seat, action, self.chance, self.round_start + round(1000 * at), lag)
        return caught.value

    def change(self, **fields: Any) -> "ScriptedTable":
        """Set fields of the state."""
        self.state = replace(self.state, **fields)
        return self

    def let_time_pass(self, until: int, *, upto: bool = True) -> None:
        """Let everything that is due by a time happen."""
        last = until if upto else until - 1
        while (due := deadline(self.state)) is not None and due <= last:
            assert self.act(None, Expire(), at=due), "the deadline has not moved"

    def begin_next_round(self, after: int = 5000) -> "ScriptedTable":
        """Make everyone ready, and begin the next round."""
        ready_at = self.now + after
        for seat in self.state.playing:
            self.act(seat, Ready(), at=ready_at)
        due = deadline(self.state)
        assert due is not None
        self.act(None, Expire(), at=due)
        return self

    def play_script(self, script: str) -> str:
        """Follow a script, and return the events as lines."""
        before, zero = len(self.events), self.round_start
        for line in dedent_lines(script).splitlines():
            parsed = SCRIPT_LINE.fullmatch(line)
            assert parsed, f"not a line of a script: {line}"
            at = zero + round(1000 * float(parsed["time"]))
            self.let_time_pass(at, upto=parsed["seat"] is None)
            if parsed["seat"]:
                lag, piece = int(parsed["lag"] or 0), int(parsed["piece"] or 0)
                self._act_as_scripted(int(parsed["seat"]), parsed["act"], piece, at=at, lag=lag)
        return describe_events(self.events[before:], zero)

    def _act_as_scripted(self, seat: Seat, what: str, piece: int, *, at: int, lag: int) -> None:
        match what:
            case "solves":
                for number, cells in find_solution(self.state.deals[seat]).items():
                    if self.state.placed[seat].get(number) != cells:
                        self.act(seat, Place(number, cells), at=at, lag=lag)
            case "places":
                cells = find_solution(self.state.deals[seat])[piece]
                self.act(seat, Place(piece, cells), at=at, lag=lag)
            case "lifts":
                self.act(seat, Lift(piece), at=at, lag=lag)
            case "gives up":
                self.act(seat, GiveUp(), at=at, lag=lag)
            case "is ready":
                self.act(seat, Ready(), at=at, lag=lag)
            case _:
                raise ValueError(what)

    def draw_card_of(self, seat: Seat) -> str:
        """Draw a seat's card with its pieces."""
        return draw_card(self.state.deals[seat].area, self.state.placed[seat])

    def phase(self) -> Phase:
        return self.state.phase

    def held_gems(self, seat: Seat) -> str:
        return format_gems(self.state.books.held[seat])

    @property
    def display_gems(self) -> str:
        return format_gems(self.state.books.display)

    @property
    def bag_gems(self) -> str:
        return format_gems(self.state.books.bag)


def open_table(
    *,
    players: int = 2,
    options: Options = Options(),
    cards: Deck | None = None,
    chance: Chance = CHANCE,
    at: int = 1_000_000,
) -> ScriptedTable:
    """A match before its first round."""
    opening = Opening(players=players, commitment="c0", shares=("s",) * players)
    return ScriptedTable(
        open_match(opening, options, chance, at, deck=cards or make_deck()), chance
    )


def begin_round(
    *,
    players: int = 2,
    options: Options = Options(),
    cards: Deck | None = None,
    bag: Purse | None = None,
    round_number: int = 1,
    held: tuple[Purse, ...] = (),
) -> ScriptedTable:
    """A table whose round has just begun; from earlier rounds the players hold these gems."""
    table = open_table(players=players, options=options, cards=cards)
    left = 10 - round_number
    books = replace(
        table.state.books,
        display=purse(sapphire=left, amber=left),
        bag=bag or purse(ruby=36),
        held=held or table.state.books.held,
    )
    return table.change(books=books, round=round_number - 1).begin_next_round()


def begin_deciding_round(*points: int, options: Options = Options()) -> ScriptedTable:
    """A table whose deciding round has just begun, with this many ambers for each seat."""
    held = tuple(purse(amber=each) for each in points)
    table = begin_round(players=len(points), options=options, round_number=9, held=held)
    for seat in range(len(points)):
        table.act(seat, GiveUp(), at=table.now)
    if options.seconds:
        table.let_time_pass(table.now + 10**7)
    assert table.state.deciding, "nobody is tied"
    return table.begin_next_round()


def play_round_won_by_seat_0(
    *, bag: Purse, seed: str, second_chance: bool = False
) -> ScriptedTable:
    """A round in which only seat 0 solves, with its sapphire or in the second chance."""
    table = begin_round(bag=bag)
    table.chance = from_text(seed)
    table.play_script(f"at {61 if second_chance else 1}: seat 0 solves\nat 200: wait")
    return table
