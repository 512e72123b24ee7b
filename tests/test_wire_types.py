"""The page's types are those of the server."""

from web.make_wire import FILE, page


def test_the_types_of_the_page_are_what_the_server_says() -> None:
    assert FILE.read_text() == page(), "run: python -m web.make_wire"
