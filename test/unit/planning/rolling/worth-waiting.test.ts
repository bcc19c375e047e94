/** Before projects are asked for room: whether what other sessions have under work will give it anyway. */
import { decideDefault } from '../../../../planning/rolling/decide-default';
import type { SessionView } from '../../../../planning/decision';
import type { Host } from '../../../../planning/fleet/fleet';
import { aController, aFleet, aHostIn, aSessionId, anInstance, anotherSessionId } from '../../../builders/a-fleet';
import { vnfDecision } from '../../../builders/vnf-decision';

const theirs = (phase: 'maintaining' | 'releasing', fields: Partial<Omit<Host, 'work'>> = {}): Host =>
  aHostIn(phase, 'theirs', { ...fields, enabled: false, work: { sessionId: anotherSessionId, disabled: true } });
const controller = { type: 'controller', isCompute: false } as const;

const limits = { releases: 2, defaultImpactShare: 0.25 };
const nextIn = (others: readonly Host[]) => {
  const fleet = aFleet({ hosts: [aHostIn('waiting', 'a'), ...others], instances: [anInstance({ host: 'a' })] });
  const view: SessionView = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, ready: new Map() };
  return [decideDefault(view, 0, limits), vnfDecision(view, 0, limits)].map(({ next }) => next);
};

it.each([
  { situation: 'in maintenance', others: [theirs('maintaining')] },
  { situation: 'given back', others: [theirs('releasing')] },
  {
    situation: 'a controller in maintenance, for which ours waits',
    others: [theirs('maintaining', controller), aController('waiting', 'c')],
  },
])('waits where what would help is $situation', ({ others }) => {
  expect(nextIn(others)).toEqual([undefined, undefined]);
});

it('waits where its empty host is the place that another session has reserved', () => {
  const emptying = aHostIn('emptying', 'theirs', { work: { sessionId: anotherSessionId, disabledBefore: true } });
  const fleet = aFleet({
    hosts: [aHostIn('waiting', 'a'), emptying],
    instances: [anInstance({ id: 'theirs', host: 'theirs' })],
    reservations: [{ instanceId: 'theirs', target: 'a' }],
  });
  const view: SessionView = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, ready: new Map() };
  expect(vnfDecision(view, 0, limits)).toMatchObject({ open: [], waiting: [{ who: 'a' }] });
});

it.each([
  { situation: 'too small', others: [theirs('maintaining', { vcpus: 2 })] },
  { situation: 'a controller that holds no instances', others: [theirs('maintaining', controller)] },
])('asks for room at once, however long their maintenance takes, where their host is $situation', ({ others }) => {
  expect(nextIn(others)).toEqual(['SCALE_IN', 'SCALE_IN']);
});
