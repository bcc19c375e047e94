/**
 * Which instances on hosts under work are asked, or moved, now: all whose group has budget left and that find a target.
 * The host with the fewest instances left goes first, so that hosts become empty one after the other, not all late.
 */
import { actionOf } from './action-of';
import type { Admission } from './decision';
import type { Host, Instance } from './fleet';
import { compareText, instancesOn } from './fleet-index';
import { type Target, bestTarget, largestFirst } from './placement';
import { type VnfFacts, membersLeft } from './vnf-facts';

/** The instances of the host without an open claim: they still have to be admitted. */
export function instancesToAdmit({ live }: VnfFacts, hostname: string): readonly Instance[] {
  return instancesOn(live, hostname).filter(({ id }) => !live.claimByInstance.has(id));
}

/** Admits from the hosts; what is admitted is held in the fleet's occupancy, for the caller to roll back. */
export function admitInParallel(
  facts: VnfFacts,
  hosts: readonly Host[],
  targets: readonly Target[],
): readonly Admission[] {
  const admitted = new Map<string, number>();
  const work = hosts.map((host) => ({ host, left: instancesToAdmit(facts, host.name) }));
  work.sort((one, other) => one.left.length - other.left.length || compareText(one.host.name, other.host.name));
  return work.flatMap(({ left }) =>
    left
      .filter(({ groupKey }) => membersLeft(facts, groupKey) > 0)
      .sort(largestFirst)
      .flatMap((instance) => {
        const already = admitted.get(instance.groupKey) ?? 0;
        if (membersLeft(facts, instance.groupKey) <= already) return [];
        const target = bestTarget(facts.live, instance, targets);
        if (!target) return [];
        admitted.set(instance.groupKey, already + 1);
        facts.live.occupancy.hold(target.host.name, instance);
        return [admissionOf(instance, target.host.name)];
      }),
  );
}

function admissionOf(instance: Instance, target: string): Admission {
  return {
    kind: instance.leadTimeSeconds === 0 ? 'move' : 'ask',
    instanceId: instance.id,
    groupKey: instance.groupKey,
    source: instance.host,
    target,
    action: actionOf(instance),
  };
}
