"""Cleans what people write: names and chat are plain text, and nothing in them has any effect."""

import unicodedata
from collections.abc import Iterator

from pytlik.game import Malformed
from pytlik.protocol.reasons import ServerReason

MAX_NAME_LENGTH = 24

HIDDEN_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Me", "Zl", "Zp"}
"""Controls, marks that change the direction of text, surrogates, enclosing marks, and what nobody
can see (Unicode's general categories)."""

BLANK_CHARACTERS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U0001d159"
    "\u180b\u180c\u180d\u180f"
) | {chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))}  # fmt: skip
"""Letters and marks by their category, but nothing is drawn for them: fillers, blanks, and
variation selectors."""

ZERO_WIDTH_JOINER = "\u200d"
"""It joins the characters that emoji such as families and flags are made of; after a virama it
shapes Indic letters."""

VIRAMA_COMBINING_CLASS = 9
"""The combining class of the signs that take a letter's vowel away."""

EMOJI_SELECTOR = "\ufe0f"
"""Makes the symbol before it an emoji."""

DIACRITIC_BLOCKS = (
    range(0x0300, 0x0370),
    range(0x1AB0, 0x1B00),
    range(0x1DC0, 0x1E00),
    range(0x20D0, 0x2100),
    range(0xFE20, 0xFE30),
)
"""Marks that go on any letter, and so can be piled up on one."""

MAX_EXTRA_DIACRITICS = 1
"""Besides the ones that are part of the letter, as in Vietnamese: Yoruba and Lithuanian need it."""

MAX_SCRIPT_MARKS = 3
"""Marks of a script's own, such as vowels and tones: Hindi, Hebrew and Tibetan need this many."""


def clean_text(text: str, max_length: int) -> str:
    """One line without hidden characters or stacked marks, cut to a length."""
    spaced = "".join(
        " " if character.isspace() else character
        for character in unicodedata.normalize("NFC", text)
    )
    shown = "".join(drop_hidden_characters("".join(drop_stacked_marks(spaced))))
    # Composed again, as what stood between a letter and its mark may be gone.
    line = " ".join(unicodedata.normalize("NFC", shown).split())
    return line[:max_length].strip(f" {ZERO_WIDTH_JOINER}")


def drop_hidden_characters(text: str) -> Iterator[str]:
    """Keep what is drawn, and the joiners without which emoji and Indic letters fall apart."""
    before = ""
    for at, character in enumerate(text):
        after = text[at + 1 : at + 2]
        if character == ZERO_WIDTH_JOINER:
            kept = is_joiner_needed(before, after)
        elif character == EMOJI_SELECTOR:
            kept = is_symbol(before)
        else:
            kept = not is_hidden(character)
        if kept:
            before = character
            yield character


def is_joiner_needed(before: str, after: str) -> bool:
    if not before or not after:
        return False
    if unicodedata.combining(before) == VIRAMA_COMBINING_CLASS:
        return is_letter(after)
    return (is_symbol(before) or before == EMOJI_SELECTOR or is_skin_tone(before)) and is_symbol(
        after
    )


def is_letter(character: str) -> bool:
    return character not in BLANK_CHARACTERS and unicodedata.category(character).startswith("L")


def is_symbol(character: str) -> bool:
    return character not in BLANK_CHARACTERS and unicodedata.category(character or " ") == "So"


def is_skin_tone(character: str) -> bool:
    return "\U0001f3fb" <= character <= "\U0001f3ff"


def is_hidden(character: str) -> bool:
    return character in BLANK_CHARACTERS or unicodedata.category(character) in HIDDEN_CATEGORIES


def drop_stacked_marks(text: str) -> Iterator[str]:
    """Keep marks only on letters, only as many as languages need, and no mark twice on one
    letter."""
    on_letter, own, marks = False, "", ""
    for character in text:
        if unicodedata.category(character) == "Mn" and character != EMOJI_SELECTOR:
            most = MAX_EXTRA_DIACRITICS if is_diacritic(character) else MAX_SCRIPT_MARKS
            if not on_letter or character in own + marks or len(marks) >= most:
                continue
            marks += character
        elif unicodedata.category(character) != "Mc":  # such a mark stands beside its letter
            on_letter, marks = is_letter(character), ""
            own = unicodedata.normalize("NFD", character)[1:]
        yield character


def is_diacritic(mark: str) -> bool:
    return any(ord(mark) in block for block in DIACRITIC_BLOCKS)


def clean_name(text: str) -> str:
    """A name as it is shown. Raises Malformed if nothing is left of it, or it is too long."""
    name = clean_text(text, MAX_NAME_LENGTH + 1)
    if not 0 < len(name) <= MAX_NAME_LENGTH:
        raise Malformed(ServerReason.BAD_NAME)
    return name
