"""What people write, made plain: names and chat are text, and nothing in it does anything."""

import unicodedata

from pytlik.game import Malformed, Reason

LONGEST_NAME = 24

NOT_SHOWN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Controls, marks that turn the direction of text, halves of characters, and what nobody can see
(Unicode's general categories)."""

JOINER = "\u200d"
"""Families and flags are drawn of several characters that this one holds together."""


def plain(text: str, longest: int) -> str:
    """One line without anything that is not shown, cut to a length."""
    shown = "".join(
        character if character == JOINER or not hidden(character) else " " * character.isspace()
        for character in unicodedata.normalize("NFC", text)
    )
    return " ".join(shown.split())[:longest].strip(f" {JOINER}")


def hidden(character: str) -> bool:
    return unicodedata.category(character) in NOT_SHOWN


def name(text: str) -> str:
    """A name as it is shown. Raises Malformed where nothing is left of it, or it is too long."""
    made = plain(text, LONGEST_NAME + 1)
    if not 0 < len(made) <= LONGEST_NAME:
        raise Malformed(Reason.BAD_NAME)
    return made
