/**
 * Computes, controllers, and instances of two projects: of the first in two groups with constraints, one of which is
 * not asked; of the second nothing is stored. Some computes are empty at the beginning.
 */
import { aFleetFile, aFleetGroup, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';

export const projectIds = [uuidNumber(901), uuidNumber(902)] as const;
/** The share of groups without constraints, as in the workflow `vnf`. */
export const impactShare = 0.25;

const actions = ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'] as const;
/** The answer of the instance's manager: each action is chosen for some instances. */
export const actionFor = (instanceId: string): string => actions[Number(instanceId.slice(-3)) % actions.length]!;

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
/** A second and a half of real time. */
const lasting = { move_s: 75 } as const;

const asked = { group_id: uuidNumber(501), lead_time: 20 } as const;
const unasked = { group_id: uuidNumber(502), lead_time: 0 } as const;

const membership = (number: number) =>
  number % 3 === 0
    ? { project_id: projectIds[1] }
    : {
        project_id: projectIds[0],
        migration_type: 'LIVE_MIGRATE' as const,
        max_interruption_time: 20,
        resource_mitigation: false,
        ...(number % 3 === 1 ? asked : unasked),
      };

const group = { project_id: projectIds[0], recovery_time: 1 } as const;

export interface FaultFleet {
  readonly computes: number;
  readonly emptyComputes: number;
  readonly controllers: number;
  readonly instances: number;
  /** The seconds that the maintenance of each host takes. */
  readonly maintenanceSeconds: number;
}

/** The fleet of the fault run (test/faults). */
export const fleetOfTwelve: FaultFleet = {
  ...{ computes: 10, emptyComputes: 2, controllers: 2, instances: 24 },
  maintenanceSeconds: 100,
};

/** A smaller one for `make test`. Its maintenances are longer, so that each process is killed before the end. */
export const fleetOfSeven: FaultFleet = {
  ...{ computes: 6, emptyComputes: 1, controllers: 1, instances: 8 },
  maintenanceSeconds: 250,
};

export const fleetFile = ({ computes, emptyComputes, controllers, instances, maintenanceSeconds }: FaultFleet) =>
  aFleetFile({
    hosts: [
      ...range(computes).map((number) =>
        aFleetHost({ name: `compute-${number}`, vcpus: 12, maintenance_s: maintenanceSeconds }),
      ),
      ...range(controllers).map((number) =>
        aFleetHost({
          ...{ name: `controller-${number}`, type: 'controller', vcpus: 0, memory_mb: 0 },
          maintenance_s: maintenanceSeconds,
        }),
      ),
    ],
    groups: [
      aFleetGroup({ ...group, group_id: asked.group_id, max_instances_per_host: 2, max_impacted_members: 2 }),
      aFleetGroup({
        ...group,
        group_id: unasked.group_id,
        group_name: 'batch',
        anti_affinity_group: false,
        max_instances_per_host: 0,
      }),
    ],
    instances: range(instances).map((number) =>
      aFleetInstance({
        instance_id: uuidNumber(number),
        instance_name: `vm-${number}`,
        host: `compute-${1 + (number % (computes - emptyComputes))}`,
        ...lasting,
        ...membership(number),
      }),
    ),
  });
