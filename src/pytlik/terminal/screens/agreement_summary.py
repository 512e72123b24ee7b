"""A summary of what has been agreed on at a table on a server."""

from typing import Any

from pytlik.games import GAMES
from pytlik.i18n import Catalogue
from pytlik.terminal.session import TableUpdate
from pytlik.text import find_game_text
from pytlik.text.durations import describe_duration


def summarize_options_and_agreement(table: TableUpdate, translate: Catalogue) -> list[str]:
    info = table.table
    text = find_game_text(GAMES[info.game])
    options = text.summarize_options(info.options, table.names, translate) if text else []
    return [*options, *summarize_agreement(info.agreement, translate)]


def summarize_agreement(agreement: dict[str, Any], translate: Catalogue) -> list[str]:
    lines = [translate("page.lobby.sum.slow")] if agreement["slow"] else []
    turn_seconds = agreement["turn_seconds"]
    if turn_seconds is not None:
        lines.append(
            translate("page.lobby.sum.turn", span=describe_duration(turn_seconds, translate))
        )
    listed, chat = agreement["listed"], agreement["chat"]
    return [
        *lines,
        translate("page.lobby.sum.listed" if listed else "page.lobby.sum.private"),
        translate("page.lobby.sum.chat" if chat else "page.lobby.sum.no_chat"),
        *([] if agreement.get("aids", True) else [translate("page.lobby.sum.no_aids")]),
    ]
