"""Make `python -m pytlik` the same as `pytlik`."""

import sys

from pytlik.cli import main

if __name__ == "__main__":
    sys.exit(main())
