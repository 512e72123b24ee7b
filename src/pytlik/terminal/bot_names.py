"""What bots are called, and how they play. Every level has a name, the same as on the page."""

from collections import Counter
from collections.abc import Iterable, Sequence

from pytlik.i18n import Catalogue
from pytlik.i18n.formats import format_label


def name_bots(
    bots: Iterable[str | None], translate: Catalogue, *, others: Sequence[str] = ()
) -> tuple[str, ...]:
    """A name for each bot by its level; "" for None. A bot that isn't a level keeps its own name. A
    name that an earlier bot or one of the `others` has gets a number."""
    taken = Counter(name.lower() for name in others)

    def name(bot: str | None) -> str:
        if bot is None:
            return ""
        key = f"page.bot.name.{bot}"
        own = translate(key) if key in translate else bot
        taken[own.lower()] += 1
        number = taken[own.lower()]
        return f"{own} {number}" if number > 1 else own

    return tuple(map(name, bots))


def describe_bot(name: str, game: str, level: str, translate: Catalogue) -> str | None:
    """A bot's name, its level and how it plays; None if there is no text about it."""
    line = f"page.bot.{game}.{level}"
    if line not in translate:
        return None
    who = f"{name}, {translate(f'page.lobby.level.{level}')}"
    return format_label(who, translate(line), translate)
