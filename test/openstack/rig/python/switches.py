"""What a real data centre has as cables and power buttons, as calls below /_rig/ (no token).

POST /_rig/faults {server: fault}    DELETE /_rig/faults/<server>    (hypervisor.py)
POST /_rig/hosts/<host> {vcpus?, memory_mb?}   a new compute host; nothing where it is there
POST /_rig/offers {host: {pinned?, traits?, foreign?}}   what hosts offer from now on, all others the usual (hypervisor.py)
POST /_rig/hosts/<host>/stop, /start           its nova-compute dies, comes back
POST /_rig/audit                               the periodic tasks of every nova-compute, now
POST /_rig/sync                                of these the one that costs little: the scheduler learns who left
POST /_rig/policy {role, rules}                Nova's and placement's policies give the role these rules and no others;
                                               {}: as they were
POST /_rig/cell/stop, /start                   the database of the cell goes, comes back, as the API sees it
POST, DELETE /_rig/pods/<name>                 a conductor under a name that is gone, which Nova goes on listing
POST /_rig/vendordata [target]                 the targets of Nova's dynamic vendor data
GET  /_rig/hypervisors                         the servers that each hypervisor holds
GET  /_rig/diagnosis/<server>                  (diagnosis.py)
"""
import json
import threading

import down_cell
import hypervisor
import policy_file
from diagnosis import diagnose


class Switches:
    def __init__(self, cloud, log_file):
        self._cloud = cloud
        self._log_file = log_file
        self._lock = threading.Lock()

    def __call__(self, environ, start_response):
        length = int(environ.get('CONTENT_LENGTH') or 0)
        body = json.loads(environ['wsgi.input'].read(length)) if length else {}
        call = [environ['REQUEST_METHOD']] + environ['PATH_INFO'].strip('/').split('/')[1:]
        with self._lock:
            answer = self._switch(call, body)
        status = '404 Not Found' if answer is None else '200 OK'
        text = json.dumps(answer).encode()
        start_response(status, [('Content-Type', 'application/json'), ('Content-Length', str(len(text)))])
        return [text]

    def _switch(self, call, body):
        match call:
            case ['POST', 'faults']:
                hypervisor.faults.update(body)
            case ['DELETE', 'faults', server]:
                hypervisor.faults.pop(server, None)
            case ['POST', 'hosts', host]:
                self._add(host, body)
            case ['POST', 'hosts', host, 'stop']:
                self._cloud.stop_compute(host)
            case ['POST', 'hosts', host, 'start']:
                self._cloud.start_compute_again(host)
            case ['POST', 'offers']:
                if hypervisor.offers != body:
                    hypervisor.offers.clear()
                    hypervisor.offers.update(body)
                    self._cloud.audit()
            case ['POST', 'vendordata']:
                self._cloud.flags(vendordata_dynamic_targets=body, group='api')
            case ['POST', 'audit']:
                self._cloud.audit()
            case ['POST', 'sync']:
                self._cloud.sync()
            case ['POST', 'policy']:
                policy_file.write(self._cloud.placement_conf, **body)
            case ['POST', 'cell', ('stop' | 'start') as change]:
                down_cell.switch(change == 'stop')
            case [('POST' | 'DELETE') as change, 'pods', name]:
                self._cloud.reports.leave(name, self._cloud.cell_mappings['cell1'], change == 'POST')
            case ['GET', 'hypervisors']:
                drivers = {host: compute.manager.driver for host, compute in self._cloud.computes.items()}
                return {host: sorted(driver.instances) for host, driver in drivers.items()}
            case ['GET', 'diagnosis', server]:
                return diagnose(self._log_file, server)
            case _:
                return None
        return {}

    def _add(self, host, capacity):
        if host in self._cloud.computes:
            return
        if capacity:
            hypervisor.capacities[host] = (capacity['vcpus'], capacity['memory_mb'])
        self._cloud._start_compute(host)
