"""The lessons' scenes, played by the rules themselves.

Nothing is kept here: whoever learns says what they have done in a scene so far, and is shown where
it has led. So a lesson can be left, repeated and stepped back in, and needs no table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

from pytlik.chance import from_text
from pytlik.game import AnyGame, Expire, Seat, replay
from pytlik.games import UBONGO, UNIKAT
from pytlik.ubongo import cards, kernel, score
from pytlik.ubongo.messages import Place
from pytlik.ubongo.model import Colour, Deal, Phase
from pytlik.ubongo.model import Options as UbongoOptions
from pytlik.ubongo.model import State as UbongoState
from pytlik.unikat.messages import Draw, Lay, Swap
from pytlik.unikat.model import Phase as UnikatPhase
from pytlik.unikat.model import Placement, Tile
from pytlik.unikat.position import Position, to_state

LEARNER: Seat = 0
CHANCE = from_text("lesson")
STEP = 1000
"""Milliseconds from one action to the next: so nobody learns too slowly for the sand."""

UnikatScene = Literal["beside", "chain", "double", "swap", "last"]
UbongoScene = Literal["card", "place", "turn", "solve", "race", "second_chance"]


@dataclass(frozen=True)
class Scene:
    game: AnyGame
    start: Any
    """The state."""
    example: tuple[Any, ...]
    """What the learner could do."""


@dataclass(frozen=True)
class Course:
    """Where a scene has been played to."""

    view: Any
    events: tuple[Any, ...]
    """Of the last action."""


def scene(game: Literal["unikat", "ubongo"], name: str, now: int) -> Scene:
    """Ubongo's begin now, for those who see the sand run."""
    if game == "unikat":
        return unikat_scenes()[name]
    return ubongo_scene(name, now)


def play(scene: Scene, actions: Sequence[Any], began: int) -> Course:
    """Let the learner act in a scene. Raises what the rules refuse."""
    game, state, events, now = scene.game, scene.start, [], began
    for action in actions:
        now += STEP
        events = game.decide(state, LEARNER, action, CHANCE, now)
        state = replay(game.apply, events, state)
        if events and game is UBONGO and LEARNER in state.solved:
            # Nobody else solves in a lesson: what was won is given at once.
            due = game.deadline(state) or now
            settled = game.decide(state, None, Expire(), CHANCE, due)
            state = replay(game.apply, settled, state)
            events = [*events, *settled]
    return Course(game.view(state, LEARNER), tuple(events))


# ---------------------------------------------------------------------------------------- Unikat


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(map(Tile, text.split()))


def lay(*placed: tuple[str, int, int]) -> Lay:
    return Lay(tuple(Placement(Tile(tile), x, y) for tile, x, y in placed))


@cache
def unikat_scenes() -> Mapping[str, Scene]:
    pair = ((0, 0, "0000"), (1, 0, "0100"))
    return {
        # Of these tiles one fits.
        "beside": unikat(pair[:1], "1210 0100 2021 1122", lay(("0100", 1, 0))),
        # Three of the four fit, in one chain only.
        "chain": unikat(
            pair,
            "1110 2021 0110 1112",
            lay(("0110", 2, 0), ("1110", 3, 0), ("1112", 4, 0)),
        ),
        # One of them fits into the corner, and another one beside it.
        "double": unikat(
            ((0, 0, "0100"), (1, 0, "0000"), (0, 1, "0110")),
            "1221 0010 1010 2122",
            lay(("0010", 1, 1)),
            lay(("1010", 2, 1)),
            Draw("bag"),
        ),
        # None of them fits; ten are held, so that none is drawn after the swap.
        "swap": unikat(
            pair,
            "1110 1021 2212 1221 2122 1012 2010 1211 2221 2102",
            Swap(Tile("2221"), "0200"),
        ),
        "last": unikat((*pair, (1, 1, "0110")), "1112 0112", lay(("0112", 2, 1), ("1112", 3, 1))),
    }


def unikat(board: Sequence[tuple[int, int, str]], hand: str, *example: Any) -> Scene:
    position = Position(
        game="unikat",
        board=tuple((x, y, Tile(tile)) for x, y, tile in board),
        hands=(tiles(hand), tiles("2000 2001 2002 2020 2022")),
        display=tiles("0200 1200 0022"),
        bag=tiles("1011 0221 1102 2110 0202 2201"),
        to_move=LEARNER,
        phase=UnikatPhase.ACTION,
    )
    return Scene(UNIKAT, to_state(position), example)


# ---------------------------------------------------------------------------------------- Ubongo


@dataclass(frozen=True)
class Puzzle:
    card: int
    colour: Colour
    left: int
    """How many of the three pieces the learner has to lay; the others lie there already."""
    seconds: int | None = None
    phase: Phase = Phase.SOLVING


PUZZLES: Mapping[UbongoScene, Puzzle] = {
    "card": Puzzle(3, Colour.RED, left=3),
    # Its first piece lies on the table as it lies on the card.
    "place": Puzzle(3, Colour.RED, left=1),
    "turn": Puzzle(2, Colour.GREEN, left=1),
    "solve": Puzzle(12, Colour.GREEN, left=2),
    "race": Puzzle(5, Colour.BLUE, left=1, seconds=60),
    "second_chance": Puzzle(8, Colour.GREEN, left=1, seconds=60, phase=Phase.SECOND_CHANCE),
}
assert PUZZLES.keys() == set(get_args(UbongoScene))


@cache
def solved(puzzle: Puzzle) -> tuple[Deal, dict[int, Any]]:
    deck = cards.load()
    side = next(card for card in deck.cards if card.id == puzzle.card).sides[3]
    numbers = side.sets[puzzle.colour]
    pieces = {number: deck.pieces[puzzle.colour][number] for number in numbers}
    deal = Deal(card=puzzle.card, side=3, colour=puzzle.colour, area=side.area, pieces=pieces)
    solution = kernel.first(side.area, list(pieces.values()))
    assert solution
    return deal, dict(zip(numbers, solution, strict=True))


def ubongo_scene(name: str, now: int) -> Scene:
    puzzle = next(puzzle for scene, puzzle in PUZZLES.items() if scene == name)
    deal, solution = solved(puzzle)
    example = tuple(Place(piece, cells) for piece, cells in solution.items())[: puzzle.left]
    missing = {place.piece for place in example}
    lies = {piece: cells for piece, cells in solution.items() if piece not in missing}
    start = UbongoState(
        options=UbongoOptions(seconds=puzzle.seconds),
        players=2,
        books=score.new_ledger(2),
        playing=(0, 1),
        round=1,
        phase=puzzle.phase,
        began=now,
        sand=now + 1000 * puzzle.seconds if puzzle.seconds else None,
        deals={LEARNER: deal, 1: deal},
        placed={LEARNER: lies, 1: {}},
    )
    return Scene(UBONGO, start, example)
