"""The address of a table on a server: the link that people send each other."""

import re
from dataclasses import dataclass

TABLE_URL_PATTERN = re.compile(
    r"(?P<server>https?://[^/?#\s]+(?:/[^?#\s]+?)?)/t/(?P<table>[a-z0-9]+)/?(?:#code=(?P<code>\w+))?"
)


@dataclass(frozen=True)
class TableUrl:
    server: str
    table: str
    code: str | None = None
    """Moves a seat here from another device."""

    @property
    def socket_url(self) -> str:
        return "ws" + self.server.removeprefix("http") + f"/api/tables/{self.table}/socket"

    @property
    def api_path(self) -> str:
        return f"/api/tables/{self.table}"

    def __str__(self) -> str:
        return f"{self.server}/t/{self.table}"


def parse_table_url(text: str) -> TableUrl | None:
    found = TABLE_URL_PATTERN.fullmatch(text.strip())
    return TableUrl(found["server"], found["table"], found["code"]) if found else None
