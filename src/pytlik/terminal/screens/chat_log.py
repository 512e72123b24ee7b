"""The chat at a table on a server, and the keys for it."""

from collections.abc import Sequence
from dataclasses import replace

from pytlik.i18n import Catalogue
from pytlik.terminal.screens.base_app import BaseApp
from pytlik.terminal.screens.seat_menu import close_dialog_then
from pytlik.terminal.session import ChatLine, TableUpdate, format_chat_line
from pytlik.terminal.widgets.chat import REACTIONS, ChatDialog
from pytlik.terminal.widgets.key_bar import BarItem

MAX_CHAT_LINES = 40
"""The same number that the server keeps."""


class ChatLog:
    def __init__(self, lines: Sequence[ChatLine] = ()) -> None:
        self.lines = tuple(lines)

    def add(self, line: ChatLine) -> None:
        """A line with a known number replaces the earlier one; an empty one only removes it."""
        if line.number is not None and line.number in [other.number for other in self.lines]:
            lines = [line if other.number == line.number else other for other in self.lines]
        else:
            lines = [*self.lines[1 - MAX_CHAT_LINES :], line]
        self.lines = tuple(line for line in lines if line.text != "")

    def copy_as_old_lines(self) -> list[ChatLine]:
        """Copies of the lines for another screen, none of them marked as new."""
        return [replace(line, fresh=False) for line in self.lines]

    def text(self, names: Sequence[str], translate: Catalogue) -> str:
        lines = [format_chat_line(line, names, translate) for line in self.lines]
        return "\n".join(lines) or translate("page.table.chat.nothing")


def chat_bar_items(app: BaseApp, table: TableUpdate | None, log: ChatLog) -> list[BarItem]:
    """The keys for chat and reactions, for people who sit here and aren't muted."""
    if table is None or not table.yours or table.table.chairs[table.yours[0]].muted:
        return []
    items = [BarItem("r", app.translate("page.table.react"), lambda: open_reactions(app))]
    if table.table.agreement["chat"]:
        chat = app.translate("page.table.chat.what")
        items.append(
            BarItem("m", chat, lambda: open_chat(app, log.text(table.names, app.translate)))
        )
    return items


def open_reactions(app: BaseApp) -> None:
    remote = app.remote
    if remote is None:
        return

    def item(number: int, reaction: str) -> BarItem:
        text = app.translate(f"page.table.reaction.{reaction}")
        return BarItem(str(number), text, close_dialog_then(app, lambda: remote.react(reaction)))

    items = [item(number, reaction) for number, reaction in enumerate(REACTIONS, 1)]
    app.open_menu(app.translate("page.table.react"), "", items)


def open_chat(app: BaseApp, text: str) -> None:
    if app.remote is not None:
        title, button = app.translate("page.table.part.chat"), app.translate("page.table.chat.say")
        app.open_dialog(ChatDialog(title, text, button, app.remote.chat))
