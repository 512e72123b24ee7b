"""What someone at a table on a server has to know about it, besides the game."""

import math

from rich.text import Text

from pytlik.i18n import Catalogue
from pytlik.i18n.formats import format_list
from pytlik.terminal.session import TableUpdate
from pytlik.text.durations import format_time_left


def is_paused(table: TableUpdate | None) -> bool:
    return table is not None and table.table.paused is not None


def has_stand_in_for_you(table: TableUpdate | None) -> bool:
    """Whether a bot plays for the person."""
    return table is not None and any(table.table.chairs[seat].stand_in for seat in table.yours)


def has_asked_for_rematch(table: TableUpdate) -> bool:
    """Whether the person has said that they want another match."""
    return any(seat in table.table.again for seat in table.yours)


def table_notice(table: TableUpdate | None, translate: Catalogue, now: int) -> str:
    """What stands in the way of playing, or is worth knowing about the others."""
    if table is None or table.table.phase == "lobby":
        return ""
    info, yours = table.table, table.yours
    if info.phase == "over":
        return rematch_notice(table, translate)
    if has_stand_in_for_you(table):
        return translate("page.table.stand_in")
    if not yours and any(chair.kind == "free" for chair in info.chairs):
        return translate("page.table.free_seat")
    if is_paused(table):
        return ""
    others = [seat for seat in info.pausing if seat not in yours]
    if others:
        return translate("page.table.pause.wished", name=table.names[others[0]])
    if info.pausing:
        return translate("page.table.pause.asked")
    if not info.agreement["slow"] and (away := away_notice(table, translate, now)):
        return away
    return "" if yours else translate("page.table.watching")


def rematch_notice(table: TableUpdate, translate: Catalogue) -> str:
    """Who wants another match, when one is over."""
    if has_asked_for_rematch(table):
        return translate("page.table.again.others")
    names = [table.names[seat] for seat in table.table.again]
    return translate("page.table.again.ready", names=format_list(names, translate)) if names else ""


def away_notice(table: TableUpdate, translate: Catalogue, now: int) -> str:
    """Who is away: the person for whom a bot steps in soonest, and when that happens."""
    away = [
        (math.inf if chair.stand_in_at is None else chair.stand_in_at, table.names[seat])
        for seat, chair in enumerate(table.table.chairs)
        if chair.kind == "person" and not (chair.here or chair.stand_in or seat in table.yours)
    ]
    if not away:
        return ""
    at, name = min(away, key=lambda each: each[0])
    if at == math.inf:
        return translate("page.table.away", name=name)
    return translate("page.table.away.countdown", name=name, time=format_time_left(int(at), now))


def draw_pause_curtain(table: TableUpdate, translate: Catalogue) -> Text:
    """Hide the table during a pause, so that nobody plans ahead while the clocks stand still."""
    text = Text(translate("page.table.paused") + "\n\n", style="bold")
    text.append(translate("page.table.paused.what"), style="not bold")
    ready = [table.names[seat] for seat in table.table.pausing]
    if ready:
        text.append(
            "\n\n" + translate("page.table.paused.ready", names=format_list(ready, translate))
        )
    return text
