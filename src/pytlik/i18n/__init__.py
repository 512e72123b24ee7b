"""Texts for people: one catalogue per language, in a format that Python and the page both read.

A catalogue is a flat JSON object from keys to texts. `{name}` in a text is a field to fill in. A
text with a number is an object with the language's plural forms, named as in the CLDR ("one",
"few", ...), and `{n}` is the number.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

Text = str | dict[str, str]

FIELD = re.compile(r"\{(\w+)\}")


def plural_form(lang: str, n: int) -> str:
    """The plural form that a language uses for a whole number of 0 or more."""
    few_by_end = n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)
    match lang:
        case "fr":
            return "one" if n in (0, 1) else "other"
        case "cs" | "sk":
            return "one" if n == 1 else "few" if n in (2, 3, 4) else "other"
        case "pl":
            return "one" if n == 1 else "few" if few_by_end else "many"
        case "uk":
            one_by_end = n % 10 == 1 and n % 100 != 11
            return "one" if one_by_end else "few" if few_by_end else "many"
        case _:
            return "one" if n == 1 else "other"


class Catalogue:
    """The texts of one language. Call it with a key and the fields to get a text."""

    __slots__ = ("_texts", "lang")

    def __init__(self, lang: str, texts: Mapping[str, Text]) -> None:
        self.lang = lang
        self._texts = texts

    def __call__(self, key: str, **fields: Any) -> str:
        text = self._texts[key]
        if isinstance(text, dict):
            text = text[plural_form(self.lang, fields["n"])]
        return FIELD.sub(lambda found: str(fields[found[1]]), text)

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def __iter__(self) -> Iterator[str]:
        """The keys."""
        return iter(self._texts)

    def forms(self, key: str) -> frozenset[str]:
        """The plural forms of a text; none if it has no number."""
        text = self._texts[key]
        return frozenset(text if isinstance(text, dict) else ())

    def fields(self, key: str) -> frozenset[str]:
        """The fields of a text, in any of its forms."""
        text = self._texts[key]
        return frozenset(FIELD.findall(" ".join(text.values()) if isinstance(text, dict) else text))


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
