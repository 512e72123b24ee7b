"""Run `pytlik` with bots that never finish thinking. Each of them appends its process id to the
file that THINKING names."""

import os
import sys
import threading
from pathlib import Path
from typing import Any


def think_forever(*_: Any) -> None:
    with Path(os.environ["THINKING"]).open("a") as file:
        file.write(f"{os.getpid()}\n")
    threading.Event().wait()


if __name__ == "__main__":
    from pytlik.cli import main
    from pytlik.server.match import bot_pool
    from tests.server import endless_thinking

    bot_pool.think = endless_thinking.think_forever  # type: ignore[assignment]
    sys.exit(main())
