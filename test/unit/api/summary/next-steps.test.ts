/** Shows which requests the summary offers: those that would be accepted now. */
import { nextStepsOf, type StepFacts } from '../../../../api/summary/next-steps';

const session = {
  ...{ id: 's', state: 'PLANNED_MAINTENANCE', prevState: 'START_MAINTENANCE', stopping: null, pausedAt: null },
  ...{ abortRequestedAt: null, deleteRequestedAt: null, archivedAt: null, continueRequestId: null },
} as StepFacts['session'];

const aHost = (fields: Partial<StepFacts['hosts'][number]>) =>
  ({
    ...{ hostname: 'compute-1', phase: 'emptying', announcedAt: null, disabled: true, disabledBefore: false },
    ...{ skipReason: null, ...fields },
  }) as StepFacts['hosts'][number];

const offered = (host: Partial<StepFacts['hosts'][number]>) => {
  const steps = nextStepsOf({ session, hosts: [aHost(host)], stuck: new Set(['compute-1']) });
  return steps.flatMap(({ request, hosts }) => (hosts.includes('compute-1') ? [request] : []));
};

it.each([
  { situation: 'that is being drained', host: {}, requests: ['skip'] },
  { situation: 'that is being skipped', host: { phase: 'releasing', skipReason: 'by an admin' }, requests: [] },
  { situation: 'whose maintenance has begun', host: { phase: 'maintaining', announcedAt: new Date() }, requests: [] },
  { situation: 'that is skipped', host: { phase: 'skipped', skipReason: 'by an admin' }, requests: ['retry'] },
] as const)('of a host $situation it offers $requests', ({ host, requests }) => {
  expect(offered(host)).toEqual(requests);
});
