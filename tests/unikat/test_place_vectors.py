"""The vectors that check the page's rule are what our rules say."""

from tests.unikat import place_vectors


def test_the_pages_vectors_are_up_to_date() -> None:
    assert place_vectors.FILE.read_text(encoding="utf-8") == place_vectors.text()
