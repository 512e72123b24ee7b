"""What someone at a table on a server has to know about it, besides the game."""

from rich.text import Text

from pytlik.i18n import Catalogue
from pytlik.i18n.formats import format_list
from pytlik.terminal.session import TableUpdate


def is_paused(table: TableUpdate | None) -> bool:
    return table is not None and table.table.paused is not None


def is_replaced(table: TableUpdate | None) -> bool:
    """Whether a bot plays for the person."""
    return table is not None and any(table.table.chairs[seat].stand_in for seat in table.yours)


def table_notice(table: TableUpdate | None, say: Catalogue) -> str:
    """What stands in the way of playing, or should be known about the others."""
    if table is None or table.table.phase == "lobby":
        return ""
    info, yours = table.table, table.yours
    if info.phase == "over":
        return say("page.table.again.wait") if yours and not table.host else ""
    if is_replaced(table):
        return say("page.table.stand_in")
    if not yours and any(chair.kind == "free" for chair in info.chairs):
        return say("page.table.free_seat")
    if is_paused(table):
        return ""
    others = [seat for seat in info.pausing if seat not in yours]
    if others:
        return say("page.table.pause.wished", name=table.names[others[0]])
    if info.pausing:
        return say("page.table.pause.asked")
    away = [
        table.names[seat]
        for seat, chair in enumerate(info.chairs)
        if chair.kind == "person" and not (chair.here or chair.stand_in or seat in yours)
    ]
    if away and not info.agreement["slow"]:
        return say("page.table.away", name=away[0])
    return "" if yours else say("page.table.watching")


def pause_curtain(table: TableUpdate, say: Catalogue) -> Text:
    """Hides the table in a pause, so that nobody thinks on while the clocks stand still."""
    text = Text(say("page.table.paused") + "\n\n", style="bold")
    text.append(say("page.table.paused.what"), style="not bold")
    ready = [table.names[seat] for seat in table.table.pausing]
    if ready:
        text.append("\n\n" + say("page.table.paused.ready", names=format_list(ready, say)))
    return text
