"""The scenes of Ubongo's lesson: cards on which some pieces already lie."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

from pytlik.server.lessons.scenes import LEARNER, Scene
from pytlik.ubongo import deck_files, gem_ledger, kernel
from pytlik.ubongo.game import UBONGO
from pytlik.ubongo.messages import Place
from pytlik.ubongo.model import Colour, Deal, Options, Phase, State

UbongoScene = Literal["card", "place", "turn", "solve", "race", "second_chance"]


@dataclass(frozen=True)
class Task:
    card: int
    colour: Colour
    missing: int
    """How many of the three pieces the learner has to place; the others already lie there."""
    seconds: int | None = None
    phase: Phase = Phase.SOLVING


TASKS: Mapping[UbongoScene, Task] = {
    "card": Task(3, Colour.RED, missing=3),
    # Its first piece lies on the table the way it goes onto the card.
    "place": Task(3, Colour.RED, missing=1),
    "turn": Task(2, Colour.GREEN, missing=1),
    "solve": Task(12, Colour.GREEN, missing=2),
    "race": Task(5, Colour.BLUE, missing=1, seconds=60),
    "second_chance": Task(8, Colour.GREEN, missing=1, seconds=60, phase=Phase.SECOND_CHANCE),
}
assert TASKS.keys() == set(get_args(UbongoScene))


def begin_scene(name: UbongoScene, now: int) -> Scene:
    """A scene that begins at `now`, so that the learner sees the sand run."""
    task = TASKS[name]
    deal, solution = deal_and_solution(task)
    example = tuple(Place(piece, cells) for piece, cells in solution.items())[: task.missing]
    missing = {place.piece for place in example}
    placed = {piece: cells for piece, cells in solution.items() if piece not in missing}
    start = State(
        options=Options(seconds=task.seconds),
        players=2,
        books=gem_ledger.new_ledger(2),
        playing=(0, 1),
        round=1,
        phase=task.phase,
        began=now,
        sand=now + 1000 * task.seconds if task.seconds else None,
        deals={LEARNER: deal, 1: deal},
        placed={LEARNER: placed, 1: {}},
    )
    return Scene(UBONGO, start, example)


@cache
def deal_and_solution(task: Task) -> tuple[Deal, dict[int, Any]]:
    deck = deck_files.load()
    side = next(card for card in deck.cards if card.id == task.card).sides[3]
    numbers = side.sets[task.colour]
    pieces = {number: deck.pieces[task.colour][number] for number in numbers}
    deal = Deal(card=task.card, side=3, colour=task.colour, area=side.area, pieces=pieces)
    solution = kernel.first(side.area, list(pieces.values()))
    assert solution
    return deal, dict(zip(numbers, solution, strict=True))
