"""How other tests find things on the page."""

import re
from pathlib import Path

AMBIGUOUS_LOOKUP = re.compile(r"\bpage\.get_by_(text|title|alt_text)\(")


def test_no_text_is_searched_in_the_whole_document() -> None:
    """There the live region repeats it, a moment after it's shown."""
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted(Path(__file__).parent.glob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if AMBIGUOUS_LOOKUP.search(line)
    ]
    assert not found, "\n".join(found)
