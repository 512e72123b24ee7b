"""A league as a picture: each bot's share of wins against the others, with its uncertainty."""

import importlib
from io import BytesIO
from typing import Any

from pytlik.arena.league import LeagueTable
from pytlik.extras import explain_missing_extra
from pytlik.i18n import Catalogue

DOT_COLOUR, BAR_COLOUR, FAIR_SHARE_COLOUR = "#1f5fa8", "#8fb4dc", "#b0582a"


def import_matplotlib() -> Any:
    """Import matplotlib. Raises Missing if it isn't installed."""
    with explain_missing_extra("plot"):
        return importlib.import_module("matplotlib.figure")


def draw_png(table: LeagueTable, translate: Catalogue) -> bytes:
    contest = table.contest
    figure = import_matplotlib().Figure(
        figsize=(7, 1.4 + 0.42 * len(table.lines)), layout="constrained"
    )
    axes = figure.subplots()
    places = list(range(len(table.lines), 0, -1))
    shares = [100 * line.wins for line in table.lines]
    low = [100 * (line.wins - line.low) for line in table.lines]
    high = [100 * (line.high - line.wins) for line in table.lines]
    bars = {"fmt": "o", "color": DOT_COLOUR, "ecolor": BAR_COLOUR, "elinewidth": 6, "markersize": 6}
    bars["clip_on"] = False  # so that the dot of a bot that won every game is whole
    axes.errorbar(shares, places, xerr=[low, high], **bars)
    axes.axvline(100 / contest.players, color=FAIR_SHARE_COLOUR, linestyle="--", linewidth=1)
    names = [translate("arena.against", bot=line.bot, other=line.against) for line in table.lines]
    axes.set_yticks(places, names)
    axes.set_xlim(0, 100)
    axes.set_ylim(0.4, len(places) + 0.6)
    axes.set_xlabel(translate("arena.wins_percent"))
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="x", color="#dddddd")
    axes.set_axisbelow(True)
    games = table.lines[0].games
    axes.set_title(translate("arena.title", game=contest.game, players=contest.players, n=games))
    picture = BytesIO()
    figure.savefig(picture, format="png", dpi=144)
    return picture.getvalue()
