"""A fake hypervisor that can be told to be slow, to fail, or not to heed what it is told.

Faults are kept by server UUID, each a dictionary: `prepare_seconds` before a live migration runs, `seconds` it lasts,
whether it tells its `progress`, `deaf` to force-complete, `cold_seconds` a cold one lasts unless the fault is taken away,
`fail` one of check (before it runs, on every host), cpu (the target's does not suit), run (while it runs), cold, move
(any move: a cold one while it runs, and none goes live without shared storage), arrive (the guest runs at the target, which then fails: ERROR there), lost (the same, as an older
Nova has it: ERROR on the source), and `times` that it fails so (1). `as_libvirt`: a migration that is rolled back ends in
ERROR a second later. `odd_check`: the hosts that refuse it before it runs, in words that nobody knows. `stuck`: the
migration is completed, and the server stays MIGRATING on its source.
"""
import threading
import time

from nova import exception
from nova.compute import manager
from nova.virt import fake

LIVE_SECONDS = 0.3
faults = {}
capacities = {}  # host name -> (vcpus, memory in MB), where it is not the usual one
# host name -> {'pinned': all its processors are dedicated (PCPU), 'traits': [...], 'foreign': it refuses all live
# migrations for its processor, which Nova knows only when it has asked}
offers = {}


def _is_to_fail(server, *kinds):
    fault = faults.get(server)
    if not fault or fault.get('fail') not in kinds or fault.get('times', 1) < 1:
        return False
    fault['times'] = fault.get('times', 1) - 1
    return True


def _tell(instance, what):
    return faults.get(instance.uuid, {}).get(what)


def _let_arrivals_fail(nova_compute):
    """What goes wrong beside the hypervisor, in nova-compute itself."""
    arrive = nova_compute._do_post_live_migration_at_destination
    leave = nova_compute._post_live_migration
    leave_and_record_host = nova_compute._post_live_migration_update_host

    def arrive_or_fail(self, context, instance, block_migration):
        if _is_to_fail(instance.uuid, 'lost'):
            raise exception.NovaException('the target was told to fail')
        return arrive(self, context, instance, block_migration)

    def leave_or_be_stuck(self, ctxt, instance, dest, block_migration=False, migrate_data=None, source_bdms=None):
        if _tell(instance, 'stuck'):
            migrate_data.migration.status = 'completed'
            migrate_data.migration.save()
            return None
        return leave(self, ctxt, instance, dest, block_migration, migrate_data, source_bdms)

    def leave_as_it_may_be(self, ctxt, instance, dest, *args, **kwargs):
        is_old = _tell(instance, 'fail') == 'lost'  # an older Nova does not record the host
        return (leave_or_be_stuck if is_old else leave_and_record_host)(self, ctxt, instance, dest, *args, **kwargs)

    nova_compute._do_post_live_migration_at_destination = arrive_or_fail
    nova_compute._post_live_migration = leave_or_be_stuck
    nova_compute._post_live_migration_update_host = leave_as_it_may_be


_let_arrivals_fail(manager.ComputeManager)


def _wait_for(instance, seconds):
    began = time.monotonic()
    while time.monotonic() < began + faults.get(instance.uuid, {}).get(seconds, 0):
        time.sleep(0.2)


def _tell_progress(migration, over, seconds):
    began = time.monotonic()
    migration.memory_total = 1024 * 1048576
    while not over.wait(1):
        share = min(1, (time.monotonic() - began) / seconds)
        migration.memory_remaining = int(migration.memory_total * (1 - share))
        migration.memory_processed = migration.memory_total - migration.memory_remaining
        migration.save()
        if share == 1:
            return


class Hypervisor(fake.FakeLiveMigrateDriver):
    vcpus, memory_mb, local_gb = 64, 262144, 4096

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._running = {}  # server UUID -> the live migration under way

    def init_host(self, host):
        super().init_host(host)
        if host in capacities:
            self.vcpus, self.memory_mb = capacities[host]
            self.resources = fake.Resources(self.vcpus, self.memory_mb, self.local_gb)

    def update_provider_tree(self, provider_tree, nodename, allocations=None):
        super().update_provider_tree(provider_tree, nodename, allocations)
        offered = offers.get(nodename, {})
        inventory = dict(provider_tree.data(nodename).inventory)
        if offered.get('pinned'):  # as libvirt has it with cpu_dedicated_set alone
            inventory['PCPU'] = dict(inventory.pop('VCPU'), allocation_ratio=1.0, reserved=0)
        else:
            inventory.pop('PCPU', None)
        provider_tree.update_inventory(nodename, inventory)
        wanted = set(offered.get('traits', []))
        known = {trait for trait in provider_tree.data(nodename).traits if trait.startswith('CUSTOM_')}
        provider_tree.remove_traits(nodename, *(known - wanted))
        provider_tree.add_traits(nodename, *wanted)

    def check_can_live_migrate_source(self, context, instance, dest_check_data, block_device_info=None):
        if _is_to_fail(instance.uuid, 'check'):
            raise exception.MigrationPreCheckError(reason='the hypervisor was told to refuse it')
        if _is_to_fail(instance.uuid, 'move'):
            raise exception.InvalidSharedStorage(path='/var/lib/nova', reason='the hypervisor was told so')
        return super().check_can_live_migrate_source(context, instance, dest_check_data, block_device_info)

    def check_can_live_migrate_destination(self, context, instance, src_compute_info, dst_compute_info,
                                           block_migration=False, disk_over_commit=False):
        if self._host in (_tell(instance, 'odd_check') or ()):
            raise exception.MigrationPreCheckError(reason='the planets are not in line')
        if _is_to_fail(instance.uuid, 'cpu') or offers.get(self._host, {}).get('foreign'):
            raise exception.InvalidCPUInfo(reason="CPU doesn't have compatibility")
        return super().check_can_live_migrate_destination(context, instance, src_compute_info, dst_compute_info,
                                                          block_migration, disk_over_commit)

    def pre_live_migration(self, context, instance, *args, **kwargs):
        _wait_for(instance, 'prepare_seconds')
        return super().pre_live_migration(context, instance, *args, **kwargs)

    def live_migration(self, context, instance, dest, post_method, recover_method, block_migration=False,
                       migrate_data=None):
        fault = faults.get(instance.uuid, {})
        migration = {'over': threading.Event(), 'aborted': False, 'deaf': fault.get('deaf', False)}
        self._running[instance.uuid] = migration
        if fault.get('progress'):
            _tell_progress(migrate_data.migration, migration['over'], fault['seconds'])
        else:
            migration['over'].wait(fault.get('seconds', LIVE_SECONDS))
        self._running.pop(instance.uuid, None)
        if migration['aborted']:
            recover_method(context, instance, dest, migrate_data, migration_status='cancelled')
            self._end_as_libvirt(fault)
        elif _is_to_fail(instance.uuid, 'run'):
            recover_method(context, instance, dest, migrate_data)
            self._end_as_libvirt(fault)
        else:
            post_method(context, instance, dest, block_migration, migrate_data)

    @staticmethod
    def _end_as_libvirt(fault):
        if fault.get('as_libvirt'):
            time.sleep(1.3)
            raise exception.NovaException('the operation was aborted')

    def post_live_migration_at_destination(self, context, instance, *args, **kwargs):
        if _is_to_fail(instance.uuid, 'arrive'):
            raise exception.NovaException('the target was told to fail')
        return super().post_live_migration_at_destination(context, instance, *args, **kwargs)

    def live_migration_force_complete(self, instance):
        migration = self._running.get(instance.uuid)
        if migration and not migration['deaf']:
            migration['over'].set()

    def live_migration_abort(self, instance):
        migration = self._running.get(instance.uuid)
        if migration:
            migration['aborted'] = True
            migration['over'].set()

    def migrate_disk_and_power_off(self, context, instance, *args, **kwargs):
        if _is_to_fail(instance.uuid, 'cold', 'move'):
            raise exception.MigrationError(reason='the hypervisor was told to let it fail')
        _wait_for(instance, 'cold_seconds')
        return super().migrate_disk_and_power_off(context, instance, *args, **kwargs)

    def get_host_uptime(self):
        return ' 00:00:00 up 1 day,  0:00,  0 users,  load average: 0.00, 0.00, 0.00'


# nova looks a driver up by its name below nova.virt
fake.Hypervisor = Hypervisor
