"""What is agreed at a table on a server, in plain words."""

from typing import Any

from pytlik.i18n import Catalogue
from pytlik.terminal.seated import TableSeen

SPANS = (("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1))


def span(seconds: int, say: Catalogue) -> str:
    """ "90 seconds", "2 minutes", "3 days": in the largest unit that it is whole in."""
    unit, length = next((unit, length) for unit, length in SPANS if seconds % length == 0)
    return say(f"page.lobby.span.{unit}", n=seconds // length)


def summary(table: TableSeen, say: Catalogue) -> list[str]:
    info = table.table
    options, agreement = info.options, info.agreement
    game = unikat(options, table.names, say) if info.game == "unikat" else ubongo(options, say)
    return [*game, *agreed(agreement, say)]


def unikat(options: dict[str, Any], names: tuple[str, ...], say: Catalogue) -> list[str]:
    starter = options["starter"]
    known = starter is not None and starter < len(names)
    lines = [
        say("page.lobby.sum.rounds", n=options["rounds"]),
        say("page.lobby.sum.begins", name=names[starter]) if known else say("page.lobby.sum.drawn"),
    ]
    if options["extra_action"] == "continue":
        lines.append(say("page.lobby.sum.continue"))
    return lines


def ubongo(options: dict[str, Any], say: Catalogue) -> list[str]:
    seconds = options["seconds"]
    lines = [
        say("page.lobby.sum.handicap")
        if options["handicap"]
        else say("page.lobby.sum.pieces", n=options["pieces"]),
        say("page.lobby.sum.untimed")
        if seconds is None
        else say("page.lobby.sum.seconds", span=span(seconds, say)),
    ]
    if options["same_puzzle"]:
        lines.append(say("page.lobby.sum.same"))
    return lines


def agreed(agreement: dict[str, Any], say: Catalogue) -> list[str]:
    lines = [say("page.lobby.sum.slow")] if agreement["slow"] else []
    turn = agreement["turn_seconds"]
    if turn is not None:
        lines.append(say("page.lobby.sum.turn", span=span(turn, say)))
    listed, chat = agreement["listed"], agreement["chat"]
    return [
        *lines,
        say("page.lobby.sum.listed" if listed else "page.lobby.sum.private"),
        say("page.lobby.sum.chat" if chat else "page.lobby.sum.no_chat"),
    ]
