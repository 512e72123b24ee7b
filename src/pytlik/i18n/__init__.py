"""Texts for people: one catalogue per language, in a format that Python and the page both read.

A catalogue is a flat JSON object from keys to texts. `{name}` in a text is a field to fill in. A
text with a number is an object with the language's plural forms, named as in the CLDR ("one",
"few", ...), and `{n}` is the number. What code must know about a language is in its catalogue too,
under "language.": its name, how it writes numbers and lists, and so on (docs/add-a-language.md).
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from pytlik.i18n.plurals import plural_form

TextOrPluralForms = str | dict[str, str]

FIELD_PATTERN = re.compile(r"\{(\w+)\}")


def add_no_break_spaces(text: str, letters: str) -> str:
    """Put a no-break space after words of one letter, which may not end a line in some languages:
    "z\u00a0wystawki"."""
    if not letters:
        return text
    return re.sub(rf"(?<!\w)([{letters}]) (?=\S)", "\\1\u00a0", text, flags=re.IGNORECASE)


class Catalogue:
    """The texts of one language. Call it with a key and the fields to get a text."""

    __slots__ = ("_letters", "_texts", "lang")

    def __init__(self, lang: str, texts: Mapping[str, TextOrPluralForms]) -> None:
        self.lang = lang
        self._texts = texts
        self._letters = str(texts.get("language.single_letters", ""))

    def __call__(self, key: str, **fields: Any) -> str:
        text = self._texts[key]
        if isinstance(text, dict):
            form = plural_form(self.lang, fields["n"])
            # Whole millions have a form of their own in some languages, and no text needs it.
            text = text[form] if form in text else text["other"]
        text = add_no_break_spaces(text, self._letters)
        return FIELD_PATTERN.sub(lambda found: str(fields[found[1]]), text)

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def __iter__(self) -> Iterator[str]:
        """The keys."""
        return iter(self._texts)

    def plural_forms(self, key: str) -> frozenset[str]:
        """The plural forms of a text; none if it has no number."""
        text = self._texts[key]
        return frozenset(text if isinstance(text, dict) else ())

    def templates(self, key: str) -> tuple[str, ...]:
        """A text as it stands in the catalogue, in each of its forms."""
        text = self._texts[key]
        return tuple(text.values()) if isinstance(text, dict) else (text,)

    def fields(self, key: str) -> frozenset[str]:
        """The fields of a text, in any of its forms."""
        return frozenset(FIELD_PATTERN.findall(" ".join(self.templates(key))))


def languages() -> tuple[str, ...]:
    """The languages that have a catalogue, as two-letter codes."""
    names = (file.name for file in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


def pick_language(header: str) -> str:
    """The first language of an Accept-Language header that has a catalogue, or English."""
    wanted = (part.strip()[:2].lower() for part in header.split(","))
    return next((lang for lang in wanted if lang in languages()), "en")


@cache
def catalogue(lang: str) -> Catalogue:
    """The catalogue of a language, which must be one of `languages()`."""
    text = files(__name__).joinpath(f"{lang}.json").read_text(encoding="utf-8")
    return Catalogue(lang, json.loads(text))
