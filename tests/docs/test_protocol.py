"""docs/protocol.md is what the types say, and leaves nothing out."""

import re

from docs.make_protocol import PAGE, render_page


def test_the_page_is_what_the_types_say() -> None:
    assert PAGE.read_text() == render_page(), "run: python -m docs.make_protocol"


def test_every_field_is_explained() -> None:
    assert not re.findall(r"^\| `\w+` \| .* \|  \|$", PAGE.read_text(), re.MULTILINE)
