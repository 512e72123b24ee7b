"""The page's texts as the tests read them, and a language that's longer than any of ours."""

import json
import re
from collections.abc import Mapping
from importlib.resources import files

from playwright.sync_api import Page, Route

from pytlik.i18n import Catalogue, TextOrPluralForms, catalogue, languages

LONG_LANGUAGE = "long"
"""English with every word two fifths longer."""

LOCALES = {
    **{lang: catalogue(lang)("language.locale") for lang in languages()},
    LONG_LANGUAGE: "en-GB",
}


def lengthen_string(text: str) -> str:
    """Make each word of a text two fifths longer, and keep its fields."""
    missing = 0.0

    def lengthen(word: re.Match[str]) -> str:
        nonlocal missing
        if word[0].startswith("{"):
            return word[0]
        missing += 0.4 * len(word[0])
        more = round(missing)
        missing -= more
        return word[0] + (word[0][-1] * more if more < 2 else "öäüéíłžщ"[-more:])

    return re.sub(r"\{\w+\}|[^\W\d_]+", lengthen, text)


def lengthen_text(text: TextOrPluralForms) -> TextOrPluralForms:
    if isinstance(text, str):
        return lengthen_string(text)
    return {form: lengthen_string(each) for form, each in text.items()}


def long_texts() -> Mapping[str, TextOrPluralForms]:
    english = files("pytlik.i18n").joinpath("en.json").read_text(encoding="utf-8")
    return {
        # How numbers and lists are written stays as it is.
        key: text if key.startswith("language.") else lengthen_text(text)
        for key, text in json.loads(english).items()
    }


def catalogue_for(lang: str) -> Catalogue:
    return Catalogue("en", long_texts()) if lang == LONG_LANGUAGE else catalogue(lang)


def serve_long_texts(page: Page) -> None:
    """Give the page the long language when it asks for English."""
    texts = json.dumps(json.dumps(long_texts()))

    def answer(route: Route) -> None:
        found = route.fetch()
        body, changed = re.subn(
            r"JSON\.parse\(.*\)(?=;export)",
            lambda _: f"JSON.parse({texts})",
            found.text(),
            flags=re.DOTALL,
        )
        assert changed == 1, "the catalogue's format has changed"
        headers = {"content-type": "text/javascript"}
        route.fulfill(status=200, headers=headers, body=body)

    page.route(re.compile(r"/assets/(long-)?texts-en-[^/]*\.js$"), answer)
