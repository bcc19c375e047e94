"""Idle threads of Nova sleep until there is something to do.

Nova's fixtures have them look a hundred times a second, and the messages within the process twenty times. A cloud that
has run for some minutes has hundreds of them, which then cost more processor time than its work.
"""
import threading
import time
from types import SimpleNamespace

import futurist
from futurist import _thread as futurist_thread
from oslo_messaging._drivers import impl_fake

#: Some threads are never told to end: after this time they see by themselves that their pool is gone.
LOOK_AGAIN_AFTER = 60

#: Who listens for messages and is stopped sees it after this time at the latest.
LISTEN_AGAIN_AFTER = 1


class _Nothing:
    """Work that only wakes the thread that gets it."""

    def run(self):
        pass


def sleep_until_there_is_work():
    """After Nova's fixtures, which set their own pace. A pool that is shut down wakes its threads, so that they end."""
    futurist_thread.ThreadWorker.MAX_IDLE_FOR = LOOK_AGAIN_AFTER
    shut_down = futurist.ThreadPoolExecutor.shutdown

    def shut_down_and_wake(pool, wait=True, **options):
        if wait:
            pool._work_queue.join()
        shut_down(pool, wait=False, **options)
        for _ in pool._workers:
            pool._work_queue.put(_Nothing())
        if wait:
            for worker in pool._workers:
                worker.join()

    futurist.ThreadPoolExecutor.shutdown = shut_down_and_wake


def sleep_until_a_message_comes():
    """The listeners sleep by `time.sleep` between two looks at their queues; a message for anybody wakes all of them."""
    delivered = threading.Condition()
    sent = SimpleNamespace(count=0)
    seen = threading.local()
    deliver = impl_fake.FakeExchange.deliver_message

    def deliver_and_wake(*given, **options):
        deliver(*given, **options)
        with delivered:
            sent.count += 1
            delivered.notify_all()

    def sleep(_seconds):
        with delivered:
            # A message that came after the last look is seen at once.
            if sent.count == getattr(seen, 'count', None):
                delivered.wait(LISTEN_AGAIN_AFTER)
            seen.count = sent.count

    impl_fake.FakeExchange.deliver_message = deliver_and_wake
    impl_fake.time = SimpleNamespace(time=time.time, sleep=sleep)
