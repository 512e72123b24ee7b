"""The page's types are those of the server."""

from web.make_wire import WIRE_FILE, wire_file_text


def test_the_types_of_the_page_are_what_the_server_says() -> None:
    assert WIRE_FILE.read_text() == wire_file_text(), "run: python -m web.make_wire"
