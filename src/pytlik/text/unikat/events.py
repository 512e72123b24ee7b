"""Events of Unikat as one short line each."""

from collections.abc import Sequence
from typing import assert_never

from pytlik.game import Hidden, Seat
from pytlik.i18n import Catalogue
from pytlik.text.layout import join_names
from pytlik.unikat.messages import (
    BonusDeclined,
    BonusEarned,
    ChainLaid,
    DisplayFilled,
    DrawOwed,
    Event,
    MatchEnded,
    MatchOpened,
    RoundDealt,
    RoundEnded,
    SeatReady,
    Source,
    TileDrawn,
    TileSwapped,
    TurnEnded,
    TurnPassed,
)
from pytlik.unikat.model import Tile


def describe_event(
    event: Event, names: Sequence[str], you: Seat | None, translate: Catalogue
) -> str | None:
    """The line about an event, as a seat saw it; None if there is nothing to say."""

    def about_seat(kind: str, seat: Seat, **fill: object) -> str:
        who = "you" if seat == you else "name"
        return translate(f"unikat.told.{kind}.{who}", name=names[seat], **fill)

    match event:
        case RoundDealt(starter=starter, round=number):
            return about_seat("dealt", starter, round=number)
        case ChainLaid(seat=seat, tiles=chain):
            tiles = "  ".join(f"{tile} {x},{y}" for tile, x, y in chain)
            return about_seat("laid", seat, n=len(chain), tiles=tiles)
        case BonusEarned(seat=seat):
            return about_seat("bonus", seat)
        case BonusDeclined(seat=seat):
            return about_seat("declined", seat)
        case TileSwapped(seat=seat, give=give, take=take, source=source):
            return about_seat(
                "swapped", seat, give=give, take=describe_taken_tile(take, source, translate)
            )
        case TileDrawn(seat=seat, tile=tile, source=source):
            return about_seat("drew", seat, take=describe_taken_tile(tile, source, translate))
        case DisplayFilled(tiles=tiles):
            return translate("unikat.told.filled", n=len(tiles), tiles="  ".join(tiles))
        case TurnPassed(seat=seat):
            return about_seat("passed", seat)
        case MatchEnded(winners=winners):
            if len(winners) > 1:
                return translate(
                    "unikat.told.ended.shared", name=join_names(winners, names, translate)
                )
            return about_seat("ended", winners[0])
        case RoundEnded():
            return translate("unikat.told.round_over")
        case MatchOpened() | DrawOwed() | TurnEnded() | SeatReady():
            return None
        case _:
            assert_never(event)


def describe_taken_tile(tile: Tile | Hidden, source: Source, translate: Catalogue) -> str:
    """The tile and where it came from; only "from the bag" if the tile is hidden."""
    if isinstance(tile, Hidden):
        return translate("unikat.from_bag")
    return translate(f"unikat.told.from.{source}", tile=tile)
