"""What is due in a match, and when: kept beside the log, so that it survives a restart.

The rules have deadlines of their own (the sand). The others are the table's: a bot's next move, a
turn that takes too long.
"""

from collections.abc import Collection
from typing import Any

from pytlik.game import Seat
from pytlik.server.tables import Holder, Table

RULES = "rules"
BOT = "bot"
TURN = "turn"
LOOK = "look"
"""A seat has passed from a person to a bot or back: what is due in the match has to be set anew."""
AGAIN = "again"
"""The same, once more: whoever did not know of the change yet may have acted meanwhile."""
AGAIN_AFTER = 5_000
"""By then every worker knows of a change, or nobody can act there (ms)."""
OVER = "over"
"""The match is over, and the table has to know: also if whoever saw it end died then."""
AWAY = "away "
"""With the number of the seat: somebody is not here, and a bot will sit in."""


def due(table: Table, state: Any, now: int, bot_pause: int) -> dict[str, int | None]:
    """All deadlines of the match that is played at a table, but for those who are away. Nothing
    is due in a pause. A bot seems to think for `bot_pause` milliseconds, so that people can
    follow."""
    game = table.rules
    if game.outcome(state):
        return {RULES: None, BOT: None, TURN: None, OVER: now}
    if table.paused is not None:
        return {RULES: None, BOT: None, TURN: None}
    awaited = game.awaited(state)
    bots = [seat for seat in awaited if table.automatic(seat)]
    seconds = table.agreement.turn_seconds
    # In a race against the sand a bot has a plan with moments of its own: see at once.
    thinking = bot_pause if game.deadline(state) is None else 0
    return {
        RULES: game.deadline(state),
        BOT: now + thinking if bots else None,
        TURN: now + 1000 * seconds if seconds and len(awaited) > len(bots) else None,
    }


def look_again(now: int) -> dict[str, int | None]:
    return {AGAIN: now + AGAIN_AFTER}


def may_bots_move(table: Table, *, anyone_here: bool) -> bool:
    """Bots play for people: not at a table that everyone has left. But where somebody still plays
    for themselves bots go on, though nobody looks, until it is that person's turn: or who plays by
    correspondence would never be told that it is."""
    return anyone_here or any(chair.holder and not chair.stand_in for chair in table.chairs)


def missed(table: Table, here: Collection[Holder]) -> frozenset[tuple[Seat, Holder, int]]:
    """The seats whose person the match waits for, and how many seconds: nobody is waited for in a
    pause, or where a bot sits in already."""
    wait = table.agreement.away_seconds
    if not wait or table.phase != "playing" or table.paused is not None:
        return frozenset()
    return frozenset(
        (seat, chair.holder, wait)
        for seat, chair in enumerate(table.chairs)
        if chair.holder is not None and not chair.stand_in and chair.holder not in here
    )


def away(
    before: frozenset[tuple[Seat, Holder, int]],
    after: frozenset[tuple[Seat, Holder, int]],
    now: int,
) -> dict[str, int | None]:
    """What becomes of deadlines when others are missed than before. Who was missed already has not
    longer to come."""
    ended: dict[str, int | None] = {f"{AWAY}{seat}": None for seat, _, _ in sorted(before - after)}
    return ended | {f"{AWAY}{seat}": now + 1000 * wait for seat, _, wait in sorted(after - before)}


def table_of(match: str) -> str:
    """Matches are named after their table: "table.1", "table.2"."""
    return match.partition(".")[0]
