"""Writes about notifications: where people can be sent them, and the keys to sign them with."""

import msgspec


class Subscription(msgspec.Struct, frozen=True, kw_only=True):
    """Where and how a browser can be sent notifications (RFC 8030)."""

    endpoint: str
    """An address at the push service of the browser's maker. Whoever knows it can send there."""
    holder: str
    p256dh: str
    """The browser's public key, as base64url."""
    auth: str
    """A secret that the browser shares only with us, as base64url."""
    language: str
    origin: str
    """The address under which this browser knows the server."""
    at: int
    """When the browser last confirmed it."""


class PutSubscription(msgspec.Struct, frozen=True):
    """Store where a browser can be notified, replacing what was stored for its endpoint. Only the
    newest `most` of a person's subscriptions are kept."""

    subscription: Subscription
    most: int


class DeleteSubscription(msgspec.Struct, frozen=True):
    """Delete one of somebody's subscriptions."""

    holder: str
    endpoint: str


class DeleteSubscriptionsOfHolder(msgspec.Struct, frozen=True):
    """Delete all of somebody's subscriptions."""

    holder: str


class DeleteOldSubscriptions(msgspec.Struct, frozen=True):
    """Delete subscriptions that no browser has confirmed since `before`."""

    before: int


class PutServerKey(msgspec.Struct, frozen=True):
    """Set a key of the server, unless there is one: the first worker that needs it creates it."""

    name: str
    key: bytes


NotificationWrite = (
    PutSubscription
    | DeleteSubscription
    | DeleteSubscriptionsOfHolder
    | DeleteOldSubscriptions
    | PutServerKey
)
"""Writes about notifications. Each is committed alone."""
