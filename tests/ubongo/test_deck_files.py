"""G1: how decks are generated, written, read and checked."""

import hashlib
from itertools import combinations, pairwise
from math import ceil, prod, sqrt
from typing import Literal

import msgspec
import pytest

from pytlik.game import Malformed, Reason, replay
from pytlik.match import Match
from pytlik.ubongo import deck_files, rules, solver
from pytlik.ubongo.deck_files import Fault, Problem
from pytlik.ubongo.game import UBONGO
from pytlik.ubongo.hexes import Hex, Shape, is_connected, move_by, neighbours, parse_shape, turn
from pytlik.ubongo.messages import Event
from pytlik.ubongo.model import Card, Colour, Deck, Pieces, Side
from pytlik.ubongo.pieces import PIECES

DeckName = Literal["standard", "expert"]
SHIPPED_DECKS: tuple[DeckName, ...] = ("standard", "expert")


def all_sides_of(deck: Deck) -> list[tuple[int, Side]]:
    return [(number, side) for card in deck.cards for number, side in card.sides.items()]


def shapes_of_set(deck: Deck, side: Side, colour: Colour) -> list[Shape]:
    return [deck.pieces[colour][number] for number in side.sets[colour]]


# ------------------------------------------------------------------ the shipped decks


def test_g01_54_cards_with_two_sides_in_four_colours_are_432_puzzles() -> None:
    deck = deck_files.load()
    assert [card.id for card in deck.cards] == list(range(1, 55))
    assert all(tuple(card.sides) == (3, 4) for card in deck.cards)
    assert sum(len(side.sets) for _, side in all_sides_of(deck)) == 432
    assert deck.pieces == PIECES


def test_expert_deck_has_five_pieces_per_card() -> None:
    deck = deck_files.load("expert")
    assert [card.id for card in deck.cards] == list(range(1, 55))
    assert all(tuple(card.sides) == (5,) for card in deck.cards)


def test_both_decks_can_be_played_as_one() -> None:
    deck = deck_files.all_sides()
    assert all(tuple(card.sides) == (3, 4, 5) for card in deck.cards)
    assert deck_files.check(deck) == []


@pytest.mark.parametrize("name", SHIPPED_DECKS)
def test_shipped_decks_have_no_problems(name: DeckName) -> None:
    seen = []
    assert (
        deck_files.check(deck_files.load(name), lambda done, total: seen.append((done, total)))
        == []
    )
    assert seen == [(done, 54) for done in range(1, 55)]


@pytest.mark.parametrize("name", SHIPPED_DECKS)
def test_every_shipped_puzzle_has_exactly_one_solution(name: DeckName) -> None:
    deck = deck_files.load(name)
    for _, side in all_sides_of(deck):
        for colour in Colour:
            assert solver.count(side.area, shapes_of_set(deck, side, colour)) == 1


@pytest.mark.parametrize("name", SHIPPED_DECKS)
def test_no_shape_is_in_two_colours_sets(name: DeckName) -> None:
    deck = deck_files.load(name)
    for _, side in all_sides_of(deck):
        for one, other in combinations(Colour, 2):
            assert not set(shapes_of_set(deck, side, one)) & set(shapes_of_set(deck, side, other))


@pytest.mark.parametrize("name", SHIPPED_DECKS)
def test_areas_are_compact_without_tails_or_necks(name: DeckName) -> None:
    for _, side in all_sides_of(deck_files.load(name)):
        area = set(side.area)
        assert all(is_connected(area - {cell}) for cell in area)
        roundest = 2 * ceil(sqrt(12 * len(area) - 3))
        outline = sum(beside not in area for cell in area for beside in neighbours(cell))
        assert outline <= roundest + 6


def test_cards_are_sorted_by_difficulty_on_both_sides() -> None:
    deck = deck_files.load()
    for number in (3, 4):
        figures = [
            prod(
                solver.effort(side.area, shapes_of_set(deck, side, colour)) for colour in side.sets
            )
            for side in (card.sides[number] for card in deck.cards)
        ]
        assert all(easier <= harder for easier, harder in pairwise(figures))
        assert figures[-1] > 4 * figures[0]


# -------------------------------------------------------------------------- new decks


def test_a_seed_gives_the_same_deck_everywhere() -> None:
    reports = []
    deck = deck_files.generate(
        "any text", 2, (4, 3), lambda done, total: reports.append((done, total))
    )
    assert hashlib.sha256(deck_files.encode(deck)).hexdigest() == GOLDEN_DECK_HASH
    assert deck_files.check(deck) == []
    assert reports == [(1, 4), (2, 4), (3, 4), (4, 4)]


GOLDEN_DECK_HASH = "d0a7d34ad2b079467266974cf27b19e2d3916415a323c5b29521ff648f6b4fe8"


def test_another_seed_gives_another_deck() -> None:
    one, other = (deck_files.generate(seed, 1, [3], lambda _done, _total: None) for seed in "ab")
    assert one.cards[0].sides[3].area != other.cards[0].sides[3].area


@pytest.mark.parametrize(("number", "wanted"), [(0, (3,)), (1, ()), (1, (2, 3)), (1, (6,))])
def test_impossible_deck_is_rejected(number: int, wanted: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="no deck"):
        deck_files.generate("seed", number, wanted, lambda _done, _total: None)


# ------------------------------------------------------------------------------ files


def test_deck_survives_a_round_trip() -> None:
    for name in SHIPPED_DECKS:
        deck = deck_files.load(name)
        assert deck_files.decode_deck(deck_files.encode(deck)) == deck


def test_each_card_is_one_line() -> None:
    lines = deck_files.encode(deck_files.load()).splitlines()
    assert sum(line.startswith(b'{"id":') for line in lines) == 54
    assert all(len(line) < 1000 for line in lines)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b"\xff\xfe",
        b'{"pytlik_deck": 2, "pieces": {}, "cards": []}',
        b'{"pytlik_deck": "1", "pieces": {}, "cards": []}',
        b'{"pytlik_deck": 1, "pieces": {}}',
        b'{"pytlik_deck": 1, "pieces": {}, "cards": [], "more": 1}',
        b'{"pytlik_deck": 1, "pieces": {"pink": {}}, "cards": []}',
        b'{"pytlik_deck": 1, "pieces": {"red": {"one": []}}, "cards": []}',
        b'{"pytlik_deck": 1, "pieces": {"red": {"1": [[0]]}}, "cards": []}',
        b'{"pytlik_deck": 1, "pieces": {"red": {"1": [[0, 0.5]]}}, "cards": []}',
        b'{"pytlik_deck": 1, "pieces": {}, "cards": [{"id": 1}]}',
        b'{"pytlik_deck": 1, "pieces": ' + b"[" * 100_000,
        deck_files.encode(deck_files.load())[:-100],
    ],
)
def test_malformed_deck_is_rejected(data: bytes) -> None:
    with pytest.raises(Malformed) as refusal:
        deck_files.decode_deck(data)
    assert refusal.value.reason is Reason.BAD_FILE


# -------------------------------------------------------------------------- the check
# A small deck with its own pieces, and the problem that each fault in it is reported as.

TWO_PIECE_AREA = parse_shape("""
o o o o
 o o o
""")
OWN_PIECES = {
    1: parse_shape("o o\n o"),
    2: parse_shape("o o\n o o"),
    3: parse_shape("o o o"),
    4: parse_shape("o o o o"),
}
PIECE_SETS: dict[Colour, tuple[int, ...]] = dict.fromkeys(Colour, (1, 2))
GOOD_DECK = Deck(
    pytlik_deck=1,
    pieces=dict.fromkeys(Colour, OWN_PIECES),
    cards=(Card(id=7, sides={2: Side(area=TWO_PIECE_AREA, sets=PIECE_SETS)}),),
)


def deck_with_pieces(**changed: Shape) -> Deck:
    """The deck with some red pieces changed: `p1=...` is number 1."""
    own = OWN_PIECES | {int(name[1:]): shape for name, shape in changed.items()}
    return msgspec.structs.replace(GOOD_DECK, pieces=GOOD_DECK.pieces | {Colour.RED: own})


def deck_with_side(
    area: Shape = TWO_PIECE_AREA, red: tuple[int, ...] = (1, 2), number: int = 2
) -> Deck:
    side = Side(area=area, sets=PIECE_SETS | {Colour.RED: red})
    return msgspec.structs.replace(GOOD_DECK, cards=(Card(id=7, sides={number: side}),))


def deck_with_cards(*more: Card) -> Deck:
    return msgspec.structs.replace(GOOD_DECK, cards=(*GOOD_DECK.cards, *more))


def test_deck_with_its_own_pieces_can_be_good() -> None:
    assert deck_files.check(GOOD_DECK) == []


RED = Colour.RED
BAR_PIECES = {1: parse_shape("o"), 2: parse_shape("o o"), 3: parse_shape("o o o")}
BIG_AREA = tuple(Hex(q, r) for q in range(3) for r in range(3))
PLANTED_FAULTS: list[tuple[Deck, Problem]] = [
    (msgspec.structs.replace(GOOD_DECK, pytlik_deck=2), Problem(Fault.UNKNOWN_VERSION)),
    (msgspec.structs.replace(GOOD_DECK, cards=()), Problem(Fault.NO_CARDS)),
    (
        msgspec.structs.replace(GOOD_DECK, pieces={c: OWN_PIECES for c in Colour if c != RED}),
        Problem(Fault.NO_PIECES, colour=RED),
    ),
    (deck_with_pieces(p0=parse_shape("o")), Problem(Fault.BAD_PIECE_NUMBER, colour=RED, piece=0)),
    (deck_with_pieces(p3=OWN_PIECES[3] * 2), Problem(Fault.PIECE_CELL_TWICE, colour=RED, piece=3)),
    (
        deck_with_pieces(p3=parse_shape("o . o")),
        Problem(Fault.PIECE_NOT_CONNECTED, colour=RED, piece=3),
    ),
    (deck_with_pieces(p3=()), Problem(Fault.PIECE_NOT_CONNECTED, colour=RED, piece=3)),
    (deck_with_pieces(p3=turn(OWN_PIECES[2])), Problem(Fault.PIECES_ALIKE, colour=RED, piece=3)),
    (deck_with_cards(Card(id=7, sides={})), Problem(Fault.CARD_ID_TWICE, 7)),
    (deck_with_cards(Card(id=8, sides={})), Problem(Fault.NO_SIDES, 8)),
    (deck_with_side(number=0), Problem(Fault.BAD_SIDE_NUMBER, 7, 0)),
    (deck_with_side(number=9), Problem(Fault.BAD_SIDE_NUMBER, 7, 9)),
    (
        deck_with_side(area=(*TWO_PIECE_AREA, TWO_PIECE_AREA[0])),
        Problem(Fault.AREA_CELL_TWICE, 7, 2),
    ),
    (
        deck_with_side(area=parse_shape("o o . o o\n o . o o")),
        Problem(Fault.AREA_NOT_CONNECTED, 7, 2),
    ),
    (deck_with_side(area=()), Problem(Fault.AREA_NOT_CONNECTED, 7, 2)),
    (deck_with_side(area=parse_shape(" o o\no . o\n o o")), Problem(Fault.AREA_HAS_HOLES, 7, 2)),
    (
        deck_with_cards(
            Card(
                id=8,
                sides={2: Side(area=move_by(turn(TWO_PIECE_AREA), Hex(5, 5)), sets=PIECE_SETS)},
            )
        ),
        Problem(Fault.AREAS_ALIKE, 8, 2),
    ),
    (
        deck_with_cards(Card(id=8, sides={2: Side(area=BIG_AREA, sets={Colour.BLUE: (1, 2)})})),
        Problem(Fault.NO_SET, 8, 2, RED),
    ),
    (deck_with_side(red=(1, 9)), Problem(Fault.UNKNOWN_PIECE, 7, 2, RED, 9)),
    (deck_with_side(red=(1, 1)), Problem(Fault.PIECE_TWICE, 7, 2, RED, 1)),
    (deck_with_side(red=(1, 2, 3)), Problem(Fault.WRONG_NUMBER_OF_PIECES, 7, 2, RED)),
    (deck_with_side(red=(1, 3)), Problem(Fault.WRONG_SIZE, 7, 2, RED)),
    (deck_with_side(red=(3, 2)), Problem(Fault.NO_SOLUTION, 7, 2, RED)),
    # Bars of one, two and three cells fill a row in any order: six solutions.
    (
        Deck(
            pytlik_deck=1,
            pieces=dict.fromkeys(Colour, BAR_PIECES),
            cards=(
                Card(
                    id=7,
                    sides={
                        3: Side(
                            area=parse_shape("o o o o o o"), sets=dict.fromkeys(Colour, (1, 2, 3))
                        )
                    },
                ),
            ),
        ),
        Problem(Fault.TOO_MANY_SOLUTIONS, 7, 3, RED),
    ),
]
"""A fault of each kind."""


@pytest.mark.parametrize(("deck", "problem"), PLANTED_FAULTS)
def test_a_planted_fault_is_found(deck: Deck, problem: Problem) -> None:
    assert problem in deck_files.check(deck)


def test_every_kind_of_fault_is_planted() -> None:
    assert {problem.code for _, problem in PLANTED_FAULTS} == set(Fault)


def test_single_fault_in_a_good_deck_is_the_only_problem() -> None:
    deck = deck_files.load()
    card = deck.cards[20]
    side = card.sides[4]
    swapped = Side(
        area=side.area, sets=side.sets | {RED: deck_files.load().cards[21].sides[4].sets[RED]}
    )
    spoilt = msgspec.structs.replace(
        deck,
        cards=(
            *deck.cards[:20],
            Card(id=card.id, sides=card.sides | {4: swapped}),
            *deck.cards[21:],
        ),
    )
    (problem,) = deck_files.check(spoilt)
    assert problem.code is Fault.WRONG_SIZE
    assert (problem.card, problem.side, problem.colour) == (21, 4, RED)


def test_all_matches_share_the_shipped_cards() -> None:
    """A match read from JSON refers to the cards in memory and has no copy of them."""
    played = Match.new("ubongo", players=2, seed="x")
    raw = msgspec.json.encode(played.events)
    events = msgspec.json.decode(raw, type=list[Event])
    state = replay(UBONGO.apply, events)
    assert state == replay(rules.apply, events)
    known = {id(card) for card in deck_files.all_sides().cards}
    assert all(id(card) in known for card in state.cards)
    assert state.pieces is deck_files.all_sides().pieces


def test_cards_of_other_decks_are_kept() -> None:
    card, *others = deck_files.all_sides().cards
    odd = msgspec.structs.replace(card, sides={3: card.sides[4]})
    pieces: Pieces = {colour: {} for colour in Colour}
    assert deck_files.reuse_shipped_cards(pieces, (odd, *others)) == (pieces, (odd, *others))
