"""Changes that concern one person at all their tables: removing their name, or a new token."""

from collections.abc import Callable, Iterable
from contextlib import suppress

from pytlik.game import Illegal, Refusal
from pytlik.protocol.reasons import ServerReason
from pytlik.server import tokens
from pytlik.server.circle import circles
from pytlik.server.circle.circles import Circle
from pytlik.server.circle.stored_circles import change_circle
from pytlik.server.live.rooms import Rooms
from pytlik.server.table import table_anonymization
from pytlik.server.table.tables import Table
from pytlik.server.table.token_takeover import HashRecoveryCode, take_over_table
from pytlik.server.tokens import Holder
from pytlik.store import (
    DeleteResultsOfHolder,
    DeleteSubscriptionsOfHolder,
    HideResultsOfHolder,
    HideResultsUnderName,
    MoveResultsToHolder,
)


async def forget_person(rooms: Rooms, holder: Holder) -> int:
    """Remove somebody's names and words from all tables, circles and boards, stop notifying them,
    and return the number of tables. Repeating it does whatever is left to do."""
    store = rooms.services.store
    await store.commit(DeleteSubscriptionsOfHolder(holder))
    await store.commit(HideResultsOfHolder(holder))
    mine = [row.id for row in await store.circles_of(holder)]
    await change_circles(rooms, mine, lambda circle: circles.remove_name_of_holder(circle, holder))
    ids = await store.table_ids_of(holder)
    return await change_tables(
        rooms, ids, lambda table: table_anonymization.remove_names_and_words_of(table, holder)
    )


async def remove_name_everywhere(rooms: Rooms, name: str) -> int:
    """Remove a name from all tables, circles and boards, whoever used it, and return the number of
    tables."""
    store = rooms.services.store
    await store.commit(HideResultsUnderName(name))
    every = await store.all_circle_ids()
    await change_circles(rooms, every, lambda circle: circles.remove_name_from_circle(circle, name))
    ids = filter(tokens.TABLE_ID.fullmatch, await store.all_table_ids())
    return await change_tables(
        rooms, ids, lambda table: table_anonymization.remove_name_from_table(table, name)
    )


async def change_tables(rooms: Rooms, ids: Iterable[str], alter: Callable[[Table], Table]) -> int:
    """Alter those of these tables that still exist, and return how many changed."""
    number = 0
    for table_id in ids:
        changed = False

        def alter_and_note_change(table: Table) -> Table:
            nonlocal changed
            after = alter(table)
            changed = after != table
            return after

        with suppress(Refusal), rooms.open(table_id) as room:  # the table may be gone
            await room.change(alter_and_note_change)
            number += changed
    return number


async def change_circles(
    rooms: Rooms, ids: Iterable[str], alter: Callable[[Circle], Circle]
) -> None:
    """Alter those of these circles that still exist."""
    services = rooms.services
    for circle_id in ids:
        with suppress(Refusal):  # it may be gone
            await change_circle(services.store, circle_id, services.clock(), alter)


async def take_over_everything(
    rooms: Rooms, old: Holder, new: Holder, recovery: Callable[[str], HashRecoveryCode]
) -> tuple[str, ...]:
    """Give everything that one holder has at tables, in circles and on boards to another. Returns
    the tables where that isn't possible until their match is over. The old holder's subscriptions
    end, because other devices may have made them."""
    store = rooms.services.store
    await store.commit(DeleteSubscriptionsOfHolder(old))
    await store.commit(MoveResultsToHolder(old, new))
    await store.commit(DeleteResultsOfHolder(old))
    theirs = [row.id for row in await store.circles_of(old)]
    await change_circles(
        rooms,
        theirs,
        lambda circle: circles.take_over_circle(circle, old, new, recovery(circle.id)),
    )
    refused: list[str] = []
    for row in await store.tables_of(old):
        try:
            with rooms.open(row.id) as room:
                await room.change(
                    lambda table: take_over_table(table, old, new, recovery(table.id))
                )
        except Illegal as refusal:
            if (
                refusal.reason is not ServerReason.NO_SUCH_TABLE
            ):  # the table is gone, with everything it knew
                refused.append(row.id)
    return tuple(refused)
