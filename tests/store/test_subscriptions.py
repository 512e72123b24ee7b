"""What every store promises about notifications: subscriptions, and the server's own key."""

import asyncio

import pytest

from pytlik.store import (
    DeleteOldSubscriptions,
    DeleteSubscription,
    DeleteSubscriptionsOfHolder,
    PutServerKey,
    PutSubscription,
    Store,
    Subscription,
)

pytestmark = pytest.mark.anyio

MAX_SUBSCRIPTIONS = 3


def make_subscription(endpoint: str, holder: str = "ola", at: int = 1) -> Subscription:
    return Subscription(
        endpoint=f"https://push.example/{endpoint}",
        holder=holder,
        p256dh="key",
        auth="secret",
        language="pl",
        origin="https://games.example",
        at=at,
    )


async def put_subscriptions(store: Store, *subscriptions: Subscription) -> None:
    for each in subscriptions:
        await store.commit(PutSubscription(each, MAX_SUBSCRIPTIONS))


async def test_subscriptions_are_listed_by_holder_newest_first(store: Store) -> None:
    first, second = make_subscription("a", at=1), make_subscription("b", at=2)
    await put_subscriptions(store, first, second, make_subscription("c", "max"))
    assert await store.subscriptions_of("ola") == [second, first]
    assert await store.subscriptions_of("nobody") == []


async def test_browser_keeps_one_subscription_when_its_user_changes(store: Store) -> None:
    first = make_subscription("a")
    again = Subscription(
        endpoint=first.endpoint,
        holder="max",
        p256dh="other key",
        auth="other secret",
        language="de",
        origin="https://other.example",
        at=5,
    )
    await put_subscriptions(store, first, again)
    assert await store.subscriptions_of("ola") == []
    assert await store.subscriptions_of("max") == [again]


async def test_only_the_newest_subscriptions_are_kept(store: Store) -> None:
    await put_subscriptions(
        store,
        *(make_subscription(str(n), at=n) for n in range(5)),
        make_subscription("x", "max", 0),
    )
    assert [each.at for each in await store.subscriptions_of("ola")] == [4, 3, 2]
    assert len(await store.subscriptions_of("max")) == 1


async def test_only_its_holder_can_delete_a_subscription(store: Store) -> None:
    one, other = make_subscription("a"), make_subscription("b")
    await put_subscriptions(store, one, other)
    await store.commit(DeleteSubscription("max", one.endpoint))
    assert len(await store.subscriptions_of("ola")) == 2
    await store.commit(DeleteSubscription("ola", one.endpoint))
    assert await store.subscriptions_of("ola") == [other]


async def test_all_subscriptions_of_a_holder_are_deleted(store: Store) -> None:
    await put_subscriptions(
        store, make_subscription("a"), make_subscription("b"), make_subscription("c", "max")
    )
    await store.commit(DeleteSubscriptionsOfHolder("ola"))
    assert await store.subscriptions_of("ola") == []
    assert len(await store.subscriptions_of("max")) == 1


async def test_unconfirmed_subscriptions_are_deleted(store: Store) -> None:
    await put_subscriptions(store, make_subscription("a", at=10), make_subscription("b", at=11))
    await store.commit(DeleteOldSubscriptions(11))
    assert [each.at for each in await store.subscriptions_of("ola")] == [11]


async def test_the_first_of_several_workers_sets_the_key(store: Store) -> None:
    assert await store.server_key("vapid") is None
    await asyncio.gather(*(store.commit(PutServerKey("vapid", bytes([n]))) for n in range(1, 5)))
    key = await store.server_key("vapid")
    assert key in {b"\1", b"\2", b"\3", b"\4"}
    await store.commit(PutServerKey("vapid", b"later"))
    assert await store.server_key("vapid") == key
