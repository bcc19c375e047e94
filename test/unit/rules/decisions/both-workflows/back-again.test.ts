import { choicesOf } from '../../../../../rules/decisions/both-workflows/built-in-workflow';
import { fleetToDecideOn } from '../../../../../rules/decisions/both-workflows/fleet-of-session';
import { areAnyBack } from '../../../../../rules/decisions/fleet/back-on-host';
import type { Fleet, MembersReturned } from '../../../../../rules/decisions/fleet/fleet';
import { decideAllVnf } from '../../../../../rules/steps/decide-all-vnf';
import { aFleet, aGroup, aHost, aHostIn, anInstance, aSessionId } from '../../../../builders/a-fleet';

const k8s = { id: aSessionId, workflow: 'k8s', rolling: null };
const minuteMs = 60_000;
const returned = (times: number, sessionId = aSessionId): readonly MembersReturned[] => [
  { sessionId, groupKey: 'group-1', times },
];
const decide = (fleet: Fleet, nowMs: number, maxFailedHosts = 0) =>
  decideAllVnf(
    {
      ...{ sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', drainOrder: undefined },
      fleet: fleetToDecideOn(k8s, fleet, { nowMs }),
    },
    nowMs,
    { defaultImpactShare: 0.25, maxFailedHosts, ...choicesOf(k8s) },
  ).decision;

const fleetWith = (returns: readonly MembersReturned[], madeAtMs: number): Fleet => ({
  ...aFleet({
    hosts: [aHostIn('emptying', 'node-1', { work: { disabledAtMs: 0 } }), aHost({ name: 'spare' })],
    instances: [anInstance({ id: 'agent-9', host: 'node-1', defaultAction: 'EVICTION', madeAtMs })],
    groups: [aGroup()],
  }),
  returns,
});

it.each([
  { situation: 'it has not come back often', returns: returned(2), madeAtMs: minuteMs, moved: 1 },
  { situation: 'it has come back three times', returns: returned(3), madeAtMs: minuteMs, moved: 0 },
  { situation: 'others like it have, and it was there before', returns: returned(3), madeAtMs: 0, moved: 1 },
  { situation: 'it has in another session', returns: returned(3, 'other'), madeAtMs: minuteMs, moved: 1 },
])('moves $moved of an instance when $situation', ({ returns, madeAtMs, moved }) => {
  expect(decide(fleetWith(returns, madeAtMs), minuteMs).admit).toHaveLength(moved);
});

it('names the owner for whom the host waits, gives the host not back, and ends the wait', () => {
  const fleet = fleetWith(returned(3), minuteMs);
  const because = 'name of group-1 has come back 3 times to hosts that are being drained, and is on host node-1 again';
  const waiting = decide(fleet, 2 * minuteMs);
  expect(waiting).toMatchObject({ giveBackForDeadlock: [], waiting: [{ waitingFor: 'state', who: 'agent-9' }] });
  expect(waiting.waiting[0]?.because).toContain(because);
  const failure = expect.stringContaining(because) as string;
  expect(decide(fleet, 7 * minuteMs)).toMatchObject({ failure });
  expect(decide(fleet, 7 * minuteMs, 1).setAside).toMatchObject([{ hostname: 'node-1', failure }]);
});

it.each([
  { situation: 'was made after its host was disabled', madeAtMs: minuteMs, isBack: true },
  { situation: 'was there before', madeAtMs: 0, isBack: false },
])('an instance that $situation is back: $isBack', ({ madeAtMs, isBack }) => {
  expect(areAnyBack(fleetWith([], madeAtMs))).toBe(isBack);
});
