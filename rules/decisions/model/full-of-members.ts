/** The anti-affinity that leaves an instance no target, and the members on the hosts that may take no further one. */
import type { LimitNow } from '../../reasons/reason';
import type { Group, Host, Instance, Limited } from '../fleet/fleet';
import { limitKeysOf } from '../fleet/limit-keys';
import { groupLimitNow, limitNow } from '../limits/limit-now';
import { limitAgainst, limitsOf } from '../limits/limits-of-instance';
import type { Target } from './fleet-capacity';
import type { FleetModel } from './fleet-model';

interface Search {
  readonly model: FleetModel;
  readonly targets: readonly Target[];
  /** Places that the same search has found for others, by the ID of the instance. */
  readonly placed: ReadonlyMap<string, Host>;
}

/** The limit that keeps it from most of the targets, where one keeps it from each; undefined: there is no target. */
export const fullOfMembers = (
  search: Search,
  instance: Instance,
): { readonly limit: Group; readonly now: LimitNow } | undefined => {
  const limits = limitsOf(search.model, instance);
  const suiting = search.targets.filter(
    ({ host }) => host.name !== instance.host && search.model.classes.mayGo(instance, host),
  );
  const fullBy = Map.groupBy(suiting, ({ load }) => limitAgainst(limits, load.membersByGroup));
  const fullest = (limit: Group): number => fullBy.get(limit)?.length ?? 0;
  const [limit] = limits.toSorted((one, other) => fullest(other) - fullest(one));
  const full = limit && fullBy.get(limit);
  return full && { limit, now: membersNow(search, limit, full) };
};

const membersNow = (search: Search, limit: Group, full: readonly Target[]): LimitNow => {
  const { key, maxInstancesPerHost: max = Infinity } = limit;
  const occupied = full.reduce((sum, { load }) => sum + (load.membersByGroup.get(key) ?? 0), 0);
  const hostnames = new Set(full.map(({ host }) => host.name));
  return groupLimitNow(limit, limitNow(max, occupied, membersOn(search, key, hostnames)));
};

/** The IDs of those that are there, on their way there, or have a place there. */
const membersOn = ({ model, placed }: Search, key: string, hostnames: ReadonlySet<string>): ReadonlySet<string> => {
  const isMember = (limited: Limited): boolean => limitKeysOf(limited).includes(key);
  const places = [...model.reservedTarget, ...[...placed].map(([id, { name }]) => [id, name] as const)];
  const withPlace = places.filter(([, hostname]) => hostnames.has(hostname)).map(([id]) => model.instanceById.get(id));
  const there = [...hostnames].flatMap((hostname) => [
    ...model
      .instancesOn(hostname)
      .filter(isMember)
      .map(({ id }) => id),
    ...(model.incomingByHost.get(hostname) ?? []).filter(isMember).map(({ instanceId }) => instanceId),
  ]);
  return new Set([...there, ...withPlace.flatMap((instance) => (instance && isMember(instance) ? instance.id : []))]);
};
