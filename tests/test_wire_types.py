"""The page's types match the server's."""

from web.make_wire import WIRE_FILE, wire_file_text


def test_page_types_are_up_to_date() -> None:
    assert WIRE_FILE.read_text() == wire_file_text(), "run: python -m web.make_wire"
