"""The coach's word in the terminal: on one turn, and the biggest misses of a match."""

from collections.abc import Iterator, Sequence

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.matchfile import MatchRecord
from pytlik.unikat import coach
from pytlik.unikat.coach import Advice, CoachedTurn
from pytlik.unikat.messages import BAG, Decline, Draw, Lay, MatchEnded, Pass, Swap, TurnAction
from pytlik.unikat.model import Chain


def can_coach(match: MatchRecord) -> bool:
    """The coach knows Unikat, and speaks when a match is over."""
    return isinstance(match.events[-1], MatchEnded)


def advised(match: MatchRecord, seat: Seat | None) -> Advice:
    """On a seat's own turns only: what another could have laid says what it held. On all turns, if
    no seat is named."""
    turns = coach.analyse(match.events)
    return coach.advice(turn for turn in turns if seat is None or turn.seat == seat)


def turn_at(advice: Advice, index: int) -> CoachedTurn | None:
    """The turn whose first action is the event with this index."""
    return next((turn for turn in advice.turns if turn.seq == index + 1), None)


def word(turn: CoachedTurn, names: Sequence[str], say: Catalogue) -> Iterator[str]:
    """What the coach says of a turn, line by line."""
    if turn.swing:
        yield say("page.coach.best", n=tiles(turn.best)) + f": {written(turn.best)}"
        for other in turn.others:
            yield f"{say('page.coach.others')}: {tiles(other)}: {written(other)}"
    else:
        yield say("page.coach.wasMost" if turn.lost else "page.coach.wasBest")
    if not turn.exact:
        yield say("page.coach.bounded")
    for decision in turn.decisions:
        if decision.better:
            yield " ".join(
                (
                    say("page.coach.chance", percent=percent(decision.done.value)) + ".",
                    say("page.coach.better", percent=percent(decision.better.value)),
                    doing(decision.better.action, say),
                )
            )
    for corner in turn.corners:
        name = names[corner.seat] if corner.seat is not None else ""
        said = say(f"page.coach.corner.{corner.where}", tile=corner.tile, name=name)
        yield f"{corner.cell.x},{corner.cell.y}: {said}"


def misses(advice: Advice, names: Sequence[str], say: Catalogue) -> Iterator[tuple[int, str]]:
    """The index of the event, and the miss in one line; the worst first."""
    for seq in advice.misses:
        turn = turn_at(advice, seq - 1)
        assert turn
        name, n = names[turn.seat], turn.swing
        said = say("page.coach.miss", name=name, n=n) if n else name
        lost = say("page.coach.lost", percent=percent(turn.lost))
        yield seq - 1, f"{said} ({lost})"


def tiles(chains: Sequence[Chain]) -> int:
    return sum(map(len, chains))


def written(chains: Sequence[Chain]) -> str:
    parts = ("  ".join(f"{tile} {x},{y}" for tile, x, y in laid) for laid in chains)
    return "  +  ".join(parts)


def percent(share: float) -> int:
    return round(100 * share)


def doing(action: TurnAction, say: Catalogue) -> str:
    match action:
        case Lay(tiles=laid):
            return f"{say('page.unikat.lay', n=len(laid))}: {written([laid])}"
        case Swap(give=give, take=take) if take == BAG:
            return say("page.coach.swapBag", give=give)
        case Swap(give=give, take=take):
            return say("page.coach.swap", give=give, take=take)
        case Draw(take=take) if take == BAG:
            return say("page.coach.drawBag")
        case Draw(take=take):
            return say("page.coach.draw", take=take)
        case Decline():
            return say("page.unikat.decline")
        case Pass():
            return say("page.unikat.pass")
