"""Deck files: reading, writing, the shipped decks, and checking any deck from scratch (G1, G2)."""

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from typing import Literal

import msgspec

from pytlik.game import Malformed, Reason
from pytlik.ubongo import kernel
from pytlik.ubongo.generator import Progress, generate
from pytlik.ubongo.hexes import Shape, free_form, has_holes, is_connected
from pytlik.ubongo.model import Card, Colour, Deck, Pieces, Side

__all__ = ["Fault", "Problem", "all_sides", "check", "decode_deck", "encode", "generate", "load"]

DECK_VERSION = 1

MAX_PIECES_PER_SIDE = 8
"""Nobody could solve a side with more pieces, and checking it could take forever."""

MAX_SOLUTIONS_PER_SET = 4


class Fault(StrEnum):
    """What can be wrong with a deck."""

    UNKNOWN_VERSION = "unknown_version"
    NO_CARDS = "no_cards"
    NO_PIECES = "no_pieces"
    BAD_PIECE_NUMBER = "bad_piece_number"
    PIECE_CELL_TWICE = "piece_cell_twice"
    PIECE_NOT_CONNECTED = "piece_not_connected"
    PIECES_ALIKE = "pieces_alike"
    CARD_ID_TWICE = "card_id_twice"
    NO_SIDES = "no_sides"
    BAD_SIDE_NUMBER = "bad_side_number"
    AREA_CELL_TWICE = "area_cell_twice"
    AREA_NOT_CONNECTED = "area_not_connected"
    AREA_HAS_HOLES = "area_has_holes"
    AREAS_ALIKE = "areas_alike"
    NO_SET = "no_set"
    UNKNOWN_PIECE = "unknown_piece"
    PIECE_TWICE = "piece_twice"
    WRONG_NUMBER_OF_PIECES = "wrong_number_of_pieces"
    WRONG_SIZE = "wrong_size"
    NO_SOLUTION = "no_solution"
    TOO_MANY_SOLUTIONS = "too_many_solutions"


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fault of a deck, and where it is."""

    code: Fault
    card: int | None = None
    side: int | None = None
    colour: Colour | None = None
    piece: int | None = None


@lru_cache
def load(name: Literal["standard", "expert"] = "standard") -> Deck:
    """A shipped deck: the standard one has sides 3 and 4, the expert one side 5."""
    return decode_deck(resources.files(__package__).joinpath(f"{name}.json").read_bytes())


@lru_cache
def all_sides() -> Deck:
    """Both shipped decks in one: cards with sides 3, 4 and 5 of the same rank."""
    standard, expert = load("standard"), load("expert")
    return msgspec.structs.replace(
        standard,
        cards=tuple(
            Card(id=card.id, sides=card.sides | more.sides)
            for card, more in zip(standard.cards, expert.cards, strict=True)
        ),
    )


def reuse_shipped_cards(pieces: Pieces, cards: tuple[Card, ...]) -> tuple[Pieces, tuple[Card, ...]]:
    """The same pieces and cards, with the objects of the shipped decks in place of equal ones: a
    server decodes a deck for every match, and should keep it only once."""
    deck, known = all_sides(), _cards_by_id()
    shared = (next((own for own in known.get(card.id, ()) if own == card), card) for card in cards)
    return deck.pieces if pieces == deck.pieces else pieces, tuple(shared)


@lru_cache
def _cards_by_id() -> dict[int, list[Card]]:
    found: dict[int, list[Card]] = {}
    for deck in (all_sides(), load("standard"), load("expert")):
        for card in deck.cards:
            found.setdefault(card.id, []).append(card)
    return found


def decode_deck(data: bytes) -> Deck:
    """Read a deck file. Raises Malformed. `check` tells whether the deck is good."""
    try:
        version = msgspec.json.decode(data, type=_DeckVersion).pytlik_deck
        if version == DECK_VERSION:
            return msgspec.json.decode(data, type=Deck)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(Reason.BAD_FILE, problem=str(error)) from error
    raise Malformed(Reason.BAD_FILE, problem=f"Pytlik doesn't know decks of version {version}")


def encode(deck: Deck) -> bytes:
    """Write a deck file, with a line for each colour's pieces and for each card."""
    pieces = b",\n".join(
        msgspec.json.encode(colour) + b":" + msgspec.json.encode(own)
        for colour, own in deck.pieces.items()
    )
    cards = b",\n".join(map(msgspec.json.encode, deck.cards))
    version = msgspec.json.encode(deck.pytlik_deck)
    return b'{"pytlik_deck":%b,\n"pieces":{\n%b\n},\n"cards":[\n%b\n]}\n' % (version, pieces, cards)


def check(deck: Deck, progress: Progress = lambda _done, _total: None) -> list[Problem]:
    """Everything that is wrong with a deck, judged by its own pieces. A good deck has no problems.

    `progress` is called after each card.
    """
    return [*_check_deck(deck), *_check_pieces(deck.pieces), *_check_cards(deck, progress)]


class _DeckVersion(msgspec.Struct):
    pytlik_deck: int


def _check_deck(deck: Deck) -> Iterator[Problem]:
    if deck.pytlik_deck != DECK_VERSION:
        yield Problem(Fault.UNKNOWN_VERSION)
    if not deck.cards:
        yield Problem(Fault.NO_CARDS)


def _check_pieces(pieces: Pieces) -> Iterator[Problem]:
    for colour in Colour:
        if not pieces.get(colour):
            yield Problem(Fault.NO_PIECES, colour=colour)
        seen = set[Shape]()
        for number, shape in pieces.get(colour, {}).items():
            if number < 1:
                yield Problem(Fault.BAD_PIECE_NUMBER, colour=colour, piece=number)
            if len(set(shape)) < len(shape):
                yield Problem(Fault.PIECE_CELL_TWICE, colour=colour, piece=number)
            if not is_connected(shape):
                yield Problem(Fault.PIECE_NOT_CONNECTED, colour=colour, piece=number)
            elif free_form(set(shape)) in seen:
                yield Problem(Fault.PIECES_ALIKE, colour=colour, piece=number)
            else:
                seen.add(free_form(set(shape)))


def _check_cards(deck: Deck, progress: Progress) -> Iterator[Problem]:
    ids = set[int]()
    areas = set[Shape]()
    for done, card in enumerate(deck.cards, start=1):
        if card.id in ids:
            yield Problem(Fault.CARD_ID_TWICE, card.id)
        ids.add(card.id)
        if not card.sides:
            yield Problem(Fault.NO_SIDES, card.id)
        for number, side in card.sides.items():
            for fault in _area_faults(side.area, areas):
                yield Problem(fault, card.id, number)
            yield from _check_side(card, number, side, deck.pieces)
        progress(done, len(deck.cards))


def _area_faults(area: Shape, seen: set[Shape]) -> Iterator[Fault]:
    """The faults of an area; adds it to those seen."""
    if len(set(area)) < len(area):
        yield Fault.AREA_CELL_TWICE
    if not is_connected(area):
        yield Fault.AREA_NOT_CONNECTED
        return
    if has_holes(area):
        yield Fault.AREA_HAS_HOLES
    form = free_form(set(area))
    if form in seen:
        yield Fault.AREAS_ALIKE
    seen.add(form)


def _check_side(card: Card, number: int, side: Side, pieces: Pieces) -> Iterator[Problem]:
    if not 1 <= number <= MAX_PIECES_PER_SIDE:
        yield Problem(Fault.BAD_SIDE_NUMBER, card.id, number)
        return
    for colour in Colour:
        if colour not in side.sets:
            yield Problem(Fault.NO_SET, card.id, number, colour)
            continue
        chosen, own = side.sets[colour], pieces.get(colour, {})
        unknown = [piece for piece in chosen if piece not in own]
        twice = sorted({piece for piece in chosen if chosen.count(piece) > 1})
        yield from (Problem(Fault.UNKNOWN_PIECE, card.id, number, colour, p) for p in unknown)
        yield from (Problem(Fault.PIECE_TWICE, card.id, number, colour, p) for p in twice)
        if len(chosen) != number:
            yield Problem(Fault.WRONG_NUMBER_OF_PIECES, card.id, number, colour)
        if unknown or twice or len(chosen) != number:
            continue
        fault = _puzzle_fault(side.area, [own[piece] for piece in chosen])
        if fault is not None:
            yield Problem(fault, card.id, number, colour)


def _puzzle_fault(area: Shape, shapes: list[Shape]) -> Fault | None:
    if sum(len(set(shape)) for shape in shapes) != len(set(area)):
        return Fault.WRONG_SIZE
    solutions = kernel.count(area, shapes, limit=MAX_SOLUTIONS_PER_SET + 1)
    if solutions > MAX_SOLUTIONS_PER_SET:
        return Fault.TOO_MANY_SOLUTIONS
    return None if solutions else Fault.NO_SOLUTION
