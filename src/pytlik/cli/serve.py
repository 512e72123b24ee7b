"""`pytlik serve`: the server, on this machine or on the local network."""

import argparse
import socket
import sys
import threading
import webbrowser

import segno

from pytlik.i18n import Catalogue


def arguments(parser: argparse.ArgumentParser, say: Catalogue) -> None:
    parser.add_argument("--host", help=say("cli.serve.host"))
    parser.add_argument("--port", type=int, help=say("cli.serve.port"))
    parser.add_argument("--lan", action="store_true", help=say("cli.serve.lan"))
    parser.add_argument("--database", metavar="URL", help=say("cli.serve.database"))
    parser.add_argument("--redis", metavar="URL", help=say("cli.serve.redis"))
    parser.add_argument("--workers", type=int, metavar="N", help=say("cli.serve.workers"))
    parser.add_argument("--open", action="store_true", help=say("cli.serve.open"))


def run(args: argparse.Namespace, say: Catalogue) -> int:
    # Loading all of the server takes a while, which other commands need not wait for.
    from pytlik.bus.opening import Missing  # noqa: PLC0415
    from pytlik.server import serving, settings  # noqa: PLC0415
    from pytlik.store import Unavailable, Unusable  # noqa: PLC0415

    try:
        chosen = settings.load(
            host="0.0.0.0" if args.lan else args.host,
            port=args.port,
            database=args.database,
            redis=args.redis,
            workers=args.workers,
        )
    except settings.BadSetting as bad:
        print(f"pytlik: {bad}", file=sys.stderr)
        return 2
    with serving.listen(chosen) as listener:
        port = listener.getsockname()[1]
        host = local_address() if args.lan else chosen.host
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}{chosen.base_path}/"
        print(say("serve.address", address=address), flush=True)
        if args.lan:
            segno.make(address).terminal(compact=True)
        if args.open:
            threading.Timer(1, webbrowser.open, [address]).start()
        try:
            return serving.run(chosen, listener)
        except (Unavailable, Unusable, Missing) as error:
            print(f"pytlik: {error}", file=sys.stderr)
            return 1


def local_address() -> str:
    """The address that others on the network see. Nothing is sent: only a route is asked for."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
