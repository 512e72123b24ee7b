"""Names have no hidden characters or piles of marks, and lookalikes are found."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytlik.server.table.lookalikes import look_alike
from pytlik.server.table.sanitize import (
    BLANK_CHARACTERS,
    EMOJI_SELECTOR,
    HIDDEN_CATEGORIES,
    ZERO_WIDTH_JOINER,
    clean_name,
    clean_text,
)

ALLOWED_NAMES = [
    "Řehoř Žluťoučký",
    "Ľubomír Kŕdeľ",
    "Łucja Żółć",
    "Їжак Ґалаґан",
    "Marie-Thérèse d’Œuf",
    "Jörg Großmüller",
    "Nguyễn Thị Bích",
    "त्रिमूर्ति हिंदी",
    "مُحَمَّد",
    "שָׁלוֹם",
    "ශ්\u200dරී",
    "Ọláolúwa ẹ́",
    "สมชาย ก็ดี",
    "김민준",
    "山田太郎",
    "👩🏽\u200d🚀 Ada",
    "🏳\ufe0f\u200d🌈",
    "❤\ufe0f",
]


@pytest.mark.parametrize("name", ALLOWED_NAMES)
def test_names_of_people_are_unchanged(name: str) -> None:
    name = unicodedata.normalize("NFC", name)
    assert clean_name(name) == name
    assert clean_name(unicodedata.normalize("NFD", name)) == name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("O\u200dla", "Ola"),  # nothing to join
        ("O\u200c\u2060la\u00ad", "Ola"),
        ("Ola\ufe0f\U000e0101", "Ola"),
        ("Ola\U000e0041\U000e007f", "Ola"),
        ("Ola\u3164\u2800\uffa0\u115f", "Ola"),
        ("O\u034fla\u17b5", "Ola"),
        ("\u2066Ola\u2069\u202e\u061c", "Ola"),
        ("👩\u200d\u200dOla\u200d", "👩Ola"),
        ("O\u0301\u0302\u0303\u0304\u0305la", "Ó\u0302la"),
        ("a\u0335\u0336\u0337", "a\u0335"),
        ("é\u0301\u0301", "é"),
        ("ก" + "\u0e47" * 20, "ก\u0e47"),
        ("O\u3164\u0301\u3164\u0302\u3164\u0303la", "Ola"),  # each on an invisible letter
        ("O\u200b\u0301\u200b\u0302\u200b\u0303la", "Ola"),
        ("1\u0301\u20e3 .\u0301", "1 ."),
        ("\u0301Ola", "Ola"),
    ],
)
def test_hidden_characters_and_piled_up_marks_are_removed(text: str, shown: str) -> None:
    assert clean_text(text, 100) == shown


TRICKY_CHARACTERS = (
    "aOé👩🏽❤कशर\u094d\u0e01\u0e47 \u0301\u0323\u200d\ufe0f\u200b\u202e\u3164\u034f\u064b\u0651"
)


@given(st.text(st.one_of(st.sampled_from(TRICKY_CHARACTERS), st.characters()), max_size=40))
def test_cleaned_text_is_stable_and_shows_all_its_characters(text: str) -> None:
    cleaned = clean_text(text, 100)
    assert clean_text(cleaned, 100) == cleaned
    assert cleaned == unicodedata.normalize("NFC", cleaned)
    marks = 0
    for before, sign, after in zip(" " + cleaned, cleaned, cleaned[1:] + " ", strict=False):
        category = unicodedata.category(sign)
        if sign == ZERO_WIDTH_JOINER:
            assert before not in f" {ZERO_WIDTH_JOINER}"
            assert after != " "
            assert not (before + after).isascii()
        elif sign == EMOJI_SELECTOR:
            assert unicodedata.category(before) == "So"
        else:
            assert category not in HIDDEN_CATEGORIES
            assert sign not in BLANK_CHARACTERS
        marks = marks + 1 if category == "Mn" else marks if category == "Mc" else 0
        assert marks <= 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ola", "OLA"),
        ("Ola K", "olak"),
        ("Ola", "Оlа"),
        ("Jan", "Јаn"),
        ("ΜΑΧ", "MAX"),
        ("ВОВА", "BOBA"),
        ("Ірина", "Iрина"),
        ("Iva", "lva"),
        ("Iva", "1va"),
        ("Ola", "0la"),
        ("Anna", "𝐀𝓃𝚗ａ"),
        ("Věra", "Vĕra"),
        ("Arno", "Amo"),
        ("Ivan", "i\u0307van"),
        ("O’Neil", "O'Neil"),
        ("Anna-Lena", "Anna–Lena"),
        ("❤", "❤\ufe0f"),
        ("ශ්\u200dරී", "ශ්රී"),
        ("Ꭺꓠna", "Anna"),
    ],
)
def test_lookalike_names(one: str, other: str) -> None:
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ola", "Olaf"),
        ("Zoe", "Zoë"),
        ("Łucja", "Lucja"),
        ("Kai", "Kal"),
        ("iva", "lva"),
        ("Вова", "Boba"),
        ("Tom", "Tim"),
        ("Guest", "Guest 2"),
        ("Hana", "Hanka"),
        ("👩", "👨"),
    ],
)
def test_different_names(one: str, other: str) -> None:
    assert not look_alike(one, other)
