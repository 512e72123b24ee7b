"""What requests of every kind have in common: their base class, answers, handlers and checks."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from pytlik.game import Malformed, Reason, Seat, snake_case

Answer = dict[str, Any]


class Request(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="do",
    tag=snake_case,
):
    id: Raw | UnsetType = UNSET


Handlers = Mapping[type[Request], Callable[[Any], Answer]]
"""How each kind of request is answered."""


def bad_request(problem: str) -> Malformed:
    return Malformed(Reason.BAD_REQUEST, problem=problem)


def check_seat(seat: Seat, players: int) -> None:
    if not 0 <= seat < players:
        raise bad_request(f"there is no seat {seat}")
