"""What the first start of a service makes and later starts share, beside the packages in the user's cache: a database
with its tables. To migrate an empty one through all versions costs more than a second of a processor.
"""
import contextlib
import os
import sys

_FOLDER = f'{sys.prefix}-kept'


def kept(name):
    """@returns the path of the file, or None where nothing is kept yet"""
    path = os.path.join(_FOLDER, name)
    return path if os.path.exists(path) else None


@contextlib.contextmanager
def keep(name):
    """Gives a path to write to. Other runs do the same at the same time, and find the whole file or none."""
    os.makedirs(_FOLDER, exist_ok=True)
    growing = os.path.join(_FOLDER, f'{name}-{os.getpid()}')
    yield growing
    os.replace(growing, os.path.join(_FOLDER, name))
