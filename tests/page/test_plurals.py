"""The page and the server mean the same by a plural."""

from pytlik.i18n import languages
from pytlik.i18n.plurals import plural_form
from tests.page.conftest import NewPage

PLURAL_FORMS_JS = """(lang) => {
  const rules = new Intl.PluralRules(lang);
  return Array.from({ length: 201 }, (_, n) => rules.select(n));
}"""


def test_the_browser_counts_as_python_does(new_page: NewPage) -> None:
    page = new_page("/")
    for lang in languages():
        assert page.evaluate(PLURAL_FORMS_JS, lang) == [plural_form(lang, n) for n in range(201)], (
            lang
        )
