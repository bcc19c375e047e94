"""A Nova whose computes run the real libvirt driver, on the hosts of test/guests/rig/hosts.sh: QEMU guests that migrate.

One process has all computes, so each hypervisor reports the whole machine. The directory of instances is one for all of
them, as on shared storage. MIB_PER_SECOND bounds a migration, so that a test can act while one runs.
"""
import io
import os
import uuid
from unittest import mock

import fixtures
import libvirt
import nova.conf
from nova.tests import fixtures as nova_fixtures
from nova.virt.libvirt import driver

FOLDER = os.environ['GUESTS_FOLDER']
CONF = nova.conf.CONF
KERNEL, RAMDISK = (str(uuid.uuid5(uuid.NAMESPACE_DNS, name)) for name in ('kernel', 'initramfs'))
ROOT = os.environ['GUESTS_IMAGE']


def _let_nova_touch_the_machine():
    for name in ('ImportModulePoisonFixture', 'SysFsPoisonFixture', 'PoisonFunctions', 'PrivsepNoHelperFixture'):
        getattr(nova_fixtures, name).setUp = lambda self: fixtures.Fixture.setUp(self)
    driver.LibvirtDriver._uri = staticmethod(
        lambda: f'qemu+unix:///system?socket={FOLDER}/{CONF.host}/run/libvirt-sock')
    parse = driver.LibvirtDriver._parse_migration_flags

    def parse_and_trust_the_directory(self):
        parse(self)
        self._live_migration_flags |= libvirt.VIR_MIGRATE_UNSAFE  # libvirt trusts NFS and its like alone

    driver.LibvirtDriver._parse_migration_flags = parse_and_trust_the_directory


def with_guests(cloud):
    """@returns the class of such a Nova"""
    _let_nova_touch_the_machine()

    class CloudOfGuests(cloud):
        def _setup_services(self):
            self.useFixture(nova_fixtures.PrivsepFixture())  # root already
            for image, name, form in ((KERNEL, 'kernel', 'aki'), (RAMDISK, 'initramfs', 'ari'), (ROOT, None, 'raw')):
                self._add_image(image, name, form)
            super()._setup_services()

        def _add_image(self, image, name, form):
            data = b'root' + bytes(1 << 20)
            if name:
                with open(os.path.join(os.environ['GUESTS_PROGRAMS'], name), 'rb') as file:
                    data = file.read()
            booting = {} if name else {'kernel_id': KERNEL, 'ramdisk_id': RAMDISK,
                                       'os_command_line': 'console=ttyS0 panic=-1'}
            self.glance.create(None, dict(
                self.glance.image1, id=image, name=form, size=len(data), disk_format=form,
                container_format=form if name else 'bare', properties=booting), io.BytesIO(data))

        def _start_compute(self, host, cell_name=None):
            self.flags(compute_driver='libvirt.LibvirtDriver', instances_path=os.path.join(FOLDER, 'instances'),
                       state_path=os.path.join(FOLDER, 'state'), my_ip='127.0.0.1')
            self.flags(enabled=False, group='vnc')
            self.flags(virt_type='qemu', cpu_mode='none', live_migration_scheme='tcp',
                       live_migration_bandwidth=int(os.environ.get('MIB_PER_SECOND', 0)), group='libvirt')
            self.flags(vif_plugging_timeout=0, vif_plugging_is_fatal=False)
            self.flags(live_migration_wait_for_vif_plug=False, group='compute')
            node = str(uuid.uuid5(uuid.NAMESPACE_DNS, host))
            with mock.patch('nova.virt.node.get_local_node_uuid', return_value=node):
                compute = super()._start_compute(host, cell_name)
                compute.manager.driver._host.get_node_uuid()
            return compute

    return CloudOfGuests
