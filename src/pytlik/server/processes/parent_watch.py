"""Makes a process end with its parent, even if that was killed and couldn't stop it."""

import multiprocessing
import os
import signal
import threading


def exit_with_parent() -> None:
    """Call this in a process that multiprocessing has started."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="pytlik-parent-watch", daemon=True).start()
