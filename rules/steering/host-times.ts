/**
 * How long draining and maintaining a host is expected to take, beside nobody else, by the times of
 * rules/expectations/expected-times.ts.
 */
import type { Host, Instance } from '../decisions/fleet/fleet';
import { isInPhase, secondsInMaintenance } from '../decisions/fleet/host-work';
import { isAsked } from '../decisions/fleet/is-asked';
import { groupOfKey } from '../decisions/fleet/limit-keys';
import type { FleetModel } from '../decisions/model/fleet-model';
import { type ExpectedTimes, expectedTimes, nothingSeen } from '../expectations/expected-times';
import { replyWindowOfInstance } from '../questions/reply-window';

export interface Expectation {
  readonly nowMs: number;
  /** Left out: as where nothing was seen yet. */
  readonly expected?: ExpectedTimes;
  /** Seconds that a project has for its reply where its constraints do not say. */
  readonly replySeconds: number;
}

const nothingExpected = expectedTimes(nothingSeen);

/** Seconds until the host is back. Of one that is being drained only its maintenance counts: its drain may end soon. */
export const secondsUntilBack = (model: FleetModel, host: Host, expectation: Expectation): number =>
  maintenanceSecondsLeft(host, expectation) + (isInPhase('waiting')(host) ? drainSeconds(model, host, expectation) : 0);

/** Seconds. A maintenance that is late is over at once; one that was not announced has not begun. */
export const maintenanceSecondsLeft = (
  host: Host,
  { expected = nothingExpected, nowMs }: Pick<Expectation, 'expected' | 'nowMs'>,
): number => Math.max(0, expected.maintenanceSeconds(host) - secondsInMaintenance(host, nowMs));

interface DrainKnown extends Pick<Expectation, 'expected' | 'replySeconds'> {
  readonly seconds: number;
}

/**
 * A cache, since windows ask for every host at each decision. The model has another list of a host's instances as soon
 * as one of them changes.
 */
const drainsKnown = new WeakMap<readonly Instance[], DrainKnown>();

const drainSeconds = (model: FleetModel, host: Host, expectation: Expectation): number => {
  const { expected, replySeconds } = expectation;
  const instances = model.instancesOn(host.name);
  const known = drainsKnown.get(instances);
  if (known && known.expected === expected && known.replySeconds === replySeconds) return known.seconds;
  const seconds = secondsToMove(model, instances, expectation);
  drainsKnown.set(instances, { ...(expected && { expected }), replySeconds, seconds });
  return seconds;
};

/** Seconds: groups go side by side, the members of one in as many rounds as its budget takes. */
export const secondsToMove = (model: FleetModel, instances: readonly Instance[], expectation: Expectation): number => {
  const keys = [...new Set(instances.map(({ groupKey }) => groupKey))];
  const seconds = keys.map((key) => {
    const { maxImpactedMembers, recoveryTimeSeconds } = groupOfKey(model, key);
    const members = instances.filter(({ groupKey }) => groupKey === key);
    const rounds = Math.ceil(members.length / Math.max(1, maxImpactedMembers));
    const longest = Math.max(...members.map((instance) => secondsOfInstance(instance, expectation)));
    return rounds * longest + (rounds - 1) * recoveryTimeSeconds;
  });
  return Math.max(0, ...seconds);
};

const secondsOfInstance = (instance: Instance, { expected = nothingExpected, replySeconds }: Expectation): number => {
  const { projectId, byTerms } = instance;
  const windowSeconds = replyWindowOfInstance(instance, replySeconds);
  const isWaitedFor = isAsked(instance) && byTerms?.atOnce !== true;
  const answer = isWaitedFor ? expected.answerSeconds({ projectId, windowSeconds }) : 0;
  return answer + expected.moveSeconds(instance, instance.defaultAction);
};
