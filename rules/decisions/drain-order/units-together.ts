/**
 * Puts hosts with members of one unit next to each other, so that their drains begin together: the impact on one
 * member is one on all, so a unit is to be impacted once. Those of a unit that is under work come first.
 */
import type { Host } from '../fleet/fleet';
import { isInPhase } from '../fleet/host-work';
import { isUnit } from '../limits/impact';
import type { FleetModel } from '../model/fleet-model';

export const unitsTogether = (model: FleetModel, hosts: readonly Host[]): readonly Host[] => {
  const units = unitsIn(model);
  if (units.size === 0) return hosts;
  const unitsOn = (name: string): readonly string[] =>
    model.instancesOn(name).flatMap(({ groupKey }) => (units.has(groupKey) ? [groupKey] : []));
  const begun = new Set(begunIn(model, unitsOn));
  const left = hosts.map((host) => ({ host, units: unitsOn(host.name) }));
  const ordered: Host[] = [];
  while (left.length > 0) {
    const at = left.findIndex((one) => one.units.some((unit) => begun.has(unit)));
    const [next] = left.splice(Math.max(0, at), 1);
    if (next === undefined) break;
    ordered.push(next.host);
    for (const unit of next.units) begun.add(unit);
  }
  return ordered;
};

const unitsIn = ({ groupByKey }: FleetModel): ReadonlySet<string> =>
  new Set([...groupByKey.values()].flatMap((group) => (isUnit(group) ? [group.key] : [])));

/** Their members leave, or have just left, so that they are impacted already. */
const begunIn = (
  { hosts, claimByInstance }: FleetModel,
  unitsOn: (hostname: string) => readonly string[],
): readonly string[] => [
  ...hosts.filter(isInPhase('emptying')).flatMap(({ name }) => unitsOn(name)),
  ...[...claimByInstance.values()].map(({ groupKey }) => groupKey),
];
