/** How long draining a host is expected to take, beside nobody else. */
import type { ExpectedTimes } from '../fleet/expected-times';
import type { Host, Instance } from '../fleet/fleet';
import { groupOfKey } from '../fleet/limit-keys';
import type { FleetModel } from '../model/fleet-model';

interface Expectation {
  readonly expected: ExpectedTimes;
  /** Seconds that a project has for its reply where its constraints do not say. */
  readonly replySeconds: number;
}

/** Seconds: groups go side by side, the members of one in as many rounds as its budget takes. */
export const expectedDrainSeconds = (model: FleetModel, host: Host, expectation: Expectation): number => {
  const instances = model.instancesOn(host.name);
  const keys = [...new Set(instances.map(({ groupKey }) => groupKey))];
  const seconds = keys.map((key) => {
    const members = instances.filter(({ groupKey }) => groupKey === key);
    return secondsOfGroup(model, { key, members }, expectation);
  });
  return Math.max(0, ...seconds);
};

const secondsOfGroup = (
  model: FleetModel,
  { key, members }: { readonly key: string; readonly members: readonly Instance[] },
  expectation: Expectation,
): number => {
  const { maxImpactedMembers, recoveryTimeSeconds } = groupOfKey(model, key);
  const rounds = Math.ceil(members.length / Math.max(1, maxImpactedMembers));
  const longest = Math.max(...members.map((instance) => secondsOfInstance(instance, expectation)));
  return rounds * longest + (rounds - 1) * recoveryTimeSeconds;
};

const secondsOfInstance = (instance: Instance, { expected, replySeconds }: Expectation): number => {
  const { projectId, leadTimeSeconds: windowSeconds = replySeconds } = instance;
  const answer = windowSeconds === 0 ? 0 : expected.answerSeconds({ projectId, windowSeconds });
  return answer + expected.moveSeconds(instance, instance.defaultAction);
};
