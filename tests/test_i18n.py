"""Every text is there, in every language, with its plural forms."""

import re
from pathlib import Path

import pytest
from babel import Locale

import pytlik
from pytlik.cli import COMMANDS
from pytlik.game import Reason
from pytlik.i18n import Catalogue, catalogue, languages, plural
from pytlik.matchfile import Flaw
from pytlik.ubongo.cards import Fault

ALL = ("en", "de", "fr", "nl", "pl", "cs", "sk", "uk")


@pytest.mark.parametrize("lang", ALL)
def test_plural_forms_are_those_of_the_cldr(lang: str) -> None:
    cldr = Locale(lang).plural_form
    assert [plural(lang, n) for n in range(1200)] == [cldr(n) for n in range(1200)]


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
    needed = {f"reason.{reason}" for reason in Reason}
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
    forms = {plural(lang, n) for n in range(200)}
    texts = catalogue(lang)
    for key in texts:
        if texts.forms(key):
            assert texts.forms(key) == forms, key


def test_no_text_is_unused() -> None:
    """A key stands in the code as it is, or but for its last part (".you", ".name"), or is made
    there from a code: "reason.{...}" in Python, `page.tile.${...}` in the page."""
    package = Path(pytlik.__file__).parent
    page = Path(__file__).parents[1] / "web" / "src"
    sources = [*package.rglob("*.py"), *page.rglob("*.ts"), *page.rglob("*.svelte")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    quoted = set(re.findall(r"""["']([A-Za-z0-9_.]+)["']""", code))
    made = [
        re.compile("[A-Za-z0-9_-]+".join(map(re.escape, re.split(r"\$?\{[^}]*\}", text))))
        for text in re.findall(r"""(?:f"|`)([a-z_.]+\.\$?\{[^"`]+)["`]""", code)
    ]
    for key in catalogue("en"):
        either = (key, key.rpartition(".")[0])
        assert quoted & {*either} or any(form.fullmatch(k) for form in made for k in either), key
