"""Events as text, one line each, so that a test can show what happened in a round."""

from collections.abc import Mapping
from textwrap import dedent

from pytlik.game import Event as BaseEvent
from pytlik.game import Seat
from pytlik.ubongo.messages import (
    CardSolved,
    CountdownBegan,
    Event,
    GemBagged,
    GemTaken,
    MatchEnded,
    PatienceEnded,
    PieceLifted,
    PiecePlaced,
    RoundBegan,
    RoundEnded,
    SandRanOut,
    SeatGaveUp,
    SeatReady,
    SecondChanceBegan,
    SolutionSettled,
    TieFound,
)
from pytlik.ubongo.model import Gem


def dedent_lines(text: str) -> str:
    """The lines of a text in a test, without its indentation."""
    return dedent(text).strip("\n").rstrip()


def format_gems(held: Mapping[Gem, int]) -> str:
    """`2 sapphire, 1 amber`"""
    return ", ".join(f"{count} {gem}" for gem, count in held.items() if count)


def _format_seats(seats: tuple[Seat, ...]) -> str:
    word = "seat" if len(seats) == 1 else "seats"
    return f"{word} {' and '.join(map(str, seats))}"


def _format_seconds(at: int, zero: int) -> str:
    return f"{(at - zero) / 1000:.3f}"


def describe_events(events: list[Event], zero: int) -> str:
    """A line for each event except placed and lifted pieces; rewards follow the rank."""
    described: list[str] = []
    before: BaseEvent | None = None
    for event in events:
        words = describe_event(event, zero)
        if isinstance(event, GemTaken) and isinstance(before, GemTaken | SolutionSettled):
            described[-1] += (", " if isinstance(before, GemTaken) else ": ") + words
        elif words:
            described.append(f"{_format_seconds(event.at, zero)} {words}")
        before = event
    return "\n".join(described)


RANKS = ("first", "second", "third", "fourth")


def describe_event(event: Event, zero: int) -> str:
    match event:
        case SeatReady(seat=seat):
            return f"seat {seat} is ready"
        case CountdownBegan(round=number, starts=starts):
            return f"round {number} is to begin at {_format_seconds(starts, zero)}"
        case RoundBegan(round=number):
            return f"round {number} begins"
        case CardSolved(seat=seat, time=time, at=at):
            counted = f", counted at {_format_seconds(time, zero)}" if time != at else ""
            return f"seat {seat} solves{counted}"
        case SolutionSettled(seat=seat, rank=rank):
            return f"seat {seat} is {RANKS[rank]}"
        case GemTaken(gem=gem, source=source):
            return f"{gem} from the {source}"
        case GemBagged(gem=gem):
            return f"{gem} goes into the bag"
        case SeatGaveUp(seat=seat):
            return f"seat {seat} gives up"
        case SandRanOut():
            return "the sand has run out"
        case PatienceEnded():
            return "the table's patience ends"
        case SecondChanceBegan(sand=sand):
            return f"second chance until {_format_seconds(sand, zero)}"
        case RoundEnded(round=number):
            return f"round {number} is over"
        case TieFound(seats=seats):
            return f"{_format_seats(seats)} are tied"
        case MatchEnded(winners=winners, points=points):
            verb = "wins" if len(winners) == 1 else "win"
            return f"{_format_seats(winners)} {verb} at {':'.join(map(str, points))}"
        case PiecePlaced() | PieceLifted():
            return ""
        case _:
            raise ValueError(event)
