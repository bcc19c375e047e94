/**
 * Hosts with as many instances each, and as many spare hosts. Nothing keeps the instances from moving all at once:
 * their one group bears it, and nobody is asked about an instance.
 */
import type { WireFleet, WireInstance } from '../../clouds/simulated/fleet-schema';
import { aFleetFile, aFleetGroup, aFleetHost, aFleetInstance, uuidNumber } from './a-fleet-file';

export interface LooseFleet {
  /** The hosts with instances. */
  readonly hosts: readonly string[];
  readonly instancesOnEach: number;
  /** Fields of every instance. */
  readonly instance?: Partial<WireInstance>;
}

export const looseProject = uuidNumber(901);

const groupId = uuidNumber(501);
const loose = { anti_affinity_group: false, max_instances_per_host: 0, recovery_time: 0, resource_mitigation: false };
/** A longer time than any move takes: none is forced. */
const constraints = { migration_type: 'LIVE_MIGRATE', lead_time: 0, max_interruption_time: 3_600 } as const;

export const aLooseFleet = ({ hosts, instancesOnEach, instance = {} }: LooseFleet): WireFleet => {
  const size = { vcpus: instancesOnEach, memory_mb: instancesOnEach * 1024 };
  const spare = hosts.map((_, index) => `spare-${index + 1}`);
  return aFleetFile({
    hosts: [...hosts, ...spare].map((name) => aFleetHost({ name, ...size, maintenance_s: 20 })),
    groups: [
      aFleetGroup({
        ...{ group_id: groupId, project_id: looseProject, max_impacted_members: hosts.length * instancesOnEach },
        ...loose,
      }),
    ],
    instances: Array.from({ length: hosts.length * instancesOnEach }, (_, index) =>
      aFleetInstance({
        instance_id: uuidNumber(index + 1),
        instance_name: `vm-${index + 1}`,
        ...{ project_id: looseProject, group_id: groupId, vcpus: 1, memory_mb: 1024 },
        ...{ resource_mitigation: false, ready_s: 0, ...constraints },
        host: hosts[Math.floor(index / instancesOnEach)]!,
        ...instance,
      }),
    ),
  });
};
