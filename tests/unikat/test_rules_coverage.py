"""A test about the tests: every rule number of the spec has a test with that number in its name."""

import re
from pathlib import Path


def test_every_number_from_u1_to_u18_has_a_test() -> None:
    here = Path(__file__).parent
    sources = (path.read_text(encoding="utf-8") for path in here.glob("test_*.py"))
    numbers = {
        int(n) for text in sources for n in re.findall(r"^def test_u(\d\d)_", text, re.MULTILINE)
    }
    assert numbers == set(range(1, 19))
