"""Who sits at a table on a server, and what can be done about a seat: about one's own, and by the
host about any."""

from collections.abc import Callable

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.terminal.bar import Item
from pytlik.terminal.dialogs import Dialog, Question
from pytlik.terminal.rivals import LEVELS
from pytlik.terminal.seated import TableSeen
from pytlik.terminal.stage import Stage


def standing(table: TableSeen, seat: Seat, say: Catalogue) -> str:
    """How it is about a seat, in a word or two."""
    chair = table.table.chairs[seat]
    lobby = table.table.phase == "lobby"
    if chair.kind == "free":
        return say("page.lobby.free" if lobby else "page.table.people.free")
    if chair.kind == "bot":
        return say(f"page.lobby.level.{chair.level}")
    if chair.stand_in:
        return say("page.table.people.stand_in")
    if seat in table.yours:
        return say("page.lobby.you_host" if table.host else "page.lobby.you")
    if chair.muted:
        return say("page.lobby.muted")
    return say("page.lobby.here" if chair.here else "page.lobby.away")


def seat_items(stage: Stage, table: TableSeen, seat: Seat) -> list[Item]:
    """What can be done about a seat, in the order of the keys 1, 2 ..."""
    if table.table.phase == "over":
        return []
    kind = table.table.chairs[seat].kind
    if seat in table.yours:
        offers = own_seat(stage, table, seat)
    elif not table.host:
        offers = []
    elif kind == "person":
        offers = persons_seat(stage, table, seat)
    else:
        offers = bots_seat(stage, table, seat)
    return [
        Item(str(number), text, closing(stage, do), strong=strong)
        for number, (text, do, strong) in enumerate(offers, 1)
    ]


Offer = tuple[str, Callable[[], object], bool]
"""What it is called, what it does, and whether it is so now."""


def closing(stage: Stage, do: Callable[[], object]) -> Callable[[], None]:
    def closed() -> None:
        stage.close_dialog()
        do()

    return closed


def own_seat(stage: Stage, table: TableSeen, seat: Seat) -> list[Offer]:
    there, say = stage.there, stage.say
    assert there is not None

    def rename() -> None:
        title, button = say("page.lobby.rename"), say("page.lobby.rename.done")
        question = Question(
            title,
            say("page.lobby.name"),
            button,
            lambda name: there.rename(seat, name),
            value=table.table.chairs[seat].name,
        )
        stage.lay_over(question)

    def give_up() -> None:
        yes = Item("1", say("page.table.leave.yes"), closing(stage, lambda: there.free(seat)))
        no = Item("Esc", say("page.close"), stage.close_dialog)
        text = say("page.table.leave.what")
        stage.lay_over(Dialog(say("page.table.part.leave"), text, [yes, no]))

    offers: list[Offer] = [(say("page.lobby.rename"), rename, False)]
    if table.table.phase == "lobby":
        offers.append((say("page.lobby.stand_up"), lambda: there.free(seat), False))
    else:
        offers.append((say("page.table.part.leave"), give_up, False))
    return offers


def persons_seat(stage: Stage, table: TableSeen, seat: Seat) -> list[Offer]:
    there, say = stage.there, stage.say
    assert there is not None
    muted = table.table.chairs[seat].muted
    level = str(table.table.agreement["bot_level"])
    mute = say("page.lobby.unmute" if muted else "page.lobby.mute")
    return [
        (mute, lambda: there.mute(seat, muted=not muted), False),
        (say("page.lobby.make_host"), lambda: there.make_host(seat), False),
        (say("page.lobby.replace"), lambda: there.replace(seat, level), False),
        (say("page.lobby.free_seat"), lambda: there.free(seat), False),
    ]


def bots_seat(stage: Stage, table: TableSeen, seat: Seat) -> list[Offer]:
    """A bot of any strength; and none, before the match begins."""
    there, say = stage.there, stage.say
    assert there is not None
    chair = table.table.chairs[seat]
    bot = chair.kind == "bot"

    def seating(level: str) -> Callable[[], None]:
        return lambda: there.seat_bot(seat, level)

    offers: list[Offer] = [
        (
            say(f"page.lobby.level.{level}"),
            seating(level),
            bot and level == chair.level,
        )
        for level in LEVELS
    ]
    if bot and table.table.phase == "lobby":
        away = say("page.lobby.remove_bot", name=table.names[seat])
        offers.append((away, lambda: there.send_bot_away(seat), False))
    return offers
