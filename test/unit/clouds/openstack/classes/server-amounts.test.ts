/** What a server takes of a host, by its flavor and its image. */
import { amountsOfServer, amountsToldByNova } from '../../../../../clouds/openstack/classes/server-amounts';
import { aNovaServer, type NovaServerWish } from '../../../../builders/a-nova-server';

const image = (properties: Record<string, string>) => ({ image: { id: 'image-1', properties } });
const usual = { MEMORY_MB: 1024, DISK_GB: 10 };

const cases: { readonly is: string; readonly server: NovaServerWish; readonly takes: Record<string, number> }[] = [
  { is: 'usual', server: {}, takes: { VCPU: 2, ...usual } },
  {
    is: 'made with swap and an ephemeral disk',
    server: { flavor: { ephemeral: 5, swap: 1500 } },
    takes: { VCPU: 2, MEMORY_MB: 1024, DISK_GB: 17 },
  },
  { is: 'without swap in the older form', server: { flavor: { swap: '' } }, takes: { VCPU: 2, ...usual } },
  { is: 'booted from a volume', server: { image: '' }, takes: { VCPU: 2, MEMORY_MB: 1024 } },
  { is: 'pinned by its flavor', server: { specs: { 'hw:cpu_policy': 'dedicated' } }, takes: { PCPU: 2, ...usual } },
  { is: 'pinned by its image', server: image({ hw_cpu_policy: 'dedicated' }), takes: { PCPU: 2, ...usual } },
  {
    is: 'shared by its flavor, which an image cannot change',
    server: { ...image({ hw_cpu_policy: 'dedicated' }), specs: { 'hw:cpu_policy': 'shared' } },
    takes: { VCPU: 2, ...usual },
  },
  {
    is: 'pinned with a processor for its emulator',
    server: { specs: { 'hw:cpu_policy': 'dedicated', 'hw:emulator_threads_policy': 'isolate' } },
    takes: { PCPU: 3, ...usual },
  },
  {
    is: 'pinned in part, by a mask',
    server: { flavor: { vcpus: 8 }, specs: { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '2-5,^4,7' } },
    takes: { VCPU: 4, PCPU: 4, ...usual },
  },
  {
    is: 'pinned but for some',
    server: { flavor: { vcpus: 4 }, specs: { 'hw:cpu_policy': 'mixed', 'hw:cpu_realtime_mask': '^0' } },
    takes: { VCPU: 1, PCPU: 3, ...usual },
  },
  {
    is: 'pinned in part, with more processors than any host has',
    server: { flavor: { vcpus: 2_147_483_647 }, specs: { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '0-3' } },
    takes: { VCPU: 2_147_483_643, PCPU: 4, ...usual },
  },
  {
    is: 'of a flavor with less than nothing and with parts of one',
    server: { flavor: { vcpus: -2, ram: 0.5, disk: 1e15 } },
    takes: { MEMORY_MB: 0.5, DISK_GB: 1e15 },
  },
  {
    is: 'of a flavor that names amounts itself',
    server: {
      specs: { 'resources:VCPU': '0', 'resources:PCPU': '4', 'resources:DISK_GB': '0', 'resources1:VGPU': '1' },
    },
    takes: { PCPU: 4, VGPU: 1, MEMORY_MB: 1024 },
  },
  {
    is: 'of a flavor that names what is no amount',
    server: { specs: { 'resources:CUSTOM_A': '-1', 'resources:CUSTOM_B': '1.5', 'resources:CUSTOM_C': '99999999999' } },
    takes: { VCPU: 2, ...usual },
  },
];

it.each(cases)('of a server that is $is', ({ server, takes }) => {
  expect(amountsOfServer(aNovaServer(server), undefined)).toEqual(takes);
});

it('leaves out what its own host has nothing of: it takes that from somewhere else', () => {
  const onSharedStorage = { VCPU: 64, MEMORY_MB: 64_000, DISK_GB: 0 };
  expect(amountsOfServer(aNovaServer(), onSharedStorage)).toEqual({ VCPU: 2, MEMORY_MB: 1024 });
});

it('counts in the resources that Nova knows where placement tells nothing', () => {
  const pinned = aNovaServer({ specs: { 'hw:cpu_policy': 'dedicated', 'resources:VGPU': '1' } });
  expect(amountsToldByNova(pinned)).toEqual({ VCPU: 2, ...usual });
});
