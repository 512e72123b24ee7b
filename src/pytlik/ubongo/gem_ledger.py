"""Where the 54 gems are, from round to round. The rules and the referee's `score` both use this."""

from collections.abc import Sequence

from msgspec.structs import replace

from pytlik.game import Illegal, Seat
from pytlik.score_sheet import best
from pytlik.ubongo.model import POINTS, ROUNDS, Gem, Ledger, Purse
from pytlik.ubongo.reasons import UbongoReason


def purse(*, ruby: int = 0, sapphire: int = 0, emerald: int = 0, amber: int = 0) -> Purse:
    return {Gem.RUBY: ruby, Gem.SAPPHIRE: sapphire, Gem.EMERALD: emerald, Gem.AMBER: amber}


def _add_gem(gems: Purse, gem: Gem, change: int = 1) -> Purse:
    return {**gems, gem: gems[gem] + change}


def points(gems: Purse) -> int:
    return sum(POINTS[gem] * count for gem, count in gems.items())


def new_ledger(players: int, rounds: int = ROUNDS) -> Ledger:
    """A sapphire and an amber for each round lie in the display; 9 gems of each kind are in the bag
    (G5). If fewer than nine rounds are played, the rest stays in the box."""
    return Ledger(
        display=purse(sapphire=rounds, amber=rounds),
        bag=purse(ruby=9, sapphire=9, emerald=9, amber=9),
        held=(purse(),) * players,
    )


def take_from_display(ledger: Ledger, seat: Seat, gem: Gem) -> Ledger:
    ledger = replace(ledger, display=_add_gem(ledger.display, gem, -1))
    return _add_to_held(ledger, seat, gem)


def take_from_bag(ledger: Ledger, seat: Seat, gem: Gem) -> Ledger:
    if not ledger.bag[gem]:
        raise Illegal(UbongoReason.GEM_NOT_IN_BAG, gem=gem)
    return _add_to_held(replace(ledger, bag=_add_gem(ledger.bag, gem, -1)), seat, gem)


def move_to_bag(ledger: Ledger, gem: Gem) -> Ledger:
    """Move a gem from the display into the bag (G11, G12)."""
    return replace(ledger, display=_add_gem(ledger.display, gem, -1), bag=_add_gem(ledger.bag, gem))


def _add_to_held(ledger: Ledger, seat: Seat, gem: Gem) -> Ledger:
    held = ledger.held
    return replace(ledger, held=(*held[:seat], _add_gem(held[seat], gem), *held[seat + 1 :]))


def display_reward(rank: int) -> Gem | None:
    """What the first (0) and the second (1) to solve get from the display (G9)."""
    return (Gem.SAPPHIRE, Gem.AMBER)[rank] if rank < 2 else None


def unclaimed_display_gems(solvers: int) -> tuple[Gem, ...]:
    """The round's gems in the display that weren't won by this many solvers: they go into the bag
    (G11, G12). So the display has one sapphire and one amber fewer after every round."""
    return (Gem.SAPPHIRE, Gem.AMBER)[solvers:]


def score_round(ledger: Ledger, draws: Sequence[tuple[Seat, Gem]]) -> Ledger:
    """Score a round solved in time; `draws` has the solvers in order, and what each drew from the
    bag (G9, G11)."""
    solvers = [seat for seat, _ in draws]
    for seat in solvers:
        if solvers.count(seat) > 1:
            raise Illegal(UbongoReason.SEAT_TWICE, seat=seat)
    for rank, (seat, gem) in enumerate(draws):
        bonus = display_reward(rank)
        if bonus:
            ledger = take_from_display(ledger, seat, bonus)
        ledger = take_from_bag(ledger, seat, gem)
    for gem in unclaimed_display_gems(len(draws)):
        ledger = move_to_bag(ledger, gem)
    return ledger


def score_second_chance(ledger: Ledger, draw: tuple[Seat, Gem] | None) -> Ledger:
    """Score a round that nobody solved in time (G12)."""
    if draw:
        ledger = take_from_bag(ledger, *draw)
    for gem in unclaimed_display_gems(0):
        ledger = move_to_bag(ledger, gem)
    return ledger


def leaders(ledger: Ledger) -> tuple[Seat, ...]:
    return best([points(gems) for gems in ledger.held], most=True)


def tied_seats(ledger: Ledger) -> tuple[Seat, ...]:
    """Who plays a deciding round, if this was the last one (G15)."""
    top = leaders(ledger)
    return top if len(top) > 1 else ()
