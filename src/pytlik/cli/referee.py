"""`pytlik referee`: the rules as a service on stdin and stdout."""

import argparse
import sys

from pytlik import referee
from pytlik.i18n import Catalogue


def add_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    """Nothing to add: the input lines say everything."""


def run(args: argparse.Namespace, translate: Catalogue) -> int:
    return referee.main(sys.stdin.buffer, sys.stdout.buffer)
