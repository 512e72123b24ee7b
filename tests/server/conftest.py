"""Fixtures that run the server: a site without sockets, or a server with them."""

from tests.server.http_site import empty_database, make_site, site
from tests.server.live_server import live_server, live_server_with_bot_processes, same_secrets
from tests.server.recorded_play import play_and_record

__all__ = [
    "empty_database",
    "live_server",
    "live_server_with_bot_processes",
    "make_site",
    "play_and_record",
    "same_secrets",
    "site",
]
