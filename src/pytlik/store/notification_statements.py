"""Changes to subscriptions as statements that are the same in both databases."""

from typing import Any, assert_never

from pytlik.store.notification_writes import (
    DeleteOldSubscriptions,
    DeleteSubscription,
    DeleteSubscriptionsOfHolder,
    NotificationWrite,
    PutServerKey,
    PutSubscription,
)

PUT_SUBSCRIPTION = """
INSERT INTO subscriptions (endpoint, holder, p256dh, auth, language, origin, at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (endpoint) DO UPDATE SET holder = excluded.holder, p256dh = excluded.p256dh,
    auth = excluded.auth, language = excluded.language, origin = excluded.origin, at = excluded.at
"""
DELETE_OLDEST_SUBSCRIPTIONS = """
DELETE FROM subscriptions WHERE holder = $1 AND endpoint NOT IN (
    SELECT endpoint FROM subscriptions WHERE holder = $1 ORDER BY at DESC, endpoint LIMIT $2)
"""

Statement = tuple[str, tuple[Any, ...]]


def notification_statements(write: NotificationWrite) -> list[Statement]:
    """Statements and their values; `$1` is the first."""
    match write:
        case PutSubscription(new, most):
            values = (
                new.endpoint, new.holder, new.p256dh, new.auth, new.language, new.origin, new.at
            )  # fmt: skip
            return [(PUT_SUBSCRIPTION, values), (DELETE_OLDEST_SUBSCRIPTIONS, (new.holder, most))]
        case DeleteSubscription(holder, endpoint):
            return [
                (
                    "DELETE FROM subscriptions WHERE endpoint = $1 AND holder = $2",
                    (endpoint, holder),
                )
            ]
        case DeleteSubscriptionsOfHolder(holder):
            return [("DELETE FROM subscriptions WHERE holder = $1", (holder,))]
        case DeleteOldSubscriptions(before):
            return [("DELETE FROM subscriptions WHERE at < $1", (before,))]
        case PutServerKey(name, key):
            return [
                (
                    "INSERT INTO server_keys (name, key) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                    (name, key),
                )
            ]
        case _:
            assert_never(write)
