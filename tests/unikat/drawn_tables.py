"""Boards drawn as text, so that a test reads like an example in the booklet.

    scene = table_from_drawing(
        '''
        0000   0001a  0002b
        0100   .      .
        ''',
        hands=["2222", "1222"],
    )

A column is a cell and `.` an empty one; the drawing's upper left corner is the cell (0, 0). A
letter after a tile means that it hasn't been laid yet: `table.lay` lays the lettered tiles in
alphabetical order, and the seat to move holds them in addition to what `hands` gives it. By default
hands, display and bag have tiles such as 2222, which fit nowhere in most drawings.
"""

import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from pytlik.chance import Chance, from_text
from pytlik.game import Illegal, Seat
from pytlik.unikat.messages import Action, Decline, Event, Lay, Pass, Swap
from pytlik.unikat.model import Board, Cell, Chain, Options, Phase, Placement, State, Tile
from pytlik.unikat.rules import apply, decide
from pytlik.unikat.view import View, view

CHANCE = from_text("tests")
PASS, DECLINE = Pass(), Decline()
LAY_NOTHING = Lay(())
PLAIN_OPTIONS = Options(starter=0)


def parse_tiles(text: str) -> tuple[Tile, ...]:
    return tuple(map(Tile, text.split()))


def make_lay(*placed: str) -> Lay:
    """`make_lay("0001 1 0", "0002 2 0")`: each tile with its x and y."""
    return Lay(tuple(Placement(Tile(t), int(x), int(y)) for t, x, y in map(str.split, placed)))


def make_swap(give: str, take: str) -> Swap:
    return Swap(Tile(give), take)


def parse_drawing(drawing: str) -> tuple[dict[Cell, Tile], Chain]:
    """The tiles on the board of a drawing, and the chain of its lettered tiles."""
    lying: dict[Cell, Tile] = {}
    lettered: dict[str, Placement] = {}
    for y, line in enumerate(drawing.strip("\n").splitlines()):
        for x, word in enumerate(line.split()):
            if word == ".":
                continue
            code, letter = word[:4], word[4:]
            if letter:
                assert letter in string.ascii_lowercase, f"not a letter: {word}"
                assert letter not in lettered, f"twice: {letter}"
                lettered[letter] = Placement(Tile(code), x, y)
            else:
                lying[Cell(x, y)] = Tile(code)
    return lying, tuple(placed for _, placed in sorted(lettered.items()))


def draw_board(tiles_at: Mapping[Cell, Tile] | str) -> str:
    """A board as text, in a normal form that can be compared."""
    if isinstance(tiles_at, str):
        lying, chain = parse_drawing(tiles_at)
        assert not chain, "an expected board has no letters"
        tiles_at = lying
    left, right = min(cell.x for cell in tiles_at), max(cell.x for cell in tiles_at)
    top, bottom = min(cell.y for cell in tiles_at), max(cell.y for cell in tiles_at)
    rows = (
        " ".join(tiles_at.get(Cell(x, y), ".   ") for x in range(left, right + 1)).rstrip()
        for y in range(top, bottom + 1)
    )
    return "\n".join((f"from {left}, {top}", *rows))


@dataclass(frozen=True)
class DrawnTable:
    """A table in the middle of a game, and the events of the last action."""

    state: State
    lay: Lay = LAY_NOTHING
    events: tuple[Event, ...] = ()

    def do(
        self, *actions: Action, seat: Seat | None = None, chance: Chance = CHANCE
    ) -> "DrawnTable":
        """Do actions, each by the seat to move or by `seat`."""
        scene = self
        for action in actions:
            state = scene.state
            asker = state.to_move if seat is None else seat
            events = decide(state, asker, action, chance, 0)
            for event in events:
                state = apply(state, event)
            scene = DrawnTable(state, events=tuple(events))
        return scene

    def refusal(self, action: Action, *, seat: Seat | None = -1) -> Illegal:
        """Why an action by `seat` (by default, the seat to move) is refused."""
        asker = self.state.to_move if seat == -1 else seat
        with pytest.raises(Illegal) as caught:
            decide(self.state, asker, action, CHANCE, 0)
        return caught.value

    def with_changes(self, **fields: object) -> "DrawnTable":
        values = {name: getattr(self.state, name) for name in self.state.__struct_fields__}
        return replace(self, state=State(**{**values, **fields}))

    @property
    def event_kinds(self) -> list[str]:
        """The kinds of the last action's events."""
        return [type(event).__name__ for event in self.events]

    @property
    def board(self) -> str:
        return draw_board(self.state.board)

    @property
    def display(self) -> str:
        return " ".join(self.state.display)

    @property
    def bag(self) -> str:
        return " ".join(self.state.bag)

    def hand(self, seat: Seat) -> str:
        return " ".join(self.state.hands[seat])


def table_from_drawing(
    drawing: str,
    *,
    hands: Sequence[str] = ("2222", "2221"),
    display: str = "2211",
    bag: str = "2210 2202 2201 2200",
    to_move: Seat = 0,
    phase: Phase = Phase.ACTION,
    laid: bool = False,
    quiet_turns: int = 0,
    known: Sequence[str] = (),
    options: Options = PLAIN_OPTIONS,
) -> DrawnTable:
    lying, chain = parse_drawing(drawing)
    held = list(map(parse_tiles, hands))
    held[to_move] = (*(placed.tile for placed in chain), *held[to_move])
    state = State(
        options=options,
        players=len(hands),
        round=1,
        board=Board(Placement(tile, cell.x, cell.y) for cell, tile in lying.items()),
        hands=tuple(held),
        known=tuple(map(frozenset, map(parse_tiles, known or [""] * len(hands)))),
        display=parse_tiles(display),
        bag=parse_tiles(bag),
        to_move=to_move,
        phase=phase,
        laid=laid,
        quiet_turns=quiet_turns,
    )
    everywhere = all_tiles(state)
    assert len(everywhere) == len(set(everywhere)), "a tile is in two places in this drawing"
    return DrawnTable(state, Lay(chain))


def view_of_mover(scene: DrawnTable) -> View:
    """What the seat to move sees."""
    return view(scene.state, scene.state.to_move)


def all_tiles(state: State) -> list[Tile]:
    """Every tile of a state, wherever it is."""
    held: Iterable[Tile] = (tile for hand in state.hands for tile in hand)
    return [*state.board.values(), *held, *state.display, *state.bag]
