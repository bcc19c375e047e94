/** An action needs to see few of the cloud's groups: these say the same about its instances as all of them. */
import fc from 'fast-check';
import type { CloudGroup } from '../../../../rules/cloud/cloud-facts';
import { serverGroupsOf } from '../../../../rules/constraints/server-groups-of';
import { workOutLimits } from '../../../../rules/constraints/work-out-limits';

const id = (letter: string) => fc.integer({ min: 0, max: 4 }).map((number) => `${letter}${number}`);
const projectId = id('p');
const groupId = id('g');
const instanceId = id('i');
const facts = fc.record({
  instances: fc.uniqueArray(fc.record({ instanceId, projectId, flavor: fc.constant('small') }), {
    selector: (one) => one.instanceId,
    maxLength: 3,
  }),
  memberships: fc.array(fc.record({ instanceId, groupId }), { maxLength: 3 }),
  storedGroups: fc.array(
    fc.record({
      groupId,
      projectId,
      groupName: fc.constant('web'),
      antiAffinityGroup: fc.boolean(),
      maxInstancesPerHost: fc.constant(1),
      maxImpactedMembers: fc.constant(2),
      recoveryTime: fc.constant(10),
    }),
    { maxLength: 2 },
  ),
  serverGroups: fc.array(
    fc.record({
      groupId,
      projectId,
      antiAffinity: fc.boolean(),
      maxInstancesPerHost: fc.integer({ min: 1, max: 2 }),
      instanceIds: fc.uniqueArray(instanceId, { maxLength: 4 }),
    }),
    { maxLength: 6 },
  ),
});

it('keeps all that the limits of the instances depend on', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const serverGroups = serverGroupsOf(given.serverGroups, {
        instanceIds: given.instances.map((one) => one.instanceId),
        groupIds: [...given.memberships, ...given.storedGroups].map((one) => one.groupId),
      });
      expect(workOutLimits({ ...given, serverGroups })).toEqual(workOutLimits(given));
    }),
  );
});

it('leaves out groups that concern others, and finds IDs in each form', () => {
  const uuid = '0d2c5b1e-7a3f-4c8e-9b11-2f6d8e4a7c30';
  const group = (name: string, member: string): CloudGroup => ({
    groupId: name,
    projectId: 'p',
    antiAffinity: true,
    maxInstancesPerHost: 1,
    instanceIds: [member],
  });
  const all = [group('a', uuid), group('b', 'other'), group(uuid, 'another')];
  const found = serverGroupsOf(all, { instanceIds: [uuid.replaceAll('-', '')], groupIds: [uuid.toUpperCase()] });
  expect(found.map(({ groupId: name }) => name)).toEqual(['a', uuid]);
});
