"""This machine's address in its network, which others there can open."""

import socket


def find_lan_address() -> str:
    """The address that others on the network see. Nothing is sent, this only looks up a route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
