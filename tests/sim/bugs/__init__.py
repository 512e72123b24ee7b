"""Bugs to plant in the server: mistakes that code like this is known for.

Each is a patch of the real code, and the simulation must find it: see `test_bugs.py`.
"""

from tests.sim.bugs import (
    action_bugs,
    circle_bugs,
    clock_bugs,
    connection_bugs,
    match_bugs,
    repeated_work_bugs,
    seat_bugs,
    stand_in_bugs,
)
from tests.sim.bugs.bug_patches import BUGS

__all__ = [
    "BUGS",
    "action_bugs",
    "circle_bugs",
    "clock_bugs",
    "connection_bugs",
    "match_bugs",
    "repeated_work_bugs",
    "seat_bugs",
    "stand_in_bugs",
]
