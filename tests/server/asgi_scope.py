"""A request as uvicorn passes it on, and the credentials it may carry."""

from typing import Any

TOKEN = "A" * 22
COOKIE_HEADER, BEARER_HEADER = f"pytlik={TOKEN}", f"Bearer {TOKEN}"


def make_scope(
    kind: str = "http",
    method: str = "POST",
    peer: str | None = "203.0.113.5",
    path: str = "/api/tables",
    scheme: str = "http",
    **headers: str,
) -> dict[str, Any]:
    named = {"host": "pytlik.test", **{key.replace("_", "-"): v for key, v in headers.items()}}
    return {
        "type": kind,
        "method": method,
        "path": path,
        "scheme": scheme,
        "client": (peer, 1) if peer else None,
        "headers": [(key.encode(), value.encode()) for key, value in named.items()],
    }
