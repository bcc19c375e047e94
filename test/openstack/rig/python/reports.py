"""When services were last heard of. Nova's services report so now and then, and who is silent for long is down."""
import datetime
import threading

from nova import context as nova_context
from nova import objects
from nova.servicegroup.drivers import db
from oslo_utils import timeutils

#: Seconds. Reports of idle services cost as much as requests, and a slow machine must not take one for dead.
INTERVAL, DOWN_AFTER = 60, 600


class Reports:
    """Tells at once what Nova finds out in time: that a nova-compute is gone, and that it is back."""

    def __init__(self):
        self._gone = set()
        self._lock = threading.Lock()
        report = db.DbDriver._report_state

        def report_unless_gone(driver, service):
            with self._lock:
                if service.host not in self._gone:
                    report(driver, service)

        db.DbDriver._report_state = report_unless_gone

    def end(self, host, cell):
        with self._lock:
            self._gone.add(host)
            self._note(host, cell, timeutils.utcnow() - datetime.timedelta(seconds=2 * DOWN_AFTER))

    def begin(self, host, cell):
        with self._lock:
            self._gone.discard(host)
            self._note(host, cell, timeutils.utcnow())

    def leave(self, host, cell, is_left):
        """A conductor that was there once."""
        with nova_context.target_cell(nova_context.get_admin_context(), cell) as context:
            known = objects.Service.get_by_host_and_binary(context, host, 'nova-conductor')
            if known:
                known.destroy()
            if is_left:
                long_ago = timeutils.utcnow() - datetime.timedelta(days=7)
                objects.Service(context, host=host, binary='nova-conductor', topic='conductor',
                                last_seen_up=long_ago).create()

    def _note(self, host, cell, last_seen):
        with nova_context.target_cell(nova_context.get_admin_context(), cell) as context:
            service = objects.Service.get_by_compute_host(context, host)
            service.last_seen_up = last_seen
            service.save()
