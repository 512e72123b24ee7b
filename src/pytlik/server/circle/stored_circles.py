"""Circles as the store has them, and how they are changed."""

from collections.abc import Callable

import msgspec

from pytlik.game import Illegal
from pytlik.protocol.reasons import ServerReason
from pytlik.server import tokens
from pytlik.server.circle import circles
from pytlik.server.circle.circles import MAX_RESULTS, Circle
from pytlik.server.document_codec import DocumentCodec
from pytlik.store import CircleRow, Conflict, DeleteCircle, PutCircle, Store

circle_codec = DocumentCodec(Circle)

MAX_TRIES = 20
"""How often others may get ahead of our change before we give up."""

TOUCH_AFTER_MS = 30 * 86_400_000
"""How old the last visit may be before another one is recorded. Circles that nobody has visited for
a year are deleted."""

EncodedResult = tuple[str, int, bytes]
"""The id of a match, when it ended, and its result."""


async def fetch_circle_row(store: Store, circle_id: str) -> CircleRow:
    """Raises Illegal(NO_SUCH_CIRCLE)."""
    row = await store.circle(circle_id) if tokens.CIRCLE_ID.fullmatch(circle_id) else None
    if row is None:
        raise Illegal(ServerReason.NO_SUCH_CIRCLE)
    return row


async def read_circle(store: Store, circle_id: str) -> Circle:
    """Raises Illegal(NO_SUCH_CIRCLE)."""
    return circle_codec.decode((await fetch_circle_row(store, circle_id)).doc)


async def visit_circle(store: Store, circle_id: str, now: int) -> Circle:
    """Read a circle, and keep it for another year. Raises Illegal(NO_SUCH_CIRCLE)."""
    row = await fetch_circle_row(store, circle_id)
    circle = circle_codec.decode(row.doc)
    if now - row.touched > TOUCH_AFTER_MS:
        await change_circle(store, circle_id, now, lambda old: old)
    return circle


async def create_circle(store: Store, circle: Circle, now: int) -> None:
    await store.commit(make_put_circle(circle, 0, now))


async def change_circle(
    store: Store, circle_id: str, now: int, alter: Callable[[Circle], Circle]
) -> Circle:
    """Alter a circle. If `alter` raises, nothing has changed. A circle that everyone has left is
    deleted."""

    def without_result(circle: Circle) -> tuple[Circle, None]:
        return alter(circle), None

    return await change_circle_with_result(store, circle_id, now, without_result)


async def change_circle_with_result(
    store: Store,
    circle_id: str,
    now: int,
    alter: Callable[[Circle], tuple[Circle, EncodedResult | None]],
) -> Circle:
    """Alter a circle and add a result, or do neither. Raises Conflict if that result is there."""
    for _ in range(MAX_TRIES):
        row = await fetch_circle_row(store, circle_id)
        before = circle_codec.decode(row.doc)
        after, result = alter(before)
        recently = now - row.touched <= TOUCH_AFTER_MS
        if after == before and result is None and recently:
            return after
        try:
            if not after.members:
                await store.commit(DeleteCircle(circle_id, row.version))
            else:
                await store.commit(make_put_circle(after, row.version, now, row.doc, result))
        except Conflict:
            if result and await store.has_circle_result(circle_id, result[0]):
                raise
            continue
        return after
    raise Conflict


def make_put_circle(
    circle: Circle,
    version: int,
    now: int,
    replaced: bytes | None = None,
    result: EncodedResult | None = None,
) -> PutCircle:
    """The write that replaces version `version` of a circle, whose document was `replaced`."""
    put = PutCircle(
        id=circle.id,
        version=version,
        doc=circle_codec.encode(circle, replaced),
        touched=now,
        holders=circles.all_holders(circle),
        most=MAX_RESULTS,
    )
    if result is None:
        return put
    played, ended, doc = result
    return msgspec.structs.replace(put, played=played, ended=ended, result=doc)
