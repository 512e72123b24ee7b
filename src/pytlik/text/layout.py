"""Blocks of lines: how much room they take, and how they're put together."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.text import Text

from pytlik.i18n import Catalogue
from pytlik.i18n.formats import format_list

FADED, GOLD = "#7a7a7a", "#ffd24a"


class TextFormat(NamedTuple):
    """What the text is for: plain ASCII or colour, and how many columns and rows there are."""

    plain: bool = False
    width: int = 80
    height: int = 24

    def style(self, style: str) -> str:
        """The style, if there's colour."""
        return "" if self.plain else style


def join_lines(lines: Iterable[Text]) -> Text:
    """Join lines into one text that is never wrapped: a drawing has its own lines."""
    return Text("\n", no_wrap=True, overflow="ignore").join(lines)


def block_width(lines: Iterable[Text]) -> int:
    return max(line.cell_len for line in lines)


def side_by_side(blocks: Sequence[list[Text]], gap: int = 4) -> list[Text]:
    lines = [Text() for _ in range(max(map(len, blocks), default=0))]
    start = 0
    for block in blocks:
        for line, part in zip(lines, block, strict=False):
            line.append(" " * (start - line.cell_len)).append(part)
        start += block_width(block) + gap
    return lines


def flow_blocks(blocks: Sequence[list[Text]], width: int, gap: int = 4) -> list[list[Text]]:
    """Blocks side by side, in as many rows of blocks as they need."""
    rows: list[list[list[Text]]] = []
    for block in blocks:
        if rows and block_width(side_by_side([*rows[-1], block], gap)) <= width:
            rows[-1].append(block)
        else:
            rows.append([block])
    return [side_by_side(row, gap) for row in rows]


def join_names(seats: Iterable[int], names: Sequence[str], translate: Catalogue) -> str:
    """The names of some seats in one sentence: "Ann and Ben"."""
    return format_list([names[seat] for seat in seats], translate)
