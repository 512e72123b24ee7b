"""How a round or a match of Unikat has ended, as a text."""

from collections.abc import Sequence

from rich.text import Text

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.terminal.unikat.tiles import TILE_SIZES, draw_tile
from pytlik.text.layout import TextFormat, join_names
from pytlik.text.unikat.table import describe_round_result, draw_score_sheet
from pytlik.unikat.messages import ChainLaid
from pytlik.unikat.model import Tile
from pytlik.unikat.view import View


def draw_small_tile(tile: Tile) -> Text:
    text = Text()
    for segment in draw_tile(tile, 0, TILE_SIZES[1]):
        text.append(segment.text, style=segment.style)
    return text


def describe_round_end(
    view: View, names: Sequence[str], translate: Catalogue, longest: ChainLaid | None
) -> tuple[str, Text]:
    """A title, and a text with the hands, the score sheet and the longest chain."""
    title = translate("page.unikat.sheet")
    text = Text()
    if view.hands:
        title = describe_round_result(view, names, translate)
        width = max(map(len, names)) + 2
        for name, hand in zip(names, view.hands, strict=True):
            text.append(name.ljust(width))
            for tile in hand:
                text.append(draw_small_tile(tile)).append(" ")
            text.append("\n")
        text.append("\n")
    text.append(translate("page.unikat.sheet") + "\n", style="bold")
    text.append(draw_score_sheet(view, names, translate, TextFormat()))
    if longest is not None and view.hands:
        best = translate("unikat.longest", name=names[longest.seat], n=len(longest.tiles))
        text.append("\n\n" + best)
    if view.outcome is not None:
        winners = describe_winners(view.outcome.winners, view.seat, names, translate)
        text.append("\n\n" + winners, style="bold")
    return title, text


def describe_winners(
    winners: Sequence[Seat], seat: Seat | None, names: Sequence[str], translate: Catalogue
) -> str:
    if len(winners) > 1:
        return translate(
            "page.unikat.over.match.shared", names=join_names(winners, names, translate)
        )
    if winners[0] == seat:
        return translate("page.unikat.over.match.you") + "  " + translate("play.cheer")
    return translate("page.unikat.over.match.name", name=names[winners[0]])
