"""A service of a test run must not outlive it: when the run's folder is removed, whoever removed it, the service ends."""
import os
import threading
import time

SECONDS = 5


def end_with_folder(folder):
    def watch():
        while os.path.isdir(folder):
            time.sleep(SECONDS)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
