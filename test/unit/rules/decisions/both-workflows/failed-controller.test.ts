/** A controller that another session failed to maintain is out of the quorum like one that is being maintained. */
import type { Decision, SessionView } from '../../../../../rules/decisions/decision';
import type { Host, HostWork, Instance } from '../../../../../rules/decisions/fleet/fleet';
import { scaleInNeed } from '../../../../../rules/decisions/scale-in/scale-in-need';
import { stateAfterLook } from '../../../../../rules/decisions/scale-in/when-to-scale-in';
import {
  aController,
  aFleet,
  aHost,
  aHostIn,
  anInstance,
  anotherSessionId,
  aSessionId,
} from '../../../../builders/a-fleet';
import { decideDefault } from '../../../../builders/decide-default';
import { vnfDecision } from '../../../../builders/vnf-decision';

const leftOut = (work: Partial<HostWork> = {}): Host =>
  aHostIn('failed', 'broken', {
    type: 'controller',
    isCompute: false,
    enabled: false,
    work: { sessionId: anotherSessionId, disabled: true, ...work },
  });
const ours = aController('waiting', 'ours');
const here = anInstance({ id: 'here', host: 'compute', leadTimeSeconds: 20 });

const limits = { maxFailedHosts: 0, defaultImpactShare: 0.25 };
const decisionsOn = (hosts: readonly Host[], instances: readonly Instance[] = []): Decision[] => {
  const fleet = aFleet({ hosts, instances });
  const view: SessionView = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, ready: new Map() };
  return [decideDefault(view, 0, limits), vnfDecision(view, 0, limits)];
};

it.each([
  { situation: 'it failed', broken: leftOut() },
  { situation: 'its session was resumed, and has not come to it yet', broken: leftOut({ phase: 'waiting' }) },
])('keeps other controllers waiting where $situation; the session fails when nothing else is left', ({ broken }) => {
  for (const decision of decisionsOn([ours, broken])) {
    expect(decision.drain).toEqual([]);
    expect(decision.failure).toMatch(
      new RegExp(
        `host ours cannot be while host broken is left disabled, which session ${anotherSessionId} did not finish`,
      ),
    );
  }
});

it.each([
  { situation: 'was disabled before that session', broken: leftOut({ phase: 'waiting', disabledBefore: true }) },
  { situation: 'was given back enabled', broken: leftOut({ disabled: false }) },
])('does not keep them waiting where it $situation', ({ broken }) => {
  expect(decisionsOn([ours, broken]).map(({ drain }) => drain)).toEqual([['ours'], ['ours']]);
});

it('is itself maintained first when its session goes on', () => {
  const hosts = [ours, { ...leftOut({ phase: 'waiting', sessionId: aSessionId }) }];
  expect(decisionsOn(hosts).map(({ drain }) => drain)).toEqual([['broken'], ['broken']]);
});

it('lets computes be maintained before that', () => {
  const hosts = [ours, leftOut(), aHostIn('waiting', 'compute'), aHost({ name: 'spare' })];
  expect(decisionsOn(hosts, [here]).map(({ drain }) => drain)).toEqual([['compute'], ['compute']]);
});

it('does not hide that a compute needs capacity: a controller that waits so is no empty host to go on with', () => {
  const filling = anInstance({ id: 'filling', host: 'full', vcpus: 16 });
  const hosts = [ours, leftOut(), aHostIn('waiting', 'compute'), aHost({ name: 'full' })];
  const fleet = aFleet({ hosts, instances: [here, filling] });
  expect(decisionsOn(fleet.hosts, [here, filling]).map(({ next }) => next)).toEqual(['SCALE_IN', 'SCALE_IN']);
  expect(scaleInNeed(fleet, aSessionId)).toMatchObject({ host: 'compute' });
  expect(stateAfterLook(fleet, aSessionId)).toBe('SCALE_IN');
});
