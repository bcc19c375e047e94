/** Many hosts that wait: each has a reason, and what that costs does not grow with the square of the fleet. */
import { mostExplained } from '../../../../../rules/decisions/both-workflows/waiting-reasons';
import type { SessionView } from '../../../../../rules/decisions/decision';
import { aFleet, aHostIn, anInstance, aSessionId } from '../../../../builders/a-fleet';
import { vnfDecision } from '../../../../builders/vnf-decision';

const nameOf = (n: number): string => `h-${String(n).padStart(4, '0')}`;

/** One host is in maintenance; all others are full, so that none has capacity for the instances of another. */
const fullFleet = (count: number) => {
  const names = Array.from({ length: count }, (_, n) => nameOf(n));
  const hosts = [aHostIn('maintaining', 'busy', { vcpus: 1 }), ...names.map((name) => aHostIn('waiting', name))];
  return aFleet({ hosts, instances: names.map((host) => anInstance({ id: `on ${host}`, host, vcpus: 16 })) });
};

it('explains the first of many hosts one by one, and lets the others wait for the host under work', () => {
  const count = mostExplained + 50;
  const view: SessionView = {
    sessionId: aSessionId,
    state: 'PLANNED_MAINTENANCE',
    fleet: fullFleet(count),
    ready: new Map(),
  };
  const { waiting } = vnfDecision(view, 0, { defaultImpactShare: 0.25 });
  expect(waiting.map(({ who }) => who)).toEqual(Array.from({ length: count }, (_, n) => nameOf(n)));
  expect(waiting.slice(0, mostExplained).every(({ waitingFor }) => waitingFor === 'room')).toBe(true);
  expect(waiting.at(-1)).toEqual({ waitingFor: 'host', who: nameOf(count - 1), subject: 'busy' });
});
