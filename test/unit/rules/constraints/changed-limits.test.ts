/** Which changes of constraints make an admission be decided anew. */
import { areOutdated, type LimitChange, mattersTo } from '../../../../rules/constraints/changed-limits';

const admission = {
  instanceId: 'AAAA-1',
  projectId: 'PP-1',
  groupKey: 'g1',
  furtherLimitKeys: ['server-group/s1'],
};

const change = (given: Partial<LimitChange>): LimitChange => ({
  instanceKey: 'other',
  projectKey: 'other',
  groupKey: 'other',
  ...given,
});

it.each([
  { situation: 'its own constraints', given: { instanceKey: 'aaaa1' }, matters: true },
  { situation: 'its group', given: { instanceKey: null, groupKey: 'g1' }, matters: true },
  { situation: 'another instance in its group', given: { groupKey: 'g1' }, matters: true },
  { situation: 'a group of the ID of its server group', given: { groupKey: 's1' }, matters: true },
  {
    situation: 'any constraints of its project, which may change who is a member',
    given: { projectKey: 'pp1' },
    matters: true,
  },
  { situation: 'those of another project and group', given: {}, matters: false },
])('a change of $situation matters: $matters', ({ given, matters }) => {
  expect(mattersTo(change(given), admission)).toBe(matters);
});

it('matters to nothing where nothing is admitted', () => {
  expect(areOutdated([], [change({ groupKey: 'g1' })])).toBe(false);
  expect(areOutdated([admission], [change({}), change({ groupKey: 'g1' })])).toBe(true);
});
