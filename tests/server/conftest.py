"""What the tests of the server run against: a site without sockets, or a server with them."""

from tests.server.http_site import empty_database, make_site, site
from tests.server.live_server import big_live_server, live_server, same_secrets
from tests.server.recorded_play import play

__all__ = [
    "big_live_server",
    "empty_database",
    "live_server",
    "make_site",
    "play",
    "same_secrets",
    "site",
]
