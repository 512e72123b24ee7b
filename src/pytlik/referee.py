"""The rules as a service: one JSON object a line in, one a line out. See docs/referee.md.

`answer` is a pure function of one line. Whatever the line holds, it gives an answer.
"""

import sys
from collections.abc import Sequence
from itertools import islice
from typing import Annotated, Any, BinaryIO, Literal, assert_never

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from pytlik.chance import from_text
from pytlik.game import (
    Budget,
    Illegal,
    Malformed,
    Opening,
    Reason,
    Refusal,
    Seat,
    replay,
    snake_case,
)
from pytlik.i18n import catalogue
from pytlik.ubongo import cards, kernel, score
from pytlik.ubongo.hexes import Hex, normal, orientations
from pytlik.ubongo.model import ROUNDS, Gem
from pytlik.unikat import rules
from pytlik.unikat.bots import BUDGET, LEVELS, alternatives, rate
from pytlik.unikat.engine.longest import longest_turn
from pytlik.unikat.legal import legal
from pytlik.unikat.messages import TurnAction
from pytlik.unikat.model import Options, Phase
from pytlik.unikat.position import Position, from_state, to_state
from pytlik.unikat.view import view

Answer = dict[str, Any]

MOST_ACTIONS = 100_000
MOST_CELLS = 1_000
MOST_ALTERNATIVES = 5
MOST_SAID = 300
"""Characters that a message may quote of what was wrong."""

Positive = Annotated[int, Meta(ge=1)]
Players = Annotated[int, Meta(ge=2, le=4)]
Level = Literal["first-steps", "easy", "medium", "hard", "master"]
Cells = Annotated[tuple[Hex, ...], Meta(max_length=MOST_CELLS)]
Piece = Annotated[tuple[Hex, ...], Meta(min_length=1, max_length=MOST_CELLS)]
Pieces = Annotated[tuple[Piece, ...], Meta(max_length=MOST_CELLS)]
Drawn = tuple[Seat, Gem]


class Labelled(msgspec.Struct, frozen=True):
    """What is read of a line first, so that the answer bears its label whatever else it holds."""

    id: Raw | UnsetType = UNSET


class Request(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="do",
    tag=snake_case,
):
    id: Raw | UnsetType = UNSET


class Actions(Request, frozen=True, kw_only=True):
    position: Position
    limit: Annotated[int, Meta(ge=0)] = MOST_ACTIONS


class Count(Request, frozen=True, kw_only=True):
    position: Position


class Apply(Request, frozen=True, kw_only=True):
    position: Position
    action: TurnAction


class View(Request, frozen=True, kw_only=True):
    position: Position
    seat: Seat | None


class Best(Request, frozen=True, kw_only=True):
    position: Position
    seat: Seat
    level: Level = "hard"
    seed: int | str = 0
    simulations: Positive | UnsetType = UNSET
    ms: Positive | UnsetType = UNSET


class Deal(Request, frozen=True, kw_only=True):
    game: Literal["unikat"]
    players: Players
    seed: str


class Solve(Request, frozen=True, kw_only=True):
    area: Cells
    pieces: Pieces


class Check(Request, frozen=True, kw_only=True):
    area: Cells
    pieces: Pieces
    placement: tuple[Cells, ...]


class Cards(Request, frozen=True, kw_only=True):
    pass


class PieceShapes(Request, frozen=True, kw_only=True, tag="pieces"):
    pass


class SecondChance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round that nobody solved in time, and who solved it then (G12)."""

    second_chance: Drawn | None


class Score(Request, frozen=True, kw_only=True):
    players: Players
    rounds: tuple[Annotated[tuple[Drawn, ...], Meta(min_length=1)] | SecondChance, ...]


AnyRequest = (
    Actions | Count | Apply | View | Best | Deal | Solve | Check | Cards | PieceShapes | Score
)

read_label = msgspec.json.Decoder(Labelled).decode
read_request = msgspec.json.Decoder[AnyRequest](AnyRequest).decode


def main(source: BinaryIO, sink: BinaryIO) -> int:
    """Answer every line of the source, until it ends."""
    for line in source:
        sink.write(answer(line) + b"\n")
        sink.flush()
    return 0


def answer(line: bytes | str) -> bytes:
    """The answer to one line, without the line break."""
    label: Answer = {}
    try:
        # Encoding or decoding is also what finds broken UTF-8: msgspec skips over what it need
        # not look at.
        text = line if isinstance(line, str) else line.decode()
        label = read_back(read_label(text.encode()))
        return msgspec.json.encode(label | respond(read_request(text)))
    except (msgspec.DecodeError, UnicodeError) as error:
        refusal: Refusal = Malformed(Reason.BAD_REQUEST, problem=said(error))
    except RecursionError:
        refusal = Malformed(Reason.BAD_REQUEST, problem="it is nested too deeply")
    except Refusal as refused:
        refusal = refused
    return msgspec.json.encode(label | {"error": explain(refusal)})


def read_back(labelled: Labelled) -> Answer:
    """The label as it was written, in one line."""
    if isinstance(labelled.id, UnsetType):
        return {}
    return {"id": Raw(msgspec.json.format(bytes(labelled.id), indent=-1))}


def explain(refusal: Refusal) -> Answer:
    message = catalogue("en")(f"reason.{refusal.reason}", **refusal.detail)
    return {"reason": refusal.reason, "message": message}


def said(error: Exception) -> str:
    """What an error says, but not all of what it may quote of a line of megabytes."""
    text = str(error)
    return text if len(text) <= MOST_SAID else f"{text[:MOST_SAID]}..."


def bad_request(problem: str) -> Malformed:
    return Malformed(Reason.BAD_REQUEST, problem=problem)


def respond(request: AnyRequest) -> Answer:
    match request:
        case Actions():
            return actions(request)
        case Count():
            return {"count": sum(1 for _ in legal(to_state(request.position)))}
        case Apply():
            return applied(request)
        case View():
            if request.seat is not None:
                check_seat(request.seat, len(request.position.hands))
            return {"view": view(to_state(request.position), request.seat)}
        case Best():
            return best(request)
        case Deal():
            return deal(request)
        case Solve():
            return solve(request)
        case Check():
            return check(request)
        case Cards():
            return {"cards": cards.load().cards}
        case PieceShapes():
            return {"pieces": cards.load().pieces}
        case Score():
            return score_sheet(request)
        case _:
            assert_never(request)


def check_seat(seat: Seat, players: int) -> None:
    if not 0 <= seat < players:
        raise bad_request(f"there is no seat {seat}")


# ---------------------------------------------------------------------------------------- Unikat


def actions(request: Actions) -> Answer:
    possible = legal(to_state(request.position))
    found = list(islice(possible, request.limit))
    if any(True for _ in possible):
        raise Illegal(Reason.TOO_MANY, limit=request.limit)
    return {"actions": found, "count": len(found)}


def applied(request: Apply) -> Answer:
    state = to_state(request.position)
    # No tile is mixed within a round: this chance is never asked.
    events = rules.decide(state, state.to_move, request.action, from_text(""), now=0)
    return {"position": from_state(replay(rules.apply, events, state)), "events": events}


def best(request: Best) -> Answer:
    check_seat(request.seat, len(request.position.hands))
    if request.simulations is not UNSET and request.ms is not UNSET:
        raise bad_request("either simulations or ms")
    state = to_state(request.position)
    if state.phase is Phase.OVER:
        raise Illegal(Reason.WRONG_PHASE)
    if request.seat != state.to_move:
        raise Illegal(Reason.NOT_YOUR_TURN)
    # From here on there is only what the seat may know.
    known = view(state, request.seat)
    stream = from_text(str(request.seed)).stream("bot")
    simulations = None if request.simulations is UNSET else request.simulations
    seconds = BUDGET.seconds if request.ms is UNSET else request.ms / 1000
    bot = LEVELS[request.level]
    action, value = rate(known, bot(known, stream, Budget(seconds, simulations)))
    return {
        "action": action,
        "most_tiles": longest_turn(known).tiles,
        "value": value,
        "alternatives": alternatives(known, action, MOST_ALTERNATIVES),
    }


def deal(request: Deal) -> Answer:
    opening = Opening(players=request.players, commitment="", shares=("",) * request.players)
    events = rules.open_match(opening, Options(starter=0), from_text(request.seed), now=0)
    return {"position": from_state(replay(rules.apply, events))}


# ---------------------------------------------------------------------------------------- Ubongo


def check_cells(*lists: Sequence[Hex]) -> None:
    for cells in lists:
        if len(set(cells)) < len(cells):
            raise bad_request("a cell is listed twice")


def solve(request: Solve) -> Answer:
    area, pieces = request.area, request.pieces
    check_cells(area, *pieces)
    return {"solutions": kernel.count(area, pieces), "first": kernel.first(area, pieces)}


def check(request: Check) -> Answer:
    area, pieces, placement = request.area, request.pieces, request.placement
    check_cells(area, *pieces, *placement)
    if len(placement) != len(pieces):
        raise bad_request("a placement for each piece")
    reason = unsolved(area, pieces, placement)
    return {"solved": False, "reason": reason} if reason else {"solved": True}


def unsolved(
    area: Sequence[Hex], pieces: Sequence[Sequence[Hex]], placement: Sequence[Sequence[Hex]]
) -> Reason | None:
    """The first reason why a placement is no solution (G7)."""
    for piece, lies in zip(pieces, placement, strict=True):
        if len(lies) != len(piece) or normal(lies) not in orientations(piece):
            return Reason.WRONG_SHAPE
    covered = [cell for lies in placement for cell in lies]
    if not set(area).issuperset(covered):
        return Reason.OUTSIDE_AREA
    if len(set(covered)) < len(covered):
        return Reason.OCCUPIED
    return Reason.NOT_COVERED if len(covered) < len(area) else None


def score_sheet(request: Score) -> Answer:
    """A whole game's bookkeeping (G9, G11, G12, G14, G15)."""
    for round_ in request.rounds:
        drawn = (round_.second_chance,) if isinstance(round_, SecondChance) else round_
        for draw in drawn:
            if draw is not None:
                check_seat(draw[0], request.players)
    if len(request.rounds) > ROUNDS:
        raise Illegal(Reason.TOO_MANY_ROUNDS)
    books = score.opened(request.players)
    for round_ in request.rounds:
        if isinstance(round_, SecondChance):
            books = score.second_chance_round(books, round_.second_chance)
        else:
            books = score.solved_round(books, round_)
    return {
        "points": [score.points(gems) for gems in books.held],
        "gems": books.held,
        "display": {gem: books.display[gem] for gem in (Gem.SAPPHIRE, Gem.AMBER)},
        "bag": books.bag,
        "tied": score.tied(books) if len(request.rounds) == ROUNDS else (),
    }


if __name__ == "__main__":
    sys.exit(main(sys.stdin.buffer, sys.stdout.buffer))
