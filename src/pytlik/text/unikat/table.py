"""A View of Unikat as text: everything a seat sees at one moment, and the score sheet."""

from collections.abc import Mapping, Sequence

from rich.text import Text

from pytlik.i18n import Catalogue
from pytlik.i18n.formats import format_list
from pytlik.text.layout import (
    FADED,
    GOLD,
    TextFormat,
    block_width,
    join_lines,
    join_names,
    side_by_side,
)
from pytlik.text.unikat.board import Draft, choose_window, draw_board
from pytlik.text.unikat.tiles import TILE_WIDTH, describe_tile, draw_tile, draw_tiles
from pytlik.unikat.model import Cell, Phase, Tile
from pytlik.unikat.view import View

RACK_LETTERS = "abcdefghij"
"""The letters by which the rack's tiles are chosen."""
RACK_DISPLAY_GAP = 3
"""Columns between rack and display."""


def draw_table(
    view: View,
    names: Sequence[str],
    translate: Catalogue,
    fmt: TextFormat,
    *,
    draft: Draft | None = None,
    order: Sequence[Tile] | None = None,
    pan: Cell = Cell(0, 0),  # noqa: B008 - a frozen value
) -> Text:
    """Everything a seat sees at one moment, in as many rows as the terminal has."""
    draft = draft or Draft()
    below = draw_rack_and_display(view, order or view.hand, draft, translate, fmt)
    window = choose_window(view, fmt, draft, fmt.height - len(below) - 5, pan)
    lines = [draw_header(view, names, translate, fmt), *draw_board(view, fmt, draft, window)]
    if window.clipped:
        lines.append(Text(translate("unikat.clipped"), style=fmt.style(FADED)))
    if draft.places and (fmt.plain or any(cell not in window for cell in draft.places)):
        lines.append(list_places(draft, translate))
    lines += below
    if view.hands:
        lines += draw_open_hands(view.hands, names, fmt)
    return join_lines(lines)


def draw_header(view: View, names: Sequence[str], translate: Catalogue, fmt: TextFormat) -> Text:
    """How many tiles everyone has, whose turn it is, and what is left in the bag."""
    mark, accent = ("> ", "") if fmt.plain else ("▶ ", f"bold {GOLD}")
    line = draw_hand_sizes(
        view, names, translate, mark=mark, accent=accent, other=fmt.style("bold")
    )
    return line.append(translate("unikat.bag", n=view.bag))


def draw_hand_sizes(
    view: View, names: Sequence[str], translate: Catalogue, *, mark: str, accent: str, other: str
) -> Text:
    """The round, and how many tiles everyone has; a mark and an accent for whose turn it is."""
    line = Text(no_wrap=True, overflow="ellipsis")
    if view.options.rounds > 1:
        line.append(translate("unikat.round", round=view.round, rounds=view.options.rounds) + "   ")
    for seat, name in enumerate(names):
        to_move = view.phase is not Phase.OVER and seat == view.to_move
        text = f"{mark if to_move else ''}{name} {view.counts[seat]}"
        line.append(text, style=accent if to_move else other).append("   ")
    return line


def draw_rack_and_display(
    view: View, order: Sequence[Tile], draft: Draft, translate: Catalogue, fmt: TextFormat
) -> list[Text]:
    """The hand and the display, side by side if there's room."""
    open_tiles, hand = draw_display(view, translate, fmt), draw_rack(order, draft, translate, fmt)
    if fmt.plain:
        return [*open_tiles, *hand]
    open_tiles = [Text(translate("unikat.display"), style=FADED), *open_tiles]
    if not order:
        return open_tiles
    hand = [Text(translate("unikat.rack"), style=FADED), *hand]
    if block_width(hand) + RACK_DISPLAY_GAP + block_width(open_tiles) <= fmt.width:
        return side_by_side([hand, open_tiles], RACK_DISPLAY_GAP)
    return [*hand, *open_tiles]


def draw_display(view: View, translate: Catalogue, fmt: TextFormat) -> list[Text]:
    """The display's tiles under the numbers by which they are taken."""
    labelled = [(str(number), tile) for number, tile in enumerate(view.display, start=1)]
    if not labelled:
        return [Text(translate("unikat.display_empty"))]
    if fmt.plain:
        return [Text(translate("unikat.display") + "  ").append(draw_tiles(labelled, fmt)[0])]
    per_line = max((fmt.width - 2) // (TILE_WIDTH + 1), 1)
    lines: list[Text] = []
    for start in range(0, len(labelled), per_line):
        lines += draw_tiles(labelled[start : start + per_line], fmt)
    return lines


def draw_rack(
    order: Sequence[Tile], draft: Draft, translate: Catalogue, fmt: TextFormat
) -> list[Text]:
    """The hand under the letters by which its tiles are chosen."""
    used = {placed.tile for placed in draft.chain}
    labelled = [
        (letter.upper() if tile == draft.chosen else letter, None if tile in used else tile)
        for letter, tile in zip(RACK_LETTERS, order, strict=False)
    ]
    if not fmt.plain:
        return draw_tiles(labelled, fmt)
    return [
        Text(f"  {letter} {tile}  {describe_tile(tile, translate)}")
        for letter, tile in labelled
        if tile
    ]


def list_places(draft: Draft, translate: Catalogue) -> Text:
    places = "  ".join(
        f"[{number}] {cell.x},{cell.y}" for number, cell in enumerate(draft.places, start=1)
    )
    return Text(translate("unikat.places", places=places))


def draw_open_hands(
    hands: Sequence[Sequence[Tile]], names: Sequence[str], fmt: TextFormat
) -> list[Text]:
    """What everyone holds, which all may see once the round is over (U18)."""
    width = max(map(len, names)) + 2
    lines: list[Text] = []
    for name, hand in zip(names, hands, strict=True):
        line = Text(name.ljust(width))
        for tile in hand:
            line.append(Text(str(tile)) if fmt.plain else draw_tile(tile, 0, 1, dark=False))
            line.append(" ")
        lines.append(line)
    return lines


def status_line(view: View, names: Sequence[str], translate: Catalogue) -> str:
    """What is happening, in one short line."""
    if view.phase is Phase.OVER:
        return describe_round_result(view, names, translate)
    if view.seat != view.to_move:
        return translate("unikat.waiting", name=names[view.to_move])
    if view.phase is Phase.ACTION and view.choices.pass_:
        return translate("unikat.turn.pass")
    if view.phase is Phase.ACTION and not view.choices.lay:
        return translate("unikat.turn.swap")
    return translate(f"unikat.turn.{view.phase}")


def describe_round_result(view: View, names: Sequence[str], translate: Catalogue) -> str:
    winners = join_names(view.winners, names, translate)
    kind = "last_tile" if view.ended == "last tile" else "blocked"
    you = "you" if view.winners == (view.seat,) else "name"
    return translate(f"unikat.over.{kind}.{you}", name=winners, n=len(view.winners))


def draw_score_sheet(
    view: View, names: Sequence[str], translate: Catalogue, fmt: TextFormat
) -> Text:
    """A minus point for each tile left, a star for the winner of the round (U17)."""
    star = "*" if fmt.plain else "★"
    width = max(*map(len, names), 6) + 2
    head = translate("unikat.sheet.round")
    first = max(len(head), len(translate("unikat.sheet.total"))) + 2
    columns = "".join(name.rjust(width) for name in names)
    lines = [Text(head.ljust(first) + columns, style="bold")]
    for number, row in enumerate(view.sheet, start=1):
        cells = (
            f"{star if seat in row.winners else ''}{points}".rjust(width)
            for seat, points in enumerate(row.points)
        )
        lines.append(Text(str(number).ljust(first) + "".join(cells)))
    if len(view.sheet) > 1:
        totals = [sum(row.points[seat] for row in view.sheet) for seat in range(view.players)]
        cells = (str(points).rjust(width) for points in totals)
        lines.append(
            Text(translate("unikat.sheet.total").ljust(first) + "".join(cells), style="bold")
        )
    return join_lines(lines)


def describe_feature_clash(detail: Mapping[str, object], translate: Catalogue) -> str:
    """Which features of two tiles differ, where exactly one should."""
    features = detail["features"]
    assert isinstance(features, list)
    words = format_list([translate(f"unikat.feature.{feature}") for feature in features], translate)
    return translate("unikat.clash", features=words, neighbour=detail["neighbour"])
