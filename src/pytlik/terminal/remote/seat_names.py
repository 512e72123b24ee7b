"""What the seats of a table on a server are called."""

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.protocol.messages import ChairInfo, TableInfo
from pytlik.terminal.bot_names import name_bots


def name_seats(table: TableInfo, yours: tuple[Seat, ...], translate: Catalogue) -> tuple[str, ...]:
    bots = name_bots(map(bot_level, table.chairs), translate)

    def name(seat: Seat, chair: ChairInfo) -> str:
        if yours == (seat,):
            return translate("play.you")
        if chair.name:
            return chair.name
        if chair.kind == "person":
            return translate("page.pass.player", n=seat + 1)
        return bots[seat] or translate("page.lobby.free")

    return tuple(name(seat, chair) for seat, chair in enumerate(table.chairs))


def bot_level(chair: ChairInfo) -> str | None:
    """The level of a bot on its own chair, or on one that someone left in the middle of a match."""
    is_bot = chair.kind == "bot" or (chair.kind == "free" and chair.stand_in)
    return chair.level if is_bot else None
