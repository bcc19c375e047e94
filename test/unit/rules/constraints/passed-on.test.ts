import { constraintsToPassOn } from '../../../../rules/constraints/passed-on';

const store0 = { instanceName: 'store-0', projectId: 'p' };
const next = { ...store0, instanceId: 'new', keepsName: true } as const;
const stored = (instanceId: string, day = 1, of = store0) => ({ ...of, instanceId, storedAt: new Date(2026, 0, day) });

it.each([
  { what: 'those of the gone one of its name', instances: [next], known: [stored('old')], from: 'old' },
  {
    what: 'those that were stored last, of several',
    instances: [next],
    known: [stored('old', 2), stored('older', 1)],
    from: 'old',
  },
  { what: 'none where its own are stored', instances: [next], known: [stored('old'), stored('new')] },
  { what: 'none of one that is there', instances: [next, { ...next, instanceId: 'old' }], known: [stored('old')] },
  {
    what: 'none of another name',
    instances: [next],
    known: [stored('old', 1, { ...store0, instanceName: 'store-1' })],
  },
  { what: 'none of another project', instances: [next], known: [stored('old', 1, { ...store0, projectId: 'q' })] },
  {
    what: 'none where names are given again to others',
    instances: [{ ...store0, instanceId: 'new' }],
    known: [stored('old')],
  },
])('an instance gets $what', ({ instances, known, from }) => {
  expect(constraintsToPassOn(instances, known)).toEqual(from === undefined ? [] : [{ from, to: 'new' }]);
});
