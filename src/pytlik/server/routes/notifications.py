"""Notifications: which of your browsers tell you that it's your turn."""

from contextlib import suppress
from typing import Annotated

import msgspec
from litestar import Router, get, post, put
from litestar.params import JSONBody

from pytlik.game import Illegal
from pytlik.i18n import pick_language
from pytlik.protocol.reasons import ServerReason
from pytlik.server.access.rate_limits import Kind
from pytlik.server.notifications.push_client import MAX_ENDPOINT_LENGTH, parse_endpoint
from pytlik.server.responses.error_responses import REFUSAL_RESPONSES
from pytlik.server.routes.dependencies import (
    AnyRequest,
    Body,
    TheCaller,
    TheGate,
    TheIdentifiedCaller,
    TheLobby,
    TheVisitor,
)
from pytlik.store import DeleteSubscription, Subscription

Endpoint = Annotated[str, msgspec.Meta(max_length=MAX_ENDPOINT_LENGTH)]
BrowserKey = Annotated[str, msgspec.Meta(max_length=100)]

MAX_ORIGIN_LENGTH = 200


class NotificationKey(msgspec.Struct, frozen=True, kw_only=True):
    key: str | None
    """The server's public key, which a browser subscribes with (VAPID, as base64url); null if this
    server can't notify anybody."""


class NewSubscription(Body, frozen=True, kw_only=True):
    """A subscription as the browser's `PushManager` has made it."""

    endpoint: Endpoint
    p256dh: BrowserKey
    auth: BrowserKey
    language: Annotated[str, msgspec.Meta(max_length=35)]
    """The language of the notifications."""


class EndedSubscription(Body, frozen=True, kw_only=True):
    endpoint: Endpoint


@get("/api/notifications", responses=REFUSAL_RESPONSES)
async def get_key(lobby: TheLobby) -> NotificationKey:
    """What a browser needs to subscribe."""
    notices = lobby.rooms.services.notices
    return NotificationKey(key=await notices.public_key() if notices else None)


@put("/api/notifications", responses=REFUSAL_RESPONSES, status_code=204)
async def subscribe(
    request: AnyRequest,
    data: JSONBody[NewSubscription],
    gate: TheGate,
    visitor: TheVisitor,
    identified: TheIdentifiedCaller,
) -> None:
    """Notify this browser from now on when it's your turn and you're away from the table. Send this
    again now and then: a subscription that isn't confirmed for a year is deleted, and so is the
    oldest of more than eight."""
    gate.count_request(Kind.CREATE, visitor.address)
    notices = identified.lobby.rooms.services.notices
    if notices is None:
        raise Illegal(ServerReason.NOT_FOUND)
    await notices.subscribe(
        Subscription(
            endpoint=data.endpoint,
            holder=identified.holder,
            p256dh=data.p256dh,
            auth=data.auth,
            language=pick_language(data.language),
            origin=request.headers.get("origin", "")[:MAX_ORIGIN_LENGTH],
            at=identified.lobby.now(),
        )
    )


@post("/api/notifications/end", responses=REFUSAL_RESPONSES, status_code=204)
async def unsubscribe(data: JSONBody[EndedSubscription], caller: TheCaller) -> None:
    """Stop notifying this browser."""
    if caller.holder is not None:
        with suppress(ValueError):  # it was never subscribed
            parse_endpoint(data.endpoint)
            await caller.lobby.store.commit(DeleteSubscription(caller.holder, data.endpoint))


router = Router("/", route_handlers=[get_key, subscribe, unsubscribe], tags=["notifications"])
