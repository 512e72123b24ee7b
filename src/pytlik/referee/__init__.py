"""The rules as a service: one JSON object per line in, one per line out. See docs/referee.md.

`answer` is a pure function of one line. It has an answer to any line, whatever is in it.
"""

from pytlik.referee.position_requests import Positions
from pytlik.referee.service import answer, main

__all__ = ["Positions", "answer", "main"]
