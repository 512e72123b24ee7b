"""Ubongo's bookkeeping: where the 54 gems are, from round to round.

The live rules and the referee's `score` both keep their books here.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from pytlik.game import Illegal, Seat
from pytlik.scores import best
from pytlik.ubongo.model import POINTS, ROUNDS, Books, Gem, Purse
from pytlik.ubongo.reasons import UbongoReason


def purse(*, ruby: int = 0, sapphire: int = 0, emerald: int = 0, amber: int = 0) -> Purse:
    return {Gem.RUBY: ruby, Gem.SAPPHIRE: sapphire, Gem.EMERALD: emerald, Gem.AMBER: amber}


def with_gem(gems: Purse, gem: Gem, change: int = 1) -> Purse:
    return {**gems, gem: gems[gem] + change}


def points(gems: Purse) -> int:
    return sum(POINTS[gem] * count for gem, count in gems.items())


def opened(players: int) -> Books:
    """9 sapphires and 9 ambers make the display; 9 of each kind are in the bag (G5)."""
    return Books(
        display=purse(sapphire=ROUNDS, amber=ROUNDS),
        bag=purse(ruby=9, sapphire=9, emerald=9, amber=9),
        held=(purse(),) * players,
    )


def from_display(books: Books, seat: Seat, gem: Gem) -> Books:
    books = replace(books, display=with_gem(books.display, gem, -1))
    return given(books, seat, gem)


def from_bag(books: Books, seat: Seat, gem: Gem) -> Books:
    if not books.bag[gem]:
        raise Illegal(UbongoReason.GEM_NOT_IN_BAG, gem=gem)
    return given(replace(books, bag=with_gem(books.bag, gem, -1)), seat, gem)


def into_bag(books: Books, gem: Gem) -> Books:
    """A gem goes from the display into the bag (G11, G12)."""
    return replace(books, display=with_gem(books.display, gem, -1), bag=with_gem(books.bag, gem))


def given(books: Books, seat: Seat, gem: Gem) -> Books:
    held = books.held
    return replace(books, held=(*held[:seat], with_gem(held[seat], gem), *held[seat + 1 :]))


def reward(rank: int) -> Gem | None:
    """What the first (0) and the second (1) to solve get from the display (G9)."""
    return (Gem.SAPPHIRE, Gem.AMBER)[rank] if rank < 2 else None


def leftovers(solved: int) -> tuple[Gem, ...]:
    """The round's gems that go from the display into the bag, by how many solved in time, so that
    after every round the display has one sapphire and one amber fewer (G11, G12)."""
    return (Gem.SAPPHIRE, Gem.AMBER)[solved:]


def solved_round(books: Books, draws: Sequence[tuple[Seat, Gem]]) -> Books:
    """A round solved in time: by whom, in order, with the gem that each drew (G9, G11)."""
    solvers = [seat for seat, _ in draws]
    for seat in solvers:
        if solvers.count(seat) > 1:
            raise Illegal(UbongoReason.SEAT_TWICE, seat=seat)
    for rank, (seat, gem) in enumerate(draws):
        bonus = reward(rank)
        if bonus:
            books = from_display(books, seat, bonus)
        books = from_bag(books, seat, gem)
    for gem in leftovers(len(draws)):
        books = into_bag(books, gem)
    return books


def second_chance_round(books: Books, draw: tuple[Seat, Gem] | None) -> Books:
    """A round that nobody solved in time (G12)."""
    if draw:
        books = from_bag(books, *draw)
    for gem in leftovers(0):
        books = into_bag(books, gem)
    return books


def leaders(books: Books) -> tuple[Seat, ...]:
    return best([points(gems) for gems in books.held], most=True)


def tied(books: Books) -> tuple[Seat, ...]:
    """Who goes to a deciding round, if this was the last one (G15)."""
    top = leaders(books)
    return top if len(top) > 1 else ()
