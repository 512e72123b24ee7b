"""Cards drawn and rounds written out as text, so that a test reads like an example of a rule.

    table = begun(players=3)
    told = table.play('''
        at 10: seat 2 solves
        at 10.1: seat 0 solves, lag 150
        at 12: seat 1 gives up
    ''')
    assert told == story('''
        10.000 seat 2 solves
        10.100 seat 0 solves, counted at 9.950
        10.250 seat 0 is first: sapphire from the display, ruby from the bag
        ...
    ''')

Times are seconds since the round began. The clock is a good one: whatever falls due before a line
has happened by then (`wait` is a line in which nothing else does). In a drawn card a digit is a
cell that the piece with this number covers, and `.` one that is free; every second row is moved by
half a cell. The bag holds only rubies unless a test says otherwise, so what comes out of it can be
told from what comes from the display.
"""

import re
from collections.abc import Mapping
from functools import cache
from itertools import product
from textwrap import dedent
from typing import Any

import pytest
from msgspec.structs import replace

from pytlik.chance import Chance, from_text
from pytlik.game import Event as BaseEvent
from pytlik.game import Expire, Illegal, Opening, Ready, Seat, replay
from pytlik.ubongo.hexes import Hex, Shape, orientations, translate
from pytlik.ubongo.messages import (
    Action,
    CardSolved,
    CountdownBegan,
    Event,
    GemBagged,
    GemTaken,
    GiveUp,
    Lift,
    MatchEnded,
    PatienceEnded,
    PieceLifted,
    PiecePlaced,
    Place,
    RoundBegan,
    RoundEnded,
    SandRanOut,
    SeatGaveUp,
    SeatReady,
    SecondChanceBegan,
    SolutionSettled,
    TieFound,
)
from pytlik.ubongo.model import Card, Colour, Deal, Deck, Gem, Options, Phase, Purse, Side
from pytlik.ubongo.rules import apply, decide, open_match
from pytlik.ubongo.score import purse
from pytlik.ubongo.timing import deadline

CHANCE = from_text("tests")

# The card of most tests, with the one solution that they lay.
THREE = """
1 1 1 2
 3 3 2 2
"""
FOUR = """
1 1 1 2
 3 3 2 2
  4 4
"""
FIVE = """
1 1 1 2
 3 3 2 2
  4 4 5 5
"""

# ------------------------------------------------------------------------------------------- cards


def read(drawing: str) -> dict[str, Shape]:
    """The cells of each mark in a drawing. The first mark in reading order is at Hex(0, 0)."""
    marks = [
        (column, row, mark)
        for row, line in enumerate(dedent(drawing.strip("\n")).splitlines())
        for column, mark in enumerate(line)
        if mark != " "
    ]
    left, top, _ = marks[0]
    found: dict[str, list[Hex]] = {}
    for column, row, mark in marks:
        double = column - left - (row - top)
        assert double % 2 == 0, f"half a cell beside the others: row {row}, column {column}"
        found.setdefault(mark, []).append(Hex(double // 2, row - top))
    return {mark: tuple(sorted(cells)) for mark, cells in found.items()}


def drawn_pieces(drawing: str) -> dict[int, Shape]:
    return {int(mark, 36): cells for mark, cells in read(drawing).items() if mark != "."}


def place(piece: int, drawing: str) -> Place:
    """The placing of a piece that a drawing shows."""
    return Place(piece, drawn_pieces(drawing)[piece])


def side(drawing: str) -> Side:
    pieces = drawn_pieces(drawing)
    area = sorted(cell for cells in pieces.values() for cell in cells)
    return Side(area=tuple(area), sets={colour: tuple(sorted(pieces)) for colour in Colour})


def deck(*threes: str, four: str = FOUR, five: str = FIVE, cards: int = 40) -> Deck:
    """A deck whose cards show these drawings in turn; every colour has the same pieces."""
    threes = threes or (THREE,)
    pieces = {n: cells for text in (five, four, *threes) for n, cells in drawn_pieces(text).items()}
    return Deck(
        pytlik_deck=1,
        pieces=dict.fromkeys(Colour, pieces),
        cards=tuple(
            Card(
                id=number,
                sides={3: side(threes[number % len(threes)]), 4: side(four), 5: side(five)},
            )
            for number in range(1, cards + 1)
        ),
    )


def fits(deal: Deal, piece: int) -> list[Shape]:
    """Everywhere that a piece could lie on an empty card."""
    return places(deal.area, deal.pieces[piece])


@cache
def places(area: Shape, piece: Shape) -> list[Shape]:
    return [
        cells
        for turned in orientations(piece)
        for cells in (translate(turned, by) for by in area)
        if set(cells) <= set(area)
    ]


def solution(deal: Deal) -> dict[int, Shape]:
    """Where each piece of a deal goes, in the first of all solutions, by trying them."""
    numbers = sorted(deal.pieces)
    found = first_cover(deal.area, tuple(deal.pieces[number] for number in numbers))
    return dict(zip(numbers, found, strict=True))


@cache
def first_cover(area: Shape, pieces: tuple[Shape, ...]) -> tuple[Shape, ...]:
    for cells in product(*(places(area, piece) for piece in pieces)):
        if len({cell for each in cells for cell in each}) == len(area):
            return cells
    raise ValueError("this card has no solution")


# ------------------------------------------------------------------------------------------ rounds

LINE = re.compile(
    r"at (?P<time>[\d.]+): "
    r"(wait|seat (?P<seat>\d) (?P<act>solves|gives up|is ready|places|lifts)( (?P<piece>\d+))?)"
    r"(, lag (?P<lag>-?\d+))?"
)


class Table:
    """A match under way: its state, and all that has happened."""

    def __init__(self, events: list[Event], chance: Chance = CHANCE) -> None:
        self.events = events
        self.chance = chance
        self.state = replay(apply, events)

    @property
    def now(self) -> int:
        return self.events[-1].at

    @property
    def zero(self) -> int:
        """What a written time counts from: the beginning of the round."""
        return self.state.began or 0

    def ask(self, seat: Seat | None, action: Action, *, at: int, lag: int = 0) -> list[Event]:
        """What an action leads to, at a time of the server's clock."""
        events = decide(self.state, seat, action, self.chance, at, lag)
        self.state = replay(apply, events, self.state)
        self.events += events
        return events

    def refusal(
        self, seat: Seat | None, action: Action, *, at: float = 1.0, lag: int = 0
    ) -> Illegal:
        """Why an action is refused, so many seconds after the round began."""
        with pytest.raises(Illegal) as caught:
            decide(self.state, seat, action, self.chance, self.zero + round(1000 * at), lag)
        return caught.value

    def changed(self, **fields: Any) -> "Table":
        """The same table, but for what a test needs otherwise."""
        self.state = replace(self.state, **fields)
        return self

    def wait(self, until: int, *, upto: bool = True) -> None:
        """Let the clock say what falls due until a time."""
        last = until if upto else until - 1
        while (due := deadline(self.state)) is not None and due <= last:
            assert self.ask(None, Expire(), at=due), "the clock does not get on"

    def begin(self, after: int = 5000) -> "Table":
        """Everyone is ready, and the next round begins."""
        ready_at = self.now + after
        for seat in self.state.playing:
            self.ask(seat, Ready(), at=ready_at)
        due = deadline(self.state)
        assert due is not None
        self.ask(None, Expire(), at=due)
        return self

    def play(self, script: str) -> str:
        """Let the lines of a script happen, and tell what came of it."""
        before, zero = len(self.events), self.zero
        for line in story(script).splitlines():
            read_line = LINE.fullmatch(line)
            assert read_line, f"not a line of a script: {line}"
            at = zero + round(1000 * float(read_line["time"]))
            self.wait(at, upto=read_line["seat"] is None)
            if read_line["seat"]:
                lag, piece = int(read_line["lag"] or 0), int(read_line["piece"] or 0)
                self.act(int(read_line["seat"]), read_line["act"], piece, at=at, lag=lag)
        return tell(self.events[before:], zero)

    def act(self, seat: Seat, what: str, piece: int, *, at: int, lag: int) -> None:
        match what:
            case "solves":
                for number, cells in solution(self.state.deals[seat]).items():
                    if self.state.placed[seat].get(number) != cells:
                        self.ask(seat, Place(number, cells), at=at, lag=lag)
            case "places":
                cells = solution(self.state.deals[seat])[piece]
                self.ask(seat, Place(piece, cells), at=at, lag=lag)
            case "lifts":
                self.ask(seat, Lift(piece), at=at, lag=lag)
            case "gives up":
                self.ask(seat, GiveUp(), at=at, lag=lag)
            case "is ready":
                self.ask(seat, Ready(), at=at, lag=lag)
            case _:
                raise ValueError(what)

    def card(self, seat: Seat) -> str:
        """A seat's card with its pieces, drawn."""
        return drawing(self.state.deals[seat].area, self.state.placed[seat])

    def phase(self) -> Phase:
        return self.state.phase

    def held(self, seat: Seat) -> str:
        return gems(self.state.books.held[seat])

    @property
    def display(self) -> str:
        return gems(self.state.books.display)

    @property
    def bag(self) -> str:
        return gems(self.state.books.bag)


def opened(
    *,
    players: int = 2,
    options: Options = Options(),
    cards: Deck | None = None,
    chance: Chance = CHANCE,
    at: int = 1_000_000,
) -> Table:
    """A match before its first round."""
    opening = Opening(players=players, commitment="c0", shares=("s",) * players)
    return Table(open_match(opening, options, chance, at, deck=cards or deck()), chance)


def begun(
    *,
    players: int = 2,
    options: Options = Options(),
    cards: Deck | None = None,
    bag: Purse | None = None,
    round_number: int = 1,
    held: tuple[Purse, ...] = (),
) -> Table:
    """A round that has just begun; the ones before it left these gems with the players."""
    table = opened(players=players, options=options, cards=cards)
    left = 10 - round_number
    books = replace(
        table.state.books,
        display=purse(sapphire=left, amber=left),
        bag=bag or purse(ruby=36),
        held=held or table.state.books.held,
    )
    return table.changed(books=books, round=round_number - 1).begin()


def tied(*points: int, options: Options = Options()) -> Table:
    """The deciding round has just begun: the ninth left each seat with so many ambers."""
    held = tuple(purse(amber=each) for each in points)
    table = begun(players=len(points), options=options, round_number=9, held=held)
    for seat in range(len(points)):
        table.ask(seat, GiveUp(), at=table.now)
    if options.seconds:
        table.wait(table.now + 10**7)
    assert table.state.deciding, "nobody is tied"
    return table.begin()


def only_seat_0_solves(*, bag: Purse, seed: str, second_chance: bool = False) -> Table:
    """A round in which only seat 0 solves, with its sapphire or in the second chance."""
    table = begun(bag=bag)
    table.chance = from_text(seed)
    table.play(f"at {61 if second_chance else 1}: seat 0 solves\nat 200: wait")
    return table


# ------------------------------------------------------------------------------------------- words


def story(text: str) -> str:
    """Lines that are compared with what was told."""
    return dedent(text).strip("\n").rstrip()


def gems(held: Mapping[Gem, int]) -> str:
    """`2 sapphire, 1 amber`"""
    return ", ".join(f"{count} {gem}" for gem, count in held.items() if count)


def drawing(area: tuple[Hex, ...], placed: Mapping[int, Shape]) -> str:
    """An area with the pieces that lie on it, drawn."""
    marks = dict.fromkeys(area, ".")
    for number, cells in placed.items():
        marks |= dict.fromkeys(cells, "0123456789abcdefghijklmnopqrstuvwxyz"[number])
    left = min(2 * cell.q + cell.r for cell in area)
    rows = range(min(cell.r for cell in area), max(cell.r for cell in area) + 1)
    lines = []
    for row in rows:
        at = {2 * cell.q + cell.r - left: mark for cell, mark in marks.items() if cell.r == row}
        lines.append("".join(at.get(column, " ") for column in range(max(at) + 1)))
    return "\n".join(lines)


def listed(seats: tuple[Seat, ...]) -> str:
    word = "seat" if len(seats) == 1 else "seats"
    return f"{word} {' and '.join(map(str, seats))}"


def seconds(at: int, zero: int) -> str:
    return f"{(at - zero) / 1000:.3f}"


def tell(events: list[Event], zero: int) -> str:
    """What happened, a line each, without the single pieces; rewards stand behind the rank."""
    lines: list[str] = []
    before: BaseEvent | None = None
    for event in events:
        words = said(event, zero)
        if isinstance(event, GemTaken) and isinstance(before, GemTaken | SolutionSettled):
            lines[-1] += (", " if isinstance(before, GemTaken) else ": ") + words
        elif words:
            lines.append(f"{seconds(event.at, zero)} {words}")
        before = event
    return "\n".join(lines)


RANKS = ("first", "second", "third", "fourth")


def said(event: Event, zero: int) -> str:
    match event:
        case SeatReady(seat=seat):
            return f"seat {seat} is ready"
        case CountdownBegan(round=number, starts=starts):
            return f"round {number} is to begin at {seconds(starts, zero)}"
        case RoundBegan(round=number):
            return f"round {number} begins"
        case CardSolved(seat=seat, time=time, at=at):
            counted = f", counted at {seconds(time, zero)}" if time != at else ""
            return f"seat {seat} solves{counted}"
        case SolutionSettled(seat=seat, rank=rank):
            return f"seat {seat} is {RANKS[rank]}"
        case GemTaken(gem=gem, source=source):
            return f"{gem} from the {source}"
        case GemBagged(gem=gem):
            return f"{gem} goes into the bag"
        case SeatGaveUp(seat=seat):
            return f"seat {seat} gives up"
        case SandRanOut():
            return "the sand has run out"
        case PatienceEnded():
            return "the table's patience ends"
        case SecondChanceBegan(sand=sand):
            return f"second chance until {seconds(sand, zero)}"
        case RoundEnded(round=number):
            return f"round {number} is over"
        case TieFound(seats=seats):
            return f"{listed(seats)} are tied"
        case MatchEnded(winners=winners, points=points):
            verb = "wins" if len(winners) == 1 else "win"
            return f"{listed(winners)} {verb} at {':'.join(map(str, points))}"
        case PiecePlaced() | PieceLifted():
            return ""
        case _:
            raise ValueError(event)
