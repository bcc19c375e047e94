/** Writes of one request are judged one after the other: each sees what those before it have stored. */
import { idOf, keyOf } from '../../../../rules/cloud/id';
import { type RecordToWrite, type StoredOwners, WriteJudge } from '../../../../rules/constraints/constraint-writes';

const nothing: StoredOwners = { instances: [], groups: [], members: [] };

interface Given {
  readonly by: 'a' | 'b' | 'admin';
  readonly instance?: string;
  readonly project: 'a' | 'b';
  readonly isOwnGroup?: boolean;
}

const record = ({ by, instance, project, isOwnGroup = false }: Given): RecordToWrite => ({
  ...(instance !== undefined && { instanceKey: keyOf(instance) }),
  projectKey: keyOf(project),
  groupKey: keyOf('g'),
  writer: by === 'admin' ? { kind: 'admin' } : { kind: 'project', projectId: idOf(by) },
  isOwnGroup,
});

it.each<{ what: string; writes: readonly Given[]; answers: readonly string[] }>([
  {
    what: 'a group and its instances',
    writes: [
      { by: 'a', project: 'a' },
      { by: 'a', instance: 'i', project: 'a' },
      { by: 'a', instance: 'j', project: 'a' },
    ],
    answers: ['written', 'written', 'written'],
  },
  {
    what: 'an instance of another project for a group that was just stored',
    writes: [
      { by: 'a', project: 'a' },
      { by: 'b', instance: 'i', project: 'b' },
    ],
    answers: ['written', 'foreignGroup'],
  },
  {
    what: 'a group that an instance of another project has just named',
    writes: [
      { by: 'a', instance: 'i', project: 'a' },
      { by: 'b', project: 'b' },
    ],
    answers: ['written', 'foreignMembers'],
  },
  {
    what: 'a group of another project, from its owner in the cloud',
    writes: [
      { by: 'a', project: 'a' },
      { by: 'b', instance: 'i', project: 'b', isOwnGroup: true },
      { by: 'b', project: 'b' },
      { by: 'a', project: 'a' },
    ],
    answers: ['written', 'written', 'written', 'ofAnotherProject'],
  },
  {
    what: 'an instance that an admin moves to another project, back by its first one',
    writes: [
      { by: 'admin', instance: 'i', project: 'b' },
      { by: 'a', instance: 'i', project: 'a' },
      { by: 'b', instance: 'i', project: 'b' },
    ],
    answers: ['written', 'ofAnotherProject', 'written'],
  },
])('$what', ({ writes, answers }) => {
  const judge = new WriteJudge(nothing);
  expect(writes.map((write) => judge.judge(record(write)).kind)).toEqual(answers);
});

it('counts the stored members of other projects, without those that have left the group', () => {
  const judge = new WriteJudge({
    instances: [{ instanceKey: keyOf('i'), projectKey: keyOf('b'), groupKey: keyOf('g') }],
    groups: [],
    members: [{ groupKey: keyOf('g'), projectKey: keyOf('b'), count: 1 }],
  });
  const groupOfA = record({ by: 'admin', project: 'a' });
  expect(judge.judge(groupOfA)).toEqual({ kind: 'foreignMembers', count: 1 });
  judge.judge({ ...record({ by: 'admin', instance: 'i', project: 'b' }), groupKey: keyOf('other') });
  expect(judge.judge(groupOfA)).toEqual({ kind: 'written' });
});
