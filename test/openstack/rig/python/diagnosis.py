"""What there is to see of a server that is not built: what Nova logged of it, and where its threads are."""
import collections
import sys
import traceback

MOST_LINES = 60
MOST_FRAMES = 8


def diagnose(log_file, server):
    with open(log_file, errors='replace') as log:
        of_server = collections.deque((line.rstrip() for line in log if server in line), MOST_LINES)
    return {'log': list(of_server), 'threads': _threads()}


def _threads():
    """Stacks, the innermost call last, of which many threads have the same one."""
    stacks = collections.Counter(
        tuple('%s:%d %s' % (frame.filename, frame.lineno, frame.name)
              for frame in traceback.extract_stack(top)[-MOST_FRAMES:])
        for top in sys._current_frames().values())
    return [{'count': count, 'stack': list(stack)} for stack, count in stacks.most_common()]
