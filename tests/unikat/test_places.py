"""The vectors that check the page's rule must be what our rules say."""

from tests.unikat import places


def test_the_pages_vectors_are_up_to_date() -> None:
    assert places.FILE.read_text(encoding="utf-8") == places.text()
