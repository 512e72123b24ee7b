"""Ubongo's options in a few words each."""

from collections.abc import Sequence
from typing import Any

from pytlik.i18n import Catalogue
from pytlik.text.durations import describe_duration


def summarize_options(
    options: dict[str, Any],
    names: Sequence[str],
    say: Catalogue,
) -> list[str]:
    seconds = options["seconds"]
    lines = [
        say("page.lobby.sum.handicap")
        if options["handicap"]
        else say("page.lobby.sum.pieces", n=options["pieces"]),
        say("page.lobby.sum.untimed")
        if seconds is None
        else say("page.lobby.sum.seconds", span=describe_duration(seconds, say)),
        say("page.lobby.sum.rounds", n=options["rounds"]),
    ]
    if options["same_puzzle"]:
        lines.append(say("page.lobby.sum.same"))
    return lines
