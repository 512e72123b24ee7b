"""Which names look the same to a person, however they are written.

Two names are alike if they differ only in case, in spaces or in invisible characters, or if letters
of one stand for letters of the other that are drawn alike, such as a Cyrillic а for a Latin a. The
table has the letters that are used to fool people in practice, not all that Unicode knows of.
"""

import unicodedata

from pytlik.server.table.sanitize import is_hidden

DRAWN_ALIKE = {
    "A": "АΑᎪꓮ",
    "B": "ВΒᏴꓐ",
    "C": "СϹᏟⲤꓚ",
    "D": "Ꭰꓓ",
    "E": "ЕΕᎬꓰ",
    "F": "Ϝꓝ",
    "G": "ԌᏀꓖ",
    "H": "НΗᎻⲎꓧ",
    "J": "ЈᎫꓙͿ",
    "K": "КΚᏦⲔꓗ",
    "L": "ԼᏞꓡ",
    "M": "МΜᎷⲘꓟ",
    "N": "ΝⲚꓠ",
    "O": "ОΟՕⲞꓳ0",
    "P": "РΡᏢⲢꓑ",
    "Q": "Ԛ",
    "R": "ᎡᏒꓣ",
    "S": "ЅՏᏚꓢ",
    "T": "ТΤᎢⲦꓔ",
    "U": "Սꓴ",
    "V": "ѴᏙꓦ",
    "W": "ԜᎳᏔꓪ",
    "X": "ХΧꓫ",
    "Y": "УΥҮᎩꓬ",
    "Z": "ΖᏃꓜ",
    "a": "аαɑᴀ",
    "b": "ЬьᏏ",
    "c": "сϲⲥᴄ",
    "d": "ԁɗ",
    "e": "еᴇҽ",
    "g": "ɡց",
    "h": "һհʜ",
    "i": "іιıɩɪᎥ",
    "j": "јϳյ",
    "k": "кκᴋĸ",
    "l": "IІΙӀӏꓲƖǀ|1",
    "m": "мᴍ",
    "n": "пηոɴ",
    "o": "оοօⲟᴏσ",
    "p": "рρⲣᴘ",
    "q": "ԛզ",
    "r": "гʀ",
    "s": "ѕꜱ",
    "t": "тτᴛ",
    "u": "υսᴜ",
    "v": "ѵνᴠ",
    "w": "ԝѡωᴡ",
    "x": "хχ",
    "y": "уүγʏ",
    "z": "ᴢ",
    "\u0306": "\u030c",  # breve and caron
    "\u0327": "\u0326\u0328",  # cedilla, comma and ogonek below
    "'": "\u02b9\u02bb\u02bc\u2018\u2019\u2032`",
    "-": "\u2010\u2012\u2013\u2014\u2212",
}
"""Characters that are drawn like a Latin letter (or like a mark, an apostrophe, a hyphen):
Cyrillic, Greek, Armenian, Coptic, Cherokee and Lisu letters, small capitals and digits."""

LETTER_BY_LOOKALIKE = {ord(sign): drawn for drawn, signs in DRAWN_ALIKE.items() for sign in signs}

PAIRS_READ_AS_ONE = (("rn", "m"), ("vv", "w"), ("i\u0307", "i"), ("j\u0307", "j"))
"""Pairs of letters that are read as one, and dots on letters that already have one."""


def look_alike(one: str, other: str) -> bool:
    """Whether a person would take these names for the same."""
    return not skeletons(one).isdisjoint(skeletons(other))


def skeletons(name: str) -> set[str]:
    """What a name looks like, as it is and in lower case: "Iva" looks like both "lva" and "iva",
    which don't look like each other."""
    text = unicodedata.normalize("NFKC", name)
    return {skeleton(text), skeleton(text.casefold())}


def skeleton(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text).translate(LETTER_BY_LOOKALIKE)
    drawn = "".join(sign for sign in apart if not sign.isspace() and not is_hidden(sign))
    for pair, letter in PAIRS_READ_AS_ONE:
        drawn = drawn.replace(pair, letter)
    return drawn.casefold()
