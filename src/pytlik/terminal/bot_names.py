"""What bots are called, and how they play: every level has a name, the same as on the page."""

from collections import Counter
from collections.abc import Iterable, Sequence

from pytlik.i18n import Catalogue


def name_bots(
    bots: Iterable[str | None], say: Catalogue, *, others: Sequence[str] = ()
) -> tuple[str, ...]:
    """A name for each bot by its level; "" for None. A bot that isn't a level is called what it is.
    If a bot before it or one of the `others` has the same name, it has a number too."""
    taken = Counter(name.lower() for name in others)

    def name(bot: str | None) -> str:
        if bot is None:
            return ""
        key = f"page.bot.name.{bot}"
        own = say(key) if key in say else bot
        taken[own.lower()] += 1
        number = taken[own.lower()]
        return f"{own} {number}" if number > 1 else own

    return tuple(map(name, bots))


def introduce_bot(name: str, game: str, level: str, say: Catalogue) -> str | None:
    """Who a bot is, its level and how it plays; None where nothing is known about it."""
    line = f"page.bot.{game}.{level}"
    return f"{name}, {say(f'page.lobby.level.{level}')}: {say(line)}" if line in say else None
