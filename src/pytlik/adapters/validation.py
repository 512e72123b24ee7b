"""Checks the arguments of an environment or a game before anything is played."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

Options = TypeVar("Options", bound=msgspec.Struct)

RENDER_MODES = ["ansi"]


def check_players(players: object, possible: Sequence[int]) -> None:
    if players not in possible:
        raise ValueError(f"players: {possible[0]} to {possible[-1]} players, not {players!r}")


def check_starter(starter: int | None, players: int) -> None:
    """Raise ValueError unless the starter is one of the players (U4)."""
    if starter is not None and not 0 <= starter < players:
        raise ValueError(f"starter: a seat from 0 to {players - 1}, not {starter}")


def check_options(given: Any, kind: type[Options]) -> None:
    """Check each field, as msgspec only does when it decodes options."""
    if not isinstance(given, kind):
        raise TypeError(f"options: {kind.__module__}.{kind.__name__}(...), not {given!r}")
    try:
        msgspec.convert(msgspec.to_builtins(given), kind)
    except msgspec.ValidationError as wrong:
        raise ValueError(f"options: {wrong}") from None


def check_rendering(max_cycles: int | None, render_mode: str | None) -> None:
    if max_cycles is not None and max_cycles < 1:
        raise ValueError(f"max_cycles: at least 1, or None, not {max_cycles}")
    if render_mode not in (None, *RENDER_MODES):
        raise ValueError(f"render_mode: {', '.join(RENDER_MODES)} or None, not {render_mode!r}")
