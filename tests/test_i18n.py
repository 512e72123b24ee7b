"""Every text is there, in every language, with its plural forms."""

import json
import re
from itertools import chain
from pathlib import Path

import pytest
from babel import Locale

import pytlik
from pytlik.cli import COMMANDS
from pytlik.i18n import Catalogue, catalogue, languages, plural_form
from pytlik.matchfile import Flaw
from pytlik.protocol.reasons import all_reasons
from pytlik.ubongo.deck_files import Fault

PACKAGE = Path(pytlik.__file__).parent
PAGE = Path(__file__).parents[1] / "web" / "src"

ALL = ("en", "de", "fr", "nl", "pl", "cs", "sk", "uk")


@pytest.mark.parametrize("lang", ALL)
def test_plural_forms_are_those_of_the_cldr(lang: str) -> None:
    cldr = Locale(lang).plural_form
    assert [plural_form(lang, n) for n in range(1200)] == [cldr(n) for n in range(1200)]


def test_a_text_is_filled_in() -> None:
    say = Catalogue("pl", {"hello": "{name}!", "tiles": {"one": "{n} kafelek", "few": "{n} kafelki",
                                                         "many": "{n} kafelków"}})  # fmt: skip
    assert say("hello", name="{n}") == "{n}!"
    assert [say("tiles", n=n) for n in (1, 2, 5, 22)] == [
        "1 kafelek", "2 kafelki", "5 kafelków", "22 kafelki",
    ]  # fmt: skip
    assert "hello" in say
    assert set(say) == {"hello", "tiles"}


@pytest.mark.parametrize("lang", languages())
def test_every_code_and_every_command_has_its_text(lang: str) -> None:
    needed = {f"reason.{reason}" for reason in all_reasons()}
    needed |= {f"verify.{flaw}" for flaw in Flaw}
    needed |= {f"deck.problem.{fault}" for fault in Fault}
    needed |= {f"cli.{name}.{part}" for name in COMMANDS for part in ("help", "example")}
    assert needed <= set(catalogue(lang))


@pytest.mark.parametrize("lang", languages())
def test_catalogues_have_the_same_keys_and_fields(lang: str) -> None:
    texts, english = catalogue(lang), catalogue("en")
    assert set(texts) == set(english)
    for key in texts:
        assert texts.fields(key) == english.fields(key), key


@pytest.mark.parametrize("lang", languages())
def test_a_text_that_counts_has_the_forms_of_its_language(lang: str) -> None:
    forms = {plural_form(lang, n) for n in range(200)}
    texts = catalogue(lang)
    for key in texts:
        if texts.forms(key):
            assert texts.forms(key) == forms, key


def test_there_are_eight_languages() -> None:
    assert set(languages()) == set(ALL)


@pytest.mark.parametrize("lang", languages())
def test_every_text_that_counts_can_be_rendered(lang: str) -> None:
    texts = catalogue(lang)
    for key in texts:
        if texts.forms(key):
            fill = dict.fromkeys(texts.fields(key), "x")
            rendered = [texts(key, **(fill | {"n": n})) for n in range(32)]
            assert all(text and "{" not in text for text in rendered), key


TABLE = json.loads((PAGE / "lib" / "plurals.vectors.json").read_text(encoding="utf-8"))
"""Written by hand; the page is held to it too."""


@pytest.mark.parametrize("lang", TABLE)
def test_slavic_languages_count_as_one_learns_it_at_school(lang: str) -> None:
    numbers, texts = TABLE[lang]["numbers"], TABLE[lang]["texts"]
    assert sorted(chain(*numbers.values())) == list(range(32))
    say = catalogue(lang)
    for key, forms in texts.items():
        for form, counted in numbers.items():
            for n in counted:
                assert say(key, n=n) == forms[form].format(n=n), (key, n)


def test_no_text_is_unused() -> None:
    """A key stands in the code as it is; or it is made there from a code, by "reason.{...}" in
    Python or `page.tile.${...}` in the page; or it is one of these with an ending that the page
    adds, as in `${key}.you`."""
    sources = [*PACKAGE.rglob("*.py"), *PAGE.rglob("*.ts"), *PAGE.rglob("*.svelte")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    quoted = set(re.findall(r"""["'`]([A-Za-z0-9_.-]+)["'`]""", code))
    made = [
        re.compile("[A-Za-z0-9_-]+".join(map(re.escape, re.split(r"\$?\{[^}]*\}", text))))
        for text in re.findall(r"""(?:f"|`)([a-z]+\.[^"'`\n]*?\{[^"'`\n]+)["'`]""", code)
    ]
    ends = {"", *re.findall(r"`\$\{\w+\}(\.\w+)`", code)}

    def is_used(key: str) -> bool:
        stems = [key.removesuffix(end) for end in ends if key.endswith(end)]
        return any(stem in quoted or any(form.fullmatch(stem) for form in made) for stem in stems)

    assert [key for key in catalogue("en") if not is_used(key)] == []
