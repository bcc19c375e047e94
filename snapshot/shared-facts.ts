/**
 * What follows from a look at the cloud and the stored constraints alone. Decisions that share a look share this, too,
 * as long as nobody stores other constraints.
 */
import type { StoredConstraints } from '../prisma/constraints/constraints-for-decisions';
import type { CloudGroup } from '../rules/cloud/cloud-facts';
import { writtenAs } from '../rules/cloud/id';
import { mitigationsOf } from '../rules/constraints/resource-mitigation';
import { type InstanceFacts, type WorkedOutLimits, workOutLimits } from '../rules/constraints/work-out-limits';
import type { CloudSnapshot } from './look-at-cloud';

export interface SharedFacts {
  /** Projects write the ID of an instance in a form of their own; decisions know it as the cloud lists it. */
  readonly asListed: <T extends { readonly instanceId: string }>(record: T) => T;
  readonly constraints: StoredConstraints;
  /** The stored values of `resource_mitigation`, by the instance's ID. */
  readonly mitigations: ReadonlyMap<string, boolean>;
  /** The limits of the instances that are listed. */
  readonly limits: () => WorkedOutLimits;
}

interface KnownFacts {
  readonly stored: StoredConstraints;
  readonly facts: SharedFacts;
}

const knownOf = new WeakMap<CloudSnapshot, KnownFacts>();

export const sharedFactsOf = (snapshot: CloudSnapshot, stored: StoredConstraints): SharedFacts => {
  const known = knownOf.get(snapshot);
  if (known?.stored === stored) return known.facts;
  const facts = workOut(snapshot, stored);
  knownOf.set(snapshot, { stored, facts });
  return facts;
};

const workOut = (snapshot: CloudSnapshot, stored: StoredConstraints): SharedFacts => {
  const asListed = writtenAsIn(snapshot);
  const constraints = { ...stored, instances: stored.instances.map(asListed) };
  let limits: WorkedOutLimits | undefined;
  return {
    asListed,
    constraints,
    mitigations: mitigationsOf({
      instances: constraints.instances,
      storedGroups: constraints.groups,
      serverGroups: snapshot.groups,
    }),
    limits: () => (limits ??= limitsOf(snapshot.instances, constraints, snapshot.groups)),
  };
};

export const limitsOf = (
  instances: readonly InstanceFacts[],
  constraints: StoredConstraints,
  serverGroups: readonly CloudGroup[],
): WorkedOutLimits =>
  workOutLimits({ instances, memberships: constraints.instances, storedGroups: constraints.groups, serverGroups });

const writtenAsIn = ({ instances }: Pick<CloudSnapshot, 'instances'>): SharedFacts['asListed'] => {
  const written = writtenAs(instances.map(({ instanceId }) => instanceId));
  return (record) => {
    const instanceId = written(record.instanceId);
    return instanceId === record.instanceId ? record : { ...record, instanceId };
  };
};
