"""Texts follow their language's typography. What differs is in the catalogues, under "language.":
nothing here knows a language by its name, except for the exceptions."""

import re
from collections.abc import Callable, Iterator

import pytest

from pytlik.i18n import Catalogue, catalogue, languages

NO_BREAK = "\u00a0"
NARROW_NO_BREAK = "\u202f"

UNCHECKED_KEYS = re.compile(r"cli\.\w+\.example|language\..*")
"""Commands, and the texts that the rules use."""
ASCII_KEYS = re.compile(
    r"(admin|arena|backup|bench|cli|deck|doctor|play|replay|restore|serve|terminal|ubongo|unikat"
    r"|verify)\..*|print\.(exists|made|no_part)"
)
"""Texts of the command line and the line mode, which in English are only ASCII."""
UNITS = "s|ms|mm|cm|kB|MB|g/m²|с|мс|мм|г/м²"

EXCEPTIONS = {
    ("percent", "cs", "arena.interval"),  # "95% interval" is an adjective: 95procentní.
    ("spaces", "*", "unikat.places"),  # What follows is drawn.
    ("spaces", "*", "play.cheer"),  # Stars.
}


def has_straight_quotes(text: str, key: str, translate: Catalogue) -> bool:
    return '"' in text and not (translate.lang == "en" and ASCII_KEYS.fullmatch(key) is not None)


def has_straight_apostrophe(text: str, _: str, translate: Catalogue) -> bool:
    return translate.lang != "en" and re.search(r"\w'\w", text) is not None


def has_foreign_quotes(text: str, _: str, translate: Catalogue) -> bool:
    # In some languages, an apostrophe is the same character as a closing quotation mark.
    found = re.findall(r"[“”„«»‘‚‹›]|(?<!\w)’|’(?!\w)", text)
    return not set(found) <= set(translate("language.quotes", text=""))


def has_unmatched_quotes(text: str, _: str, translate: Catalogue) -> bool:
    """Whether quotations aren't opened and closed as in the language, spaces included."""
    first, last = translate("language.quotes", text="|").split("|")
    marks = [mark for mark in re.findall(r"[“”„«»]", text) if mark in first + last]
    if first.strip() not in "“”„«»" or not marks:
        return False
    whole = len(re.findall(f"{first}[^{first.strip()}]+?{last}", text))
    return 2 * whole != len(marks)


def has_three_dots(text: str, key: str, _: Catalogue) -> bool:
    return "..." in text and ASCII_KEYS.fullmatch(key) is None


def has_wrong_percent_spacing(text: str, _: str, translate: Catalogue) -> bool:
    ours = translate("language.percent", n="")
    return any(sign != ours for sign in re.findall(r"(?<=[\d}])\s?%", text))


def has_breakable_unit(text: str, *_: object) -> bool:
    return re.search(rf"[\d}}] ({UNITS})(?!\w)", text) is not None


def has_unspaced_sign(text: str, _: str, translate: Catalogue) -> bool:
    signs = re.escape(translate("language.spaced"))
    spaced = f"{NO_BREAK}{NARROW_NO_BREAK}?!"
    return bool(signs) and re.search(rf"[^{spaced}][{signs}](?=[\s»)]|$)", text) is not None


def has_stray_spaces(text: str, *_: object) -> bool:
    # Texts of several lines may have columns.
    doubled = "\n" not in text and re.search(r"\S  +\S", text) is not None
    return doubled or text != text.strip()


RULES: dict[str, Callable[[str, str, Catalogue], bool]] = {
    "straight quotes": has_straight_quotes,
    "straight apostrophe": has_straight_apostrophe,
    "quotes of another language": has_foreign_quotes,
    "quotes that don't match": has_unmatched_quotes,
    "three dots": has_three_dots,
    "percent": has_wrong_percent_spacing,
    "a number parted from its unit": has_breakable_unit,
    "no space before a sign": has_unspaced_sign,
    "spaces": has_stray_spaces,
}


def texts_of(translate: Catalogue) -> Iterator[tuple[str, str]]:
    """All texts with their keys, in each of their forms, with fields not filled in."""
    for key in translate:
        if not UNCHECKED_KEYS.fullmatch(key):
            yield from ((key, text) for text in translate.templates(key))


def find_faults(lang: str, rule: str) -> list[str]:
    translate = catalogue(lang)
    return [
        f"{key}: {text}"
        for key, text in texts_of(translate)
        if RULES[rule](text, key, translate)
        and not {(rule, lang, key), (rule, "*", key)} & EXCEPTIONS
    ]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("lang", languages())
def test_texts_follow_their_languages_typography(lang: str, rule: str) -> None:
    assert find_faults(lang, rule) == []


@pytest.mark.parametrize(
    ("rule", "lang", "wrong", "right"),
    [
        ("straight quotes", "de", 'Ruf "Ubongo"', "Ruf „Ubongo“"),
        ("straight apostrophe", "fr", "l'autre", "l’autre"),
        ("quotes of another language", "de", "Ruf “Ubongo”", "Ruf „Ubongo“"),
        ("quotes of another language", "en", "Shout «Ubongo»", "Shout “Ubongo”, Ola's and Max’s"),
        ("quotes that don't match", "fr", "Crie « Ubongo »", "Crie «\u00a0Ubongo\u00a0»"),
        ("quotes that don't match", "cs", "Zavolej „Ubongo", "Zavolej „Ubongo“"),
        ("three dots", "en", "Wait...", "Wait…"),
        ("percent", "de", "95 %", "95\u00a0%"),
        ("percent", "pl", "{n}\u00a0%", "{n}%"),
        ("a number parted from its unit", "uk", "{n} мс", "{n}\u00a0мс"),
        ("a number parted from its unit", "en", "5 mm", "5 small"),
        ("no space before a sign", "fr", "Où ?", "Où\u00a0?! À {address}:8000"),
        ("spaces", "en", "Two  spaces", "Two\nlines  and columns"),
        ("spaces", "en", "An end ", "An end"),
    ],
)
def test_the_rules_find_faults(rule: str, lang: str, wrong: str, right: str) -> None:
    translate = catalogue(lang)
    assert RULES[rule](wrong, "page.x", translate)
    assert not RULES[rule](right, "page.x", translate)
