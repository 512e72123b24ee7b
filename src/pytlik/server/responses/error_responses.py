"""Refusals as answers: a status, the reason's code, and the values that a sentence about it needs.
They contain only codes: the page has the sentences. Internal errors are logged, not revealed."""

import logging
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from typing import Any

import msgspec
from litestar import Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import Method

from pytlik.game import Malformed, Reason, Refusal
from pytlik.protocol.reasons import ServerReason
from pytlik.server import metrics
from pytlik.server.responses import page_files
from pytlik.server.responses.page_files import AnyRequest
from pytlik.store import Conflict, Unavailable

log = logging.getLogger(__name__)

HTTP_METHODS: tuple[Method, ...] = ("GET", "POST", "PUT", "DELETE", "OPTIONS")


class Problem(msgspec.Struct, frozen=True):
    reason: str
    detail: dict[str, Any] = {}


class Error(msgspec.Struct, frozen=True):
    error: Problem


STATUS_BY_REASON: dict[StrEnum, int] = {
    ServerReason.BAD_TOKEN: 401,
    ServerReason.PASSPHRASE_NEEDED: 401,
    ServerReason.WRONG_PASSPHRASE: 403,
    ServerReason.NOT_ADMIN: 403,
    ServerReason.WRONG_ORIGIN: 403,
    ServerReason.WRONG_HOST: 403,
    ServerReason.NOT_HOST: 403,
    Reason.NOT_YOUR_SEAT: 403,
    ServerReason.BAD_CODE: 403,
    ServerReason.SAT_ELSEWHERE: 403,
    ServerReason.HOST_LOOKS_ON: 403,
    ServerReason.REMOVED: 403,
    ServerReason.TABLE_LOCKED: 403,
    ServerReason.NEEDS_AGREEMENT: 403,
    ServerReason.NOT_FOUND: 404,
    ServerReason.NO_SUCH_TABLE: 404,
    ServerReason.NO_SUCH_SEAT: 404,
    ServerReason.NO_SUCH_MATCH: 404,
    ServerReason.NO_SUCH_DAY: 404,
    ServerReason.NO_SUCH_CIRCLE: 404,
    ServerReason.NOT_IN_CIRCLE: 403,
    ServerReason.NOT_KEEPER: 403,
    ServerReason.REMOVED_FROM_CIRCLE: 403,
    ServerReason.WRONG_METHOD: 405,
    ServerReason.TOO_LARGE: 413,
    ServerReason.TOO_FAST: 429,
    ServerReason.INTERNAL: 500,
    ServerReason.UNAVAILABLE: 503,
}
"""All other reasons: 400 if something is malformed, 409 if it can't be done now."""

REASON_BY_STATUS = {
    401: ServerReason.BAD_TOKEN,
    404: ServerReason.NOT_FOUND,
    405: ServerReason.WRONG_METHOD,
    413: ServerReason.TOO_LARGE,
}

REFUSAL_RESPONSES = {
    status: ResponseSpec(Error, description=description, generate_examples=False)
    for status, description in {
        400: "The request doesn't match this description.",
        401: "The token is missing or invalid, or the server is private.",
        403: "You may not do this.",
        404: "It doesn't exist.",
        409: "This isn't possible now.",
        413: "The request is too large.",
        429: "Too many requests.",
        503: "The database can't be reached. Nothing has changed.",
    }.items()
}
"""Part of every route's description."""


def status_of(refusal: Refusal) -> int:
    usual = 400 if isinstance(refusal, Malformed) else 409
    return STATUS_BY_REASON.get(refusal.reason, usual)


CLIENT_GONE_DETAIL = "client disconnected prematurely"
"""What the framework says of a client that has gone in the middle of a body, as if that were an
error of ours. Anybody could fill the log with these."""


def headers_of(refusal: Refusal) -> dict[str, str]:
    if refusal.reason is ServerReason.TOO_FAST:
        return {"retry-after": str(refusal.detail["seconds"])}
    if refusal.reason is ServerReason.BAD_TOKEN:
        return {"www-authenticate": "Bearer"}
    return {}


def body_of(refusal: Refusal) -> Error:
    metrics.REFUSALS.labels(refusal.reason).inc()
    return Error(Problem(refusal.reason, refusal.detail))


def refusal_response(refusal: Refusal) -> Response[Error]:
    return Response(
        body_of(refusal),
        status_code=status_of(refusal),
        headers=headers_of(refusal),
        media_type="application/json",
    )


def handle_refusal(_: AnyRequest, refusal: Refusal) -> Response[Error]:
    return refusal_response(refusal)


def handle_store_error(_: AnyRequest, error: Exception) -> Response[Error]:
    log.warning("the store refused: %s", type(error).__name__)
    return refusal_response(Refusal(ServerReason.UNAVAILABLE))


def handle_http_exception(request: AnyRequest, error: HTTPException) -> Response[Any]:
    """Whatever the framework refuses: unknown paths, wrong methods, values of the wrong type."""
    if error.detail == CLIENT_GONE_DETAIL:
        return refusal_response(Malformed(Reason.BAD_REQUEST, problem="the body is incomplete"))
    if error.status_code >= 500:
        return handle_unexpected_error(request, error)
    reason = REASON_BY_STATUS.get(error.status_code, Reason.BAD_REQUEST)
    if reason is ServerReason.NOT_FOUND and page_files.is_browser_asking_for_page(request):
        return page_files.page_file_response(
            request, page_files.shell_for_request(request), status=404
        )
    detail = {"problem": describe_problem(error)} if reason is Reason.BAD_REQUEST else {}
    answer = refusal_response(Malformed(reason, **detail))
    if reason is ServerReason.WRONG_METHOD:
        answer.headers["allow"] = ", ".join(allowed_methods(request))
    return answer


def allowed_methods(request: AnyRequest) -> Iterator[str]:
    """The methods that a path has."""
    for method in HTTP_METHODS:
        with suppress(HTTPException):
            request.app.asgi_router.handle_routing(path=request.scope["path"], method=method)
            yield method


def describe_problem(error: HTTPException) -> str:
    """Which values are wrong and why, without repeating them."""
    extra = error.extra
    if isinstance(extra, list):
        problems = [f"{part.get('key', '')}: {part.get('message', '')}" for part in extra]
        return "; ".join(problems)[:300]
    return "it can't be read" if error.detail.startswith("Failed") else error.detail[:300]


def handle_unexpected_error(_: AnyRequest, error: Exception) -> Response[Error]:
    log.error("a request failed", exc_info=error)
    return refusal_response(Refusal(ServerReason.INTERNAL))


def handle_recursion_error(_: AnyRequest, __: RecursionError) -> Response[Error]:
    log.warning("nested too deeply")
    problem = "it's nested too deeply"
    return refusal_response(Malformed(Reason.BAD_REQUEST, problem=problem))


HANDLERS: dict[Any, Any] = {
    Refusal: handle_refusal,
    RecursionError: handle_recursion_error,
    Conflict: handle_store_error,
    Unavailable: handle_store_error,
    HTTPException: handle_http_exception,
    Exception: handle_unexpected_error,
}
