"""Notifications on people's devices: it's their turn, or somebody is waiting for them.

What is sent says no more than everyone at the table can see, and is encrypted for the browser that
asked for it: its push service learns only that this server has sent something, and when.
"""

import asyncio
import hashlib
import logging
from collections.abc import Callable
from types import ModuleType
from typing import Any

import msgspec

from pytlik.extras import Missing, explain_missing_extra
from pytlik.game import Malformed, Reason, Seat
from pytlik.i18n import Catalogue, catalogue
from pytlik.server.clocks.clock import Clock
from pytlik.server.fair_queue import FairQueue
from pytlik.server.notifications.push_client import (
    DeliveryOutcome,
    PushClient,
    origin_of,
    parse_endpoint,
)
from pytlik.server.table.tables import Table
from pytlik.server.tokens import Holder
from pytlik.store import (
    DeleteSubscription,
    PutServerKey,
    PutSubscription,
    Store,
    Subscription,
    Unavailable,
)

log = logging.getLogger(__name__)

SERVER_KEY_NAME = "vapid"
"""The name of the key that the server signs its messages with."""

MAX_SUBSCRIPTIONS_PER_PERSON = 8
"""How many devices of one person are notified."""

RETRY_AFTER_SECONDS = (2.0, 15.0, 60.0)
"""How long to wait before each retry of a push service that couldn't take a message."""

MAX_NAMES_IN_NOTICE = 4
"""How many players' names a notification has room for."""

MESSAGES_AT_ONCE = 32
"""How many messages are sent at once. People take turns, so that somebody whose push service never
answers delays nobody else for long."""

DAY_SECONDS = 86_400


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """A message to the page's service worker."""

    table: str
    title: str
    body: str


ComposeNotice = Callable[[Catalogue], Notice]
"""Writes a notice in a language."""


def import_push_encryption() -> ModuleType:
    """Import the module for encryption. Raises Missing if the extra isn't installed."""
    with explain_missing_extra("push"):
        from pytlik.server.notifications import push_encryption  # noqa: PLC0415 - an extra: not everybody has it
    return push_encryption


def make_push_notifications(store: Store, clock: Clock) -> "PushNotifications | None":
    """The server's push notifications; None if the extra isn't installed."""
    try:
        return PushNotifications(store, clock, import_push_encryption())
    except Missing:
        return None


class PushNotifications:
    def __init__(self, store: Store, clock: Clock, push_encryption: ModuleType) -> None:
        self.client = PushClient()
        self._store = store
        self._clock = clock
        self._encryption = push_encryption
        self._key: Any = None
        self._turns = FairQueue(MESSAGES_AT_ONCE)

    async def public_key(self) -> str:
        """The key that browsers subscribe with: only the owner of the private key can notify
        them."""
        public: str = self._encryption.encode_base64url(
            self._encryption.public_key_to_bytes(await self._load_key())
        )
        return public

    async def _load_key(self) -> Any:
        """The server's key. The first worker that needs it creates it."""
        if self._key is None:
            data = await self._store.server_key(SERVER_KEY_NAME)
            if data is None:
                new = self._encryption.private_key_to_bytes(self._encryption.generate_key())
                await self._store.commit(PutServerKey(SERVER_KEY_NAME, new))
                data = await self._store.server_key(SERVER_KEY_NAME)
            if data is None:
                raise Unavailable("a backup was restored")
            self._key = self._encryption.private_key_from_bytes(data)
        return self._key

    async def subscribe(self, new: Subscription) -> None:
        """Notify a browser from now on. Raises Malformed."""
        try:
            parse_endpoint(new.endpoint)
            self._encryption.check_browser_keys(new.p256dh, new.auth)
        except ValueError as error:
            raise Malformed(Reason.BAD_REQUEST, problem=f"subscription: {error}") from None
        await self._store.commit(PutSubscription(new, MAX_SUBSCRIPTIONS_PER_PERSON))

    async def send(
        self,
        holder: Holder,
        compose: ComposeNotice,
        *,
        topic: str,
        is_current: Callable[[], bool],
        seconds: int = DAY_SECONDS,
    ) -> None:
        """Notify somebody on all their devices, as long as `is_current()`. A later message with the
        same topic replaces one that a push service still has, and none is kept for longer than
        `seconds`."""
        subscriptions = await self._store.subscriptions_of(holder)
        if not subscriptions:
            return
        await self._load_key()
        await asyncio.gather(
            *(self._send(each, compose, topic, is_current, seconds) for each in subscriptions)
        )

    async def _send(
        self,
        to: Subscription,
        compose: ComposeNotice,
        topic: str,
        is_current: Callable[[], bool],
        seconds: int,
    ) -> None:
        message = msgspec.json.encode(compose(catalogue(to.language)))
        outcome = DeliveryOutcome.TRY_LATER
        for wait in (*RETRY_AFTER_SECONDS, None):
            async with self._turns.turn(to.holder):
                if not is_current():
                    return
                body = self._encryption.encrypt_message(message, to.p256dh, to.auth)
                headers = self._headers(to, topic, seconds)
                outcome = await self.client.post(to.endpoint, headers, body)
            if outcome is not DeliveryOutcome.TRY_LATER or wait is None:
                break
            await asyncio.sleep(wait)
        if outcome is DeliveryOutcome.GONE:
            await self._store.commit(DeleteSubscription(to.holder, to.endpoint))
        elif outcome is not DeliveryOutcome.ACCEPTED:
            # Without the path, which is a secret.
            log.warning("%s didn't take a notification: %s", origin_of(to.endpoint), outcome.name)

    def _headers(self, to: Subscription, topic: str, seconds: int) -> dict[str, str]:
        service = origin_of(to.endpoint)
        return {
            "Authorization": self._encryption.authorization_header(
                self._key, service, to.origin, self._clock()
            ),
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(seconds),
            "Topic": hide_topic(topic, to),
            "Urgency": "high",
        }


def hide_topic(topic: str, to: Subscription) -> str:
    """A topic from which the push service learns only that two messages have the same one: anyone
    who knows a table's id could look at the table."""
    return hashlib.sha256(f"{to.auth}\0{topic}".encode()).hexdigest()[:32]


# ----------------------------------------------------------------------------------------- notices


def turn_notice(table: Table, seat: Seat) -> ComposeNotice:
    """A notice that it's a seat's turn, and who else plays."""
    others = [
        chair.name
        for other, chair in enumerate(table.chairs)
        if other != seat and chair.holder is not None and chair.name
    ][:MAX_NAMES_IN_NOTICE]

    def compose_turn(translate: Catalogue) -> Notice:
        game = translate(f"page.first.{table.game}.title")
        return Notice(
            table=table.id, title=translate("notice.turn", game=game), body=", ".join(others)
        )

    return compose_turn


def nudge_notice(table: Table, sender: Seat) -> ComposeNotice:
    """A notice that another player is waiting."""

    def compose_nudge(translate: Catalogue) -> Notice:
        name = table.chairs[sender].name or translate("page.lobby.guest")
        return Notice(
            table=table.id,
            title=translate("notice.nudge", name=name),
            body=translate(f"page.first.{table.game}.title"),
        )

    return compose_nudge
