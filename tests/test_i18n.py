"""Every text exists in every language, with its plural forms."""

import json
import re
from itertools import chain
from pathlib import Path

import pytest
from babel import Locale
from babel.lists import format_list as babel_list
from babel.numbers import format_decimal

import pytlik
from pytlik.cli import COMMANDS
from pytlik.drawing.style import SKINS
from pytlik.i18n import FIELD_PATTERN, Catalogue, add_no_break_spaces, catalogue, languages
from pytlik.i18n.formats import format_label, format_list, format_number, format_percent
from pytlik.i18n.plurals import PLURAL_RULES, plural_form
from pytlik.matchfile import Flaw
from pytlik.protocol.reasons import all_reasons
from pytlik.ubongo.deck_files import Fault

PACKAGE_FOLDER = Path(pytlik.__file__).parent
PAGE_SOURCE = Path(__file__).parents[1] / "web" / "src"
MANIFEST = PAGE_SOURCE.parent / "public" / "manifest.webmanifest"
CATALOGUES_SOURCE = PAGE_SOURCE.parent / "catalogues.ts"

LANGUAGES_WITH_ENGLISH_PLURALS = (
    "az", "bg", "da", "de", "el", "en", "et", "eu", "fi", "fy", "gl", "hu", "ka", "lb",
    "nb", "nl", "nn", "no", "rm", "sq", "sv", "tr",
)  # fmt: skip


@pytest.mark.parametrize(
    "lang", sorted({*PLURAL_RULES, *LANGUAGES_WITH_ENGLISH_PLURALS, *languages()})
)
def test_plural_forms_follow_the_cldr(lang: str) -> None:
    cldr = Locale(lang).plural_form
    numbers = [*range(1200), 1_000_000, 1_000_001, 2_000_000, 3_500_000]
    assert [plural_form(lang, n) for n in numbers] == [cldr(n) for n in numbers]


def test_whole_million_needs_no_plural_form_of_its_own() -> None:
    translate = Catalogue("es", {"points": {"one": "{n} punto", "other": "{n} puntos"}})
    assert translate("points", n=1_000_000) == "1000000 puntos"


@pytest.mark.parametrize("lang", languages())
def test_numbers_are_formatted_as_the_cldr_says(lang: str) -> None:
    translate = catalogue(lang)
    for number, digits in ((0.5, 1), (12.25, 2), (41.0, 1), (12_345.6, 1), (1_234_567, 0)):
        written = format_number(number, digits, translate)
        pattern = "#,##0." + "0" * digits if digits else "#,##0"
        assert written == format_decimal(number, pattern, locale=lang), number


def test_french_has_a_space_before_the_colon_of_a_label() -> None:
    assert format_label("Level", "easy", catalogue("en")) == "Level: easy"
    assert format_label("Niveau", "facile", catalogue("fr")) == "Niveau\u00a0: facile"


def test_percent_sign_is_written_as_in_the_language() -> None:
    assert format_percent(0.125, 1, catalogue("en")) == "12.5%"
    assert format_percent(0.125, 1, catalogue("de")) == "12,5\u00a0%"
    assert format_percent(1, 0, catalogue("pl")) == "100%"


@pytest.mark.parametrize("lang", languages())
def test_names_are_listed_as_the_cldr_says(lang: str) -> None:
    translate = catalogue(lang)
    locale = Locale.parse(translate("language.locale"), sep="-")
    for names in ([], ["Ann"], ["Ann", "Bob"], ["Ann", "Bob", "Cem"], ["Ann", "Bob", "Cem", "Di"]):
        cldr = babel_list(names, locale=locale)
        assert format_list(names, translate).replace("\u00a0", " ") == cldr.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("last", "joined"),
    [
        ("Inés", "Ana, Max e Inés"),
        ("Íñigo", "Ana, Max e Íñigo"),
        ("Hilda", "Ana, Max e Hilda"),
        ("Hiedra", "Ana, Max y Hiedra"),
        ("Hiato", "Ana, Max y Hiato"),
        ("Yago", "Ana, Max y Yago"),
        ("Hugo", "Ana, Max y Hugo"),
    ],
)
def test_spanish_uses_e_before_an_i_sound(last: str, joined: str) -> None:
    # The CLDR's data leaves this to the code; the browser's `Intl` does it.
    assert format_list(["Ana", "Max", last], catalogue("es")) == joined


@pytest.mark.parametrize("lang", [lang for lang in languages() if lang != "es"])
def test_other_languages_join_names_in_one_way(lang: str) -> None:
    translate = catalogue(lang)
    assert translate.templates("language.and_before_i") == translate.templates("language.and")


@pytest.mark.parametrize("lang", languages())
def test_language_describes_itself(lang: str) -> None:
    translate = catalogue(lang)
    locale = Locale.parse(translate("language.locale"), sep="-")
    assert locale.language == lang
    assert locale.territory
    assert translate("language.name").casefold() == (Locale(lang).language_name or "").casefold()
    assert translate("language.name")[0].isupper()
    assert translate("language.skin") in SKINS


def test_single_letters_do_not_end_a_line() -> None:
    assert add_no_break_spaces("Weź i z wystawki, a I tak w kolei", "aiouwz") == (
        "Weź i\u00a0z\u00a0wystawki, a\u00a0I\u00a0tak w\u00a0kolei"
    )
    # Not after letters at the end of a word, in columns, or at the end of a line.
    for text in ("Tola ma kota", "z   trzy spacje", "koniec z", "koniec z\n"):
        assert add_no_break_spaces(text, "aiouwz") == text
    assert add_no_break_spaces("a or i do", "") == "a or i do"


@pytest.mark.parametrize("lang", ["cs", "pl", "sk", "uk"])
def test_no_slavic_text_leaves_a_single_letter_at_a_line_end(lang: str) -> None:
    translate = catalogue(lang)
    letters = translate("language.single_letters")
    dangling = re.compile(rf"(?<!\w)[{letters}] \S", re.IGNORECASE)
    texts = {
        key: translate(key, **dict.fromkeys({*translate.fields(key), "n"}, 5)) for key in translate
    }
    assert [key for key, text in texts.items() if dangling.search(text)] == []
    assert sum("\u00a0" in text for text in texts.values()) > 200
    # Commands have no such spaces, so that they can be copied.
    assert not [
        key for key in texts if re.match(r"cli\.\w+\.example", key) and "\u00a0" in texts[key]
    ]
    assert f"Ola {translate('language.and', first='', last='')[1]}\u00a0Max" == format_list(
        ["Ola", "Max"], translate
    )


def test_filled_in_values_are_left_alone() -> None:
    translate = catalogue("pl")
    assert "my a file.pdf" in translate("print.exists", file="my a file.pdf")


def test_fields_are_filled_in() -> None:
    tiles = {"one": "{n} kafelek", "few": "{n} kafelki", "many": "{n} kafelków"}
    translate = Catalogue("pl", {"hello": "{name}!", "tiles": tiles})
    assert translate("hello", name="{n}") == "{n}!"
    assert [translate("tiles", n=n) for n in (1, 2, 5, 22)] == [
        "1 kafelek", "2 kafelki", "5 kafelków", "22 kafelki",
    ]  # fmt: skip
    assert "hello" in translate
    assert set(translate) == {"hello", "tiles"}


@pytest.mark.parametrize("lang", languages())
def test_every_code_and_command_has_a_text(lang: str) -> None:
    needed = {f"reason.{reason}" for reason in all_reasons()}
    needed |= {f"verify.{flaw}" for flaw in Flaw}
    needed |= {f"deck.problem.{fault}" for fault in Fault}
    needed |= {f"cli.{name}.{part}" for name in COMMANDS for part in ("help", "example")}
    assert needed <= set(catalogue(lang))


@pytest.mark.parametrize("lang", languages())
def test_catalogues_have_the_same_keys_and_fields(lang: str) -> None:
    texts, english = catalogue(lang), catalogue("en")
    # In the same order, so that they can be read side by side.
    assert list(texts) == list(english)
    for key in texts:
        assert texts.fields(key) == english.fields(key), key
        assert bool(texts.plural_forms(key)) == bool(english.plural_forms(key)), key
        for template in texts.templates(key):
            # "One tile" needs no number.
            assert texts.fields(key) - {"n"} <= set(FIELD_PATTERN.findall(template)), (
                key,
                template,
            )
            assert template.count("{") == template.count("}") == len(
                FIELD_PATTERN.findall(template)
            ) or (key.endswith(".example")), (key, template)


@pytest.mark.parametrize("lang", [lang for lang in languages() if lang != "en"])
def test_nothing_is_left_in_english(lang: str) -> None:
    """Looks at texts with two words of four letters or more: names, codes and words that both
    languages share may be the same."""
    texts, english = catalogue(lang), catalogue("en")
    same = [
        key
        for key in texts
        if texts.templates(key) == english.templates(key)
        and re.search(r"[a-z]{4}.* [a-z]{4}", FIELD_PATTERN.sub("", texts.templates(key)[0]))
        and not key.endswith(".example")
    ]
    assert same == []


@pytest.mark.parametrize("lang", languages())
def test_plural_texts_have_the_forms_of_their_language(lang: str) -> None:
    forms = {plural_form(lang, n) for n in range(200)}
    texts = catalogue(lang)
    for key in texts:
        if texts.plural_forms(key):
            assert texts.plural_forms(key) == forms, key


@pytest.mark.parametrize("lang", languages())
def test_every_plural_text_can_be_rendered(lang: str) -> None:
    texts = catalogue(lang)
    for key in texts:
        if texts.plural_forms(key):
            fill = dict.fromkeys(texts.fields(key), "x")
            rendered = [texts(key, **(fill | {"n": n})) for n in range(32)]
            assert all(text and "{" not in text for text in rendered), key


PLURAL_VECTORS = json.loads(
    (PAGE_SOURCE / "lib" / "plurals.vectors.json").read_text(encoding="utf-8")
)
"""Written by hand; the page is tested with it too."""


@pytest.mark.parametrize("lang", PLURAL_VECTORS)
def test_slavic_plurals_follow_the_school_rules(lang: str) -> None:
    numbers, texts = PLURAL_VECTORS[lang]["numbers"], PLURAL_VECTORS[lang]["texts"]
    assert sorted(chain(*numbers.values())) == list(range(32))
    translate = catalogue(lang)
    for key, forms in texts.items():
        for form, counted in numbers.items():
            for n in counted:
                assert translate(key, n=n) == forms[form].format(n=n), (key, n)


def test_no_text_is_unused() -> None:
    """A key appears in the code as it is; or it's built there from a code, by "reason.{...}" in
    Python or `page.tile.${...}` in the page; or it's one of these with an ending that the page
    adds, as in `${key}.you`. In the manifest it's in braces."""
    sources = [
        *PACKAGE_FOLDER.rglob("*.py"),
        *PAGE_SOURCE.rglob("*.ts"),
        *PAGE_SOURCE.rglob("*.svelte"),
    ]
    sources += [MANIFEST, CATALOGUES_SOURCE]
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    quoted = set(re.findall(r"""["'`]\{?([A-Za-z0-9_.-]+)\}?["'`]""", code))
    quoted |= {"language.quotes", "language.spaced"}  # tests/test_typography.py uses them.
    forms = [
        re.compile("[A-Za-z0-9_-]+".join(map(re.escape, re.split(r"\$?\{[^}]*\}", text))))
        for text in re.findall(r"""(?:f"|`)([a-z]+\.[^"'`\n]*?\{[^"'`\n]+)["'`]""", code)
    ]
    ends = {"", *re.findall(r"`\$\{\w+\}(\.\w+)`", code)}

    def is_used(key: str) -> bool:
        stems = [key.removesuffix(end) for end in ends if key.endswith(end)]
        return any(stem in quoted or any(form.fullmatch(stem) for form in forms) for stem in stems)

    assert [key for key in catalogue("en") if not is_used(key)] == []


def test_no_code_lists_languages() -> None:
    """A language is its catalogue: code that named some languages would have to be changed for the
    next one."""
    codes = "|".join(lang for lang in languages() if lang != "en")
    listed = re.compile(rf"""["'\s]({codes})["']?\s*[,|:(].*["'\s]({codes})["']?\s*[,:)\]]""")
    sources = [
        *PACKAGE_FOLDER.rglob("*.py"),
        *PAGE_SOURCE.rglob("*.ts"),
        *PAGE_SOURCE.rglob("*.svelte"),
        CATALOGUES_SOURCE,
    ]
    sources.remove(PACKAGE_FOLDER / "i18n" / "plurals.py")
    found = [
        path.name
        for path in sources
        if not path.name.endswith(".test.ts") and listed.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []
    assert listed.search('granna = ("pl", "cs", "sk", "uk")')
