"""Commands in the person's language: each can be typed in English or in their own words."""

import unicodedata
from collections.abc import Mapping

from pytlik.i18n import Catalogue

COMMON_COMMANDS = {word: f"play.typed.{word}" for word in ("help", "rules", "quit", "show")}
"""Commands of every game, with the keys of their texts in the catalogue."""


class Vocabulary:
    """The commands of a game, by what people may type for them."""

    def __init__(self, commands: Mapping[str, str], translate: Catalogue) -> None:
        keys = {**COMMON_COMMANDS, **commands}
        own = {simplify(translate(key)): command for command, key in keys.items()}
        self._commands = own | {command: command for command in keys}

    def to_english_command(self, word: str) -> str:
        """The command that a word means; the word itself if it's English, or no command."""
        return self._commands.get(simplify(word), word)


def simplify(word: str) -> str:
    """Lower the case and drop accents, which are hard to type on some keyboards. Unicode doesn't
    count the stroke of ł as an accent."""
    letters = unicodedata.normalize("NFKD", word.casefold()).replace("ł", "l")
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
