"""Real Novas, each in one process: compute API and placement over HTTP, conductor, scheduler and compute services.

Built on nova's own functional-test fixtures, which the wheel carries: native threads, SQLite files, messages within
the process, fake hypervisors (hypervisor.py). Neutron, Glance and Cinder are nova's fixtures. Tokens are checked by
keystonemiddleware against a real Keystone (keystone_service.py). What it is not: as fast, or as unreliable, as a cloud.

Most of a Nova's start is the loading of its modules: one process does that, and forks for each Nova.
"""
import argparse
import contextlib
import gc
import json
import logging
import os
import signal
import sys
import tempfile
import threading
import traceback
import warnings
from unittest import mock

gc.disable()  # until it is up: all that is made until then stays

parser = argparse.ArgumentParser()
parser.add_argument('--nova', nargs=2, action='append', required=True, metavar=('FOLDER', 'PORT'),
                    help='a Nova: the folder for its databases, log and ready.json, and its port')
parser.add_argument('--keystone', required=True, help='address with /v3')
parser.add_argument('--password', required=True, help="of the user nova")
parser.add_argument('--computes', type=int, default=6)
OPTIONS = parser.parse_args()
sys.argv = sys.argv[:1]  # oslo.config and nova read it when they are imported

os.environ['OS_NOVA_DISABLE_EVENTLET_PATCHING'] = '1'
os.environ['OS_TEST_TIMEOUT'] = '0'

import nova.tests.functional  # noqa: E402,F401  first of all: it chooses native threads
import fixtures  # noqa: E402
from keystoneauth1 import loading  # noqa: E402
from keystonemiddleware import auth_token  # noqa: E402
from nova import context as nova_context  # noqa: E402
import nova.conf  # noqa: E402
from nova.api import wsgi  # noqa: E402
from nova.api.metadata import handler as metadata  # noqa: E402
from nova.api.openstack import wsgi_app  # noqa: E402
import nova.api.openstack.compute.routes  # noqa: E402,F401  else each Nova would load it for itself
from nova.tests import fixtures as nova_fixtures  # noqa: E402
from nova.tests.fixtures.nova import DB_SCHEMA  # noqa: E402
from nova.tests.functional import integrated_helpers  # noqa: E402
from placement import deploy as placement_deploy  # noqa: E402
import stevedore  # noqa: E402
from werkzeug.serving import WSGIRequestHandler, make_server  # noqa: E402

import hypervisor  # noqa: E402,F401  makes itself known to nova
import idle_threads  # noqa: E402
import kept_connections  # noqa: E402
import less_work  # noqa: E402
import policy_file  # noqa: E402
import reports  # noqa: E402
from end_with_parent import end_with_parent  # noqa: E402
from kept import keep, kept  # noqa: E402
from switches import Switches  # noqa: E402

CONF = nova.conf.CONF


def fit_fixtures_to_a_long_life():
    """The fixtures expect one test in one thread."""
    # They swap a global database handle while a cell is targeted, which could point another thread at the wrong
    # cell. Here each context carries its cell, and everything without one belongs to cell1.
    cells = nova_fixtures.CellDatabases
    cells._wrap_target_cell = lambda self, context, cell: self._real_target_cell(context, cell)
    cells._wrap_get_context_manager = (
        lambda self, context: getattr(context, 'db_connection', None) or self._default_ctxt_mgr)
    nova_fixtures.GenericPoisonFixture.POISON_THESE = ()
    nova_fixtures.WarningsFixture.setUp = lambda self: (
        fixtures.Fixture.setUp(self), warnings.simplefilter('ignore'))


SCHEMAS = 'nova-schemas.json'
DATABASES = ('main', 'api')


def use_kept_schemas():
    """The fixtures make tables by these statements where they have them, else by all migrations."""
    if (path := kept(SCHEMAS)) is None:
        return
    with open(path) as file:
        for database, statements in json.load(file).items():
            DB_SCHEMA[(database, None)] = statements


def keep_schemas():
    if kept(SCHEMAS) is None:
        with keep(SCHEMAS) as path, open(path, 'w') as file:
            json.dump({database: DB_SCHEMA[(database, None)] for database in DATABASES}, file)


class Cloud(integrated_helpers._IntegratedTestBase):
    CAST_AS_CALL = False
    STUB_KEYSTONE = False

    def runTest(self):
        """A TestCase must have one."""

    def _setup_services(self):
        self.stopped = set()  # hosts whose nova-compute is down
        self.reports = reports.Reports()
        self._configure()
        self.conductor = self.start_service('conductor')
        self.scheduler = self.start_service('scheduler')
        for number in range(1, OPTIONS.computes + 1):
            self._start_compute('compute-%d' % number)
        self._check_tokens_with_keystone()
        self._ask_for_vendordata_as_nova()
        self.compute_api = wsgi.Loader().load_app('osapi_compute')
        wsgi_app._setup_service(CONF.host, 'osapi_compute')
        self.placement_api = self._load_placement()
        self.metadata_api = metadata.MetadataRequestHandler()

    def _configure(self):
        self.flags(compute_driver='fake.Hypervisor')
        self.flags(api_paste_config=os.path.join(sys.prefix, 'etc', 'nova', 'api-paste.ini'), group='wsgi')
        # For all services: they share this process.
        self.flags(max_concurrent_live_migrations=64, default_thread_pool_size=64, cell_worker_thread_pool_size=32)
        self.flags(service_down_time=reports.DOWN_AFTER, report_interval=reports.INTERVAL)
        self.flags(response_validation='ignore', group='api')
        # The other format is made with much more work, and nobody listens.
        self.flags(notification_format='unversioned', group='notifications')
        self.flags(instances=-1, cores=-1, ram=-1, server_group_members=-1, server_groups=-1, group='quota')
        self.flags(transport_url=self.cell_mappings['cell1'].transport_url)

    def _check_tokens_with_keystone(self):
        group = 'keystone_authtoken'
        loading.register_auth_conf_options(CONF, group)
        self.flags(auth_type='password', www_authenticate_uri=OPTIONS.keystone, service_type='compute', group=group)
        plugin = loading.get_plugin_loader('password')
        CONF.register_opts(loading.get_auth_plugin_conf_options(plugin), group=group)
        self.flags(auth_url=OPTIONS.keystone, username='nova', password=OPTIONS.password, project_name='service',
                   user_domain_id='default', project_domain_id='default', group=group)

    def _ask_for_vendordata_as_nova(self):
        """The metadata API, which a proxy asks in the guests' place; switches.py sets the targets."""
        self.flags(service_metadata_proxy=True, metadata_proxy_shared_secret='rig', group='neutron')
        self.flags(vendordata_providers=['DynamicJSON'], group='api')
        self.flags(metadata_cache_expiration=0, group='api')
        group = 'vendordata_dynamic_auth'
        self.flags(auth_type='password', group=group)
        CONF.register_opts(loading.get_auth_plugin_conf_options(loading.get_plugin_loader('password')), group=group)
        self.flags(auth_url=OPTIONS.keystone, username='nova', password=OPTIONS.password, project_name='service',
                   user_domain_id='default', project_domain_id='default', group=group)

    def _load_placement(self):
        """The placement that nova's own services use, behind a check of tokens."""
        self.placement_conf = self.placement_fixture.conf_fixture.conf
        policy_file.let_placement_read_one(self.placement_conf)
        behind_the_check = placement_deploy.loadapp(self.placement_conf)
        return auth_token.AuthProtocol(behind_the_check, {'oslo_config_config': CONF})

    def audit(self):
        """nova-compute's periodic audit of resources, which the fixtures switch off: puts the trait of a disabled host
        right, which a quick change can lose.
        """
        try:
            self._on_every_host(lambda manager, context: manager.update_available_resource(context))
        finally:
            self.sync()

    def sync(self):
        """nova-compute's periodic report of servers to the scheduler, which the fixtures switch off.

        It makes the scheduler forget a server that left by a live migration: until then a member of an anti-affinity
        group still counts on the host that it left.
        """
        self._on_every_host(lambda manager, context: manager._sync_scheduler_instance_info(context))

    def stop_compute(self, host):
        self.stopped.add(host)
        self.computes[host].stop()
        self.reports.end(host, self.host_mappings[host].cell_mapping)

    def start_compute_again(self, host):
        """The hypervisor has kept its servers meanwhile."""
        if host not in self.stopped:
            return
        driver = self.computes[host].manager.driver
        with mock.patch('nova.virt.driver.load_compute_driver', return_value=driver):
            self._start_compute(host)
        self.reports.begin(host, self.host_mappings[host].cell_mapping)
        self.stopped.discard(host)

    def _on_every_host(self, task):
        """Every host has its turn; then the first failure, where there is one, is the caller's."""
        failures = []
        context = nova_context.get_admin_context()
        for host, compute in list(self.computes.items()):
            if host in self.stopped or host not in self.host_mappings:
                continue
            with nova_context.target_cell(context, self.host_mappings[host].cell_mapping) as cell_context:
                try:
                    task(compute.manager, cell_context)
                except Exception as failure:
                    logging.getLogger('rig').exception('a periodic task failed on %s', host)
                    failures.append(failure)
        if failures:
            raise failures[0]


def log_to(file):
    """Not into memory, as the fixtures do."""
    log = logging.FileHandler(file)
    log.setFormatter(logging.Formatter('%(asctime)s %(levelname)s %(threadName)s %(name)s %(message)s'))
    root = logging.getLogger()
    root.handlers = [log]
    root.setLevel(logging.INFO)
    logging.getLogger('werkzeug').setLevel(logging.WARNING)  # Nova logs every request itself


def serve(cloud, port, log_file):
    switches = Switches(cloud, log_file)

    def dispatch(environ, start_response):
        path = environ['PATH_INFO']
        if path.startswith('/_rig/'):
            return switches(environ, start_response)
        if path.startswith('/placement'):
            environ['PATH_INFO'] = path[len('/placement'):]
            return cloud.placement_api(environ, start_response)
        if path.startswith('/_metadata/'):
            environ['PATH_INFO'] = path[len('/_metadata'):]
            return cloud.metadata_api(environ, start_response)
        return cloud.compute_api(environ, start_response)

    WSGIRequestHandler.protocol_version = 'HTTP/1.1'
    server = make_server('127.0.0.1', port, dispatch, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def collect_garbage_seldom():
    """Looks at everything that has been made since the start cost a twentieth of Nova's work."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def cloud_class():
    if 'GUESTS_FOLDER' not in os.environ:
        return Cloud
    import guests
    return guests.with_guests(Cloud)


def run_nova(folder, port):
    """Until it is ended."""
    tempfile.tempdir = os.path.join(folder, 'databases')
    os.makedirs(tempfile.tempdir, exist_ok=True)
    cloud = cloud_class()('runTest')
    cloud.setUp()
    keep_schemas()
    idle_threads.sleep_until_there_is_work()
    log_file = os.path.join(folder, 'nova.log')
    log_to(log_file)
    collect_garbage_seldom()
    serve(cloud, port, log_file)
    with open(os.path.join(folder, 'ready.json'), 'w') as ready:
        json.dump({'port': port}, ready)
    threading.Event().wait()


def fork(folder, port):
    """@returns the process that runs the Nova"""
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        end_with_parent(parent)
        try:
            run_nova(folder, int(port))
        except BaseException:
            traceback.print_exc()
        os._exit(1)  # the threads of Nova's services would hold an orderly end up
    return child


def main():
    fit_fixtures_to_a_long_life()
    kept_connections.keep_connections()
    idle_threads.sleep_until_a_message_comes()
    less_work.leave_out_work_without_effect()
    use_kept_schemas()
    # A part of each service's start is the search for plug-ins in all packages, once for each process.
    stevedore.NamedExtensionManager('oslo.messaging.drivers', names=['fake'])
    gc.freeze()
    children = [fork(folder, port) for folder, port in OPTIONS.nova]

    def end(code):
        for child in children:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)  # a run of tests counts the processor time of processes that were waited for
        os._exit(code)  # a signal may come while this process waits, and nothing is left to put in order

    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: end(0))
    end_with_parent()
    os.wait()  # for one that could not start, or has died
    end(1)


main()
