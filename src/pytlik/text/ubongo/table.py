"""A View of Ubongo as text: in colour with blocks, or plain in ASCII."""

from collections.abc import Mapping, Sequence

from rich.text import Text

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.text.durations import format_time_left
from pytlik.text.layout import (
    FADED,
    GOLD,
    TextFormat,
    block_width,
    flow_blocks,
    join_lines,
    side_by_side,
)
from pytlik.text.ubongo.cards import draw_card, draw_piece
from pytlik.ubongo.hexes import Shape
from pytlik.ubongo.model import POINTS, SOLVING_PHASES, Gem, Phase, Purse
from pytlik.ubongo.view import View

GEM_COLOURS = {
    Gem.RUBY: "#e0455a",
    Gem.SAPPHIRE: "#4a86ea",
    Gem.EMERALD: "#2fae66",
    Gem.AMBER: "#c9862b",
}
HOURGLASS_WIDTH = 20
"""Columns of the hourglass."""
LAST_SECONDS_MS = 10_000
"""The sand turns red when this much is left."""


def draw_table(
    view: View,
    names: Sequence[str],
    translate: Catalogue,
    fmt: TextFormat,
    *,
    now: int,
    turned: Mapping[int, Shape] | None = None,
) -> Text:
    """Everything a player sees at one moment; `turned` has the pieces as they're held."""
    lines = [draw_header(view, now, translate, fmt), *draw_players(view, names, translate, fmt)]
    seat = view.seat
    if seat is not None and seat in view.deals and view.phase in SOLVING_PHASES:
        lines += draw_own_card(view, seat, translate, fmt, turned or {})
    return join_lines(lines)


def draw_all_cards(
    view: View, names: Sequence[str], translate: Catalogue, fmt: TextFormat, *, now: int
) -> Text:
    """Every card that may be seen, for people who watch."""
    lines = [draw_header(view, now, translate, fmt), *draw_players(view, names, translate, fmt)]
    blocks = [
        [Text(names[seat]), *draw_card(deal, view.placed.get(seat, {}), fmt, rows=1)]
        for seat, deal in view.deals.items()
    ]
    for row in flow_blocks(blocks, fmt.width) or [[]]:
        lines += [Text(), *row]
    return join_lines(lines)


def draw_hourglass(view: View, now: int, translate: Catalogue, fmt: TextFormat) -> Text:
    """How much sand is left, in words and as a bar."""
    if view.sand is None or not view.options.seconds:
        return Text(translate("ubongo.no_timer"))
    left = max(view.sand - now, 0)
    full = min(
        HOURGLASS_WIDTH * left // (1000 * view.options.seconds) + bool(left), HOURGLASS_WIDTH
    )
    sand, empty = "#-" if fmt.plain else "▓░"
    bar = sand * full + empty * (HOURGLASS_WIDTH - full)
    style = fmt.style("bold #ff6a50" if left <= LAST_SECONDS_MS else f"bold {GOLD}")
    return Text(f"{format_time_left(view.sand, now)} {bar}", style=style)


def draw_header(view: View, now: int, translate: Catalogue, fmt: TextFormat) -> Text:
    if view.deciding:
        line = Text(translate("ubongo.deciding"))
    else:
        line = Text(translate("ubongo.round", round=view.round, rounds=view.options.rounds))
    if view.phase is Phase.SECOND_CHANCE:
        line.append("   " + translate("ubongo.second_chance"))
    if view.phase in SOLVING_PHASES:
        line.append("   ").append(draw_hourglass(view, now, translate, fmt))
    return line.append("   " + translate("ubongo.display") + " ").append(
        draw_gems(view.books.display, translate, fmt)
    )


def draw_gems(gems: Purse, translate: Catalogue, fmt: TextFormat) -> Text:
    """How many of each gem: in words in plain text, otherwise as coloured stones."""
    counted = [(gem, count) for gem, count in gems.items() if count]
    if fmt.plain:
        parts = (translate(f"ubongo.gems.{gem}", n=count) for gem, count in counted)
        return Text(", ".join(parts) or "-")
    line = Text()
    for gem, count in counted:
        letter = translate(f"ubongo.gem_letter.{gem}")
        line.append(f"◆{count}{letter} ", style=f"bold {GEM_COLOURS[gem]}")
    return line


def describe_player_status(view: View, seat: Seat, translate: Catalogue) -> str:
    """What a player is doing, in a word or two."""
    if view.phase is Phase.COUNTDOWN or seat not in view.deals:
        return ""
    if seat in view.settled:
        return translate(
            "ubongo.doing.rank", place=translate(f"ubongo.place.{view.settled.index(seat)}")
        )
    if any(solution.seat == seat for solution in view.solutions):
        return translate("ubongo.doing.solved")
    if seat in view.gave_up:
        return translate("ubongo.doing.gave_up")
    return translate("ubongo.doing.solving") if view.phase in SOLVING_PHASES else ""


def draw_players(
    view: View, names: Sequence[str], translate: Catalogue, fmt: TextFormat
) -> list[Text]:
    """Everyone's points and gems, and what they are doing."""
    width = max(map(len, names)) + 2
    doing = [describe_player_status(view, seat, translate) for seat in range(len(names))]
    doing_width = max(14, *(len(words) + 2 for words in doing))
    lines = []
    for seat, name in enumerate(names):
        line = Text(name.ljust(width), style=fmt.style("bold"))
        line.append(translate("ubongo.points", n=view.points[seat]).ljust(11))
        line.append(doing[seat].ljust(doing_width))
        lines.append(line.append(draw_gems(view.books.held[seat], translate, fmt)))
    return lines


def describe_gem_values(translate: Catalogue) -> str:
    """What the gems are worth, which is always shown (G3)."""
    parts = (translate(f"ubongo.gem.{gem}") + f" {POINTS[gem]}" for gem in Gem)
    return translate("ubongo.values", values=", ".join(parts))


def draw_own_card(
    view: View, seat: Seat, translate: Catalogue, fmt: TextFormat, turned: Mapping[int, Shape]
) -> list[Text]:
    """The card with the free pieces beside it, large if there's room."""
    deal, placed = view.deals[seat], view.placed.get(seat, {})
    title = translate(
        "ubongo.card", card=deal.card, colour=translate(f"ubongo.colour.{deal.colour}")
    )
    held = {n: turned.get(n, cells) for n, cells in deal.pieces.items() if n not in placed}

    def blocks(rows: int) -> list[list[Text]]:
        pieces = (draw_piece(deal, n, cells, fmt, rows=rows) for n, cells in held.items())
        return [draw_card(deal, placed, fmt, rows=rows), *pieces]

    large, small = side_by_side(blocks(2)), side_by_side(blocks(1))
    room = fmt.height - view.players - 6
    if not fmt.plain and block_width(large) <= fmt.width and len(large) <= room:
        lines = large
    elif block_width(small) <= fmt.width:
        lines = small
    else:
        card, *pieces = blocks(1)
        lines = [*card, Text(), *side_by_side(pieces)]
    return [Text(title, style=fmt.style(FADED)), *lines]
