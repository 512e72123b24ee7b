"""Events of Ubongo as one short line each."""

from collections.abc import Sequence
from typing import assert_never

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.text.layout import join_names
from pytlik.ubongo.messages import (
    CardSolved,
    ClocksShifted,
    CountdownBegan,
    DeckShuffled,
    Event,
    GemBagged,
    GemTaken,
    MatchEnded,
    MatchOpened,
    PatienceEnded,
    PieceLifted,
    PieceMoved,
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


def describe_event(
    event: Event, names: Sequence[str], you: Seat | None, translate: Catalogue
) -> str | None:
    """The line about an event, as a seat saw it; None if there is nothing to say."""

    def about_seat(kind: str, seat: Seat, **fill: object) -> str:
        who = "you" if seat == you else "name"
        return translate(f"ubongo.told.{kind}.{who}", name=names[seat], **fill)

    match event:
        case RoundBegan(round=number):
            return translate("ubongo.told.began", round=number)
        case CardSolved(seat=seat):
            return about_seat("solved", seat)
        case SolutionSettled(seat=seat, rank=rank):
            return about_seat("settled", seat, place=translate(f"ubongo.place.{rank}"))
        case GemTaken(seat=seat, gem=gem, source=source):
            return about_seat(
                "gem", seat, gem=translate(f"ubongo.gem.{gem}"), where=translate(f"ubongo.{source}")
            )
        case GemBagged(gem=gem):
            return translate("ubongo.told.bagged", gem=translate(f"ubongo.gem.{gem}"))
        case SeatGaveUp(seat=seat):
            return about_seat("gave_up", seat)
        case SandRanOut():
            return translate("ubongo.told.sand")
        case PatienceEnded():
            return translate("ubongo.told.patience")
        case SecondChanceBegan():
            return translate("ubongo.told.second_chance")
        case RoundEnded(round=number):
            return translate("ubongo.told.round_over", round=number)
        case TieFound(seats=seats):
            return translate("ubongo.told.tie", name=join_names(seats, names, translate))
        case MatchEnded(winners=winners):
            if len(winners) > 1:
                return translate(
                    "ubongo.told.ended.shared", name=join_names(winners, names, translate)
                )
            return about_seat("ended", winners[0])
        case PiecePlaced(seat=seat, piece=piece) if seat == you or you is None:
            return about_seat("placed", seat, piece=piece)
        case PieceLifted(seat=seat, piece=piece) if seat == you or you is None:
            return about_seat("lifted", seat, piece=piece)
        case (
            MatchOpened()
            | DeckShuffled()
            | SeatReady()
            | CountdownBegan()
            | PiecePlaced()
            | PieceLifted()
            | PieceMoved()
            | ClocksShifted()
        ):
            return None
        case _:
            assert_never(event)
