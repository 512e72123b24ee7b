"""Who sits at a table on a server, and what the person in a seat or the host can do about it."""

from collections.abc import Callable
from typing import NamedTuple

from pytlik.game import Seat
from pytlik.games import GAMES
from pytlik.i18n import Catalogue
from pytlik.terminal.remote.session import RemoteSession
from pytlik.terminal.screens.base_app import BaseApp
from pytlik.terminal.session import TableUpdate
from pytlik.terminal.widgets.dialogs import Dialog, Question
from pytlik.terminal.widgets.key_bar import BarItem


def describe_seat(table: TableUpdate, seat: Seat, translate: Catalogue) -> str:
    """Who or what is on a seat, in a word or two."""
    chair = table.table.chairs[seat]
    lobby = table.table.phase == "lobby"
    if chair.kind == "free":
        return translate("page.lobby.free" if lobby else "page.table.people.free")
    if chair.kind == "bot":
        return translate(f"page.lobby.level.{chair.level}")
    if chair.stand_in:
        return translate("page.table.people.stand_in")
    if seat in table.yours:
        return translate("page.lobby.you_host" if table.host else "page.lobby.you")
    if chair.muted:
        return translate("page.lobby.muted")
    return translate("page.lobby.here" if chair.here else "page.lobby.away")


def close_dialog_then(app: BaseApp, do: Callable[[], object]) -> Callable[[], None]:
    """Close the dialog that offered something, then do it."""

    def close_and_do() -> None:
        app.close_dialog()
        do()

    return close_and_do


def open_seat_list(app: BaseApp, table: TableUpdate | None) -> None:
    """List everyone at the table; choosing someone shows what can be done about their seat."""
    if table is None:
        return

    def item(seat: Seat, name: str) -> BarItem:
        text = f"{name}  ({describe_seat(table, seat, app.translate)})"
        if not seat_menu_items(app, table, seat):
            return BarItem("·", text)
        return BarItem(
            str(seat + 1), text, close_dialog_then(app, lambda: open_seat_menu(app, table, seat))
        )

    items = [item(seat, name) for seat, name in enumerate(table.names)]
    app.open_menu(app.translate("page.lobby.seats"), "", items)


def open_seat_menu(app: BaseApp, table: TableUpdate | None, seat: Seat) -> None:
    if table is None or seat >= len(table.names):
        return
    items = seat_menu_items(app, table, seat)
    if items:
        chair = table.table.chairs[seat]
        app.open_menu(chair.name or table.names[seat], explain_seat(app, table, seat), items)


def explain_seat(app: BaseApp, table: TableUpdate, seat: Seat) -> str:
    """What to know before doing something about a seat: how its bot plays, or what a removed person
    can no longer do."""
    chair = table.table.chairs[seat]
    if chair.kind == "bot":
        line = f"page.bot.{table.table.game}.{chair.level}"
        return app.translate(line) if line in app.translate else ""
    is_other_person = chair.kind == "person" and seat not in table.yours
    return app.translate("page.lobby.free_seat.what") if is_other_person else ""


class Offer(NamedTuple):
    """Something that can be done about a seat."""

    text: str
    do: Callable[[], object]
    current: bool = False
    """Whether this is the present state."""


def seat_menu_items(app: BaseApp, table: TableUpdate, seat: Seat) -> list[BarItem]:
    """What can be done about a seat, with the keys 1, 2 ..."""
    remote = app.remote
    if table.table.phase == "over" or remote is None:
        return []
    if seat in table.yours:
        offers = offers_for_own_seat(app, remote, table, seat)
    elif not table.host:
        offers = []
    elif table.table.chairs[seat].kind == "person":
        offers = offers_for_person(app, remote, table, seat)
    else:
        offers = offers_for_bot(app, remote, table, seat)
    return [
        BarItem(str(number), offer.text, close_dialog_then(app, offer.do), strong=offer.current)
        for number, offer in enumerate(offers, 1)
    ]


def offers_for_own_seat(
    app: BaseApp, remote: RemoteSession, table: TableUpdate, seat: Seat
) -> list[Offer]:
    translate, api = app.translate, remote.player_api

    def rename() -> None:
        question = Question(
            translate("page.lobby.rename"),
            translate("page.lobby.name"),
            translate("page.lobby.rename.done"),
            lambda name: api.rename(seat, name),
            value=table.table.chairs[seat].name,
        )
        app.open_dialog(question)

    def ask_to_leave() -> None:
        leave = close_dialog_then(app, lambda: api.free_seat(seat))
        yes = BarItem("1", translate("page.table.leave.yes"), leave)
        no = BarItem("Esc", translate("page.close"), app.close_dialog)
        title, text = translate("page.table.part.leave"), translate("page.table.leave.what")
        app.open_dialog(Dialog(title, text, [yes, no]))

    if table.table.phase == "lobby":
        leave = Offer(translate("page.lobby.stand_up"), lambda: api.free_seat(seat))
    else:
        leave = Offer(translate("page.table.part.leave"), ask_to_leave)
    return [Offer(translate("page.lobby.rename"), rename), leave]


def offers_for_person(
    app: BaseApp, remote: RemoteSession, table: TableUpdate, seat: Seat
) -> list[Offer]:
    translate, api = app.translate, remote.host_api
    muted = table.table.chairs[seat].muted
    level = str(table.table.agreement["bot_level"])
    mute = translate("page.lobby.unmute" if muted else "page.lobby.mute")
    return [
        Offer(mute, lambda: api.mute(seat, muted=not muted)),
        Offer(translate("page.lobby.make_host"), lambda: api.make_host(seat)),
        Offer(translate("page.lobby.replace"), lambda: api.replace_by_bot(seat, level)),
        Offer(translate("page.lobby.free_seat"), lambda: remote.player_api.free_seat(seat)),
    ]


def offers_for_bot(
    app: BaseApp, remote: RemoteSession, table: TableUpdate, seat: Seat
) -> list[Offer]:
    """A bot of any level; before the match starts, also no bot."""
    translate, api = app.translate, remote.host_api
    chair = table.table.chairs[seat]
    is_bot = chair.kind == "bot"

    def offer_level(level: str) -> Offer:
        text = translate(f"page.lobby.level.{level}")
        current = is_bot and level == chair.level
        return Offer(text, lambda: api.seat_bot(seat, level), current)

    offers = [offer_level(level) for level in GAMES[table.table.game].levels]
    if is_bot and table.table.phase == "lobby":
        remove = translate("page.lobby.remove_bot", name=table.names[seat])
        offers.append(Offer(remove, lambda: api.remove_bot(seat)))
    return offers
