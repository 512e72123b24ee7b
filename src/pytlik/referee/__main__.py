"""`python -m pytlik.referee` is `pytlik referee`."""

import sys

from pytlik.referee.service import main

if __name__ == "__main__":
    sys.exit(main(sys.stdin.buffer, sys.stdout.buffer))
