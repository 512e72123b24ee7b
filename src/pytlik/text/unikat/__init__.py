"""Unikat as text."""

from pytlik.text import GameText
from pytlik.text.unikat.events import describe_event
from pytlik.text.unikat.options import summarize_options
from pytlik.text.unikat.table import draw_table
from pytlik.text.unikat.tiles import replace_tile_codes

TEXT = GameText(
    describe_event=describe_event,
    draw_view=lambda view, names, translate, fmt, now: draw_table(view, names, translate, fmt),  # noqa: ARG005
    summarize_options=summarize_options,
    draw_line=replace_tile_codes,
)
