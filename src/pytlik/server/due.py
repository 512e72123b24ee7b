"""What is due in a match, and when: kept beside the log, so that it survives a restart.

The rules have deadlines of their own (the sand). The others are the table's: a bot's next move, a
turn that takes too long.
"""

from typing import Any

from pytlik.server.tables import Table

RULES = "rules"
BOT = "bot"
TURN = "turn"
OVER = "over"
"""The match is over, and the table has to know: also if whoever saw it end died then."""
AWAY = "away "
"""With the number of the seat: somebody has left, and a bot will sit in."""

THINKING = 900
"""How long a bot seems to think, so that people can follow (ms)."""


def due(table: Table, state: Any, now: int) -> dict[str, int | None]:
    """All deadlines of the match that is played at a table, but for those who are away. Nothing
    is due in a pause."""
    game = table.rules
    if game.outcome(state):
        return {RULES: None, BOT: None, TURN: None, OVER: now}
    if table.paused is not None:
        return {RULES: None, BOT: None, TURN: None}
    awaited = game.awaited(state)
    bots = [seat for seat in awaited if table.automatic(seat)]
    seconds = table.agreement.turn_seconds
    # In a race against the sand a bot has a plan with moments of its own: see at once.
    thinking = THINKING if game.deadline(state) is None else 0
    return {
        RULES: game.deadline(state),
        BOT: now + thinking if bots else None,
        TURN: now + 1000 * seconds if seconds and len(awaited) > len(bots) else None,
    }


def table_of(match: str) -> str:
    """Matches are named after their table: "table.1", "table.2"."""
    return match.partition(".")[0]
