"""What several commands of the command line share."""

import argparse
import sys
from collections.abc import Callable

from pytlik.i18n import Catalogue
from pytlik.store import Unavailable, Unusable


def positive(text: str) -> int:
    """The type of an argument that counts something."""
    if (value := int(text)) < 1:
        raise ValueError
    return value


def add_database_argument(parser: argparse.ArgumentParser, say: Catalogue) -> None:
    parser.add_argument("--database", metavar="URL", help=say("cli.database"))


def run_with_database(args: argparse.Namespace, work: Callable[[str], int]) -> int:
    """Do it with the address of the database that `pytlik serve` would use."""
    from pytlik.server import settings  # noqa: PLC0415 - other commands need not wait for it

    try:
        return work(settings.load(database=args.database).database)
    except settings.BadSetting as bad:
        print(f"pytlik: {bad}", file=sys.stderr)
        return 2
    except (Unavailable, Unusable) as error:
        print(f"pytlik: {error}", file=sys.stderr)
        return 1
