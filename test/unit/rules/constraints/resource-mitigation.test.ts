import { mitigationsOf } from '../../../../rules/constraints/resource-mitigation';

const groupId = '00000000-0000-4000-8000-000000000001';
const projectId = 'A0000001-0000-4000-8000-000000000001';
const serverGroup = { groupId: groupId.replaceAll('-', ''), projectId: 'a0000001000040008000000000000001' };
const inGroup = (resourceMitigation: boolean) => ({
  storedGroups: [{ groupId, projectId, resourceMitigation }],
  serverGroups: [{ ...serverGroup, instanceIds: ['i'] }],
});

it.each([
  { what: 'its own value where it has one', own: [false], group: true, expected: false },
  { what: 'its own value although it says more than its group', own: [true], group: false, expected: true },
  { what: "its group's value where it has none", own: [], group: false, expected: false },
])('goes by $what', ({ own, group, expected }) => {
  const instances = own.map((resourceMitigation) => ({ instanceId: 'i', resourceMitigation }));
  expect(mitigationsOf({ instances, ...inGroup(group) }).get('i')).toBe(expected);
});

it('says nothing of an instance for which nothing is stored', () => {
  const facts = { instances: [], storedGroups: [], serverGroups: [{ ...serverGroup, instanceIds: ['i'] }] };
  expect(mitigationsOf(facts).get('i')).toBeUndefined();
});

it('does not go by a group that another project has stored under the ID of the server group', () => {
  const storedGroups = [{ groupId, projectId: 'another-project', resourceMitigation: false }];
  const facts = { ...inGroup(true), instances: [], storedGroups };
  expect(mitigationsOf(facts).get('i')).toBeUndefined();
});
