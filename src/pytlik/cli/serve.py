"""`pytlik serve`: runs the server, on this machine or on the local network. `pytlik` alone does the
same for people who just want to play, and opens a browser."""

import argparse
import sys
import threading
import webbrowser
from typing import Any

import segno

from pytlik.i18n import Catalogue

PORT_TRIES = 20
"""How many ports to try for a free one, if none was given."""


def add_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    parser.add_argument("--host", help=translate("cli.serve.host"))
    parser.add_argument("--port", type=int, help=translate("cli.serve.port"))
    parser.add_argument("--lan", action="store_true", help=translate("cli.serve.lan"))
    parser.add_argument("--database", metavar="URL", help=translate("cli.serve.database"))
    parser.add_argument("--redis", metavar="URL", help=translate("cli.serve.redis"))
    parser.add_argument("--workers", type=int, metavar="N", help=translate("cli.serve.workers"))
    parser.add_argument("--open", action="store_true", help=translate("cli.serve.open"))


def add_commandless_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    """Add the arguments of `pytlik` without a command. They have names of their own, because those
    of `serve` would overwrite them."""
    lan = translate("cli.serve.lan")
    parser.add_argument("--lan", dest="alone_lan", action="store_true", help=lan)
    parser.add_argument("--no-browser", action="store_true", help=translate("cli.alone.no_browser"))


def run(args: argparse.Namespace, translate: Catalogue) -> int:
    return serve(
        translate,
        lan=args.lan,
        browser=args.open,
        host=args.host,
        port=args.port,
        database=args.database,
        redis=args.redis,
        workers=args.workers,
    )


def run_without_command(args: argparse.Namespace, translate: Catalogue) -> int:
    """Serve someone who wants to play, not to host: take any free port and open the browser."""
    return serve(translate, lan=args.alone_lan, browser=not args.no_browser, any_port=True)


def serve(
    translate: Catalogue, *, lan: bool, browser: bool, any_port: bool = False, **given: Any
) -> int:
    # Loading the server takes a while, which other commands need not wait for.
    from pytlik.server import settings, startup  # noqa: PLC0415
    from pytlik.server.processes.lan_address import find_lan_address  # noqa: PLC0415
    from pytlik.store import Unavailable, Unusable  # noqa: PLC0415

    try:
        chosen = settings.load_settings(**({**given, "host": "0.0.0.0"} if lan else given))
    except settings.BadSetting as bad:
        # Name the flag, unless the value came from an environment variable.
        is_flag = given.get(bad.name) is not None
        problem = f"--{bad.name}: {bad.problem}" if is_flag else str(bad)
        print(f"pytlik: {problem}", file=sys.stderr)
        return 2
    try:
        bound = startup.listen(chosen, tries=PORT_TRIES if any_port else 1)
    except OSError as error:
        place = f"{chosen.host}:{chosen.port}"
        problem = translate("serve.taken", address=place, problem=error.strerror or error)
        print(f"pytlik: {problem}", file=sys.stderr)
        return 1
    with bound as listener:
        port = listener.getsockname()[1]
        host = find_lan_address() if lan else chosen.host
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}{chosen.base_path}/"
        print(translate("serve.address", address=address), flush=True)
        if lan:
            segno.make(address).terminal(compact=True)
            sys.stdout.flush()  # A program may be waiting to read it.
        if any_port:
            print(translate("serve.alone.lan" if lan else "serve.alone"), flush=True)
        if browser:
            # No need to wait: the socket is listening already, and answers once the server is up.
            threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()
        try:
            return startup.run_server(chosen, listener)
        except (Unavailable, Unusable) as error:
            print(f"pytlik: {error}", file=sys.stderr)
            return 1
