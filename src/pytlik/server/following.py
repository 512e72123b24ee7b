"""Processes that end with whoever started them, also if that was killed and could not say so."""

import multiprocessing
import os
import signal
import threading


def follow() -> None:
    """To be called in a process that multiprocessing has started."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="pytlik-follow", daemon=True).start()
