"""The address of a table on a server, as people send it to each other."""

import re
from dataclasses import dataclass

LINK = re.compile(
    r"(?P<server>https?://[^/?#\s]+(?:/[^?#\s]+?)?)/t/(?P<table>[a-z0-9]+)/?(?:#code=(?P<code>\w+))?"
)


@dataclass(frozen=True)
class TableLink:
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


def parse_link(text: str) -> TableLink | None:
    found = LINK.fullmatch(text.strip())
    return TableLink(found["server"], found["table"], found["code"]) if found else None
