"""Numbers and lists, as a language writes them. The page has `Intl` for this."""

import re
from collections.abc import Sequence

from pytlik.i18n import Catalogue

STARTS_WITH_I_SOUND = re.compile("[ií]|h[ií](?![ae])", re.IGNORECASE)
"""Matches words before which Spanish says "e" for "and": Inés and Hilda, but not Hiedra."""


def format_list(names: Sequence[str], translate: Catalogue) -> str:
    """ "Ann", "Ann and Ben", "Ann, Ben and Cem"."""
    if len(names) < 2:
        return "".join(names)
    key = "language.and_before_i" if STARTS_WITH_I_SOUND.match(names[-1]) else "language.and"
    return translate(key, first=", ".join(names[:-1]), last=names[-1])


def format_label(label: str, text: str, translate: Catalogue) -> str:
    """ "Level: easy", with a no-break space before the colon in French."""
    space = "\u00a0" if ":" in translate("language.spaced") else ""
    return f"{label}{space}: {text}"


def format_number(number: float, digits: int, translate: Catalogue) -> str:
    """A number with this many digits after the decimal sign: "1,234.5", or "1.234,5" in German."""
    signs = {",": translate("language.thousands"), ".": translate("language.decimal")}
    return "".join(signs.get(sign, sign) for sign in f"{number:,.{digits}f}")


def format_percent(share: float, digits: int, translate: Catalogue) -> str:
    """0.125 as "12.5%", or as "12,5 %" in German."""
    return translate("language.percent", n=format_number(100 * share, digits, translate))
