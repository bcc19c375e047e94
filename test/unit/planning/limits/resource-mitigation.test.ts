import { mitigationsOf } from '../../../../planning/limits/resource-mitigation';

const groupId = '00000000-0000-4000-8000-000000000001';
const inGroup = (resourceMitigation: boolean) => ({
  storedGroups: [{ groupId, resourceMitigation }],
  serverGroups: [{ groupId: groupId.replaceAll('-', ''), instanceIds: ['i'] }],
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
  const facts = { instances: [], storedGroups: [], serverGroups: [{ groupId, instanceIds: ['i'] }] };
  expect(mitigationsOf(facts).get('i')).toBeUndefined();
});
