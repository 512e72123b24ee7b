"""What the seats of a table on a server are called."""

from pytlik.game import Seat
from pytlik.i18n import Catalogue
from pytlik.protocol.messages import ChairInfo, TableInfo


def name_seats(table: TableInfo, yours: tuple[Seat, ...], say: Catalogue) -> tuple[str, ...]:
    """Bots are numbered only where there are several."""
    bots = [seat for seat, chair in enumerate(table.chairs) if is_played_by_bot(chair)]

    def name(seat: Seat, chair: ChairInfo) -> str:
        if yours == (seat,):
            return say("play.you")
        if chair.name:
            return chair.name
        if chair.kind == "person":
            return say("page.pass.player", n=seat + 1)
        if seat not in bots:
            return say("page.lobby.free")
        if len(bots) == 1:
            return say("page.lobby.bot")
        return say("page.lobby.bot_number", n=bots.index(seat) + 1)

    return tuple(name(seat, chair) for seat, chair in enumerate(table.chairs))


def is_played_by_bot(chair: ChairInfo) -> bool:
    """A bot's own chair, or one that someone left in the middle of a match."""
    return chair.kind == "bot" or (chair.kind == "free" and chair.stand_in)
