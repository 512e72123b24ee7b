"""Events as one short line each, as a seat saw them happen."""

from collections.abc import Sequence
from typing import Any, assert_never

from pytlik.game import Hidden, Seat
from pytlik.i18n import Catalogue
from pytlik.ubongo import messages as ubongo
from pytlik.unikat import messages as unikat
from pytlik.unikat.model import Tile


def told(event: Any, names: Sequence[str], you: Seat | None, say: Catalogue) -> str | None:
    """The line about an event of either game; None for what need not be said."""
    if isinstance(event, unikat.Event):
        return told_unikat(event, names, you, say)
    return told_ubongo(event, names, you, say)


def all_names(seats: Sequence[Seat], names: Sequence[str]) -> str:
    return ", ".join(names[seat] for seat in seats)


def told_unikat(
    event: unikat.Event, names: Sequence[str], you: Seat | None, say: Catalogue
) -> str | None:
    def about(kind: str, seat: Seat, **fill: object) -> str:
        who = "you" if seat == you else "name"
        return say(f"unikat.told.{kind}.{who}", name=names[seat], **fill)

    match event:
        case unikat.RoundDealt(starter=starter, round=number):
            return about("dealt", starter, round=number)
        case unikat.ChainLaid(seat=seat, tiles=chain):
            tiles = "  ".join(f"{tile} {x},{y}" for tile, x, y in chain)
            return about("laid", seat, n=len(chain), tiles=tiles)
        case unikat.BonusEarned(seat=seat):
            return about("bonus", seat)
        case unikat.BonusDeclined(seat=seat):
            return about("declined", seat)
        case unikat.TileSwapped(seat=seat, give=give, take=take, source=source):
            return about("swapped", seat, give=give, take=taken(take, source, say))
        case unikat.TileDrawn(seat=seat, tile=tile, source=source):
            return about("drew", seat, take=taken(tile, source, say))
        case unikat.DisplayFilled(tiles=tiles):
            return say("unikat.told.filled", n=len(tiles), tiles="  ".join(tiles))
        case unikat.TurnPassed(seat=seat):
            return about("passed", seat)
        case unikat.MatchEnded(winners=winners):
            if len(winners) > 1:
                return say("unikat.told.ended.shared", name=all_names(winners, names))
            return about("ended", winners[0])
        case unikat.RoundEnded():
            return say("unikat.told.round_over")
        case unikat.MatchOpened() | unikat.DrawOwed() | unikat.TurnEnded() | unikat.SeatReady():
            return None
        case _:
            assert_never(event)


def taken(tile: Tile | Hidden, source: unikat.Source, say: Catalogue) -> str:
    if isinstance(tile, Hidden):
        return say("unikat.from_bag")
    return say(f"unikat.told.from.{source}", tile=tile)


def told_ubongo(
    event: ubongo.Event, names: Sequence[str], you: Seat | None, say: Catalogue
) -> str | None:
    def about(kind: str, seat: Seat, **fill: object) -> str:
        who = "you" if seat == you else "name"
        return say(f"ubongo.told.{kind}.{who}", name=names[seat], **fill)

    match event:
        case ubongo.RoundBegan(round=number):
            return say("ubongo.told.began", round=number)
        case ubongo.CardSolved(seat=seat):
            return about("solved", seat)
        case ubongo.SolutionSettled(seat=seat, rank=rank):
            return about("settled", seat, place=say(f"ubongo.place.{rank}"))
        case ubongo.GemTaken(seat=seat, gem=gem, source=source):
            return about("gem", seat, gem=say(f"ubongo.gem.{gem}"), where=say(f"ubongo.{source}"))
        case ubongo.GemBagged(gem=gem):
            return say("ubongo.told.bagged", gem=say(f"ubongo.gem.{gem}"))
        case ubongo.SeatGaveUp(seat=seat):
            return about("gave_up", seat)
        case ubongo.SandRanOut():
            return say("ubongo.told.sand")
        case ubongo.PatienceEnded():
            return say("ubongo.told.patience")
        case ubongo.SecondChanceBegan():
            return say("ubongo.told.second_chance")
        case ubongo.RoundEnded(round=number):
            return say("ubongo.told.round_over", round=number)
        case ubongo.TieFound(seats=seats):
            return say("ubongo.told.tie", name=all_names(seats, names))
        case ubongo.MatchEnded(winners=winners):
            if len(winners) > 1:
                return say("ubongo.told.ended.shared", name=all_names(winners, names))
            return about("ended", winners[0])
        case ubongo.PiecePlaced(seat=seat, piece=piece) if seat == you or you is None:
            return about("placed", seat, piece=piece)
        case ubongo.PieceLifted(seat=seat, piece=piece) if seat == you or you is None:
            return about("lifted", seat, piece=piece)
        case (
            ubongo.MatchOpened()
            | ubongo.DeckShuffled()
            | ubongo.SeatReady()
            | ubongo.CountdownBegan()
            | ubongo.PiecePlaced()
            | ubongo.PieceLifted()
            | ubongo.PieceMoved()
            | ubongo.ClocksShifted()
        ):
            return None
        case _:
            assert_never(event)
