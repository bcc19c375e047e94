/** Which servers Nova moves nowhere. */
import { createRecent } from '../../../../calls/recent';
import { createHeldServers } from '../../../../clouds/openstack/held-servers';
import { heldTogether, instancesFrom } from '../../../../clouds/openstack/list-instances';
import type { NovaServer, NovaServerGroup } from '../../../../clouds/openstack/nova/answers';
import { whyByProject, whyHeld } from '../../../../rules/cloud/departure';
import { keyOf } from '../../../../rules/cloud/id';
import { aNovaServer } from '../../../builders/a-nova-server';

const aServer = (extraSpecs: Record<string, string> = {}): NovaServer => ({
  id: 'server-1',
  name: 'web-1',
  tenant_id: 'project-1',
  status: 'ACTIVE',
  'OS-EXT-SRV-ATTR:host': 'compute-1',
  flavor: { original_name: 'small', vcpus: 1, ram: 1024, extra_specs: extraSpecs },
});

const aGroup = (given: Partial<NovaServerGroup>): NovaServerGroup => ({
  id: 'group-1',
  name: 'web',
  project_id: 'project-1',
  members: ['server-1', 'server-2'],
  ...given,
});

const reasonFor = (server: NovaServer, ...groups: NovaServerGroup[]): string | undefined =>
  whyByProject(instancesFrom(server, { together: heldTogether(groups) })[0]!);

const together = 'server group web (group-1) keeps it on one host with its other members (affinity)';

it.each([
  { situation: 'in a group with affinity', groups: [aGroup({ policy: 'affinity' })], reason: together },
  { situation: 'in one, before 2.64', groups: [aGroup({ policies: ['affinity'] })], reason: together },
  { situation: 'alone in one', groups: [aGroup({ policy: 'affinity', members: ['server-1'] })], reason: undefined },
  { situation: 'in a soft one', groups: [aGroup({ policy: 'soft-affinity' })], reason: undefined },
  { situation: 'in one with anti-affinity', groups: [aGroup({ policy: 'anti-affinity' })], reason: undefined },
  { situation: 'in none', groups: [aGroup({ policy: 'affinity', members: ['a', 'b'] })], reason: undefined },
])('says of a server $situation: $reason', ({ groups, reason }) => {
  expect(reasonFor(aServer(), ...groups)).toBe(reason);
});

it('moves no accelerator, and leaves other PCI devices to a cold migration', () => {
  expect(reasonFor(aServer({ 'accel:device_profile': 'fpga' }))).toBe(
    'its flavor small pins an accelerator (accel:device_profile) to it',
  );
  expect(reasonFor(aServer({ 'pci_passthrough:alias': 'gpu:1' }))).toBeUndefined();
});

it('lists groups anew where it sees a server for the first time, and of one that is held', async () => {
  let listings = 0;
  let members = ['server-1'];
  const read = () => {
    listings += 1;
    return Promise.resolve([aGroup({ policy: 'affinity', members })]);
  };
  const held = createHeldServers(createRecent({ read, keepMs: 60_000 }));
  const servers = [1, 2].map((n) => ({ ...aServer(), id: `server-${n}` }));
  expect([...(await held.among(servers.slice(0, 1))).keys()]).toEqual([]);
  members = ['server-1', 'server-2'];
  expect([...(await held.among(servers)).keys()]).toEqual(members);
  await held.among(servers);
  expect(listings).toBe(2);
  members = ['server-1'];
  expect((await held.with(servers[0]!)).size).toBe(0);
});

describe('how many servers it remembers', () => {
  const servers = [1, 2, 3].map((n) => ({ ...aServer(), id: `server-${n}` }));
  const countListings = (most?: number) => {
    const read = jest.fn(() => Promise.resolve([]));
    return { read, held: createHeldServers(createRecent({ read, keepMs: 60_000 }), most) };
  };

  it('is those that are still in the cloud, as far as all of them are listed', async () => {
    const { read, held } = countListings();
    await held.amongAll(servers);
    await held.amongAll(servers.slice(1));
    expect(read).toHaveBeenCalledTimes(1);
    await held.among(servers.slice(0, 1));
    expect(read).toHaveBeenCalledTimes(2);
    await held.among(servers);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('is limited where they are looked up one by one', async () => {
    const { read, held } = countListings(2);
    for (const server of servers) await held.with(server);
    expect(read).toHaveBeenCalledTimes(3);
    await held.with(servers[2]!);
    expect(read).toHaveBeenCalledTimes(3);
    await held.with(servers[0]!);
    expect(read).toHaveBeenCalledTimes(4);
  });
});

it('says of a server what Nova said when it was asked to move it', () => {
  const immovable = new Map([[keyOf('server-1'), 'Nova said: Feature not supported']]);
  expect(whyByProject(instancesFrom(aServer(), { immovable })[0]!)).toBe('Nova said: Feature not supported');
});

it.each([
  {
    situation: 'a virtual TPM in its flavor',
    specs: { 'hw:tpm_version': '2.0' },
    says: 'a virtual TPM (hw:tpm_version)',
  },
  { situation: 'a virtual TPM in its image', image: { hw_tpm_version: '2.0' }, says: 'a virtual TPM (hw_tpm_version)' },
  { situation: 'encrypted memory', specs: { 'hw:mem_encryption': 'True' }, says: 'encrypted memory' },
  { situation: 'encrypted disks', specs: { 'hw:ephemeral_encryption': 'yes' }, says: 'encrypted disks' },
  { situation: 'no encryption of its memory', specs: { 'hw:mem_encryption': 'false' }, says: undefined },
  {
    situation: 'a virtual TPM whose secret the hosts keep',
    specs: { 'hw:tpm_version': '2.0', 'hw:tpm_secret_security': 'host' },
    says: undefined,
  },
])(
  'a server with $situation is moved by its project alone where Nova needs its keys',
  ({ specs = {}, image = {}, says }) => {
    const [instance] = instancesFrom(aNovaServer({ specs, image: { id: 'image-1', properties: image } }));
    expect(whyByProject(instance!)).toEqual(says === undefined ? undefined : expect.stringContaining(says));
  },
);

const saidLocked = 'Nova said: Instance server-1 is locked';

it.each([
  { situation: 'for a role that is no administrator', locked: true, isNoAdmin: true, told: undefined, isHeld: true },
  { situation: 'and Nova has said so', locked: true, isNoAdmin: false, told: saidLocked, isHeld: true },
  { situation: 'for an administrator', locked: true, isNoAdmin: false, told: undefined, isHeld: false },
  { situation: 'no more, though Nova said so', locked: false, isNoAdmin: true, told: saidLocked, isHeld: false },
])('a server that is locked $situation is held by its state: $isHeld', ({ locked, isNoAdmin, told, isHeld }) => {
  const immovable = new Map(told === undefined ? [] : [[keyOf('server-1'), told] as const]);
  const [instance] = instancesFrom(aNovaServer({ locked }), { isNoAdmin, immovable });
  expect(whyByProject(instance!)).toBeUndefined();
  expect(whyHeld(instance!)?.owner).toBe(isHeld ? 'project' : undefined);
});
