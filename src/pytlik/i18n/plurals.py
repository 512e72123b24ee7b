"""Which plural form a number takes: the CLDR's cardinal rules for whole numbers, for Europe.

The page asks the browser (`Intl.PluralRules`), and the names of the forms are the same.
"""

from collections.abc import Callable

PluralRule = Callable[[int], str]

MILLION = 1_000_000


def plural_form(lang: str, n: int) -> str:
    """The plural form that a language uses for a whole number of 0 or more."""
    return PLURAL_RULES.get(lang, english)(n)


def english(n: int) -> str:
    return "one" if n == 1 else "other"


def spanish(n: int) -> str:
    # "Un millón de puntos": whole millions have a form of their own.
    return "many" if n and n % MILLION == 0 else english(n)


def french(n: int) -> str:
    return "one" if n == 0 else spanish(n)


def armenian(n: int) -> str:
    return "one" if n in (0, 1) else "other"


def czech(n: int) -> str:
    return "one" if n == 1 else "few" if n in (2, 3, 4) else "other"


def polish(n: int) -> str:
    return "one" if n == 1 else "few" if _ends_in_two_to_four(n) else "many"


def ukrainian(n: int) -> str:
    return "one" if _ends_in_one(n) else "few" if _ends_in_two_to_four(n) else "many"


def croatian(n: int) -> str:
    return "one" if _ends_in_one(n) else "few" if _ends_in_two_to_four(n) else "other"


def icelandic(n: int) -> str:
    return "one" if _ends_in_one(n) else "other"


def slovenian(n: int) -> str:
    return {1: "one", 2: "two", 3: "few", 4: "few"}.get(n % 100, "other")


def lithuanian(n: int) -> str:
    if n % 10 == 0 or _is_teen(n):
        return "other"
    return "one" if n % 10 == 1 else "few"


def latvian(n: int) -> str:
    if n % 10 == 0 or _is_teen(n):
        return "zero"
    return "one" if n % 10 == 1 else "other"


def romanian(n: int) -> str:
    if n == 1:
        return "one"
    return "few" if n == 0 or 1 <= n % 100 <= 19 else "other"


def maltese(n: int) -> str:
    if n in (1, 2):
        return "one" if n == 1 else "two"
    if _is_teen(n):
        return "many"
    return "few" if n == 0 or 3 <= n % 100 <= 10 else "other"


def irish(n: int) -> str:
    if n in (1, 2):
        return "one" if n == 1 else "two"
    return "few" if 3 <= n <= 6 else "many" if 7 <= n <= 10 else "other"


def scottish_gaelic(n: int) -> str:
    if n in (1, 11):
        return "one"
    return "two" if n in (2, 12) else "few" if 3 <= n <= 19 else "other"


def welsh(n: int) -> str:
    return {0: "zero", 1: "one", 2: "two", 3: "few", 6: "many"}.get(n, "other")


def sami(n: int) -> str:
    return {1: "one", 2: "two"}.get(n, "other")


def _is_teen(n: int) -> bool:
    return 11 <= n % 100 <= 19


def _ends_in_one(n: int) -> bool:
    return n % 10 == 1 and n % 100 != 11


def _ends_in_two_to_four(n: int) -> bool:
    return n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)


PLURAL_RULES: dict[str, PluralRule] = {
    "be": ukrainian,
    "bs": croatian,
    "ca": spanish,
    "cs": czech,
    "cy": welsh,
    "es": spanish,
    "fr": french,
    "ga": irish,
    "gd": scottish_gaelic,
    "hr": croatian,
    "hy": armenian,
    "is": icelandic,
    "it": spanish,
    "lt": lithuanian,
    "lv": latvian,
    "mk": icelandic,
    "mt": maltese,
    "pl": polish,
    "pt": french,
    "ro": romanian,
    "ru": ukrainian,
    "se": sami,
    "sk": czech,
    "sl": slovenian,
    "sr": croatian,
    "uk": ukrainian,
}
"""All other European languages follow the English rule."""
