"""Requests about Ubongo: its cards, pieces, puzzles and score sheets."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from pytlik.game import Illegal, Reason, Seat
from pytlik.referee.request_base import Answer, Handlers, Request, bad_request, check_seat
from pytlik.ubongo import deck_files, gem_ledger, kernel
from pytlik.ubongo.hexes import Hex, normalize, orientations
from pytlik.ubongo.model import ROUNDS, Gem
from pytlik.ubongo.reasons import UbongoReason

MAX_CELLS = 1_000

Cells = Annotated[tuple[Hex, ...], Meta(max_length=MAX_CELLS)]
Piece = Annotated[tuple[Hex, ...], Meta(min_length=1, max_length=MAX_CELLS)]
Pieces = Annotated[tuple[Piece, ...], Meta(max_length=MAX_CELLS)]
GemDraw = tuple[Seat, Gem]


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
    """A round that nobody solved in time, and who solved it in the second chance (G12)."""

    second_chance: GemDraw | None


class Score(Request, frozen=True, kw_only=True):
    players: Annotated[int, Meta(ge=2, le=4)]
    rounds: tuple[Annotated[tuple[GemDraw, ...], Meta(min_length=1)] | SecondChance, ...]


def check_distinct_cells(*lists: Sequence[Hex]) -> None:
    for cells in lists:
        if len(set(cells)) < len(cells):
            raise bad_request("a cell is listed twice")


def solve(request: Solve) -> Answer:
    area, pieces = request.area, request.pieces
    check_distinct_cells(area, *pieces)
    return {"solutions": kernel.count(area, pieces), "first": kernel.first(area, pieces)}


def check_placement(request: Check) -> Answer:
    area, pieces, placement = request.area, request.pieces, request.placement
    check_distinct_cells(area, *pieces, *placement)
    if len(placement) != len(pieces):
        raise bad_request("give a placement for each piece")
    reason = find_fault(area, pieces, placement)
    return {"solved": False, "reason": reason} if reason else {"solved": True}


def find_fault(
    area: Sequence[Hex], pieces: Sequence[Sequence[Hex]], placement: Sequence[Sequence[Hex]]
) -> StrEnum | None:
    """The first reason why a placement isn't a solution (G7)."""
    for piece, cells in zip(pieces, placement, strict=True):
        if len(cells) != len(piece) or normalize(cells) not in orientations(piece):
            return UbongoReason.WRONG_SHAPE
    covered = [cell for cells in placement for cell in cells]
    if not set(area).issuperset(covered):
        return UbongoReason.OUTSIDE_AREA
    if len(set(covered)) < len(covered):
        return Reason.OCCUPIED
    return UbongoReason.NOT_COVERED if len(covered) < len(area) else None


def score_game(request: Score) -> Answer:
    """Score a whole game (G9, G11, G12, G14, G15)."""
    for round_ in request.rounds:
        drawn = (round_.second_chance,) if isinstance(round_, SecondChance) else round_
        for draw in drawn:
            if draw is not None:
                check_seat(draw[0], request.players)
    if len(request.rounds) > ROUNDS:
        raise Illegal(UbongoReason.TOO_MANY_ROUNDS)
    books = gem_ledger.new_ledger(request.players)
    for round_ in request.rounds:
        if isinstance(round_, SecondChance):
            books = gem_ledger.score_second_chance(books, round_.second_chance)
        else:
            books = gem_ledger.score_round(books, round_)
    return {
        "points": [gem_ledger.points(gems) for gems in books.held],
        "gems": books.held,
        "display": {gem: books.display[gem] for gem in (Gem.SAPPHIRE, Gem.AMBER)},
        "bag": books.bag,
        "tied": gem_ledger.tied_seats(books) if len(request.rounds) == ROUNDS else (),
    }


HANDLERS: Handlers = {
    Solve: solve,
    Check: check_placement,
    Cards: lambda _: {"cards": deck_files.load().cards},
    PieceShapes: lambda _: {"pieces": deck_files.load().pieces},
    Score: score_game,
}
