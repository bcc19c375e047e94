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
    """The listeners sleep by `time.sleep` between two looks at their queues; a message wakes those that may have it."""
    listeners = []
    current = threading.local()
    make = impl_fake.FakeListener.__init__
    poll = impl_fake.FakeListener.poll
    stop = impl_fake.FakeListener.stop
    deliver = impl_fake.FakeExchange.deliver_message

    def make_wakeable(listener, *given, **options):
        make(listener, *given, **options)
        listener.woken = threading.Event()
        listeners.append(listener)

    def poll_as(listener, *given, **options):
        current.listener = listener
        return poll(listener, *given, **options)

    def sleep(_seconds):
        woken = current.listener.woken
        woken.wait()
        woken.clear()  # before the next look: what comes after it wakes again

    def deliver_and_wake(exchange, topic, ctxt, message, server=None, fanout=False, reply_q=None):
        deliver(exchange, topic, ctxt, message, server=server, fanout=fanout, reply_q=reply_q)
        to_all = fanout or server is None
        for listener in list(listeners):
            if any(each.topic == topic and (to_all or each.server == server) for each in listener._targets):
                listener.woken.set()

    def stop_and_wake(listener):
        stop(listener)
        listener.woken.set()
        if listener in listeners:
            listeners.remove(listener)

    impl_fake.FakeListener.__init__ = make_wakeable
    impl_fake.FakeListener.poll = poll_as
    impl_fake.FakeListener.stop = stop_and_wake
    impl_fake.FakeExchange.deliver_message = deliver_and_wake
    impl_fake.time = SimpleNamespace(time=time.time, sleep=sleep)
