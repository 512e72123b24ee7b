"""Ubongo's options in a few words each."""

from collections.abc import Sequence
from typing import Any

from pytlik.i18n import Catalogue
from pytlik.text.durations import describe_duration


def summarize_options(
    options: dict[str, Any],
    names: Sequence[str],
    translate: Catalogue,
) -> list[str]:
    seconds = options["seconds"]
    lines = [
        translate("page.lobby.sum.handicap")
        if options["handicap"]
        else translate("page.lobby.sum.pieces", n=options["pieces"]),
        translate("page.lobby.sum.untimed")
        if seconds is None
        else translate("page.lobby.sum.seconds", span=describe_duration(seconds, translate)),
        translate("page.lobby.sum.rounds", n=options["rounds"]),
    ]
    if options["same_puzzle"]:
        lines.append(translate("page.lobby.sum.same"))
    return lines
