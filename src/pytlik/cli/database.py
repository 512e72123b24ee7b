"""What the commands that look after a database have in common."""

import argparse
import sys
from collections.abc import Callable

from pytlik.i18n import Catalogue
from pytlik.store import Unavailable, Unusable


def argument(parser: argparse.ArgumentParser, say: Catalogue) -> None:
    parser.add_argument("--database", metavar="URL", help=say("cli.database"))


def with_database(args: argparse.Namespace, work: Callable[[str], int]) -> int:
    """Do it with the address of the database that is meant: as `pytlik serve` would find it."""
    from pytlik.server import settings  # noqa: PLC0415 - other commands need not wait for it

    try:
        return work(settings.load(database=args.database).database)
    except settings.BadSetting as bad:
        print(f"pytlik: {bad}", file=sys.stderr)
        return 2
    except (Unavailable, Unusable) as error:
        print(f"pytlik: {error}", file=sys.stderr)
        return 1
