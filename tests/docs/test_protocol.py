"""docs/protocol.md matches the types, and explains every field."""

import re

from docs.make_protocol import PAGE, render_page


def test_page_matches_the_types() -> None:
    assert PAGE.read_text() == render_page(), "run: python -m docs.make_protocol"


def test_every_field_is_explained() -> None:
    assert not re.findall(r"^\| `\w+` \| .* \|  \|$", PAGE.read_text(), re.MULTILINE)
