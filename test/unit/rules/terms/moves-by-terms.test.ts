import { keyOf } from '../../../../rules/cloud/id';
import type { Terms } from '../../../../rules/cloud/terms';
import type { MoveByTerms } from '../../../../rules/decisions/fleet/fleet';
import type { KnownTerms } from '../../../../rules/terms/answer-by-terms';
import { answeredAtOnce, movesByTerms } from '../../../../rules/terms/moves-by-terms';
import { aDeparture } from '../../../builders/a-departure';
import { anInstance } from '../../../builders/a-fleet';

const offered = ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'] as const;

const termsOf = (project: Terms): KnownTerms => ({
  projects: new Map([[keyOf('project-1'), project]]),
  instances: new Map([[keyOf('asked'), [{ ask: 'always' }]]]),
});
const never: Terms = {
  ask: 'never',
  answers: { MAINTENANCE: 'ACK', SCALE_IN: 'NACK', PLANNED_MAINTENANCE: { action: 'MIGRATE' } },
};

it.each<{ situation: string; id: string; byTerms: MoveByTerms }>([
  { situation: 'by the action of its project', id: 'a', byTerms: { action: 'MIGRATE', atOnce: true } },
  {
    situation: 'after silence, where it wants to be asked',
    id: 'asked',
    byTerms: { action: 'MIGRATE', atOnce: false },
  },
])('an instance is expected to leave $situation', ({ id, byTerms }) => {
  const see = movesByTerms(termsOf(never), { offered });
  expect(see?.(anInstance({ id }))).toEqual(anInstance({ id, byTerms }));
});

it('nothing is expected of an instance that only its project can move, where terms leave it to the service', () => {
  const instance = anInstance({ departure: aDeparture({ byProject: 'it has a local disk' }) });
  expect(movesByTerms(termsOf(never), { offered })?.(instance)).toEqual(instance);
});

it('nobody looks at instances where there are no terms', () => {
  expect(movesByTerms({ projects: new Map(), instances: new Map() }, { offered })).toBeUndefined();
});

it('a project is waited for in a state in which one of its instances wants to be asked', () => {
  const [a, asked, other] = [
    anInstance({ id: 'a' }),
    anInstance({ id: 'asked' }),
    anInstance({ id: 'b', projectId: 'project-2' }),
  ];
  const none = { MAINTENANCE: [], SCALE_IN: ['project-1'], MAINTENANCE_COMPLETE: [] };
  expect(answeredAtOnce([a, asked, other], termsOf(never), () => true)).toEqual(none);
  expect(answeredAtOnce([a, other], termsOf(never), () => true)).toEqual({ ...none, MAINTENANCE: ['project-1'] });
});

it('a project that frees capacity by its terms is waited for, as after the ACK of a manager', () => {
  const freeing = termsOf({ ask: 'never', answers: { SCALE_IN: 'ACK' } });
  expect(answeredAtOnce([anInstance({ id: 'a' })], freeing, () => true).SCALE_IN).toEqual([]);
});
