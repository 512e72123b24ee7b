"""The page and the server agree on plural forms."""

from pytlik.i18n import languages
from pytlik.i18n.plurals import plural_form
from tests.page.conftest import NewPage

PLURAL_FORMS_JS = """(lang) => {
  const rules = new Intl.PluralRules(lang);
  return Array.from({ length: 201 }, (_, n) => rules.select(n));
}"""


def test_browser_and_python_agree_on_plurals(new_page: NewPage) -> None:
    page = new_page("/")
    for lang in languages():
        assert page.evaluate(PLURAL_FORMS_JS, lang) == [plural_form(lang, n) for n in range(201)], (
            lang
        )
