"""A service of a test run must not outlive it: when the process that started it is gone, the service ends."""
import os
import threading
import time

SECONDS = 1


def end_with_parent(parent=None):
    """Names the parent where it may be gone already."""
    parent = parent or os.getppid()

    def watch():
        while os.getppid() == parent:
            time.sleep(SECONDS)
        os._exit(1)  # the service's own threads would hold an orderly end up, and nobody waits for one

    threading.Thread(target=watch, daemon=True).start()
