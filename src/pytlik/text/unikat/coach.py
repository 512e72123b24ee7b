"""What the coach says, as text: about one turn, and the biggest misses of a match."""

from collections.abc import Iterable, Iterator, Sequence

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.i18n.formats import format_label
from pytlik.unikat import coach
from pytlik.unikat.coach import Advice, CoachedTurn
from pytlik.unikat.messages import BAG, Decline, Draw, Event, Lay, Pass, Swap, TurnAction
from pytlik.unikat.model import Chain


def advice_for_seat(events: Iterable[Event], seat: Seat | None) -> Advice:
    """Advice on a seat's own turns, because what others could have laid would give away their
    hands. On all turns if no seat is given."""
    turns = coach.analyse(events)
    return coach.make_advice(turn for turn in turns if seat is None or turn.seat == seat)


def find_turn(advice: Advice, index: int) -> CoachedTurn | None:
    """The turn whose first action is the event with this index."""
    return next((turn for turn in advice.turns if turn.seq == index + 1), None)


def describe_turn(turn: CoachedTurn, names: Sequence[str], translate: Catalogue) -> Iterator[str]:
    """What the coach says about a turn, line by line."""
    if turn.swing:
        best = translate("page.coach.best", n=count_tiles(turn.best))
        yield format_label(best, format_chains(turn.best), translate)
        for other in turn.others:
            counted = format_label(str(count_tiles(other)), format_chains(other), translate)
            yield format_label(translate("page.coach.others"), counted, translate)
    else:
        yield translate("page.coach.wasMost" if turn.lost else "page.coach.wasBest")
    if not turn.exact:
        yield translate("page.coach.bounded")
    for decision in turn.decisions:
        if decision.better:
            yield " ".join(
                (
                    translate("page.coach.chance", percent=to_percent(decision.done.value)) + ".",
                    translate("page.coach.better", percent=to_percent(decision.better.value)),
                    describe_action(decision.better.action, translate),
                )
            )
    for corner in turn.corners:
        name = names[corner.seat] if corner.seat is not None else ""
        text = translate(f"page.coach.corner.{corner.where}", tile=corner.tile, name=name)
        yield format_label(f"{corner.cell.x},{corner.cell.y}", text, translate)


def describe_misses(
    advice: Advice, names: Sequence[str], translate: Catalogue
) -> Iterator[tuple[int, str]]:
    """The index of the event and the miss in one line, the worst first."""
    for seq in advice.misses:
        turn = find_turn(advice, seq - 1)
        assert turn
        name, n = names[turn.seat], turn.swing
        missed = translate("page.coach.miss", name=name, n=n) if n else name
        yield (
            seq - 1,
            f"{missed} ({describe_lost_chance(turn, translate)})" if turn.lost else missed,
        )


def describe_lost_chance(turn: CoachedTurn, translate: Catalogue) -> str:
    """How likely the win was with the decision that gave away most, and with a better one."""
    pairs = [(each.better.value, each.done.value) for each in turn.decisions if each.better]
    better, done = max(pairs, key=lambda pair: pair[0] - pair[1])
    return translate("page.coach.lost", done=to_percent(done), better=to_percent(better))


def count_tiles(chains: Sequence[Chain]) -> int:
    return sum(map(len, chains))


def format_chains(chains: Sequence[Chain]) -> str:
    parts = ("  ".join(f"{tile} {x},{y}" for tile, x, y in chain) for chain in chains)
    return "  +  ".join(parts)


def to_percent(share: float) -> int:
    return round(100 * share)


def describe_action(action: TurnAction, translate: Catalogue) -> str:
    match action:
        case Lay(tiles=chain):
            lay = translate("page.unikat.lay", n=len(chain))
            return format_label(lay, format_chains([chain]), translate)
        case Swap(give=give, take=take) if take == BAG:
            return translate("page.coach.swapBag", give=give)
        case Swap(give=give, take=take):
            return translate("page.coach.swap", give=give, take=take)
        case Draw(take=take) if take == BAG:
            return translate("page.coach.drawBag")
        case Draw(take=take):
            return translate("page.coach.draw", take=take)
        case Decline():
            return translate("page.unikat.decline")
        case Pass():
            return translate("page.unikat.pass")
