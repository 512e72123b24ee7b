"""What can be done about a match on a server, besides playing: pause it, sit down, play again."""

from pytlik.terminal.remote.session import RemoteSession
from pytlik.terminal.screens.base_app import BaseApp
from pytlik.terminal.screens.table_notice import (
    has_asked_for_rematch,
    has_stand_in_for_you,
    is_paused,
)
from pytlik.terminal.session import TableUpdate
from pytlik.terminal.widgets.key_bar import BarItem


def table_bar_items(app: BaseApp, table: TableUpdate | None) -> list[BarItem]:
    remote, translate = app.remote, app.translate
    if table is None or remote is None:
        return []
    if table.table.phase == "over":
        return rematch_bar_items(app, remote, table)
    items: list[BarItem] = []
    if has_stand_in_for_you(table):

        def take_back() -> None:
            for seat in table.yours:
                remote.player_api.take_seat_back(seat)

        items.append(BarItem("F2", translate("page.table.take_back"), take_back, strong=True))
    free = any(chair.kind == "free" for chair in table.table.chairs)
    if not table.yours and free:
        items.append(BarItem("F2", translate("page.table.sit"), app.take_seat, strong=True))
    if table.yours:
        items.append(pause_bar_item(app, table))
    return items


def rematch_bar_items(app: BaseApp, remote: RemoteSession, table: TableUpdate) -> list[BarItem]:
    """Another match: at once if only the host is there, or when everyone wants it. A host can call
    the others back to the lobby instead."""
    translate = app.translate

    def play_again() -> None:
        remote.host_api.play_again(table)

    if not table.yours or (table.is_alone and table.host):
        again = BarItem("F4", translate("page.table.again"), play_again, strong=True)
        return [again] if table.host else []
    items = []
    if not has_asked_for_rematch(table):
        vote = remote.player_api.vote_for_rematch
        items.append(BarItem("F4", translate("page.table.again"), vote, strong=True))
    if table.host:
        items.append(BarItem("F7", translate("page.table.again.lobby"), play_again))
    return items


def pause_bar_item(app: BaseApp, table: TableUpdate) -> BarItem:
    paused, wished = is_paused(table), bool(table.table.pausing)
    mine = any(seat in table.table.pausing for seat in table.yours)
    if paused:
        key = "page.table.paused.wait" if mine else "page.table.paused.go_on"
    elif mine:
        key = "page.table.pause.no_longer"
    else:
        key = "page.table.pause.agree" if wished else "page.table.pause.ask"

    def toggle_pause() -> None:
        if app.remote is not None:
            app.remote.player_api.pause(wanted=not mine)

    return BarItem("F3", app.translate(key), toggle_pause, strong=not mine and (paused or wished))


def match_over_bar_items(app: BaseApp, table: TableUpdate | None) -> list[BarItem]:
    """What can be done when a match is over."""
    return [
        *table_bar_items(app, table),
        BarItem("Esc", app.translate("terminal.look"), app.close_dialog),
        BarItem("^q", app.translate("terminal.key.leave"), app.leave),
    ]
