"""The page's vectors agree with our rules."""

from tests.unikat import make_place_vectors


def test_the_pages_vectors_are_up_to_date() -> None:
    assert (
        make_place_vectors.VECTORS_FILE.read_text(encoding="utf-8")
        == make_place_vectors.vectors_as_text()
    )
