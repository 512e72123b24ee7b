"""Unikat's options in a few words each."""

from collections.abc import Sequence
from typing import Any

from pytlik.i18n import Catalogue


def summarize_options(
    options: dict[str, Any], names: Sequence[str], translate: Catalogue
) -> list[str]:
    starter = options["starter"]
    is_known = starter is not None and starter < len(names)
    first = (
        translate("page.lobby.sum.begins", name=names[starter])
        if is_known
        else translate("page.lobby.sum.drawn")
    )
    lines = [translate("page.lobby.sum.rounds", n=options["rounds"]), first]
    if options["extra_action"] == "continue":
        lines.append(translate("page.lobby.sum.continue"))
    return lines
