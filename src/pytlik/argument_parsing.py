"""Command-line parsing shared by several commands."""

import argparse
import difflib
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from pytlik.i18n import Catalogue
from pytlik.store import Unavailable, Unusable


class CommandParser(argparse.ArgumentParser):
    """A parser that suggests a correction for a misspelt word."""

    def __init__(self, translate: Catalogue, **settings: Any) -> None:
        super().__init__(**settings)
        self._translate = translate

    def error(self, message: str) -> NoReturn:
        found = re.search(r"invalid choice: '([^']+)' \(choose from (.+)\)", message)
        hint = (
            suggest_similar(found[1], re.findall(r"[\w-]+", found[2]), self._translate)
            if found
            else ""
        )
        super().error(message + hint)


def suggest_similar(word: str, known: Sequence[str], translate: Catalogue) -> str:
    """A line that suggests the most similar word; empty if there is none."""
    similar = difflib.get_close_matches(word, known, n=1)
    return "\n" + translate("cli.did_you_mean", word=similar[0]) if similar else ""


def positive_int(text: str) -> int:
    """The type of an argument that counts something. If a value is wrong, argparse shows this
    function's name."""
    if (value := int(text)) < 1:
        raise ValueError
    return value


def add_database_argument(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    parser.add_argument("--database", metavar="URL", help=translate("cli.database"))


def run_with_database_url(args: argparse.Namespace, work: Callable[[str], int]) -> int:
    """Call `work` with the URL of the database that `pytlik serve` would use, and report errors.
    Returns the exit status."""
    from pytlik.server import settings  # noqa: PLC0415 - other commands need not wait for it

    try:
        return work(settings.load_settings(database=args.database).database)
    except settings.BadSetting as bad:
        print(f"pytlik: {bad}", file=sys.stderr)
        return 2
    except (Unavailable, Unusable) as error:
        print(f"pytlik: {error}", file=sys.stderr)
        return 1
