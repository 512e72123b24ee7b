"""The rules as a service: one JSON object a line in, one a line out. See docs/referee.md.

`answer` is a pure function of one line. Whatever the line holds, it gives an answer.
"""

from pytlik.referee.position_requests import Positions
from pytlik.referee.service import answer, main

__all__ = ["Positions", "answer", "main"]
