"""How a round or a match has ended, as a text."""

from collections.abc import Sequence

from rich.text import Text

from pytlik.i18n import Catalogue
from pytlik.terminal.tiles import SIZES, tile_row
from pytlik.unikat.drawn import Look
from pytlik.unikat.messages import ChainLaid
from pytlik.unikat.text import over, sheet
from pytlik.unikat.view import View


def unikat_end(
    view: View, names: Sequence[str], say: Catalogue, longest: ChainLaid | None
) -> tuple[str, Text]:
    """A title, and the hands, the sheet and the best turn."""
    title = say("page.unikat.sheet")
    text = Text()
    if view.hands:
        title = over(view, names, say)
        width = max(map(len, names)) + 2
        for name, hand in zip(names, view.hands, strict=True):
            text.append(name.ljust(width))
            for tile in hand:
                for picture in tile_row(tile, 0, SIZES[1]):
                    text.append(picture.text, style=picture.style)
                text.append(" ")
            text.append("\n")
        text.append("\n")
    text.append(say("page.unikat.sheet") + "\n", style="bold")
    text.append(sheet(view, names, say, Look()))
    if longest is not None and view.hands:
        best = say("unikat.longest", name=names[longest.seat], n=len(longest.tiles))
        text.append("\n\n" + best)
    if view.outcome is not None:
        text.append("\n\n" + won(view.outcome.winners, view.seat, names, say), style="bold")
    return title, text


def won(winners: Sequence[int], seat: int | None, names: Sequence[str], say: Catalogue) -> str:
    if len(winners) > 1:
        named = ", ".join(names[winner] for winner in winners)
        return say("page.unikat.over.match.shared", names=named)
    if winners[0] == seat:
        return say("page.unikat.over.match.you") + "  " + say("play.cheer")
    return say("page.unikat.over.match.name", name=names[winners[0]])
