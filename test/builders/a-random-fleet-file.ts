/** Random fleet files that break no constraint at their start, with managers that answer early, late or never. */
import type { WireFleet, WireGroup, WireHost, WireInstance } from '../../clouds/simulated/fleet-schema';
import { aConstrainedInstance, aFleetFile, aFleetGroup, aFleetHost, uuidNumber } from './a-fleet-file';

export interface FleetFileShape {
  readonly computes: number;
  readonly controllers: number;
  readonly groups: number;
  /** Share of the fleet's vcpus that is used. */
  readonly used: number;
  /** Share of the managers that never answer. */
  readonly silent: number;
}

type Random = () => number;

const pick = <Item>(items: readonly Item[], random: Random): Item => items[Math.floor(random() * items.length)]!;

const randomGroup = (number: number, random: Random): WireGroup =>
  aFleetGroup({
    group_id: uuidNumber(500 + number),
    anti_affinity_group: random() < 0.4,
    max_instances_per_host: pick([1, 1, 2], random),
    max_impacted_members: pick([1, 1, 2, 3], random),
    recovery_time: pick([0, 0, 20, 90], random),
  });

const randomHosts = ({ computes, controllers }: FleetFileShape, random: Random): WireHost[] => [
  ...Array.from({ length: controllers }, (_, number) =>
    aFleetHost({ name: `controller-${number}`, type: 'controller', vcpus: 0, memory_mb: 0, maintenance_s: 300 }),
  ),
  ...Array.from({ length: computes }, (_, number) =>
    aFleetHost({
      name: `compute-${number}`,
      vcpus: pick([16, 24], random),
      maintain: random() < 0.9,
      maintenance_s: 200 + Math.floor(random() * 400),
    }),
  ),
];

const randomInstance = (host: string, group: WireGroup, random: Random): Partial<WireInstance> => {
  const lead = pick([0, 0, 20, 45], random);
  return {
    host,
    group_id: group.group_id,
    vcpus: pick([1, 2, 4, 8], random),
    memory_mb: 2048,
    lead_time: lead,
    migration_type: pick(['LIVE_MIGRATE', 'MIGRATE', 'EVICTION'], random),
    move_s: Math.round(random() * 600) / 10,
    ready_s: Math.round(lead * random() * 10) / 10,
  };
};

export const aRandomFleetFile = (shape: FleetFileShape, random: Random): WireFleet => {
  const hosts = randomHosts(shape, random);
  const groups = Array.from({ length: shape.groups }, (_, number) => randomGroup(number, random));
  const instances: WireInstance[] = [];
  for (const host of hosts.filter(({ type }) => type === 'compute')) {
    let free = host.vcpus * shape.used;
    for (let tries = 0; tries < 8; tries += 1) {
      const group = pick(groups, random);
      const made = randomInstance(host.name, group, random);
      const members = instances.filter((one) => one.host === host.name && one.group_id === group.group_id).length;
      if (made.vcpus! > free || (group.anti_affinity_group && members >= group.max_instances_per_host)) continue;
      free -= made.vcpus!;
      const silent = random() < shape.silent ? { ready_s: null } : {};
      instances.push(aConstrainedInstance({ ...made, ...silent, instance_id: uuidNumber(1000 + instances.length) }));
    }
  }
  return aFleetFile({ hosts, groups, instances });
};
