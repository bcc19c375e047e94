"""A fake hypervisor that can be told to be slow, to fail, or not to heed what it is told.

Faults are kept by server UUID, each a dictionary: `prepare_seconds` before a live migration runs, `seconds` it lasts,
whether it tells its `progress`, `deaf` to force-complete, `cold_seconds` a cold one lasts unless the fault is taken away,
`fail` one of check (before it runs, on every host), cpu (the target's does not suit), run (while it runs), cold, move
(any move while it runs), and `times` that it fails so (1).
"""
import threading
import time

from nova import exception
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
        return super().check_can_live_migrate_source(context, instance, dest_check_data, block_device_info)

    def check_can_live_migrate_destination(self, context, instance, src_compute_info, dst_compute_info,
                                           block_migration=False, disk_over_commit=False):
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
        elif _is_to_fail(instance.uuid, 'run', 'move'):
            recover_method(context, instance, dest, migrate_data)
        else:
            post_method(context, instance, dest, block_migration, migrate_data)

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
