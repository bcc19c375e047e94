/** Terms that a cloud tells, and which of all the places counts. */
import { keyOf } from '../../../../rules/cloud/id';
import type { Terms } from '../../../../rules/cloud/terms';
import { type KnownTerms, termsOfInstance } from '../../../../rules/terms/answer-by-terms';
import { toldBy, toldOfProjects, withToldTerms } from '../../../../rules/terms/told-terms';

const instance = { id: '00000000-0000-0000-0000-000000000001', projectId: '10000000-0000-0000-0000-000000000001' };
const seconds = (notice: number): Terms => ({ notice_seconds: notice });

/** Each place says another notice, so that the result names the place. */
const places = {
  ownConstraints: seconds(1),
  groupConstraints: seconds(2),
  workload: seconds(3),
  namespace: seconds(4),
  project: seconds(5),
};
type Place = keyof typeof places;

const noticeOf = (said: readonly Place[]): number | undefined => {
  const terms = (place: Place): Terms[] => (said.includes(place) ? [places[place]] : []);
  const inConstraints = [...terms('ownConstraints'), ...terms('groupConstraints')];
  const known: KnownTerms = {
    instances: new Map(inConstraints.length > 0 ? [[keyOf(instance.id), inConstraints]] : []),
    projects: new Map(terms('project').map((one) => [keyOf(instance.projectId), one])),
  };
  const told = toldBy([
    {
      ...{ instanceId: instance.id, projectId: instance.projectId },
      terms: { ofInstance: terms('workload')[0], ofProject: terms('namespace')[0] },
    },
  ]);
  return termsOfInstance(instance, withToldTerms(known, told)).notice_seconds;
};

it.each<{ situation: string; said: readonly Place[]; counts: Place | undefined }>([
  { situation: 'nobody says anything', said: [], counts: undefined },
  { situation: 'all places say it', said: Object.keys(places) as Place[], counts: 'ownConstraints' },
  {
    situation: 'the group says it nearest',
    said: ['groupConstraints', 'workload', 'namespace', 'project'],
    counts: 'groupConstraints',
  },
  { situation: 'the workload says it nearest', said: ['workload', 'namespace', 'project'], counts: 'workload' },
  { situation: 'the namespace says it beside its stored terms', said: ['namespace', 'project'], counts: 'namespace' },
  { situation: 'only the stored terms say it', said: ['project'], counts: 'project' },
])('$counts counts where $situation', ({ said, counts }) => {
  expect(noticeOf(said)).toBe(counts && places[counts].notice_seconds);
});

it('each field counts by itself, and of the answers each state', () => {
  const projectId = instance.projectId;
  const stored: Terms = { ask: 'never', answers: { MAINTENANCE: 'ACK', SCALE_IN: 'NACK' } };
  const known: KnownTerms = { instances: new Map(), projects: new Map([[keyOf(projectId), stored]]) };
  const ofNamespace: Terms = { ask: 'always', answers: { SCALE_IN: 'ACK' } };
  const told = { instances: new Map(), projects: toldOfProjects(new Map([[projectId, ofNamespace]])) };
  expect(withToldTerms(known, told).projects.get(keyOf(projectId))).toEqual({
    ask: 'always',
    answers: { MAINTENANCE: 'ACK', SCALE_IN: 'ACK' },
  });
});

it('nothing that is told leaves the stored terms as they are', () => {
  const known: KnownTerms = { instances: new Map(), projects: new Map([[keyOf(instance.projectId), seconds(1)]]) };
  const nothing = withToldTerms(known, toldBy([{ instanceId: instance.id, projectId: instance.projectId }]));
  expect(nothing.projects).toBe(known.projects);
  expect(nothing.instances).toBe(known.instances);
});
