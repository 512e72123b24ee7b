"""Ubongo as text."""

from pytlik.text import GameText
from pytlik.text.ubongo.events import describe_event
from pytlik.text.ubongo.options import summarize_options
from pytlik.text.ubongo.table import draw_all_cards

TEXT = GameText(
    describe_event=describe_event,
    draw_view=draw_all_cards,
    summarize_options=summarize_options,
)
